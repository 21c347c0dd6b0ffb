import { missingDirectoryMenu, questionMenu } from "../../../app/core/question-menus.ts";
import { SESSION_EFFECTS, type SessionEffect } from "../../../app/features/sessions/effects/session-effects.ts";
import { runWith } from "../../../app/world/effects/runners.ts";
import { questionOfUse } from "../../../app/world/questions/use-menus.ts";
import type { Action } from "../../../app/world/state/action.ts";
import type { Effect } from "../../../app/world/state/effect.ts";
import type { State } from "../../../app/world/state/state.ts";
import type { Message } from "../../../changes/engine/answer.ts";
import type { LongWork } from "../../../changes/engine/long-work.ts";
import { SIGNAL_CODES } from "../../../terminal/exit-signals.ts";
import { EXIT } from "../../print/exit-code.ts";
import { jsonText } from "../../print/json.ts";
import { note, printJsonText, remark } from "../../print/output.ts";
import { withProgressNote } from "../../print/progress-note.ts";
import { ask, type Question } from "./ask.ts";
import type { Engines } from "./engines.ts";

/** The outcome of an effect. */
export interface CarriedOut {
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
		const question = questionFor(result, engines.state());
		// `--yes` agrees to the requested kind of change, and to no other that is offered instead.
		const isRequested = question.items[question.index]?.effect?.type === next.type;
		const answer = await ask(isRequested ? question : { ...question, index: -1 }, yes);
		if ("code" in answer) return answer;
		next = answer.effect;
	}
}

/** The browser's question about the result of an effect. */
function questionFor(action: Action, state: State): Question<Effect> {
	switch (action.type) {
		case "ask":
			return questionMenu(state, action.question);
		case "directory-missing":
			return missingDirectoryMenu(state, action.request);
		case "in-use":
			return questionOfUse(state, action.effect, action.now);
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
export async function stoppable<Result>(work: LongWork, changes: Promise<Result>): Promise<Stopped<Result>> {
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
