import { createInterface } from "node:readline";
import { runWith } from "../../../app/world/effects/runners.ts";
import { makeNoted, SESSION_EFFECTS, type SessionEffect } from "../../../app/world/effects/sessions/session-effects.ts";
import { missingDirectoryQuestion } from "../../../app/world/questions/missing-directory.ts";
import { resumeQuestion } from "../../../app/world/questions/resume-question.ts";
import { questionRows } from "../../../app/world/screen/menus.ts";
import type { Action } from "../../../app/world/state/action.ts";
import type { Effect } from "../../../app/world/state/effect.ts";
import type { Message, Question } from "../../../changes/answer.ts";
import { type More, questionAbout } from "../../../changes/engine/ask.ts";
import type { LongWork } from "../../../changes/engine/long-work.ts";
import type { ChangeRequest, SessionsChange } from "../../../changes/kinds/kinds.ts";
import type { Noted } from "../../../changes/kinds/sessions-kind.ts";
import { SIGNAL_CODES } from "../../../terminal/exit-signals.ts";
import { columnsOf, controllingTerminal } from "../../../terminal/terminal.ts";
import { span } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { cutLine, cutText } from "../../../ui/text/width.ts";
import type { Given } from "../../arguments/arguments.ts";
import { jsonText } from "../../print/json.ts";
import { EXIT, note, printJsonText, printPath, printQuestion, remark, withProgressNote } from "../../print/output.ts";
import type { Engines } from "./engines.ts";

/** The outcome of an effect. */
interface CarriedOut {
	/** Undefined if nothing was done (already reported), or if pi is about to start. */
	readonly message?: Message;
	/** The exit code, if it does not follow from the message. */
	readonly code?: number;
}

/** Runs an effect as the browser does, and asks at the terminal what the browser would ask. Never rejects. */
export async function carryOut(effect: Effect, engines: Engines, yes: boolean): Promise<CarriedOut> {
	for (let next = effect; ; ) {
		// What the browser asks about a change leads to a change.
		const running = runWith(SESSION_EFFECTS, next as SessionEffect, engines);
		const { result, code } = await stoppable(engines.terminal.work, withProgressNote(running, engines.progress));
		if (code !== undefined) return { ...(result?.type === "done" && { message: result.message }), code };
		if (result === undefined) return {};
		if (result.type === "done") return { message: result.message };
		const question = questionFor(result, engines);
		// `--yes` agrees to the requested kind of change, and to no other that is offered instead.
		const isRequested = question.choices[question.index ?? 0]?.effect?.type === next.type;
		const answer = await ask(isRequested ? question : { ...question, index: -1 }, yes);
		if ("code" in answer) return answer;
		next = answer.effect;
	}
}

/** Asks about a change of these sessions as the browser does, and makes it. */
export async function askAndChange(
	change: SessionsChange,
	paths: readonly string[],
	engines: Engines,
	{ yes = false }: Given,
	more?: More,
): Promise<CarriedOut> {
	await engines.store.checkUse(paths);
	const question = questionAbout(change, paths, engines.known(), more);
	// Without a person nothing more is changed than what was named.
	const answer = await ask(yes ? { ...question, choices: question.choices.slice(0, 1) } : question, yes);
	return "code" in answer ? answer : carryOut(answer.effect, engines, yes);
}

/** A change of one session, or one that makes one. */
interface OneChange {
	readonly request: ChangeRequest;
	/** Title of the session. */
	readonly title: string;
	/** What it is recognized by besides, in a row. */
	readonly facts: string;
	readonly doubts?: readonly string[];
	/** What the person agrees to: "Rename it to “Lexer”". */
	readonly label: string;
	/** What `--json` prints besides the message. */
	readonly json: (made: Noted) => object;
	/** Follows the message. */
	readonly more?: string;
}

/** Asks about a change, makes it, and prints it: with `--json` as JSON, otherwise the path of a new session. Returns the exit code. */
export async function askAndMake(change: OneChange, engines: Engines, { yes = false, json }: Given): Promise<number> {
	const { title, facts, doubts = [], label, request, more = "" } = change;
	const body = [{ text: facts, shape: "row" } as const, ...doubts];
	const choices = [{ label, effect: request }, { label: "Cancel" }];
	const answer = await ask({ title, body, choices, danger: false }, yes);
	if ("code" in answer) return answer.code;
	const { result: made, code } = await stoppable(engines.terminal.work, makeNoted(answer.effect, engines));
	const message = { ...made.message, text: `${made.message.text}${more}` };
	await printChange(json, { message }, change.json(made));
	if (json !== true && made.created !== undefined) await printPath(made.created);
	return reportOutcome({ message, ...(code !== undefined && { code }) });
}

