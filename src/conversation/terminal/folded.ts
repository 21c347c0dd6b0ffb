import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { span } from "../../ui/text/line.ts";
import { cutLine } from "../../ui/text/width.ts";
import { newlines } from "../entries/output.ts";
import { firstFailure } from "../entries/summarize-output.ts";
import { isOpen, type ReaderContext } from "./context.ts";
import { rowPart } from "./parts.ts";
import type { Part, ReaderRow } from "./piece.ts";

/** Rows of a folded block that are seen before and behind what is folded away. */
interface Ends {
	readonly head: number;
	readonly tail: number;
	/** Lines that stay in sight from the first failure on, where that is folded away. @default none */
	readonly failure?: number;
}

const BOTH_ENDS: Ends = { head: 4, tail: 4 };
/** What failed says why at its end, or where it failed first. */
export const OF_FAILURE: Ends = { head: 4, tail: 10, failure: 5 };
/** UTF-16 units of a line in a folded block: a few rows. */
const LONGEST_LINE = 400;
/** UTF-16 units of a text in which lines are counted. */
const COUNTED = 16 * 1024 * 1024;

/** Parts of a text as it looks: the head and the tail of a folded one are drawn like the whole. */
type DrawParts = (text: string) => readonly Part[];

/** A text whose beginning and end are shown, or all of it if it is short or unfolded; `key` unfolds it. */
export function foldedParts(
	text: string,
	key: string,
	drawParts: DrawParts,
	context: ReaderContext,
	{ head, tail, failure = 0 } = BOTH_ENDS,
): readonly Part[] {
	const from = afterLines(text, head);
	const to = beforeLines(text, tail);
	const hidden = text.slice(from, to);
	if (to <= from || isShort(hidden)) return drawParts(text);
	const { toolsOpen } = context.options;
	if (isOpen(context, key, toolsOpen)) return toolsOpen ? drawParts(text) : unfoldedParts(drawParts(text), key);
	const failed = failure === 0 ? undefined : firstFailure(hidden);
	const textBefore = hidden.slice(0, failed ?? 0);
	const failureText =
		failed === undefined ? "" : hidden.slice(failed, failed + afterLines(hidden.slice(failed), failure));
	return [
		...drawParts(text.slice(0, from)),
		...(failed === undefined
			? []
			: [...(isShort(textBefore) ? drawParts(textBefore) : moreParts(textBefore, key)), ...drawParts(failureText)]),
		...moreParts(hidden.slice((failed ?? 0) + failureText.length), key),
		...(to < text.length ? drawParts(text.slice(to)) : []),
	];
}

/** What is folded away, in one row; nothing for nothing. */
function moreParts(hidden: string, key: string): readonly Part[] {
	if (hidden === "") return [];
	const lines = countLines(hidden);
	const isAll = hidden.length <= COUNTED;
	return [{ text: hidden, fold: key, draw: (width) => [moreRow(lines, key, width, isAll)] }];
}

export function moreRow(lines: number, fold: string, width: number, isAll = true): ReaderRow {
	const many = lines === 0 ? "more" : isAll ? formatCounted(lines, "more line") : `${formatCount(lines)}+ more lines`;
	return {
		line: cutLine([span(`     ${many} · `, "muted"), span("o", "key"), span(" unfolds", "muted")], width),
		fold,
	};
}

/** The parts of what was unfolded by itself, and below them how to fold it again. */
export function unfoldedParts(parts: readonly Part[], key: string): Part[] {
	const line = [span("     ", "muted"), span("o", "key"), span(" folds", "muted")];
	return [...parts.map((part) => ({ ...part, unfolded: key })), rowPart(line, { key })];
}

/** A few lines more take hardly any more room than to say so. */
function isShort(text: string): boolean {
	return text.length < LONGEST_LINE && countLines(text) <= 3;
}

function countLines(text: string): number {
	return newlines(text.length > COUNTED ? text.slice(0, COUNTED) : text);
}

/** Where the text goes on after this many lines; very long ones are cut. */
function afterLines(text: string, count: number): number {
	let at = 0;
	for (let line = 0; line < count && at < text.length; line++) {
		const part = text.slice(at, at + LONGEST_LINE);
		const end = part.indexOf("\n");
		if (end === -1) return at + startOfCharacter(text, at, part.length);
		at += end + 1;
	}
	return at;
}

/** Where the last lines of the text begin. */
function beforeLines(text: string, count: number): number {
	let at = text.endsWith("\n") ? text.length - 1 : text.length;
	for (let line = 0; line < count && at > 0; line++) {
		const start = Math.max(0, at - LONGEST_LINE);
		const end = text.slice(start, at).lastIndexOf("\n");
		if (end === -1) return start + startOfCharacter(text, start, 0);
		at = start + end;
	}
	return Math.min(text.length, at + 1);
}

/** The length, or one less: no character is cut. */
function startOfCharacter(text: string, from: number, length: number): number {
	return /[\udc00-\udfff]/.test(text[from + length] ?? "") ? length - 1 : length;
}
