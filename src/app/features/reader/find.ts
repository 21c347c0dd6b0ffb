import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import { FindJob, type FoundPart, type Matcher, textMatcher } from "../../../conversation/document/find-job.ts";
import { backward, comparePositions, rowsFrom } from "../../../conversation/document/walk.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import { lineText } from "../../../ui/text/line.ts";
import { type Reader, selectReader } from "../../world/opened/select-reader.ts";
import type { FindState } from "../../world/state/opened-state.ts";
import type { State } from "../../world/state/state.ts";
import { heldInPlace, scrolledTo } from "./scroll.ts";

export function openFind(state: State): State {
	const { anchor: from, marked, toggled } = heldInPlace(state).reader;
	const path = selectReader(state)?.document.path;
	if (from === undefined || path === undefined) return state;
	const text = editedText("");
	const place = { from, marked, toggled };
	return withFind(state, { text, typing: true, ...place, path, job: undefined, at: undefined, wanted: undefined });
}

/** Edits the search text, and goes to the first match after where the search was opened. */
export function editFind(state: State, change: (value: EditedText) => EditedText): State {
	const { find } = state.reader;
	if (find === undefined) return state;
	const text = change(find.text);
	if (text.text === find.text.text) return withFind(state, { ...find, text });
	const back = backToStart(state, find);
	const job = text.text === "" ? undefined : jobFrom(back, text.text);
	const next = withFind(back, { ...find, text, job, at: undefined, wanted: undefined });
	return job === undefined ? next : goToFirst(next, job);
}

/** Ends typing; an empty text ends the search. */
export function submitFind(state: State): State {
	const { find } = state.reader;
	if (find === undefined) return state;
	return withFind(state, find.text.text === "" ? undefined : { ...find, typing: false });
}

/** Ends the search. While still typing, goes back to where it was opened. */
export function endFind(state: State): State {
	const { find } = state.reader;
	return withFind(find?.typing === true ? backToStart(state, find) : state, undefined);
}

/** Where the search was opened, with what was unfolded then. */
function backToStart(state: State, { from, marked, toggled }: FindState): State {
	return { ...state, reader: { ...state.reader, anchor: from, marked, toggled, atEnd: false } };
}

/** Goes to the next (1) or previous (-1) match, wrapping around. */
export function goToMatch(state: State, direction: 1 | -1): State {
	const { find } = state.reader;
	const reader = selectReader(state);
	if (find?.job === undefined || reader === undefined) return state;
	const { job } = find;
	const from = startOf(find, reader);
	// First in this entry, then in the following ones, and finally in this one again.
	const here = ordered(job.in(from.entry), direction).filter(({ block, part }) =>
		isAhead(reader, from, block, part, direction),
	);
	const entry = job.next(from.entry, direction);
	const beyond = entry === undefined ? [] : ordered(job.in(entry), direction);
	for (const match of here) {
		const landing = landIn(state, match, job, from, direction);
		if (landing !== undefined) return landed(landing);
	}
	// The next match may be in a part that has not been searched yet.
	if (!job.isComplete && (entry === undefined || direction === -1 || entry <= from.entry))
		return withFind(state, { ...find, wanted: direction });
	for (const match of beyond) {
		const landing = landIn(state, match, job, undefined, direction);
		if (landing !== undefined) return landed(landing);
	}
	return state;
}

/** Resumes a pending jump after more of the conversation has been searched. */
export function continueFind(state: State): State {
	const { find } = state.reader;
	if (find?.job === undefined) return state;
	if (find.wanted !== undefined) return goToMatch(withFind(state, { ...find, wanted: undefined }), find.wanted);
	return find.at === undefined && find.typing ? goToFirst(state, find.job) : state;
}

/** Restarts the search when the conversation has changed. */
export function renewFind(state: State): State {
	const { find } = state.reader;
	const path = selectReader(state)?.document.path;
	if (find?.job === undefined || path === undefined || path === find.path) return state;
	return withFind(state, { ...find, path, job: jobFrom(state, find.text.text) });
}

/** Number of the current match, from 1; 0 before the first jump. */
export function matchNumber(find: FindState, { document }: Reader): number {
	if (find.job === undefined || find.at === undefined) return 0;
	const at = document.positionOf(find.at);
	if (at === undefined) return 0;
	const { block, part } = find.at;
	const earlierParts = find.job
		.in(at.entry)
		.filter((other) => other.block < block || (other.block === block && other.part < part));
	const count = earlierParts.reduce((sum, earlier) => sum + earlier.count, find.job.countBefore(at.entry));
	const rows = document.rows(at.entry, at.piece).slice(0, at.row);
	const here = find.job.in(at.entry).find((other) => other.block === block && other.part === part);
	const { matcher } = find.job;
	const within = rows.reduce((sum, { line }) => sum + matcher(lineText(line)).length, 0);
	return count + Math.max(1, Math.min(within + 1, here?.count ?? 1));
}

