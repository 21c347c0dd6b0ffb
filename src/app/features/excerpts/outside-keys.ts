import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { Excerpt, ImageExcerpt } from "../../../conversation/markdown/excerpt.ts";
import { entryPlainText } from "../../../conversation/markdown/plain-text.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { type Key, onEntry } from "../../world/keys/key.ts";
import { selectedRow } from "../../world/list/select-list.ts";
import { currentIndex, selectReader } from "../../world/opened/select-reader.ts";
import { shareNotes } from "../../world/questions/several-menus.ts";
import { menu } from "../../world/screen/menus.ts";
import { type MenuItem, openOverlay } from "../../world/state/overlays.ts";
import { type State, say, shownSession, type Transition, transition } from "../../world/state/state.ts";
import { blockInSight, imageInSight, type ShownImage } from "./in-sight.ts";

const TREE = ["tree"] as const;
const READER = ["reader"] as const;
const TREE_AND_READER = ["tree", "reader"] as const;

// Keys that hand texts out: to the clipboard, the person's editor or pager, or a file. In the tree, letters are text.
// biome-ignore format: a table
export const OUTSIDE_KEYS: readonly Key[] = [
	{ id: "copy", name: "Copy the text", synonyms: "clipboard, yank", keys: ["ctrl+x"], contexts: TREE_AND_READER, pi: "app.message.copy",
		help: "copy the text of the entry to the clipboard", ...onEntry("copy", copyEntry) },
	{ id: "copy", keys: ["y"], contexts: READER, help: "the same", ...onEntry("copy", copyEntry) },
	{ id: "copy-block", name: "Copy the code block", synonyms: "clipboard, snippet", keys: ["c"], contexts: READER, acts: "entry",
		help: "copy the first code block that begins on the screen, else what is read: an answer, an output, a thought",
		run: copyBlock },
	{ id: "open-image", name: "Open the image", synonyms: "picture, view", keys: ["i"], contexts: READER, short: "image", acts: "entry", needs: whyNoImage,
		help: "open the first visible image in your program for images", run: openImage },
	{ id: "copy-turn", name: "Copy the turn as Markdown", synonyms: "clipboard", keys: [], contexts: TREE_AND_READER, help: "copy the whole turn as Markdown",
		...onEntry("copy", copyTurn) },
	{ id: "copy-turn", keys: ["Y"], contexts: READER, help: "the same",
		...onEntry("copy", copyTurn) },
	{ id: "editor", name: "Open in the editor", synonyms: "vim, EDITOR, view", keys: [], contexts: TREE, help: "the entry in $VISUAL or $EDITOR, as a copy",
		...onEntry("open", (state, entry) => open(state, entry, "entry", "editor")) },
	{ id: "editor", keys: ["v"], contexts: READER,
		help: "the whole branch in $VISUAL or $EDITOR, as a copy",
		...onEntry("open", (state, entry) => open(state, entry, "branch", "editor")) },
	{ id: "pager", name: "Open in the pager", synonyms: "less, PAGER", keys: [], contexts: TREE, help: "the entry in $PAGER",
		...onEntry("open", (state, entry) => open(state, entry, "entry", "pager")) },
	{ id: "pager", keys: ["V"], contexts: READER, help: "the whole branch in $PAGER",
		...onEntry("open", (state, entry) => open(state, entry, "branch", "pager")) },
	{ id: "export", name: "Save or share…", synonyms: "export, markdown, html, copy", keys: [], contexts: TREE_AND_READER,
		help: "save the branch as a web page or as Markdown, the turn or the entry, or copy it, with private data masked; or open it elsewhere",
		...onEntry("save", askWhatToTake) },
	{ id: "export", keys: ["x"], contexts: READER, help: "the same", ...onEntry("save", askWhatToTake) },
];

function copyEntry(state: State, entry: SessionEntry): Transition {
	const text = entryPlainText(entry);
	if (text === "") return transition(say(state, "This entry has no text to copy", "warning"));
	return transition(state, { type: "copy", text, what: "the entry's text" });
}

function copyBlock(state: State): Transition {
	const reader = selectReader(state);
	const block = reader && blockInSight(reader, currentIndex(state, reader));
	if (block === undefined) return transition(say(state, "There is no visible text to copy", "warning"));
	const { text, what, place } = block;
	return transition({ ...state, reader: { ...state.reader, copied: place } }, { type: "copy", text, what });
}

function openImage(state: State): Transition {
	const image = imageOf(state);
	return image === undefined ? transition(state) : transition(state, { type: "open-image", image });
}

function whyNoImage(state: State): string | undefined {
	return shownImage(state) === undefined ? "There is no visible image" : undefined;
}

function imageOf(state: State): ImageExcerpt | undefined {
	const shown = shownImage(state);
	const session = shownSession(state.detail);
	if (shown === undefined || session === undefined) return undefined;
	return { of: "image", session, title: titleOf(state), ...shown };
}

function shownImage(state: State): ShownImage | undefined {
	const reader = state.focus === "reader" ? selectReader(state) : undefined;
	return reader && imageInSight(reader);
}

function titleOf(state: State): string {
	const row = selectedRow(state);
	return row === undefined ? "session" : sessionTitle(row);
}

function excerptOf(state: State, entry: SessionEntry, of: Excerpt["of"]): Excerpt | undefined {
	const session = shownSession(state.detail);
	return session && { of, session, entryId: entry.id, title: titleOf(state) };
}

function copyTurn(state: State, entry: SessionEntry): Transition {
	const excerpt = excerptOf(state, entry, "turn");
	return excerpt === undefined ? transition(state) : transition(state, { type: "copy-excerpt", excerpt });
}

function open(state: State, entry: SessionEntry, of: Excerpt["of"], program: "editor" | "pager"): Transition {
	const excerpt = excerptOf(state, entry, of);
	return excerpt === undefined ? transition(state) : transition(state, { type: "open-excerpt", excerpt, in: program });
}

/** Asks what to take and where to; the branch comes first, since it makes sense by itself. */
function askWhatToTake(state: State, entry: SessionEntry): Transition {
	const [branch, turn, one] = (["branch", "turn", "entry"] as const).map((of) => excerptOf(state, entry, of));
	if (branch === undefined || turn === undefined || one === undefined) return transition(state);
	const items: MenuItem[] = [
		{ label: "Save the branch as a web page", effect: { type: "share-excerpt", excerpt: branch, to: "html" } },
		{ label: "Save the branch as Markdown", effect: { type: "share-excerpt", excerpt: branch, to: "markdown" } },
		{ label: "Save this turn", effect: { type: "share-excerpt", excerpt: turn, to: "markdown" } },
		{ label: "Save this entry", effect: { type: "share-excerpt", excerpt: one, to: "markdown" } },
		{ label: "Copy the branch", effect: { type: "share-excerpt", excerpt: branch, to: "clipboard" } },
		{ label: "Copy this turn", effect: { type: "share-excerpt", excerpt: turn, to: "clipboard" } },
		{ label: "Open the branch in the editor", effect: { type: "open-excerpt", excerpt: branch, in: "editor" } },
		{ label: "Open the branch in the pager", effect: { type: "open-excerpt", excerpt: branch, in: "pager" } },
	];
	const image = imageOf(state);
	if (image !== undefined) items.push({ label: "Save the visible image", effect: { type: "save-image", image } });
	return transition(openOverlay(state, menu("Save or share", shareNotes(state), { items })));
}
