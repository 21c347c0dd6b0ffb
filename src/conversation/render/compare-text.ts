import { type ChangeObject, diffArrays, diffWordsWithSpace } from "diff";
import { type DiffLine, eachLine } from "./diff-lines.ts";
import type { Change } from "./renderers.ts";

/** If more lines, or words, differ, two texts are not compared: the time is quadratic in their number. */
const MAX_LINES = 400;
const MAX_WORDS = 100;
/** Unchanged lines that are kept around a change. */
const CONTEXT = 3;
/** Longest time that a comparison may hold up the screen, in ms. */
const MOST_MS = 80;

export function compareLines(before: readonly string[], after: readonly string[]): readonly Change[] | undefined {
	return diffArrays([...before], [...after], { maxEditLength: MAX_LINES })?.map(({ count, ...part }) => ({
		kind: kindOf(part),
		count,
	}));
}

export function compareWords(before: string, after: string): readonly Change[] | undefined {
	const changes = diffWordsWithSpace(before, after, { maxEditLength: MAX_WORDS });
	return changes?.map(({ value, ...part }) => ({ kind: kindOf(part), count: value.length }));
}

/** The diff of two whole files, with gaps where nothing changed; undefined if they differ too much to be compared in time. */
export function wholeDiff(before: string, after: string): readonly DiffLine[] | undefined {
	const changes = diffArrays([...eachLine(before)], [...eachLine(after)], { timeout: MOST_MS });
	if (changes === undefined) return undefined;
	const lines: DiffLine[] = [];
	let [old, now] = [1, 1];
	for (const change of changes) {
		const kind = kindOf(change);
		for (const text of change.value) {
			const [before, after] = [kind === "added" ? undefined : old, kind === "removed" ? undefined : now];
			lines.push({ kind, before, after, text });
			if (before !== undefined) old++;
			if (after !== undefined) now++;
		}
	}
	return aroundChanges(lines);
}

function aroundChanges(lines: readonly DiffLine[]): readonly DiffLine[] {
	const isNear = new Uint8Array(lines.length);
	for (const [index, { kind }] of lines.entries()) {
		if (kind !== "same") isNear.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
	}
	const shown: DiffLine[] = [];
	for (const [index, line] of lines.entries()) {
		if (isNear[index] === 1) shown.push(line);
		else if (isNear[index - 1] === 1) shown.push({ kind: "gap", before: undefined, after: undefined, text: "" });
	}
	if (shown.at(-1)?.kind === "gap") shown.pop();
	return shown;
}

function kindOf({ added, removed }: Pick<ChangeObject<unknown>, "added" | "removed">): Change["kind"] {
	if (added) return "added";
	return removed ? "removed" : "same";
}
