import type { Anchor } from "../../../conversation/document/anchor.ts";
import type { Position } from "../../../conversation/document/document.ts";
import { FindJob, type FoundPart } from "../../../conversation/document/find-job.ts";
import { textMatcher } from "../../../conversation/document/matcher.ts";
import { rowsFrom } from "../../../conversation/document/walk.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import { type Reader, selectReader } from "../../world/opened/select-reader.ts";
import type { FindState } from "../../world/state/reader-state.ts";
import type { State } from "../../world/state/state.ts";
import { landIn } from "./land.ts";

/** Begins to look for something in the conversation. */
export function openFind(state: State): State {
	const from = state.reader.anchor;
	const path = selectReader(state)?.document.path;
	if (from === undefined || path === undefined) return state;
	const text = editedText("");
	return withFind(state, { text, typing: true, from, path, job: undefined, at: undefined, wanted: undefined });
}

/** Changes what is looked for, and goes to its first match from where it was begun. */
export function editFind(state: State, change: (value: EditedText) => EditedText): State {
	const { find } = state.reader;
	if (find === undefined) return state;
	const text = change(find.text);
	if (text.text === find.text.text) return withFind(state, { ...find, text });
	const back = { ...state, reader: { ...state.reader, anchor: find.from, atEnd: false } };
	const job = text.text === "" ? undefined : jobFrom(back, text.text);
	const next = withFind(back, { ...find, text, job, at: undefined, wanted: undefined });
	return job === undefined ? next : goToFirst(next, job);
}

/** What is typed is looked for, or, if there is nothing, nothing is. */
export function submitFind(state: State): State {
	const { find } = state.reader;
	if (find === undefined) return state;
	return withFind(state, find.text.text === "" ? undefined : { ...find, typing: false });
}

/** Looks for nothing any more; who was still typing is back where it was begun. */
export function endFind(state: State): State {
	const { find, anchor } = state.reader;
	const back = find?.typing === true ? find.from : anchor;
	return withFind({ ...state, reader: { ...state.reader, anchor: back } }, undefined);
}

/** To the next match, or the one before; around the end. */
export function goToMatch(state: State, direction: 1 | -1): State {
	const { find } = state.reader;
	const reader = selectReader(state);
	if (find?.job === undefined || reader === undefined) return state;
	const { job } = find;
	const from = startOf(find, reader);
	// In this entry first; then in the next ones, and around in this one again.
	const here = ordered(job.in(from.entry), direction).filter(({ block, part }) =>
		isAhead(reader, from, block, part, direction),
	);
	const entry = job.next(from.entry, direction);
	const beyond = entry === undefined ? [] : ordered(job.in(entry), direction);
	for (const found of here) {
		const landing = landIn(state, found, job, from, direction);
		if (landing !== undefined) return at(landing.state, landing.at);
	}
	// What was not looked through yet may hold the next match.
	if (!job.isComplete && (entry === undefined || direction === -1 || entry <= from.entry))
		return withFind(state, { ...find, wanted: direction });
	for (const found of beyond) {
		const landing = landIn(state, found, job, undefined, direction);
		if (landing !== undefined) return at(landing.state, landing.at);
	}
	return state;
}

/** Goes on to what was wanted, when more was looked through. */
export function continueFind(state: State): State {
	const { find } = state.reader;
	if (find?.job === undefined) return state;
	if (find.wanted !== undefined) return goToMatch(withFind(state, { ...find, wanted: undefined }), find.wanted);
	return find.at === undefined && find.typing ? goToFirst(state, find.job) : state;
}

/** The same search, in a conversation that has changed since. */
export function renewFind(state: State): State {
	const { find } = state.reader;
	const path = selectReader(state)?.document.path;
	if (find?.job === undefined || path === undefined || path === find.path) return state;
	return withFind(state, { ...find, path, job: jobFrom(state, find.text.text) });
}

/** Which of all matches the last one is, from 1; 0 when none was gone to. */
export function matchNumber(find: FindState, { document }: Reader): number {
	if (find.job === undefined || find.at === undefined) return 0;
	const at = document.positionOf(find.at);
	if (at === undefined) return 0;
	const { block, part } = find.at;
	const before = find.job
		.in(at.entry)
		.filter((found) => found.block < block || (found.block === block && found.part < part));
	const count = before.reduce((sum, found) => sum + found.count, find.job.countBefore(at.entry));
	const rows = document.rows(at.entry, at.piece).slice(0, at.row);
	const here = find.job.in(at.entry).find((found) => found.block === block && found.part === part);
	const { matcher } = find.job;
	const within = rows.reduce((sum, { line }) => sum + matcher(line.map(({ text }) => text).join("")).length, 0);
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
	return landing === undefined ? state : at(landing.state, landing.at);
}

/** From where the next match is looked for: the last one while it is in sight, else the row at the top. */
function startOf({ at: last }: FindState, { document, top, height }: Reader): Position {
	const position = last === undefined ? undefined : document.positionOf(last);
	if (position === undefined) return top;
	const isSeen = rowsFrom(document, top, height).some(
		({ at: { entry, piece, row } }) => entry === position.entry && piece === position.piece && row === position.row,
	);
	return isSeen ? position : top;
}

/** Whether a part of the entry at a position is the one there, or comes after it (before it, for -1). */
function isAhead({ document }: Reader, at: Position, block: number, part: number, direction: 1 | -1): boolean {
	const piece = document.pieces(at.entry)[at.piece];
	if (piece === undefined) return true;
	return (block - piece.block || part - piece.part) * direction >= 0;
}

function ordered(found: readonly FoundPart[], direction: 1 | -1): readonly FoundPart[] {
	return direction === 1 ? found : found.toReversed();
}

function at(state: State, position: Position): State {
	const { find } = state.reader;
	const anchor: Anchor | undefined = selectReader(state)?.document.anchorAt(position);
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
