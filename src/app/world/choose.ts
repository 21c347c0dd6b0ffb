import type { Choice } from "./state/choice.ts";
import type { Effect } from "./state/effect.ts";
import type { State } from "./state/state.ts";

/** Ends the browser with a choice, once the changes under way are made. */
export function choose(choice: Choice): Extract<Effect, { type: "leave" }> {
	return { type: "leave", outcome: { kind: "chosen", choice } };
}

/** Ends the browser without a choice. */
export const BACK_TO_PI: Effect = { type: "leave", outcome: { kind: "quit" } };

/** Whether the session is the one that is open in the pi that started the browser. */
export function isOpenInHost({ environment: { host } }: Pick<State, "environment">, path: string): boolean {
	return host?.open.path === path;
}
