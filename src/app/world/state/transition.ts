import type { Message } from "../../../changes/engine/answer.ts";
import type { Tone } from "../../../ui/text/line.ts";
import type { Effect } from "./effect.ts";
import type { State, Transition } from "./state.ts";

export function transition(state: State, ...effects: readonly Effect[]): Transition {
	return [state, effects];
}

/** Shows a message in the last row of the screen. */
export function say(state: State, text: string, tone: Tone = "text"): State {
	const message: Message = { text, tone };
	return { ...state, message };
}
