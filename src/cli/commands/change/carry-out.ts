import { createInterface } from "node:readline";
import { isDirectoryAsync } from "../../../app/world/effects/find-program.ts";
import { runWith } from "../../../app/world/effects/runners.ts";
import { makeNoted, SESSION_EFFECTS, type SessionEffect } from "../../../app/world/effects/sessions/session-effects.ts";
import { missingDirectoryQuestion } from "../../../app/world/questions/missing-directory.ts";
import { resumeQuestion } from "../../../app/world/questions/resume-question.ts";
import { questionRows } from "../../../app/world/screen/menus.ts";
import type { Action } from "../../../app/world/state/action.ts";
import type { Effect } from "../../../app/world/state/effect.ts";
import { type Message, type Question, UNDOES } from "../../../changes/answer.ts";
import { type FurtherNotes, questionAbout } from "../../../changes/engine/ask.ts";
import type { LongWork } from "../../../changes/engine/long-work.ts";
import type { ChangeRequest, SessionsChange } from "../../../changes/kinds/kinds.ts";
import type { NotedChange } from "../../../changes/kinds/sessions-kind.ts";
import { resolvePath } from "../../../shared/paths.ts";
import { SIGNAL_CODES } from "../../../terminal/exit-signals.ts";
import { columnsOf, controllingTerminal } from "../../../terminal/terminal.ts";
import { span } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { cutLine, cutText } from "../../../ui/text/width.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { jsonText } from "../../print/json.ts";
import {
	EXIT,
	Mistake,
	note,
	printJsonText,
	printPath,
	printQuestion,
	remark,
	withProgressNote,
} from "../../print/output.ts";
import type { Engines } from "./engines.ts";

interface EffectOutcome {
	/** Undefined if nothing was done (already reported), or if pi is about to start. */
	readonly message?: Message;
	/** The exit code, if it does not follow from the message. */
	readonly code?: number;
}

/**
 * Runs an effect as the browser does, and asks at the terminal what the browser would ask. Rejects only with a `Mistake`. `more`:
 * further sentences about the sessions of a change, if it is asked about again.
 */
export async function carryOut(
	effect: Effect,
	engines: Engines,
	yes: boolean,
	more?: FurtherNotes,
): Promise<EffectOutcome> {
	for (let next = effect; ; ) {
		// What the browser asks about a change leads to a change.
		const running = runWith(SESSION_EFFECTS, next as SessionEffect, engines);
		const { result, code } = await stoppable(engines.terminal.work, withProgressNote(running, engines.progress));
		if (code !== undefined) return { ...(result?.type === "done" && { message: result.message }), code };
		if (result === undefined) return {};
		if (result.type === "done") return { message: result.message };
		const question = questionFor(result, engines, more);
		// `--yes` agrees to the requested kind of change, and to no other that is offered instead.
		const isRequested = question.choices[question.index ?? 0]?.effect?.type === next.type;
		const chosen = await ask(isRequested ? question : { ...question, index: -1 }, yes);
		if (chosen === undefined) return { code: EXIT.nothing };
		next = chosen;
	}
}

/** Asks about a change of these sessions as the browser does, and makes it. */
export async function askAndChange(
	change: SessionsChange,
	paths: readonly string[],
	engines: Engines,
	{ yes = false }: Arguments,
	more?: FurtherNotes,
): Promise<EffectOutcome> {
	await engines.store.checkUse(paths);
	const question = questionAbout(change, paths, engines.known(), more);
	// Without a person nothing more is changed than what was named.
	const effect = await ask(yes ? { ...question, choices: question.choices.slice(0, 1) } : question, yes);
	return effect === undefined ? { code: EXIT.nothing } : carryOut(effect, engines, yes, more);
}

/** A change of one session, or one that makes one. */
interface OneChange {
	readonly request: ChangeRequest;
	readonly title: string;
	/** What it is recognized by besides, in a row. */
	readonly facts: string;
	readonly doubts?: readonly string[];
	/** What the person agrees to: "Rename it to “Lexer”". */
	readonly label: string;
	/** What `--json` prints besides the message. */
	readonly json: (change: NotedChange) => object;
	/** Follows the message. */
	readonly more?: string;
}

/** Asks about a change, makes it, and prints it: with `--json` as JSON, otherwise the path of a new session. Returns the exit code. */
export async function askAndMake(
	change: OneChange,
	engines: Engines,
	{ yes = false, json }: Arguments,
): Promise<number> {
	const { title, facts, doubts = [], label, request, more = "" } = change;
	const body = [{ text: facts, shape: "row" } as const, ...doubts];
	const choices = [{ label, effect: request }, { label: "Cancel" }];
	const chosen = await ask({ title, body, choices, danger: false }, yes);
	if (chosen === undefined) return EXIT.nothing;
	const { result: noted, code } = await stoppable(engines.terminal.work, makeNoted(chosen, engines));
	const message = { ...noted.message, text: `${noted.message.text}${more}` };
	await printChange(json, { message }, change.json(noted));
	if (json !== true && noted.created !== undefined) await printPath(noted.created);
	return reportOutcome({ message, ...(code !== undefined && { code }) });
}

/** The directory that `--to` names, absolute. pi cannot be started in one that does not exist. */
export async function directoryNamed(to: string): Promise<string> {
	const path = resolvePath(to);
	if (!(await isDirectoryAsync(path))) throw new Mistake(`--to ${to} is not a directory`);
	return path;
}

