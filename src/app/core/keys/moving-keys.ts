import type { Distance } from "../../../ui/page/distance.ts";
import { goToHit } from "../../features/reader/search-results.ts";
import { change, type Key, onSession } from "../../world/keys/key.ts";
import { goBack, leadsBack } from "../../world/page/way-back.ts";
import { backOnePane, dividerOfFocus, focusOn, growPane, toggleZoom } from "../../world/screen/panes.ts";
import { type Binding, PANES } from "../../world/state/binding.ts";
import type { State } from "../../world/state/state.ts";
import { PAGE_KINDS } from "../features/pages.ts";
import { move } from "../input/move.ts";

const ROWS = [...PANES, "comparison", "menu", "help", "palette", "projects", ...PAGE_KINDS] as const;
const TREE_AND_READER = ["tree", "reader"] as const;
const READER = ["reader"] as const;

// biome-ignore format: a table
export const MOVING_KEYS: readonly Key[] = [
	{ id: "up", keys: ["up", "ctrl+p"], contexts: ROWS, pi: "tui.select.up", help: "one row up", ...go({ rows: -1 }) },
	{ id: "down", keys: ["down", "ctrl+n"], contexts: ROWS, pi: "tui.select.down", help: "one row down", ...go({ rows: 1 }) },
	{ id: "page-up", keys: ["pageUp"], contexts: ROWS, pi: "tui.select.pageUp", help: "one page up",
		...go({ pages: -1 }) },
	{ id: "page-down", keys: ["pageDown"], contexts: ROWS, pi: "tui.select.pageDown", help: "one page down",
		...go({ pages: 1 }) },
	{ id: "first", keys: ["home"], contexts: ROWS, help: "to the first row", ...go({ end: "first" }) },
	{ id: "last", keys: ["end"], contexts: ROWS, help: "to the last row", ...go({ end: "last" }) },
	{ id: "next-pane", keys: ["right"], contexts: ["list"], short: "open", help: "into the session's tree, after a search at the best hit",
		...onSession("open", change(focusOn("tree"))) },
	{ id: "next-pane", keys: ["right"], contexts: ["tree"], short: "text", help: "into the text of the entry",
		acts: "entry", run: change(focusOn("reader")) },
	{ id: "full-page", name: "Full page, or back", synonyms: "read, whole screen, fullscreen", keys: ["right"], contexts: READER, when: ({ zoom }) => !zoom, help: "read on the whole screen",
		run: change((state) => toggleZoom(state)) },
	{ id: "previous-pane", keys: ["left", "ctrl+c"], contexts: ["tree"], short: "back", when: leadsBack,
		help: "back to the page that has led here", run: change(goBack) },
	{ id: "previous-pane", keys: ["left", "ctrl+c"], contexts: TREE_AND_READER, short: "back", help: "back to the previous pane",
		run: change(backOnePane) },
	{ id: "next-hit", name: "Next hit", synonyms: "search, match", keys: [], contexts: TREE_AND_READER, needs: needsHits,
		help: "to the next hit of the search", acts: "entry", run: change((state) => goToHit(state, 1)) },
	{ id: "previous-hit", name: "Previous hit", synonyms: "search, match", keys: [], contexts: TREE_AND_READER, needs: needsHits,
		help: "to the previous hit", acts: "entry", run: change((state) => goToHit(state, -1)) },
];

function go(distance: Distance): Pick<Binding, "acts" | "run"> {
	return {
		acts: "cursor",
		run: change((state) => move(state, distance)),
	};
}

function needsHits({ tree }: State): string | undefined {
	return (tree.hits?.ids.length ?? 0) > 0 ? undefined : "There are no hits to go to: search in the list first";
}

// biome-ignore format: a table
export const PANE_KEYS: readonly Key[] = [
	{ id: "full-page", keys: [], contexts: TREE_AND_READER,
		help: "read on the whole screen, or back", run: change((state) => toggleZoom(state, "reader")) },
	{ id: "zoom", name: "Maximize the pane, or restore it", synonyms: "bigger, fullscreen", keys: [], contexts: PANES, help: "maximize this pane, or restore it",
		run: change((state) => toggleZoom(state)) },
	{ id: "grow", name: "More room for this pane", synonyms: "wider, resize, bigger", keys: [], contexts: PANES, help: "more room for this pane",
		needs: needsDivider, run: change((state) => growPane(state, 1)) },
	{ id: "shrink", name: "Less room for this pane", synonyms: "narrower, resize, smaller", keys: [], contexts: PANES, help: "less room for this pane",
		needs: needsDivider, run: change((state) => growPane(state, -1)) },
];

function needsDivider(state: State): string | undefined {
	return dividerOfFocus(state) === undefined ? "This pane has the whole screen" : undefined;
}
