import type { State } from "./state/state.ts";

/** The filter of the focused pane; the entry's text has none. */
export function queryOf(state: State): string {
	return state.focus === "reader" ? "" : state[state.focus].query.text;
}