/** The browser's question about the result of an effect. */
function questionFor(action: Action, engines: Engines): Question<Effect> {
	switch (action.type) {
		case "ask":
			return action.question;
		case "directory-missing":
			return missingDirectoryQuestion(action, engines.disk);
		case "in-use": {
			const { effect, now: shown } = action;
			if (effect.type !== "change-sessions") return resumeQuestion(effect, shown, { tmux: false, now: Date.now() });
			return questionAbout(effect.change, [shown.row.path], engines.known());
		}
		default:
			throw new Error(`an effect of a command ended with ${action.type}`);
	}
}

/** Prints the message of a change; returns the exit code, which is 2 unless everything requested was done. */
export function reportOutcome({ message, code }: CarriedOut): number {
	if (message === undefined) return code ?? EXIT.ok;
	const isDone = message.tone !== "error" && message.tone !== "warning";
	if (isDone) remark(message.text);
	else note(message.text);
	return code ?? (isDone ? EXIT.ok : EXIT.failed);
}

/** With `--json`, prints `facts` and the message of a change, if there is one. */
export async function printChange(json: boolean | undefined, { message }: CarriedOut, facts: object): Promise<void> {
	if (json === true && message !== undefined) await printJsonText(jsonText({ ...facts, message: message.text }));
}

/** The result of work, and the exit code of the signal that interrupted it, if one did. */
interface Stopped<Result> {
	readonly result: Result;
	readonly code?: number;
}

/**
 * Waits for changes. A signal stops them between two sessions, so that each finished one is whole and in the journal, and all
 * are one undo step. A second signal ends the program at once; the next undo then finds out from the files what was done.
 */
async function stoppable<Result>(work: LongWork, changes: Promise<Result>): Promise<Stopped<Result>> {
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

/** The choice; or, if nothing is to be done (already reported), the exit code. */
export type Answer<Effect> = { readonly effect: Effect } | { readonly code: number };

/**
 * Asks on stderr and reads the answer from the terminal. `yes` answers with the item that the browser highlights; if the
 * browser highlights none, or "Cancel", because of a risk, `yes` does not agree.
 */
export async function ask<Effect>(question: Question<Effect>, yes: boolean): Promise<Answer<Effect>> {
	const acting = question.choices.flatMap(({ label, effect }) => (effect === undefined ? [] : [{ label, effect }]));
	const [first, ...others] = acting;
	if (yes && others.length === 0) {
		const { effect } = question.choices[question.index ?? 0] ?? {};
		if (effect !== undefined) return { effect };
	}
	show(question);
	if (first === undefined) return refused("nothing was done");
	if (yes)
		return refused("nothing was done: --yes does not cover this; run it at a terminal without --yes to be asked");
	const chosen = others.length === 0 ? await agree(first, question.danger) : await choose(acting);
	if (chosen === undefined)
		return refused("nothing was done: there is no terminal to ask at; use --yes to do it without asking");
	if (chosen !== "none") return chosen;
	remark("Nothing was done.");
	return { code: EXIT.nothing };
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

function refused(why: string): { readonly code: number } {
	note(why);
	return { code: EXIT.failed };
}

/** "Move to the trash? [y/N] "; undefined if there is no terminal to ask at. */
async function agree<Effect>({ label, effect }: { label: string; effect: Effect }, danger: boolean) {
	const answer = await readAnswer(`${label}? ${danger ? "[y/N]" : "[Y/n]"} `);
	if (answer === undefined) return undefined;
	const word = answer.trim().toLowerCase();
	const isYes = word === "" ? !danger : ["y", "yes"].includes(word);
	return isYes ? { effect } : "none";
}

/** Asks for the number of one of several choices. */
async function choose<Effect>(items: readonly { label: string; effect: Effect }[]) {
	for (const [index, { label }] of items.entries()) remark(`  ${index + 1}  ${label}`);
	const answer = await readAnswer("Number, or Enter to cancel: ");
	if (answer === undefined) return undefined;
	const item = items[Number(answer.trim()) - 1];
	return item === undefined ? "none" : { effect: item.effect };
}

/**
 * Reads a line from the terminal, even if stdin is something else, as in `… | xargs`. Undefined if there is no terminal to type
 * at, or if stderr, where the question is printed, is not one. "no" at the end of the input.
 */
async function readAnswer(question: string): Promise<string | undefined> {
	const terminal = process.stderr.isTTY ? controllingTerminal(false) : undefined;
	if (terminal === undefined) return undefined;
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
