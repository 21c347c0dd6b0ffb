import type { Replacement } from "../../store/format/tool-change.ts";
import { type DiffLine, eachLine } from "./diff-lines.ts";
import type { Change, Renderers } from "./renderers.ts";

/** Texts with together more UTF-16 units, or more lines, are not compared line by line. */
const MAX_UNITS = 1_000_000;
const MAX_LINES = 10_000;

/** The lines of edits, with gaps between them; without numbers, since an edit does not say where in the file it is. */
export function* editLines(edits: Iterable<Replacement>, renderers: Renderers | undefined): Generator<DiffLine, void> {
	let isFirst = true;
	for (const { oldText, newText } of edits) {
		if (!isFirst) yield { kind: "gap", text: "" };
		isFirst = false;
		yield* changedLines(oldText, newText, renderers);
	}
}

/** The lines of a written file, all of them added. */
export function* writtenLines(content: string): Generator<DiffLine, void> {
	let number = 1;
	for (const text of eachLine(content)) yield { kind: "added", after: number++, text };
}

function* changedLines(oldText: string, newText: string, renderers: Renderers | undefined): Generator<DiffLine, void> {
	if (oldText.length + newText.length > MAX_UNITS) {
		for (const text of eachLine(oldText)) yield { kind: "removed", text };
		for (const text of eachLine(newText)) yield { kind: "added", text };
		return;
	}
	const oldLines = [...eachLine(oldText)];
	const newLines = [...eachLine(newText)];
	const isShort = oldLines.length + newLines.length <= MAX_LINES;
	const changes = isShort ? renderers?.compareLines(oldLines, newLines) : undefined;
	yield* linesOf(changes ?? changedBetweenEnds(oldLines, newLines), oldLines, newLines);
}

/** Takes the common beginning and end of two texts as the same, and everything between as changed. */
function changedBetweenEnds(before: readonly string[], after: readonly string[]): Change[] {
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before[start] === after[start]) start++;
	let end = 0;
	while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
	return [
		{ kind: "same", count: start },
		{ kind: "removed", count: before.length - start - end },
		{ kind: "added", count: after.length - start - end },
		{ kind: "same", count: end },
	];
}

function* linesOf(
	changes: readonly Change[],
	before: readonly string[],
	after: readonly string[],
): Generator<DiffLine, void> {
	let [removed, added] = [0, 0];
	for (const { kind, count } of changes) {
		const texts = kind === "removed" ? before.slice(removed, removed + count) : after.slice(added, added + count);
		for (const text of texts) yield { kind, text };
		if (kind !== "added") removed += count;
		if (kind !== "removed") added += count;
	}
}
