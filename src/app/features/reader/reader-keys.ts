import { isEndVisible, lastRow, rowsFrom } from "../../../conversation/document/walk.ts";
import { entryEnd } from "../../../conversation/entries/entry-facts.ts";
import { entryKind } from "../../../conversation/entries/entry-kind.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Distance } from "../../../ui/page/page-rows.ts";
import { change, type Key } from "../../world/keys/key.ts";
import { currentIndex, readerRow, selectReader } from "../../world/opened/select-reader.ts";
import { runsByStep } from "../../world/opened/select-runs.ts";
import type { Binding } from "../../world/state/binding.ts";
import { placedAt, type ReaderState } from "../../world/state/opened-state.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { blameInReader, commentInReader, whyNoLine } from "./blame-line.ts";
import { endFind, goToMatch, openFind, submitFind } from "./find.ts";
import { heldInPlace, scrolledTo, scrollReader } from "./scroll.ts";

const READER = ["reader"] as const;
const FIND = ["find"] as const;

// biome-ignore format: a table
export const READER_KEYS: readonly Key[] = [
	{ id: "find-submit", keys: ["enter"], contexts: FIND, short: "find", pi: "tui.input.submit",
		help: "search for the typed text; n and N go to the next and previous match", run: change(submitFind) },
	{ id: "find-cancel", keys: ["escape", "ctrl+c"], contexts: FIND, short: "cancel", pi: "tui.select.cancel",
		help: "cancel the search, and go back to where it began", run: change(endFind) },
	{ id: "find-next", keys: ["down", "ctrl+n"], contexts: FIND, help: "to the next match", run: change((state) => goToMatch(state, 1)) },
	{ id: "find-previous", keys: ["up", "ctrl+p"], contexts: FIND, help: "to the previous match",
		run: change((state) => goToMatch(state, -1)) },
	{ id: "back", keys: ["escape"], contexts: READER, when: isFinding, short: "end find", pi: "tui.select.cancel",
		help: "end the search", run: change(endFind) },
	{ id: "next-page", keys: ["ctrl+f"], contexts: READER, short: "page", help: "one page down", ...scroll({ pages: 1 }) },
	{ id: "page-up", keys: ["ctrl+b"], contexts: READER, help: "one page up", ...scroll({ pages: -1 }) },
	{ id: "half-page-down", keys: ["ctrl+d"], contexts: READER, help: "half a page down", ...scroll({ pages: 0.5 }) },
	{ id: "half-page-up", keys: ["ctrl+u"], contexts: READER, help: "half a page up", ...scroll({ pages: -0.5 }) },
	{ id: "blame", name: "Who wrote this line…", synonyms: "blame, author, commit, git, prompt, line", keys: [], contexts: READER, short: "blame",
		help: "say which session, turn and commit a line of a diff or of a file comes from; the arrow keys go to other lines", acts: "entry", needs: whyNoLine, run: change(blameInReader) },
	{ id: "blame", keys: [], contexts: ["tree"], help: "say which session, turn and commit a line of the entry's diff comes from", acts: "entry", needs: whyNoLine,
		run: change(blameInReader) },
	{ id: "find", name: "Find in the conversation…", synonyms: "search, text", keys: [], contexts: READER, short: "find", help: "search in this conversation",
		acts: "cursor", run: change(openFind) },
	{ id: "next-match", keys: [], contexts: READER, when: isFinding, short: "match", help: "to the next match", condition: "until the search by / ends",
		run: change((state) => goToMatch(state, 1)) },
	{ id: "previous-match", keys: [], contexts: READER, when: isFinding, help: "to the previous match", condition: "until the search by / ends",
		run: change((state) => goToMatch(state, -1)) },
	{ id: "comment", keys: [], contexts: READER, short: "comment", help: "write a comment on a line of the marked entry, or change the one that is there", acts: "entry", run: change(commentInReader) },
	{ id: "comment", keys: [], contexts: ["tree"], help: "write a comment on a line of the entry", acts: "entry", run: change(commentInReader) },
	{ id: "unfold-text", keys: [], contexts: READER, short: "unfold", help: "unfold what is folded in the marked entry, with its time, id, model, tokens and price; or fold it again",
		acts: "cursor", run: change(toggleFolds) },
	{ id: "next-prompt", name: "Next prompt", synonyms: "jump, down", keys: ["alt+down"], contexts: READER, short: "prompt",
		help: "to your next prompt", ...jump("prompt", 1) },
	{ id: "previous-prompt", name: "Previous prompt", synonyms: "jump, up", keys: ["alt+up"], contexts: READER, help: "to your previous prompt", ...jump("prompt", -1) },
	{ id: "next-error", name: "Next error", synonyms: "jump, failure", keys: [], contexts: READER, help: "to the next error", ...jump("error", 1) },
	{ id: "previous-error", name: "Previous error", synonyms: "jump, failure", keys: [], contexts: READER, help: "to the previous error", ...jump("error", -1) },
	{ id: "next-branch", name: "Next branch", synonyms: "jump, fork, other, alternative", keys: [], contexts: READER, help: "to the next branch at the nearest fork",
		...branch(1) },
	{ id: "previous-branch", name: "Previous branch", synonyms: "jump, fork, other, alternative", keys: [], contexts: READER, help: "to the previous branch at the nearest fork",
		...branch(-1) },
	{ id: "tools", name: "Show whole outputs, or shorten outputs", isOn: ({ reader }) => reader.toolsOpen, synonyms: "tools, diffs, reads, files, expand, unfold all", keys: [], contexts: READER, help: "show all files that were read, outputs and diffs as a whole, or folded",
		acts: "cursor", run: change((state) => withView(state, { toolsOpen: !state.reader.toolsOpen, toggled: new Set() })) },
	{ id: "thinking", name: "Show thinking, or fold thinking", isOn: ({ reader }) => reader.thinkingOpen, synonyms: "thoughts, reasoning", keys: [], contexts: READER, help: "show what the model thought, or fold it to one line",
		acts: "cursor", run: change((state) => withView(state, { thinkingOpen: !state.reader.thinkingOpen, toggled: new Set() })) },
	{ id: "diffs", name: "Side-by-side diffs, or unified diffs", isOn: ({ reader }) => reader.sideBySide, synonyms: "split, unified", keys: [], contexts: READER, help: "show diffs side by side, or unified",
		acts: "cursor", run: change((state) => withView(state, { sideBySide: !state.reader.sideBySide })) },
];

