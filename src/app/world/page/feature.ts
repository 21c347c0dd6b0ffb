import type { Key } from "../keys/key.ts";
import type { Action, WorldAction } from "../state/action.ts";
import type { State, Transition } from "../state/state.ts";
import type { Page } from "./page.ts";

/** A handler for each type of action. */
type Handlers<A extends Action> = {
	readonly [Type in A["type"]]: (state: State, action: Extract<A, { type: Type }>) => State | Transition;
};

/** What the loop needs from a feature: handlers of all its own actions, and of any of the world, which run after the core's. */
export interface Feature<Own extends Action> {
	readonly on: Handlers<Own> & Partial<Handlers<WorldAction>>;
	/** The page that replaces the panes, and its keys, with their section of the help. */
	readonly page?: Page;
	readonly keys?: { readonly section: string; readonly keys: readonly Key[] };
}
