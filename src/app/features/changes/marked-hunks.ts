import { hunksOf } from "../../../conversation/render/diff-hunks.ts";
import type { DiffLine } from "../../../conversation/render/diff-lines.ts";
import { memoEach } from "../../../shared/memo.ts";
import { toggleMarks } from "../../../ui/page/page-rows.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import type { Marking } from "../../world/page/define-rows.ts";
import type { State } from "../../world/state/state.ts";
import {
	CHANGES,
	type ChangesRow,
	selectChanges,
	selectChangesRows,
	selectedChangesRow,
	selectFiles,
	TAKEN_BACK,
} from "./changes-state.ts";
import type { ShownFile } from "./effects/changes-effects.ts";
import { hasLine } from "./effects/patch-effects.ts";

/** The hunks of a file, by the keys of their marks: a hunk that changes loses its mark. Where none is known, the file is one without lines. */
const hunksIn = memoEach((file: ShownFile): ReadonlyMap<string, readonly DiffLine[]> => {
	const lines = file.answer === "edits" ? [] : file.diffs.flatMap((diff) => diff.lines);
	const hunks = [...hunksOf(lines)].filter(([first]) => first !== undefined && isNumbered(first));
	if (hunks.length === 0) return new Map([[file.path, []]]);
	return new Map(hunks.map((hunk) => [`${hunk[0]?.before ?? 0}:${hunk[0]?.after ?? 0} ${file.path}`, hunk]));
});

/** Whether what a row shows of a file is not in it now: "first" on the first changed line of a hunk, and on a heading. */
export function isTakenBack(state: State, row: ChangesRow): "first" | "rest" | undefined {
	const { file, index, shows } = row;
	const present = file.change && TAKEN_BACK.of(state).value?.get(file.change);
	if (present === undefined || (index === -1 && present !== "all")) return undefined;
	if (index === -1) return "first";
	const line = shows.findLast(isNumbered);
	const hunk =
		line &&
		hunksIn(file)
			.values()
			.find((lines) => lines.includes(line));
	const changed = hunk?.filter(({ kind }) => kind !== "same") ?? [];
	const isGone = present === "all" || changed.some((one) => present.some((other) => hasLine(other, one)));
	if (changed[0] === undefined || !isGone) return undefined;
	return shows.includes(changed[0]) ? "first" : "rest";
}

function isNumbered({ before, after }: DiffLine): boolean {
	return before !== undefined || after !== undefined;
}

/** The hunk that a row shows; on a heading, or a row of no hunk, all of the file. */
function hunkKeysOf({ file, index, shows }: ChangesRow): readonly string[] {
	const hunks = hunksIn(file);
	const line = index === -1 ? undefined : shows.findLast(isNumbered);
	const hunk = line && hunks.entries().find(([, lines]) => lines.includes(line));
	return hunk === undefined ? [...hunks.keys()] : [hunk[0]];
}

export const HUNK_MARKING: Marking & { readonly kept: (state: State) => readonly { readonly key: string }[] } = {
	of: (state) => CHANGES.of(state).marks,
	withMarks: (state, marks) => CHANGES.with(state, { marks }),
	all: (state) => selectFiles(state).flatMap((file) => [...hunksIn(file).keys()]),
	kept: (state) =>
		(selectChanges(state)?.files ?? []).flatMap((file) => [...hunksIn(file).keys()].map((key) => ({ key }))),
	hasOwnKey: true,
	what: ["hunk", "hunks"],
};

/** Whether a row has the sign of a mark: a line of a marked hunk, or the heading of a file that is marked as a whole. */
export function hasMark(state: State, row: ChangesRow): boolean {
	const { marked } = CHANGES.of(state).marks;
	return marked.size > 0 && isOfHunk(row) && hunkKeysOf(row).every((key) => marked.has(key));
}

function isOfHunk({ index, shows }: ChangesRow): boolean {
	return index === -1 || shows.some(isNumbered);
}

export function toggleHunk(state: State, row: ChangesRow): State {
	const { cursor, marks } = CHANGES.of(state);
	return CHANGES.with(state, {
		marks: toggleMarks(marks, hunkKeysOf(row)),
		cursor: { ...cursor, selected: row.key },
	});
}

/** The same, and goes to the next one, or the heading of the next file. */
export function markHunk(state: State, row: ChangesRow): State {
	const rows = selectChangesRows(state);
	const at = rows.indexOf(row);
	const keys = hunkKeysOf(row);
	const next = rows.find((one, index) => index > at && isOfHunk(one) && !keys.includes(hunkKeysOf(one)[0] ?? ""));
	const toggled = toggleHunk(state, row);
	const { cursor } = CHANGES.of(toggled);
	return next === undefined ? toggled : CHANGES.with(toggled, { cursor: { ...cursor, selected: next.key } });
}

/** Hunks to take back, or to put in place. */
export interface ChosenHunks {
	readonly files: readonly ShownFile[];
	/** By absolute path the changed lines of the hunks, unless all of the file is chosen. */
	readonly lines: ReadonlyMap<string, readonly DiffLine[]>;
	/** How many, unless all of each file is chosen. */
	readonly count: number | undefined;
}

/** The marked hunks; without any, what is under the cursor; undefined for nothing. */
export function chosenHunks(state: State): ChosenHunks | undefined {
	const { marked } = CHANGES.of(state).marks;
	const row = selectedChangesRow(state);
	const keys = marked.size > 0 ? marked : new Set(row && hunkKeysOf(row));
	if (keys.size === 0) return undefined;
	const files = marked.size > 0 ? selectChanges(state)?.files : row && [row.file];
	const lines = new Map<string, readonly DiffLine[]>();
	let count = 0;
	const chosenFiles = (files ?? []).filter((file) => {
		const hunks = [...hunksIn(file)];
		const chosen = hunks.filter(([key]) => keys.has(key));
		count += chosen.length;
		if (chosen.length < hunks.length)
			lines.set(
				file.absolute,
				chosen.flatMap(([, hunk]) => hunk.filter(({ kind }) => kind !== "same")),
			);
		return chosen.length > 0;
	});
	return { files: chosenFiles, lines, count: lines.size === 0 ? undefined : count };
}

/** "3 hunks in 2 files"; undefined if none is marked. */
export function markedWords(state: State): string | undefined {
	const { size } = CHANGES.of(state).marks.marked;
	const files = size === 0 ? 0 : (chosenHunks(state)?.files.length ?? 0);
	return size === 0 ? undefined : `${formatCounted(size, "hunk")} in ${formatCounted(files, "file")}`;
}