function scroll(distance: Distance): Pick<Binding, "acts" | "run"> {
	return { acts: "cursor", run: change((state) => scrollReader(state, distance)) };
}

function jump(landmark: Landmark, direction: 1 | -1): Pick<Binding, "acts" | "run"> {
	const missing = direction === 1 ? `There is no ${landmark} further on` : `There is no ${landmark} before`;
	return { acts: "cursor", run: (state) => orSay(state, jumpTo(state, landmark, direction), missing) };
}

function branch(direction: 1 | -1): Pick<Binding, "acts" | "run"> {
	return {
		acts: "cursor",
		run: (state) => orSay(state, jumpToBranch(state, direction), "There is no fork at or above this entry"),
	};
}

function orSay(state: State, next: State | undefined, missing: string): Transition {
	if (next !== undefined) return transition(next);
	return selectReader(state) === undefined ? transition(state) : transition(say(state, missing, "warning"));
}

function isFinding({ reader: { find } }: State): boolean {
	return find?.job !== undefined;
}

/**
 * Unfolds all that is folded in the entry that is read, or folds it again if nothing is. One that only has details unfolds these together
 * with the first block in sight.
 */
function toggleFolds(state: State): State {
	const reader = selectReader(state);
	if (reader === undefined) return state;
	const { document, top, height } = reader;
	const current = currentIndex(state, reader);
	const foldsIn = (entry: number) => document.pieces(entry).flatMap(({ fold, unfolded }) => fold ?? unfolded ?? []);
	const rows = rowsFrom(document, top, height).flatMap(({ at, row }) => {
		const key = row.fold ?? document.pieces(at.entry)[at.piece]?.unfolded;
		return key === undefined ? [] : [{ key, entry: at.entry }];
	});
	const ownRows = rows.filter(({ entry }) => entry === current);
	const ownFolds = [...foldsIn(current).map((key) => ({ key, entry: current })), ...ownRows];
	const otherRows = rows.filter(({ entry }) => entry !== current);
	const folds = new Set(ownFolds.map(({ key }) => key)).size > 1 ? ownFolds : [...ownFolds, ...otherRows.slice(0, 1)];
	const closedFolds = folds.filter(({ key, entry }) => document.pieces(entry).some(({ fold }) => fold === key));
	const next = toggled(state, new Set((closedFolds.length > 0 ? closedFolds : folds).map(({ key }) => key)));
	// What is unfolded below the last row is to be seen.
	const atEnd = isEndVisible(document, top, height) && lastRow(document).entry === current;
	return { ...next, reader: { ...next.reader, atEnd } };
}

