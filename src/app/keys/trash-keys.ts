import { PANES } from "../model/binding.ts";
import type { State } from "../model/state.ts";
import { transition } from "../model/transition.ts";
import { closePage } from "../page/open-page.ts";
import { selectedItem } from "../trash/trash-items.ts";
import { moveIn } from "../update/move.ts";
import { markAllItems, markItem, markItemsTo, openTrash, restoreChosen, unmarkItems } from "../update/trash.ts";
import { change, type Key } from "./handlers.ts";

const TRASH = ["trash"] as const;

// biome-ignore format: a table
export const TRASH_KEYS: readonly Key[] = [
	{ id: "trash", keys: ["alt+delete", "f10"], contexts: PANES,
		help: "what was deleted and is in the trash: look, restore", run: change(openTrash) },
	{ id: "restore", keys: ["enter", "r"], contexts: TRASH, short: "restore", needs: needsItem,
		help: "bring the marked sessions back to their places, or the one under the cursor", run: restoreChosen },
	{ id: "mark-item", keys: ["insert", "ctrl+space", " "], contexts: TRASH, short: "mark", needs: needsItem,
		help: "mark the session, or take its mark away, and go to the next", run: change(markItem) },
	{ id: "mark-items", keys: ["alt+m", "alt+insert"], contexts: TRASH, needs: needsItem,
		help: "mark all from the session that was marked last to this one", run: change(markItemsTo) },
	{ id: "mark-all-items", keys: ["alt+u", "a"], contexts: TRASH, needs: needsItem,
		help: "mark all; once all are marked, take the marks away", run: change(markAllItems) },
	{ id: "unmark-items", keys: ["escape"], contexts: TRASH, short: "unmark", pi: "tui.select.cancel",
		when: ({ trash, progress }) => trash.marks.marked.size > 0 && progress === undefined, help: "take all marks away", run: change(unmarkItems) },
	{ id: "preview-up", keys: ["shift+up"], contexts: TRASH, help: "back up in the session's tree",
		run: change((state) => moveIn(state, "tree", { rows: -1 })) },
	{ id: "preview-down", keys: ["shift+down"], contexts: TRASH, help: "on in the session's tree",
		run: change((state) => moveIn(state, "tree", { rows: 1 })) },
	{ id: "undo", keys: ["ctrl+_", "ctrl+/"], contexts: TRASH, help: "take back the last change",
		run: (state) => transition(state, { type: "undo" }) },
	{ id: "cancel", keys: ["f10", "alt+delete"], contexts: TRASH, help: "back to the panes", run: change((state) => closePage(state, "trash")) },
];

function needsItem({ trash }: State): string | undefined {
	return selectedItem(trash) === undefined ? "There is no session in the trash" : undefined;
}
