import type { Effect } from "../model/effect.ts";
import type { Message, State } from "../model/state.ts";
import type { Tone } from "../model/view.ts";

/** What an action leads to: the next state, and what is to be done outside. */
export type Transition = readonly [state: State, effects: readonly Effect[]];

export function transition(state: State, ...effects: readonly Effect[]): Transition {
	return [state, effects];
}

/** The state with something said at the bottom of the screen. */
export function say(state: State, text: string, tone: Tone = "text"): State {
	const message: Message = { text, tone };
	return { ...state, message };
}