function toggled(state: State, keys: ReadonlySet<string>): State {
	return withView(state, { toggled: state.reader.toggled.symmetricDifference(keys) });
}

/** Unfolds, or folds, the block whose title or rest a row of the pane, from 0, is; undefined for another row. */
export function unfoldRow(state: State, row: number): State | undefined {
	const fold = readerRow(state, row)?.fold;
	return fold === undefined ? undefined : toggled(state, new Set([fold]));
}

/** Changes how the conversation is drawn: the top row and the entry that is read stay, and the end is no longer followed. */
function withView(state: State, fields: Partial<ReaderState>): State {
	const held = heldInPlace(state);
	return { ...held, reader: { ...held.reader, ...fields } };
}

type Landmark = "prompt" | "error";

/** Goes to the next (1) or previous (-1) entry of a kind; undefined if there is none. */
function jumpTo(state: State, landmark: Landmark, direction: 1 | -1): State | undefined {
	const reader = selectReader(state);
	if (reader === undefined) return undefined;
	const { document, top } = reader;
	const at = currentIndex(state, reader);
	const isLandmark = landmarkTest(state, landmark);
	// Going back from within an entry leads to its start first.
	const isInside = top.entry === at && (top.piece > 0 || top.row > 0);
	const start = direction === -1 && isInside ? at : at + direction;
	for (let index = start; index >= 0 && index < document.path.length; index += direction) {
		const entry = document.path[index];
		if (entry !== undefined && isLandmark(entry))
			return scrolledTo(state, document, { entry: index, piece: 0, row: 0 });
	}
	return undefined;
}

function landmarkTest(state: State, landmark: Landmark): (entry: SessionEntry) => boolean {
	const session = state.detail.session;
	if (landmark === "prompt" || session === undefined) return (entry) => entryKind(entry) === "prompt";
	const runs = runsByStep(state, session);
	return (entry) => entryEnd(entry, session) === "failed" || (runs.get(entry.id)?.failed ?? 0) > 0;
}

/** Goes to the next or previous branch at the nearest fork at or above the entry; undefined if there is none. */
function jumpToBranch(state: State, direction: 1 | -1): State | undefined {
	const session = state.detail.session;
	const reader = selectReader(state);
	if (session === undefined || reader === undefined) return undefined;
	const { path } = reader.document;
	for (let index = currentIndex(state, reader); index >= 0; index--) {
		const entry = path[index];
		const parent = path[index - 1];
		const siblings = parent === undefined ? session.tree.roots : (session.tree.children.get(parent.id) ?? []);
		if (entry === undefined || siblings.length < 2) continue;
		const at = siblings.findIndex(({ id }) => id === entry.id);
		const next = siblings[(at + direction + siblings.length) % siblings.length];
		return next === undefined ? undefined : { ...state, reader: placedAt(state.reader, next.id) };
	}
	return undefined;
}