/** The browser's question about the result of an effect. `more`: the further sentences of the question before. */
function questionFor(action: Action, engines: Engines, more: FurtherNotes | undefined): Question<Effect> {
	switch (action.type) {
		case "ask":
			return action.question;
		case "directory-missing":
			return missingDirectoryQuestion(action, engines.disk);
		case "in-use": {
			const { effect, now: session } = action;
			if (effect.type !== "change-sessions") return resumeQuestion(effect, session, { tmux: false, now: Date.now() });
			return questionAbout(effect.change, [session.row.path], engines.known(), more);
		}
		default:
			throw new Error(`an effect of a command ended with ${action.type}`);
	}
}

/** Prints the message of a change; returns the exit code, which is 2 unless everything requested was done. */
export function reportOutcome({ message, code }: EffectOutcome): number {
	if (message === undefined) return code ?? EXIT.ok;
	const isDone = message.tone !== "error" && message.tone !== "warning";
	const { text, undoing = UNDOES } = message;
	const line = undoing === UNDOES ? text : `${text} (pi-grove undo ${undoing})`;
	if (isDone) remark(line);
	else note(line);
	return code ?? (isDone ? EXIT.ok : EXIT.failed);
}

/** With `--json`, prints `facts` and the message of a change, if there is one. */
export async function printChange(json: boolean | undefined, { message }: EffectOutcome, facts: object): Promise<void> {
	if (json === true && message !== undefined) await printJsonText(jsonText({ ...facts, message: message.text }));
}

/** The result of work, and the exit code of the signal that interrupted it, if one did. */
interface WorkResult<Result> {
	readonly result: Result;
	readonly code?: number;
}

/**
 * Waits for changes. A signal stops them between two sessions, so that each finished one is whole and in the journal, and all
 * are one undo step. A second signal ends the program; the next undo then finds out from the files what was done. No signal gets
 * through while a file is being changed, because that blocks this thread.
 */
async function stoppable<Result>(work: LongWork, changes: Promise<Result>): Promise<WorkResult<Result>> {
	let code: number | undefined;
	const stop = (signal: NodeJS.Signals): void => {
		if (code !== undefined) process.exit(SIGNAL_CODES.get(signal) ?? 1);
		code = SIGNAL_CODES.get(signal);
		work.stop();
	};
	for (const signal of SIGNAL_CODES.keys()) process.on(signal, stop);
	try {
		const result = await changes;
		return code === undefined ? { result } : { result, code };
	} finally {
		for (const signal of SIGNAL_CODES.keys()) process.off(signal, stop);
	}
}

/**
 * Asks on stderr and reads the answer from the terminal. `yes` answers with the item that the browser highlights; if the
 * browser highlights none, or "Cancel", because of a risk, `yes` does not agree. Undefined if the person did not agree, which is
 * reported; rejects with a `Mistake` if nobody can be asked.
 */
export async function ask<Effect>(question: Question<Effect>, yes: boolean): Promise<Effect | undefined> {
	const items = question.choices.flatMap(({ label, effect }) => (effect === undefined ? [] : [{ label, effect }]));
	const [first, ...others] = items;
	if (yes && others.length === 0) {
		const { effect } = question.choices[question.index ?? 0] ?? {};
		if (effect !== undefined) return effect;
	}
	show(question);
	if (first === undefined) throw new Mistake("nothing was done");
	if (yes)
		throw new Mistake("nothing was done: --yes does not cover this; run it at a terminal without --yes to be asked");
	const chosen = others.length === 0 ? await agree(first.label, question.danger) : await choose(items);
	const effect = chosen === undefined ? undefined : items[chosen]?.effect;
	if (effect === undefined) remark("Nothing was done.");
	return effect;
}

/** Columns when stderr is not a terminal. */
const COLUMNS = 100;

function show(question: Question<unknown>): void {
	const columns = columnsOf(process.stderr) ?? COLUMNS;
	remark(cutText(cleanText(question.title), columns));
	for (const line of questionRows(question, columns - 2)) {
		const text = cutLine([span("  "), ...line], columns).map((part) => part.text);
		remark(text.join("").trimEnd());
	}
}

/** Asks about a single choice: "Move to the trash? [y/N] "; its index, or undefined for no. */
async function agree(label: string, danger: boolean): Promise<number | undefined> {
	const answer = await readAnswer(`${label}? ${danger ? "[y/N]" : "[Y/n]"} `);
	const word = answer.trim().toLowerCase();
	const isYes = word === "" ? !danger : ["y", "yes"].includes(word);
	return isYes ? 0 : undefined;
}

/** Asks for the number of one of several choices; its index, which may be that of none. */
async function choose(items: readonly { readonly label: string }[]): Promise<number> {
	for (const [index, { label }] of items.entries()) remark(`  ${index + 1}  ${label}`);
	const answer = await readAnswer("Number, or Enter to cancel: ");
	return Number(answer.trim()) - 1;
}

/**
 * Reads a line from the terminal, even if stdin is something else, as in `… | xargs`; "no" at the end of the input. Rejects with a
 * `Mistake` if there is no terminal to type at, or if stderr, where the question is printed, is not one.
 */
async function readAnswer(question: string): Promise<string> {
	const terminal = process.stderr.isTTY ? controllingTerminal(false) : undefined;
	if (terminal === undefined)
		throw new Mistake("nothing was done: there is no terminal to ask at; use --yes to do it without asking");
	// The terminal itself echoes and edits the line, as for any program that reads one.
	const lines = createInterface({ input: terminal.input, terminal: false });
	printQuestion(question);
	try {
		return await new Promise<string>((resolve) => {
			lines.once("line", resolve);
			lines.once("close", () => resolve("no"));
		});
	} finally {
		lines.close();
		// What is typed from now on is for the next program.
		terminal.input.pause();
		terminal.close();
	}
}
