import { change, type Key } from "../../world/key.ts";
import { dividerOfFocus, growPane, toggleZoom } from "../../world/panes.ts";
import { PANES } from "../../world/state/binding.ts";
import type { State } from "../../world/state/state.ts";

// biome-ignore format: a table
export const PANE_KEYS: readonly Key[] = [
	{ id: "full-page", keys: ["ctrl+f"], contexts: ["tree", "reader"], short: "full page",
		help: "read on the whole screen, or back", run: change((state) => toggleZoom(state, "reader")) },
	{ id: "zoom", keys: ["alt+z", "f6"], contexts: PANES, help: "maximize this pane, or restore it",
		run: change((state) => toggleZoom(state)) },
	{ id: "grow", keys: ["alt+=", "shift+alt+right"], contexts: PANES, help: "more room for this pane",
		needs: needsDivider, run: change((state) => growPane(state, 1)) },
	{ id: "shrink", keys: ["alt+-", "shift+alt+left"], contexts: PANES, help: "less room for this pane",
		needs: needsDivider, run: change((state) => growPane(state, -1)) },
];

function needsDivider(state: State): string | undefined {
	return dividerOfFocus(state) === undefined ? "This pane has the whole screen" : undefined;
}
