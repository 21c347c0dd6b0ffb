import type { Choice } from "../../../changes/answer.ts";
import { rowsFrom } from "../../../conversation/document/walk.ts";
import { titleText } from "../../../conversation/entries/session-title.ts";
import { type Excerpt, excerptEntries, type ImageExcerpt } from "../../../conversation/markdown/excerpt.ts";
import { digestRowOf } from "../../../conversation/tree/tree-rows.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { type Key, onEntry, onSelected } from "../../world/keys/key.ts";
import { selectedRow } from "../../world/list/select-list.ts";
import { entryUnderCursor } from "../../world/opened/select-branches.ts";
import { digestText, NO_DIGEST, selectDigest } from "../../world/opened/select-digest.ts";
import { selectReader } from "../../world/opened/select-reader.ts";
import { atEntry } from "../../world/opened/select-tree.ts";
import { onOpened } from "../../world/page/way-back.ts";
import { questionMenu } from "../../world/questions/ask.ts";
import { shareNotes } from "../../world/questions/share-menu.ts";
import type { Effect } from "../../world/state/effect.ts";
import { topOverlay, withOverlay } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import {
	codeInSight,
	copyAnswer,
	copyBlock,
	copyCode,
	copyEntry,
	copying,
	lastAnswer,
	nameOfCopy,
	whyNoCopy,
} from "./copied-text.ts";

const TREE = ["tree"] as const;
const READER = ["reader"] as const;
const TREE_AND_READER = ["tree", "reader"] as const;

const COPY = {
	acts: "entry",
	...onSelected(entryUnderCursor, "There is no entry to copy", copyEntry, whyNoCopy),
} as const;

const COPY_DIGEST = { acts: "session", ...onSelected(selectDigest, NO_DIGEST, copyDigest) } as const;

const BESIDE_ENTRIES = ["list", "branches"] as const;

