import { type ChangeObject, diffArrays, diffWordsWithSpace, structuredPatch } from "diff";
import { formatCounted } from "../../ui/text/format.ts";
import { commonEnds, MAX_FILE_LINES } from "./changed-lines.ts";
import { type DiffLine, eachLine } from "./diff-lines.ts";
import type { Change } from "./renderers.ts";

/** If more lines, or words, differ, two texts are not compared: the time is quadratic in their number. */
const MAX_LINES = 400;
const MAX_WORDS = 100;
/** Unchanged lines that are kept around a change. */
const CONTEXT = 3;

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

export function wholeDiff(before: string, after: string): readonly DiffLine[] | undefined {
	const file = (text: string): string => [...eachLine(text), ""].join("\n");
	const limits = { context: CONTEXT, maxEditLength: MAX_FILE_LINES };
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

/** The hunks of a unified diff that turn one text into the other: if too much differs, all between the first and the last difference is replaced. */
export function unifiedHunks(before: string, after: string): string {
	const options = { context: CONTEXT, maxEditLength: MAX_FILE_LINES };
	const patch = structuredPatch("", "", before, after, undefined, undefined, options);
	if (patch === undefined) return replacingHunk(before, after);
	return patch.hunks
		.map(({ oldStart, oldLines, newStart, newLines, lines }) => {
			return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n${lines.join("\n")}\n`;
		})
		.join("");
}

function replacingHunk(before: string, after: string): string {
	const { start, end } = commonEnds(before, after);
	const above = signedLines(" ", before.slice(0, start));
	const [removed, added] = [
		signedLines("-", before.slice(start, before.length - end)),
		signedLines("+", after.slice(start, after.length - end)),
	];
	const [head, tail] = [above.slice(-CONTEXT), signedLines(" ", before.slice(before.length - end)).slice(0, CONTEXT)];
	const first = above.length - head.length + 1;
	const rangeOf = ({ length }: readonly string[]): string => range(first, head.length + length + tail.length);
	const lines = [...head, ...removed, ...added, ...tail];
	return `@@ -${rangeOf(removed)} +${rangeOf(added)} @@\n${lines.join("")}`;
}

/** Where there are no lines, the number is that of the line before. */
function range(start: number, length: number): string {
	return `${length === 0 ? start - 1 : start},${length}`;
}

function signedLines(sign: string, text: string): readonly string[] {
	const lines = text.split("\n");
	const last = lines.pop() ?? "";
	return [
		...lines.map((line) => `${sign}${line}\n`),
		...(last === "" ? [] : [`${sign}${last}\n\\ No newline at end of file\n`]),
	];
}

function kindOf({ added, removed }: Pick<ChangeObject<unknown>, "added" | "removed">): Change["kind"] {
	if (added) return "added";
	return removed ? "removed" : "same";
}
