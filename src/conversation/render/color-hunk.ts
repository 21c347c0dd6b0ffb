import type { Line, Span } from "../../ui/text/line.ts";
import { cleanLines, sliceText } from "../../ui/text/sanitize.ts";
import { CODE_TAB_STOP, highlightedLines } from "./code-lines.ts";
import type { DiffLine } from "./diff-lines.ts";
import { type LinePair, MAX_PAIRED } from "./pair-lines.ts";
import type { Change, Renderers } from "./renderers.ts";

/** The lines of a diff that are not drawn plain. */
export type Colored = Map<DiffLine, Line>;

/** Characters that end a line in code, but not in a diff. */
const LINE_END = /[\r\u2028\u2029]/;

/** Highlights the lines of a hunk as code: as they are after the change, and those that are removed as they were before. */
export function highlightHunk(
	hunk: readonly DiffLine[],
	language: string | undefined,
	renderers: Renderers | undefined,
): Colored {
	const before = highlightLines(hunk, "removed", language, renderers);
	return new Map([...before, ...highlightLines(hunk, "added", language, renderers)]);
}

/** Highlights the lines of one side of a hunk; those that stay belong to the new one. */
function highlightLines(
	hunk: readonly DiffLine[],
	side: "removed" | "added",
	language: string | undefined,
	renderers: Renderers | undefined,
): Colored {
	if (side === "removed" && !hunk.some(({ kind }) => kind === side)) return new Map();
	const lines = hunk.filter(({ kind }) => kind === "same" || kind === side);
	if (lines.some(({ text }) => LINE_END.test(text))) return new Map();
	const drawn = highlightedLines(lines.map(({ text }) => `${text}\n`).join(""), language, renderers);
	return new Map(drawn === undefined ? [] : lines.map((line, index) => [line, drawn[index] ?? []]));
}

/** Makes the words bold that differ between the lines of a pair. */
export function markWords(pair: LinePair<DiffLine>, colored: Colored, renderers: Renderers | undefined): void {
	const { removed, added, isSimilar } = pair;
	if (!isSimilar || renderers === undefined || removed === undefined || added === undefined) return;
	const before = colored.get(removed) ?? plain(removed);
	const after = colored.get(added) ?? plain(added);
	const [beforeText, afterText] = [textOfLine(before), textOfLine(after)];
	if (beforeText.length > MAX_PAIRED || afterText.length > MAX_PAIRED) return;
	const changes = renderers.compareWords(beforeText, afterText);
	if (changes === undefined) return;
	colored.set(removed, bolden(before, changes, "removed"));
	colored.set(added, bolden(after, changes, "added"));
}

function plain({ text }: DiffLine): Line {
	return cleanLines(text, CODE_TAB_STOP).map((line) => ({ text: line }));
}

function textOfLine(line: Line): string {
	return line.map(({ text }) => text).join("");
}

/** A line with its changed parts in bold. */
function bolden(line: Line, changes: readonly Change[], kind: "removed" | "added"): Line {
	const drawn: Span[] = [];
	let index = 0;
	let [from, left] = [0, line[0]?.text.length ?? 0];
	for (const change of changes) {
		if (change.kind !== "same" && change.kind !== kind) continue;
		let { count } = change;
		while (count > 0) {
			const span = line[index];
			if (span === undefined) return drawn;
			const length = Math.min(count, left);
			const text = sliceText(span.text, from, from + length);
			if (length > 0)
				drawn.push(change.kind === "same" ? { ...span, text } : { ...span, text, tone: kind, bold: true });
			count -= length;
			left -= length;
			from += length;
			if (left > 0) continue;
			index++;
			[from, left] = [0, line[index]?.text.length ?? 0];
		}
	}
	return drawn;
}