// Keys that hand texts out: to the clipboard, the person's editor or pager, or a file.
// biome-ignore format: a table
export const OUTSIDE_KEYS: readonly Key[] = [
	{ id: "copy", keys: ["ctrl+x"], contexts: TREE, pi: "app.message.copy", when: isInDigest, condition: "in the digest",
		help: "copy the digest to the clipboard, as Markdown", ...COPY_DIGEST },
	{ id: "copy-digest", name: "Copy the digest of {}", synonyms: "clipboard, summary, asked, changed, open", keys: [], contexts: TREE_AND_READER,
		help: "copy what was asked, changed, failed, answered last and left open to the clipboard, as Markdown", ...COPY_DIGEST },
	{ id: "copy-digest", keys: [], contexts: BESIDE_ENTRIES, help: "copy the digest of the session", ...onOpened("copy-digest", copyDigest) },
	{ id: "copy", keys: [], contexts: READER, short: "copy code", when: (state) => codeInSight(state) !== undefined, condition: "where code begins in sight", help: "copy the code block", acts: "entry", run: copyBlock },
	{ id: "copy", name: "Copy the text of {}", synonyms: "clipboard, yank, output, diff", keys: ["ctrl+x"], contexts: TREE_AND_READER, short: nameOfCopy, pi: "app.message.copy",
		help: "copy what the entry says, printed or changed to the clipboard", ...COPY },
	{ id: "copy", keys: [], contexts: ["help"], short: "copy", when: (state) => outputHere(state) !== undefined, condition: "of a standup or a program",
		help: "copy the text", run: copyOutput },
	{ id: "copy-answer", name: "Copy the answer", synonyms: "clipboard, yank, last, reply", keys: ["alt+a"], contexts: TREE_AND_READER,
		help: "copy the last answer of the turn to the clipboard", ...onEntry("copy", copyAnswer) },
	{ id: "copy-answer", keys: ["alt+a"], contexts: BESIDE_ENTRIES, help: "copy the last answer of the session or the branch", ...onLastAnswer("copy-answer", copyAnswer) },
	{ id: "copy-block", name: "Copy the code block", synonyms: "clipboard, snippet", keys: [], contexts: READER, acts: "entry",
		help: "copy the first code block that begins on the screen; if there is none, the answer, output or thought that is read",
		run: copyBlock },
	{ id: "copy-block", keys: [], contexts: TREE, help: "copy the last code block up to the end of this turn", ...onEntry("copy", copyCode) },
	{ id: "copy-block", keys: [], contexts: BESIDE_ENTRIES, help: "copy the last code block of the session or the branch", ...onLastAnswer("copy-block", copyCode) },
	{ id: "open-image", name: "Open the image", synonyms: "picture, view", keys: [], contexts: READER, short: "image", acts: "entry",
		help: "open the first visible image in your image viewer",
		...onSelected(imageOf, "There is no visible image", (state, image) => transition(state, { type: "open-image", image })) },
	{ id: "copy-turn", name: "Copy the turn as Markdown", synonyms: "clipboard", keys: [], contexts: TREE_AND_READER, help: "copy the whole turn as Markdown",
		...onEntry("copy", copyTurn) },
	{ id: "editor", name: "Open in the editor", synonyms: "vim, EDITOR, view", keys: [], contexts: TREE, help: "open a copy of the entry in $VISUAL or $EDITOR",
		...onEntry("open", (state, entry) => open(state, entry, "entry", "editor")) },
	{ id: "editor", keys: [], contexts: READER,
		help: "open a copy of the branch in $VISUAL or $EDITOR",
		...onEntry("open", (state, entry) => open(state, entry, "branch", "editor")) },
	{ id: "pager", name: "Open in the pager", synonyms: "less, PAGER", keys: [], contexts: TREE, help: "open the entry in $PAGER",
		...onEntry("open", (state, entry) => open(state, entry, "entry", "pager")) },
	{ id: "pager", keys: [], contexts: READER, help: "open the branch in $PAGER",
		...onEntry("open", (state, entry) => open(state, entry, "branch", "pager")) },
	{ id: "export", name: "Save or share {}…", synonyms: "export, markdown, html, web page, copy", keys: [], contexts: TREE_AND_READER,
		help: "save or copy the branch, the turn or the entry, as a web page or Markdown, with private data masked; or open it in another program",
		...onEntry("save", askWhatToTake) },
];

/** The text of the open page, if it was made or printed. */
function outputHere(state: State): string | undefined {
	const overlay = topOverlay(state);
	return overlay?.kind === "help" ? overlay.output?.text : undefined;
}

function copyOutput(state: State): Transition {
	return transition(state, { type: "copy", text: outputHere(state) ?? "", what: "the text" });
}

function isInDigest({ tree: { selected = "" } }: State): boolean {
	return digestRowOf(selected) !== undefined;
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

function copyDigest(state: State): Transition {
	const digest = selectDigest(state);
	if (digest === undefined) return transition(say(state, NO_DIGEST, "warning"));
	return transition(state, { type: "copy", text: digestText(state, digest), what: "the digest" });
}

/** A key that acts on the last answer of the session, or of the branch under the cursor. */
function onLastAnswer(
	id: string,
	run: (state: State, answer: SessionEntry) => Transition,
): ReturnType<typeof onOpened> {
	return onOpened(
		id,
		(state) => {
			const answer = answerHere(state);
			return answer === undefined ? transition(say(state, "There is no answer yet", "warning")) : run(state, answer);
		},
		(state) => {
			const answer = answerHere(state);
			return answer === undefined ? state : atEntry(state, answer.id);
		},
	);
}

function answerHere(state: State): SessionEntry | undefined {
	const { session } = state.detail;
	const end = state.focus === "branches" ? entryUnderCursor(state)?.id : session?.tree.leafId;
	return session && lastAnswer(session, end ?? "", "branch");
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
	if (excerpt === undefined) return transition(state);
	const entryIds = new Set(excerptEntries(excerpt).map(({ id }) => id));
	return copying(state, { type: "copy-excerpt", excerpt }, { entryIds, of: "all" });
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
