import { PANES } from "../../world/binding.ts";
import { change, type Key } from "../../world/key.ts";
import { closePage } from "../../world/page/open-page.ts";
import type { State } from "../../world/state.ts";
import { openTrash, restoreChosen } from "./trash-actions.ts";
import { selectedItem } from "./trash-items.ts";

const TRASH = ["trash"] as const;

// biome-ignore format: a table
export const TRASH_KEYS: readonly Key[] = [
	{ id: "trash", keys: ["alt+delete", "f10"], contexts: PANES,
		help: "what was deleted and is in the trash: look, restore", run: change(openTrash) },
	{ id: "restore", keys: ["enter", "r"], contexts: TRASH, short: "restore", needs: needsItem,
		help: "bring the marked sessions back to their places, or the one under the cursor", run: restoreChosen },
	{ id: "cancel", keys: ["f10", "alt+delete"], contexts: TRASH, help: "back to the panes", run: change((state) => closePage(state, "trash")) },
];

function needsItem({ trash }: State): string | undefined {
	return selectedItem(trash) === undefined ? "There is no session in the trash" : undefined;
}
