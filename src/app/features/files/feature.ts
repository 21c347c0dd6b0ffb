import { change, type Key, onSelected } from "../../world/keys/key.ts";
import { atEntry } from "../../world/opened/select-tree.ts";
import { type Feature, layoutWithPreview } from "../../world/page/page.ts";
import { goToTree } from "../../world/page/way-back.ts";
import { closePage, openPage } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { topRow } from "./files-detail.ts";
import { FILES_PAGE } from "./files-page.ts";
import { FILES, type FilesRow, selectedFilesRow, selectFound } from "./files-state.ts";

const HERE = ["files"] as const;

// biome-ignore format: a table
const FILES_KEYS: readonly Key[] = [
	{ id: "files", name: "Files", synonyms: "changed, edits, diff, blame", keys: ["tab"], contexts: ["branches"], short: "files", acts: "entry", needs: needsSession,
		help: "list the files that the session changed, each with its edits", run: change((state) => openPage(state, "files")) },
	{ id: "files", keys: [], contexts: ["tree", "reader"], help: "list the files that the session changed, each with its edits", acts: "entry", needs: needsSession,
		run: change((state) => openPage(state, "files")) },
	{ id: "open-file", keys: ["enter", "right"], contexts: HERE, short: "edits", when: (state) => selectedFilesRow(state)?.edit === undefined,
		help: "show or hide the edits of the file", condition: "on a file", ...onRow(toggleFile) },
	{ id: "go-to-edit", keys: ["enter", "right"], contexts: HERE, short: "go there", when: (state) => selectedFilesRow(state)?.edit !== undefined,
		help: "go to the edit in the tree", condition: "on an edit", ...onRow(goToEdit) },
	{ id: "close-file", keys: ["left"], contexts: HERE, when: isOpen,
		help: "hide the edits of the file", condition: "on an edit", ...onRow(toggleFile) },
	{ id: "summed", keys: ["d"], contexts: HERE, short: "each edit",
		help: "show the diff of all edits together, or one edit after the other",
		...onRow((state) => FILES.with(state, { isSummed: !FILES.of(state).isSummed, scrolled: 0 })) },
	{ id: "diff-down", keys: [" "], contexts: HERE, short: "read on", help: "scroll the diff one page down",
		...onRow((state) => scroll(state, 1)) },
	{ id: "diff-up", keys: ["b"], contexts: HERE, help: "scroll the diff one page up", run: change((state) => scroll(state, -1)) },
	{ id: "cancel", keys: ["left"], contexts: HERE, help: "back to where you were",
		run: change((state) => closePage(state, "files")) },
	{ id: "to-tree", keys: ["tab"], contexts: HERE, short: "tree", help: "to the session's tree",
		run: change((state) => closePage({ ...state, focus: "tree" }, "files")) },
];

function needsSession({ detail }: State): string | undefined {
	return detail.session === undefined ? "There is no session to look at" : undefined;
}

function onRow(next: (state: State, row: FilesRow) => State): Pick<Key, "needs" | "run"> {
	return onSelected(selectedFilesRow, "The session has changed no file", next);
}

function isOpen(state: State): boolean {
	const row = selectedFilesRow(state);
	return row !== undefined && FILES.of(state).opened.has(row.file.path);
}

/** Shows the edits of the file that the cursor is on, or in, or hides them. */
function toggleFile(state: State, { file: { path } }: FilesRow): State {
	const { opened, cursor } = FILES.of(state);
	const toggled = opened.symmetricDifference(new Set([path]));
	return FILES.with(state, { opened: toggled, cursor: { ...cursor, selected: path }, scrolled: 0 });
}

/** Closes the page, with the cursor of the tree on the edit. */
function goToEdit(state: State, { edit }: FilesRow): State {
	const id = edit?.entryId;
	if (edit === undefined || id === undefined || id === "") return state;
	if (edit.session !== selectFound(state)?.session.path)
		return goToTree(state, edit.session, (now) => atEntry(now, id));
	return closePage({ ...atEntry(state, id), focus: "tree" }, "files");
}

function scroll(state: State, pages: 1 | -1): State {
	const { second } = layoutWithPreview(state.size);
	if (second === undefined) return state;
	const scrolled = Math.max(0, topRow(state, second) + pages * second.height);
	return FILES.with(state, { scrolled: topRow(FILES.with(state, { scrolled }), second) });
}

export const FILES_FEATURE: Feature = {
	page: FILES_PAGE,
	keys: { section: "Files", keys: FILES_KEYS },
	on: {},
};

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly files: true;
	}
}
