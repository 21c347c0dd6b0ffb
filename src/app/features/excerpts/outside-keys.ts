import type { Choice } from "../../../changes/answer.ts";
import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import { rowsFrom } from "../../../conversation/document/walk.ts";
import { titleText } from "../../../conversation/entries/session-title.ts";
import type { Excerpt, ImageExcerpt } from "../../../conversation/markdown/excerpt.ts";
import { entryPlainText } from "../../../conversation/markdown/plain-text.ts";
import type { ReaderRow } from "../../../conversation/terminal/piece.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { type Key, onEntry, onSelected } from "../../world/keys/key.ts";
import { selectedRow } from "../../world/list/select-list.ts";
import { currentIndex, type Reader, selectReader } from "../../world/opened/select-reader.ts";
import { questionMenu } from "../../world/questions/ask.ts";
import { shareNotes } from "../../world/questions/share-menu.ts";
import type { Effect } from "../../world/state/effect.ts";
import type { CopiedBlock } from "../../world/state/opened-state.ts";
import { withOverlay } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";

const TREE = ["tree"] as const;
const READER = ["reader"] as const;
const TREE_AND_READER = ["tree", "reader"] as const;

// Keys that hand texts out: to the clipboard, the person's editor or pager, or a file. In the tree, letters are text.
// biome-ignore format: a table
export const OUTSIDE_KEYS: readonly Key[] = [
	{ id: "copy", name: "Copy the text", synonyms: "clipboard, yank, answer", keys: ["ctrl+x"], contexts: TREE_AND_READER, pi: "app.message.copy",
		help: "copy the text of the entry to the clipboard", ...onEntry("copy", copyEntry) },
	{ id: "copy", keys: ["y"], contexts: READER, help: "copy the text of the entry to the clipboard", ...onEntry("copy", copyEntry) },
	{ id: "copy-block", name: "Copy the code block", synonyms: "clipboard, snippet", keys: ["c"], contexts: READER, acts: "entry",
		help: "copy the first code block that begins on the screen; if there is none, the answer, output or thought that is read",
		run: copyBlock },
	{ id: "open-image", name: "Open the image", synonyms: "picture, view", keys: ["i"], contexts: READER, short: "image", acts: "entry",
		help: "open the first visible image in your image viewer",
		...onSelected(imageOf, "There is no visible image", (state, image) => transition(state, { type: "open-image", image })) },
	{ id: "copy-turn", name: "Copy the turn as Markdown", synonyms: "clipboard", keys: [], contexts: TREE_AND_READER, help: "copy the whole turn as Markdown",
		...onEntry("copy", copyTurn) },
	{ id: "copy-turn", keys: ["Y"], contexts: READER, help: "copy the whole turn as Markdown",
		...onEntry("copy", copyTurn) },
	{ id: "editor", name: "Open in the editor", synonyms: "vim, EDITOR, view", keys: [], contexts: TREE, help: "open a copy of the entry in $VISUAL or $EDITOR",
		...onEntry("open", (state, entry) => open(state, entry, "entry", "editor")) },
	{ id: "editor", keys: ["v"], contexts: READER,
		help: "open a copy of the branch in $VISUAL or $EDITOR",
		...onEntry("open", (state, entry) => open(state, entry, "branch", "editor")) },
	{ id: "pager", name: "Open in the pager", synonyms: "less, PAGER", keys: [], contexts: TREE, help: "open the entry in $PAGER",
		...onEntry("open", (state, entry) => open(state, entry, "entry", "pager")) },
	{ id: "pager", keys: ["V"], contexts: READER, help: "open the branch in $PAGER",
		...onEntry("open", (state, entry) => open(state, entry, "branch", "pager")) },
	{ id: "export", name: "Save or share…", synonyms: "export, markdown, html, copy", keys: [], contexts: TREE_AND_READER,
		help: "save or copy the branch, the turn or the entry, as a web page or Markdown, with private data masked; or open it in another program",
		...onEntry("save", askWhatToTake) },
	{ id: "export", keys: ["x"], contexts: READER, help: "save or copy the branch, the turn or the entry", ...onEntry("save", askWhatToTake) },
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

/** The first visible image. */
function imageOf(state: State): ImageExcerpt | undefined {
	const reader = state.focus === "reader" ? selectReader(state) : undefined;
	const { session } = state.detail;
	if (reader === undefined || session === undefined) return undefined;
	const { document, top, height } = reader;
	for (const { at } of rowsFrom(document, top, height)) {
		const base64 = document.pieces(at.entry)[at.piece]?.image;
		const entryId = document.path[at.entry]?.id;
		if (base64 !== undefined && entryId !== undefined)
			return { of: "image", session, title: titleOf(state), entryId, base64 };
	}
	return undefined;
}

function titleOf(state: State): string {
	const row = selectedRow(state);
	return row === undefined ? "session" : titleText(row);
}

function excerptOf(state: State, entry: SessionEntry, of: Excerpt["of"]): Excerpt | undefined {
	const session = state.detail.session;
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
	const choices: Choice<Effect>[] = [
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
	if (image !== undefined) choices.push({ label: "Save the visible image", effect: { type: "save-image", image } });
	return withOverlay(
		state,
		questionMenu(state, { title: "Save or share", body: shareNotes(state), choices, danger: false }),
	);
}

interface BlockText {
	readonly text: string;
	/** Its name in messages, such as "the code block". */
	readonly what: string;
	/** The rows that show it. */
	readonly place: CopiedBlock;
}

/**
 * The first code block whose first row is visible, of the entry that is read if there is one in it, else one of which only
 * other rows are visible. Without any, or if the code behind the rows is ambiguous, the whole block: a thought, an answer, an
 * output. `current`: index of the entry that is read.
 */
export function blockInSight({ document, top, height }: Reader, current: number): BlockText | undefined {
	const visible = rowsFrom(document, top, height);
	const rows = [...visible.filter(({ at }) => at.entry === current), ...visible];
	const codeRow =
		rows.find(({ at }) => isStart(document, at)) ??
		rows.find(({ at }) => isCode(document.rows(at.entry, at.piece)[at.row]));
	const code = codeRow && codeAt(document, codeRow.at);
	if (code !== undefined) return code;
	for (const { at } of codeRow === undefined ? rows : [codeRow, ...rows]) {
		const whole = wholeBlock(document, at);
		if (whole !== undefined) return whole;
	}
	return undefined;
}

/** Whether a row is the first one of a code block. */
function isStart(document: ReaderDocument, { entry, piece, row }: Position): boolean {
	const rows = document.rows(entry, piece);
	return isCode(rows[row]) && !isCode(rows[row - 1]);
}

/** The block that a row is in, including folded parts; undefined if there is no text in it. */
function wholeBlock(document: ReaderDocument, at: Position): BlockText | undefined {
	const text = blockText(document, at);
	const block = document.pieces(at.entry)[at.piece]?.block;
	const entryId = document.path[at.entry]?.id;
	if (text.trim() === "" || block === undefined || entryId === undefined) return undefined;
	return { text, what: "the block", place: { entryId, block, part: undefined, from: 0, to: Number.MAX_SAFE_INTEGER } };
}

/** The text of the block that a row is in, including folded parts. */
function blockText(document: ReaderDocument, { entry, piece }: Position): string {
	const block = document.pieces(entry)[piece]?.block;
	const textBlock =
		block === undefined ? undefined : Iterator.from(document.wholeBlocks(entry)).drop(block).next().value;
	return textBlock === undefined ? "" : textBlock.parts.map(({ text }) => text).join("");
}

/** The code block that a row of Markdown shows; undefined if that is ambiguous. */
function codeAt(document: ReaderDocument, { entry, piece, row }: Position): BlockText | undefined {
	const codes = document.codes(entry, piece);
	const rows = document.rows(entry, piece);
	const starts = rows.flatMap((one, index) => (isCode(one) && !isCode(rows[index - 1]) ? [index] : []));
	// Two blocks without a row between them look like one, so the counts differ.
	if (starts.length !== codes.length) return undefined;
	const number = starts.filter((start) => start <= row).length - 1;
	const [text, from = 0] = [codes[number], starts[number]];
	const { block = 0, part = 0 } = document.pieces(entry)[piece] ?? {};
	const entryId = document.path[entry]?.id;
	if (text === undefined || entryId === undefined) return undefined;
	const end = rows.findIndex((one, index) => index > from && !isCode(one));
	const to = end === -1 ? rows.length : end;
	return { text, what: "the code block", place: { entryId, block, part, from, to } };
}

/** Whether a row of an answer or a prompt shows code. A command has the same background, but on the row, not on its spans. */
function isCode(row: ReaderRow | undefined): boolean {
	return row !== undefined && row.ground !== "code" && row.line.some(({ ground }) => ground === "code");
}
