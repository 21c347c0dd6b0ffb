import type { Key } from "../key.ts";
import type { Action, WorldAction } from "../state/action.ts";
import type { State, Transition } from "../state/state.ts";
import type { Page } from "./page.ts";

/** What is done about each action of a type. */
type Handlers<A extends Action> = {
	readonly [Type in A["type"]]: (state: State, action: Extract<A, { type: Type }>) => State | Transition;
};

/** What the loop gets of a feature: what it does about its own actions, all of them, and after those of the world. */
export interface Feature<Own extends Action> {
	readonly on: Handlers<Own> & Partial<Handlers<WorldAction>>;
	/** The page that it shows in the place of the panes, and its keys, in their section of the help. */
	readonly page?: Page;
	readonly keys?: { readonly section: string; readonly keys: readonly Key[] };
}
