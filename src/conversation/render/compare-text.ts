import { type ChangeObject, diffArrays, diffWordsWithSpace, structuredPatch } from "diff";
import { formatCounted } from "../../ui/text/format.ts";
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
	const file = (text: string): string => [...eachLine(text), ""].join("\n");
	const limits = { context: CONTEXT, timeout: MOST_MS };
	const patch = structuredPatch("", "", file(before), file(after), undefined, undefined, limits);
	let end = 1;
	return patch?.hunks.flatMap(({ oldStart, oldLines, newStart, lines }, index): DiffLine[] => {
		const hiddenLines = oldStart - end;
		end = oldStart + oldLines;
		let [oldNumber, newNumber] = [oldStart, newStart];
		const hunk = lines.map((line): DiffLine => {
			const text = line.slice(1);
			if (line.startsWith("-")) return { kind: "removed", before: oldNumber++, text };
			if (line.startsWith("+")) return { kind: "added", after: newNumber++, text };
			return { kind: "same", before: oldNumber++, after: newNumber++, text };
		});
		return index === 0 ? hunk : [{ kind: "gap", text: formatCounted(hiddenLines, "line") }, ...hunk];
	});
}

function kindOf({ added, removed }: Pick<ChangeObject<unknown>, "added" | "removed">): Change["kind"] {
	if (added) return "added";
	return removed ? "removed" : "same";
}
