import type { Replacement } from "../../store/format/tool-change.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { type DiffLine, eachLine } from "./diff-lines.ts";
import type { Renderers, TextChange } from "./renderers.ts";

/** If more lines of two files differ, finding out what they have in common would hold up the screen for more than a tenth of a second. */
const MAX_FILE_LINES = 1000;
/** Unchanged lines that are kept around a change. */
const CONTEXT = 3;

/** The lines of edits, with gaps between them; without numbers, since an edit does not say where in the file it is. */
export function* editLines(edits: Iterable<Replacement>, renderers: Renderers | undefined): Generator<DiffLine, void> {
	let isFirst = true;
	for (const { oldText, newText } of edits) {
		if (!isFirst) yield { kind: "gap", text: "" };
		isFirst = false;
		const [before, after] = [[...eachLine(oldText)], [...eachLine(newText)]];
		const changes = renderers?.compareLines(before, after) ?? changedBetweenEnds(before, after);
		for (const { kind, text } of linesOf(changes, before, after)) yield { kind, text };
	}
}

export function* writtenLines(content: string): Generator<DiffLine, void> {
	let number = 1;
	for (const text of eachLine(content)) yield { kind: "added", after: number++, text };
}

/** The diff of two whole files for a reader, who sees no line ends; undefined if too many lines differ. */
export function wholeDiff(before: string, after: string, renderers: Renderers): readonly DiffLine[] | undefined {
	const [old, now] = [[...eachLine(before)], [...eachLine(after)]];
	const changes = renderers.compareLines(old, now, MAX_FILE_LINES);
	return changes && [...linesOf(changes, old, now, CONTEXT)];
}

/** The diff of all lines of two files: if too many differ, all between the first and the last difference is replaced. */
export function fileDiff(
	before: readonly string[],
	after: readonly string[],
	renderers: Pick<Renderers, "compareLines">,
): Iterable<DiffLine> {
	const changes = renderers.compareLines(before, after, MAX_FILE_LINES) ?? changedBetweenEnds(before, after);
	return linesOf(changes, before, after, CONTEXT);
}

/** Takes the common beginning and end of two texts as the same, and everything between as changed. */
function changedBetweenEnds(before: readonly string[], after: readonly string[]): readonly TextChange[] {
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before[start] === after[start]) start++;
	let end = 0;
	while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
	const changes: readonly TextChange[] = [
		{ kind: "same", count: start },
		{ kind: "removed", count: before.length - start - end },
		{ kind: "added", count: after.length - start - end },
		{ kind: "same", count: end },
	];
	return changes.filter(({ count }) => count > 0);
}

/** The lines of two texts; `context`: of those that are the same only so many beside each change, with gaps between. @default all */
function* linesOf(
	changes: readonly TextChange[],
	before: readonly string[],
	after: readonly string[],
	context?: number,
): Generator<DiffLine, void> {
	let [old, now] = [0, 0];
	for (const [index, { kind, count }] of changes.entries()) {
		const head = index === 0 ? 0 : (context ?? count);
		const tail = index === changes.length - 1 ? 0 : (context ?? count);
		for (let at = 0; at < count; at++) {
			const isFar = context !== undefined && kind === "same" && at >= head && at < count - tail;
			if (!isFar) yield lineAt(kind, old, now, (kind === "removed" ? before[old] : after[now]) ?? "");
			else if (at === head && head > 0 && tail > 0)
				yield { kind: "gap", text: formatCounted(count - head - tail, "line") };
			if (kind !== "added") old++;
			if (kind !== "removed") now++;
		}
	}
}

function lineAt(kind: TextChange["kind"], old: number, now: number, text: string): DiffLine {
	if (kind === "removed") return { kind, before: old + 1, text };
	return kind === "added" ? { kind, after: now + 1, text } : { kind, before: old + 1, after: now + 1, text };
}
