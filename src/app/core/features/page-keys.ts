import { moveInTree } from "../../features/tree/select-entry.ts";
import { change, type Key } from "../../world/key.ts";
import type { PageKind } from "../../world/state/page-kind.ts";
import type { State } from "../../world/state/state.ts";
import { transition } from "../../world/state/transition.ts";
import { hasMarks, markAllRows, markRow, markRows, rowToMark, unmarkRows } from "./page-marking.ts";
import { MARKED_PAGES, PAGES_WITH_TREE } from "./pages.ts";

/** Those from which sessions are changed. */
const CHANGING = ["maintenance"] as const satisfies readonly PageKind[];

/** What the pages have in common; their own keys come first. */
// biome-ignore format: a table
export const PAGE_KEYS: readonly Key[] = [
	{ id: "mark-row", keys: ["insert", "ctrl+space", " "], contexts: MARKED_PAGES, short: "mark", needs: needsRow,
		help: "mark what is under the cursor, on a heading all of its group, or take the marks away", run: change(markRow) },
	{ id: "mark-rows", keys: ["alt+m", "alt+insert"], contexts: MARKED_PAGES, needs: needsRow,
		help: "mark all from the row that was marked last to this one", run: change(markRows) },
	{ id: "mark-all-rows", keys: ["alt+u"], contexts: MARKED_PAGES, needs: needsRow,
		help: "mark all; once all are marked, take the marks away", run: change(markAllRows) },
	{ id: "unmark-rows", keys: ["escape"], contexts: MARKED_PAGES, short: "unmark", pi: "tui.select.cancel",
		when: (state) => state.progress === undefined && hasMarks(state), help: "take all marks away", run: change(unmarkRows) },
	{ id: "preview-up", keys: ["shift+up"], contexts: PAGES_WITH_TREE, help: "back up in the session's tree",
		run: change((state) => moveInTree(state, { rows: -1 })) },
	{ id: "preview-down", keys: ["shift+down"], contexts: PAGES_WITH_TREE, help: "on in the session's tree",
		run: change((state) => moveInTree(state, { rows: 1 })) },
	{ id: "undo", keys: ["ctrl+_", "ctrl+/"], contexts: CHANGING, help: "take back the last change",
		run: (state) => transition(state, { type: "undo" }) },
];

function needsRow(state: State): string | undefined {
	return rowToMark(state) === undefined ? "There is nothing to mark" : undefined;
}
