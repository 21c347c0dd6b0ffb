import type { Message } from "../../changes/engine/answer.ts";
import type { Tone } from "../../ui/view.ts";
import type { Effect } from "./effect.ts";
import type { State } from "./state.ts";

/** What an action leads to: the next state, and the effects to run. */
export type Transition = readonly [state: State, effects: readonly Effect[]];

export function transition(state: State, ...effects: readonly Effect[]): Transition {
	return [state, effects];
}

/** The state with a message in the last row of the screen. */
export function say(state: State, text: string, tone: Tone = "text"): State {
	const message: Message = { text, tone };
	return { ...state, message };
}