function goToFirst(state: State, job: FindJob): State {
	const reader = selectReader(state);
	if (reader === undefined) return state;
	const { entry } = reader.top;
	const here = job.in(entry).filter(({ block, part }) => isAhead(reader, reader.top, block, part, 1));
	const next = here.length > 0 ? entry : job.next(entry, 1);
	const [first] = here.length > 0 ? here : next === undefined ? [] : job.in(next);
	const landing = first === undefined ? undefined : landIn(state, first, job);
	return landing === undefined ? state : landed(landing);
}

/** Where the search for the next match starts: at the current match while it is visible, else at the top row. */
function startOf({ at: last }: FindState, { document, top, height }: Reader): Position {
	const position = last === undefined ? undefined : document.positionOf(last);
	if (position === undefined) return top;
	const isVisible = rowsFrom(document, top, height).some(
		({ at: { entry, piece, row } }) => entry === position.entry && piece === position.piece && row === position.row,
	);
	return isVisible ? position : top;
}

/** Whether a part of an entry is the one at `at`, or follows it (precedes it, for -1). */
function isAhead({ document }: Reader, at: Position, block: number, part: number, direction: 1 | -1): boolean {
	const piece = document.pieces(at.entry)[at.piece];
	if (piece === undefined) return true;
	return (block - piece.block || part - piece.part) * direction >= 0;
}

function ordered(parts: readonly FoundPart[], direction: 1 | -1): readonly FoundPart[] {
	return direction === 1 ? parts : parts.toReversed();
}

/** The state of a landing, with its match as the current one. */
function landed({ state, at }: Landing): State {
	const { find } = state.reader;
	const anchor = selectReader(state)?.document.anchorAt(at);
	return find === undefined ? state : withFind(state, { ...find, at: anchor, wanted: undefined });
}

function jobFrom(state: State, text: string): FindJob | undefined {
	const reader = selectReader(state);
	if (reader === undefined) return undefined;
	const { document, top } = reader;
	return new FindJob(
		textMatcher(text),
		{ from: 0, to: document.path.length, blocks: (index) => document.wholeBlocks(index) },
		top.entry,
	);
}

function withFind(state: State, find: FindState | undefined): State {
	return { ...state, reader: { ...state.reader, find } };
}

/** Rows of context above a match. */
const CONTEXT = 3;

/** The state that shows a match, and the row of the match. */
interface Landing {
	readonly state: State;
	readonly at: Position;
}

/** Shows a part with a match: the first match after `after`, or for -1, the last one before it; undefined for none. */
export function landIn(
	state: State,
	match: FoundPart,
	job: FindJob,
	start?: Position,
	direction: 1 | -1 = 1,
): Landing | undefined {
	const open = unfolded(state, match);
	const reader = selectReader(open);
	if (reader === undefined) return undefined;
	const { document } = reader;
	const piece = document
		.pieces(match.entry)
		.findIndex(({ block, part }) => block === match.block && part === match.part);
	if (piece === -1) return undefined;
	const rows = matchingRows(document, match.entry, piece, job.matcher);
	const positions = rows.map((row) => ({ entry: match.entry, piece, row }));
	const ahead = start === undefined ? positions : positions.filter((at) => comparePositions(at, start) * direction > 0);
	const at = ahead.at(direction === 1 ? 0 : -1);
	return at === undefined ? undefined : { state: showRow(open, reader, at), at };
}

/** The rows of a piece with a match; for a match that wraps across rows, roughly the row where it begins. */
function matchingRows(document: ReaderDocument, entry: number, piece: number, matcher: Matcher): number[] {
	const rows = document.rows(entry, piece);
	const matchRows = rows.flatMap(({ line }, row) => (matcher(lineText(line)).length > 0 ? [row] : []));
	if (matchRows.length > 0) return matchRows;
	const text = document.pieces(entry)[piece]?.text ?? "";
	const [first] = matcher(text);
	if (first === undefined || rows.length === 0) return [];
	return [Math.min(rows.length - 1, Math.floor((first[0] / text.length) * rows.length))];
}

function unfolded(state: State, { entry, block }: FoundPart): State {
	const pieces = selectReader(state)?.document.pieces(entry) ?? [];
	const fold = pieces.find((piece) => piece.block === block && piece.fold !== undefined)?.fold;
	if (fold === undefined) return state;
	const toggled = state.reader.toggled.symmetricDifference(new Set([fold]));
	return { ...state, reader: { ...state.reader, toggled } };
}

/** Marks the entry of a row, and scrolls to the row unless it is visible: near the top, but not above the start of its entry. */
function showRow(state: State, { document, top, height }: Reader, at: Position): State {
	const isBelow = comparePositions(at, top) >= 0;
	const mark = at.entry;
	if (isBelow && comparePositions(backward(document, at, height - 1), top) <= 0)
		return scrolledTo(state, document, top, { mark });
	const above = backward(document, at, Math.min(CONTEXT, height - 1));
	const to = above.entry === at.entry ? above : { entry: at.entry, piece: 0, row: 0 };
	return scrolledTo(state, document, to, { mark });
}
