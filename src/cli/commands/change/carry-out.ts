import { missingDirectoryMenu, questionMenu } from "../../../app/core/question-menus.ts";
import { SESSION_EFFECTS, type SessionEffect } from "../../../app/features/sessions/effects/session-effects.ts";
import { runWith } from "../../../app/world/effects/runners.ts";
import { questionOfUse } from "../../../app/world/questions/use-menus.ts";
import type { Action } from "../../../app/world/state/action.ts";
import type { Effect } from "../../../app/world/state/effect.ts";
import type { State } from "../../../app/world/state/state.ts";
import type { Message } from "../../../changes/engine/answer.ts";
import { EXIT } from "../../print/exit-code.ts";
import { note, remark } from "../../print/output.ts";
import { withProgressNote } from "../../print/progress-note.ts";
import { type Asked, ask } from "./ask.ts";
import type { Engines } from "./engines.ts";
import { stoppable } from "./stoppable.ts";

/** What came of an effect: what there is to say of it, and an exit code where it is not that of the message. */
export interface CarriedOut {
	/** Undefined where nothing was done, which has been said; and where pi is to be started. */
	readonly message?: Message;
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
		const asked = askedBy(result, engines.state());
		// `--yes` agrees to what was asked for, and to nothing else in its place.
		const isMeant = asked.items[asked.index]?.effect?.type === next.type;
		const answer = await ask(isMeant ? asked : { ...asked, index: -1 }, yes);
		if ("code" in answer) return answer;
		next = answer.effect;
	}
}

/** The browser's question about what an effect has found. */
function askedBy(action: Action, state: State): Asked<Effect> {
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

/** Prints what there is to say of a change; returns the exit code: 2 where not all that was asked for is done. */
export function tell({ message, code }: CarriedOut): number {
	if (message === undefined) return code ?? EXIT.ok;
	const isDone = message.tone !== "error" && message.tone !== "warning";
	if (isDone) remark(message.text);
	else note(message.text);
	return code ?? (isDone ? EXIT.ok : EXIT.failed);
}
