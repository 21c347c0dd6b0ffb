import { cleanText } from "../../ui/text/sanitize.ts";
import { PART, partEnd } from "./wrap-rows.ts";

/** A part of a Markdown text that is lexed and drawn by itself. */
export interface MarkdownPiece {
	/** The part as it is in the text, not cleaned. */
	readonly text: string;
	/** Offset in the text where it begins, in UTF-16 units. */
	readonly start: number;
	/** If it continues a block that was cut, the text to lex before it: the opening line of a fence, or the head of a table. */
	readonly lead: string;
	/** Whether it begins with a block; else it continues the last block of the piece before it. */
	readonly isBlock: boolean;
	/** Whether it is shown as it is, because its line is too long to lex in time. */
	readonly isPlain: boolean;
}

/** UTF-16 units after which a piece ends at the first good place: a screen of text, which is lexed in a millisecond. */
const MIN_PIECE = 3000;
/** UTF-16 units after which a block is cut if there is no good place; a longer line is shown plain. */
const MAX_BLOCK = 16_384;
/** The same for the content of a fence, and for a line that is shown plain. */
const MAX_PIECE = 65_536;

/** The pieces of a Markdown text, one at a time; joined they are the text. */
export function* markdownPieces(text: string): Generator<MarkdownPiece, void> {
	let start: PieceStart = { index: 0, lead: "", fence: undefined, isBlock: true };
	while (start.index < text.length) {
		const { end, isPlain, next } = endOfPiece(text, start);
		const { index, lead, isBlock } = start;
		yield { text: text.slice(index, end), start: index, lead, isBlock, isPlain };
		start = { ...next, index: end };
	}
}

interface PieceStart {
	readonly index: number;
	readonly lead: string;
	readonly fence: Fence | undefined;
	readonly isBlock: boolean;
	/** Whether it continues a line that is shown plain. */
	readonly isPlain?: boolean;
}

interface PieceEnd {
	readonly end: number;
	readonly isPlain: boolean;
	readonly next: Omit<PieceStart, "index">;
}

const NEW_BLOCK = { lead: "", fence: undefined, isBlock: true };

function endOfPiece(text: string, start: PieceStart): PieceEnd {
	let { fence } = start;
	/** Offset where the last block begins. */
	let block = start.index;
	let isBehindBlock = true;
	for (let from = start.index; from < text.length; ) {
		const lineEnd = text.indexOf("\n", from);
		const to = lineEnd === -1 ? text.length : lineEnd + 1;
		const isBlank = fence === undefined && isBlankLine(text, from, to);
		if (isBehindBlock && !isBlank && fence === undefined) {
			if (from - start.index >= MIN_PIECE && !INDENTED.test(text[from] ?? "")) return cutAt(from, NEW_BLOCK);
			block = from;
		}
		if (start.isPlain || (fence === undefined && to - from > MAX_BLOCK)) {
			if (from === start.index) return plainLine(text, from, to);
			return cutAt(from, block === from ? NEW_BLOCK : goingOn(text, start, block));
		}
		if (to - start.index > (fence === undefined ? MAX_BLOCK : MAX_PIECE)) {
			const good = fence === undefined ? block : fence.start;
			if (good > start.index) return cutAt(good, NEW_BLOCK);
			const end = to - from > MAX_PIECE ? afterLargest(text, start.index) : from;
			return cutAt(end, goingOn(text, start, block, fence));
		}
		const behind = fenceBehind(text.slice(from, Math.min(to, from + HEAD)), from, fence);
		isBehindBlock = isBlank || (fence !== undefined && behind === undefined);
		fence = behind;
		from = to;
	}
	return cutAt(text.length, NEW_BLOCK);
}

/** UTF-16 units; a longer line does not count as blank. */
const MAX_BLANK = 100;
const BLANK = 32;

function isBlankLine(text: string, from: number, to: number): boolean {
	return text.charCodeAt(from) <= BLANK && to - from <= MAX_BLANK && text.slice(from, to).trim() === "";
}

/** Such a block may belong to a list: no piece begins with it if that can be avoided. */
const INDENTED = /^[ \t]/;

/** The end of the largest piece from `start` on; a little less, so that no character is split. */
function afterLargest(text: string, start: number): number {
	return partEnd(text, start + MAX_PIECE - PART - 1);
}

function cutAt(end: number, next: Omit<PieceStart, "index">): PieceEnd {
	return { end, isPlain: false, next };
}

function plainLine(text: string, from: number, to: number): PieceEnd {
	const isAll = to - from <= MAX_PIECE;
	const end = isAll ? to : afterLargest(text, from);
	return { end, isPlain: true, next: isAll ? NEW_BLOCK : { ...NEW_BLOCK, isBlock: false, isPlain: true } };
}

/** The beginning of a piece that continues a block, after the opening of its fence or the first two lines of its table. */
function goingOn(text: string, start: PieceStart, block: number, fence?: Fence): Omit<PieceStart, "index"> {
	if (fence !== undefined) return { lead: fence.opening, fence: { ...fence, start: 0 }, isBlock: false };
	const isSameBlock = block === start.index && !start.isBlock;
	const lead = isSameBlock ? start.lead : (TABLE_HEAD.exec(text.slice(block, block + MAX_HEAD))?.[0] ?? "");
	return { lead, fence, isBlock: false };
}

const MAX_HEAD = 4096;
const TABLE_HEAD = /^[^|\n]*\|.*\n(?=[^\n]*-)(?=[^\n]*\|)[|: -]+\n/;

interface Fence {
	readonly start: number;
	/** The line that opens it, to put before a piece that continues it. */
	readonly opening: string;
	readonly closing: RegExp;
	readonly isQuoted: boolean;
}

/** UTF-16 units of a line that are searched for a fence. */
const HEAD = 200;
const OPENING = /^((?:[ >]|[-*+] |\d{1,9}[.)] )*)(?:(`{3,})([^`]*)|(~{3,})(.*))$/;

/** The fence that is open behind a line that begins at `start` with `head`; `fence`: the one open before it. */
function fenceBehind(head: string, start: number, fence: Fence | undefined): Fence | undefined {
	// The end of a quotation ends the fence in it.
	const open = fence?.isQuoted && !head.trimStart().startsWith(">") ? undefined : fence;
	if (!head.includes("```") && !head.includes("~~~")) return open;
	const clean = cleanText(head.trimEnd());
	if (open !== undefined) return open.closing.test(clean) ? undefined : open;
	const [, prefix = "", ticks, ticksInfo = "", tildes = "", tildesInfo = ""] = OPENING.exec(clean) ?? [];
	const marks = ticks ?? tildes;
	if (marks === "") return undefined;
	const quotes = prefix.replace(/[^>]/g, "");
	return {
		start,
		opening: `${quotes}${quotes === "" ? "" : " "}${marks}${ticks === undefined ? tildesInfo : ticksInfo}\n`,
		closing: new RegExp(`^[ >]*${marks[0]}{${marks.length},}$`),
		isQuoted: quotes !== "",
	};
}
