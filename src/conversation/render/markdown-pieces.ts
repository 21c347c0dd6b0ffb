import { PART, partEnd } from "../../ui/text/part-end.ts";
import { type Fence, FenceMarks, fenceBehind } from "./markdown-fence.ts";

/** A part of a Markdown text that is read and drawn by itself. */
export interface MarkdownPiece {
	/** The part as it is in the text, not cleaned. */
	readonly text: string;
	/** Where it begins in the text, in UTF-16 units. */
	readonly start: number;
	/** What is read before it where it goes on with what was cut: the line that opens its fence, or the head of its table. */
	readonly lead: string;
	/** Whether a block begins with it; else it goes on with the last one of the piece before it. */
	readonly isBlock: boolean;
	/** Whether it is shown as it is, because its line is too long to be read in time. */
	readonly isPlain: boolean;
}

/** A piece ends at the first good place behind so many UTF-16 units: a screen of text, which is read in a millisecond. */
const LEAST = 3000;
/** What has no good place is cut after so many; a line that is longer by itself is shown plain. */
const LONGEST_BLOCK = 16_384;
/** So is what stands in one fence, and a line that is shown plain. */
const LONGEST = 65_536;

/** The pieces of a Markdown text, one at a time; one after the other they are the text. */
export function* markdownPieces(text: string): Generator<MarkdownPiece, void> {
	const marks = new FenceMarks(text);
	let start: PieceStart = { index: 0, lead: "", fence: undefined, isBlock: true };
	while (start.index < text.length) {
		const { end, isPlain, next } = nextBlankLine(text, start, marks) ?? endOfPiece(text, start, marks);
		const { index, lead, isBlock } = start;
		yield { text: text.slice(index, end), start: index, lead, isBlock, isPlain };
		start = { ...next, index: end };
	}
}

/** Where a piece begins, and what is known there. */
interface PieceStart {
	readonly index: number;
	readonly lead: string;
	readonly fence: Fence | undefined;
	readonly isBlock: boolean;
	/** Whether it goes on with a line that is shown plain. */
	readonly isPlain?: boolean;
}

interface PieceEnd {
	readonly end: number;
	readonly isPlain: boolean;
	readonly next: Omit<PieceStart, "index">;
}

const NEW_BLOCK = { lead: "", fence: undefined, isBlock: true };

/** Where a piece ends that has no fence, at the first blank line behind which it may; undefined where it is not so simple. */
function nextBlankLine(text: string, { index, fence, isPlain }: PieceStart, marks: FenceMarks): PieceEnd | undefined {
	if (fence !== undefined || isPlain) return undefined;
	const first = index + LEAST;
	const found = BLANK_LINE.exec(text.slice(first, index + LONGEST_BLOCK));
	if (found === null) return undefined;
	const end = first + found.index + found[0].length;
	return marks.from(index) < end ? undefined : cutAt(end, NEW_BLOCK);
}

const BLANK_LINE = /\n\r?\n(?=[^ \t\r\n])/;

function endOfPiece(text: string, start: PieceStart, marks: FenceMarks): PieceEnd {
	let { fence } = start;
	/** Where the last block begins. */
	let block = start.index;
	let isBehindBlock = true;
	for (let from = start.index; from < text.length; ) {
		if (fence !== undefined && !fence.isQuoted) {
			// Nothing in a fence matters before the line that may end it.
			const line = text.lastIndexOf("\n", Math.min(marks.from(from), start.index + LONGEST - 1)) + 1;
			if (line > from) from = line;
		}
		const found = text.indexOf("\n", from);
		const to = found === -1 ? text.length : found + 1;
		const isBlank = fence === undefined && isBlankLine(text, from, to);
		if (isBehindBlock && !isBlank && fence === undefined) {
			if (from - start.index >= LEAST && !INDENTED.test(text[from] ?? "")) return cutAt(from, NEW_BLOCK);
			block = from;
		}
		if (start.isPlain || (fence === undefined && to - from > LONGEST_BLOCK)) {
			if (from === start.index) return plainLine(text, from, to);
			return cutAt(from, block === from ? NEW_BLOCK : goingOn(text, start, block));
		}
		if (to - start.index > (fence === undefined ? LONGEST_BLOCK : LONGEST)) {
			const good = fence === undefined ? block : fence.start;
			if (good > start.index) return cutAt(good, NEW_BLOCK);
			const end = to - from > LONGEST ? afterLongest(text, start.index) : from;
			return cutAt(end, goingOn(text, start, block, fence));
		}
		const isSame = marks.from(from) >= to && !fence?.isQuoted;
		const behind = isSame ? fence : fenceBehind(text.slice(from, to), from, fence);
		isBehindBlock = isBlank || (fence !== undefined && behind === undefined);
		fence = behind;
		from = to;
	}
	return cutAt(text.length, NEW_BLOCK);
}

/** A line that is longer is not blank. */
const LONGEST_BLANK = 100;
const BLANK = 32;

function isBlankLine(text: string, from: number, to: number): boolean {
	return text.charCodeAt(from) <= BLANK && to - from <= LONGEST_BLANK && text.slice(from, to).trim() === "";
}

/** A block that begins so may belong to a list: no piece begins with it if that can be helped. */
const INDENTED = /^[ \t]/;

/** The end of the largest piece from `start` on: a little less, so that no character is cut. */
function afterLongest(text: string, start: number): number {
	return partEnd(text, start + LONGEST - PART - 1);
}

function cutAt(end: number, next: Omit<PieceStart, "index">): PieceEnd {
	return { end, isPlain: false, next };
}

function plainLine(text: string, from: number, to: number): PieceEnd {
	const isAll = to - from <= LONGEST;
	const end = isAll ? to : afterLongest(text, from);
	return { end, isPlain: true, next: isAll ? NEW_BLOCK : { ...NEW_BLOCK, isBlock: false, isPlain: true } };
}

/** What a piece begins with that goes on with a block: the opening of the fence, or the first two lines of the table. */
function goingOn(text: string, start: PieceStart, block: number, fence?: Fence): Omit<PieceStart, "index"> {
	if (fence !== undefined) return { lead: fence.opening, fence: { ...fence, start: 0 }, isBlock: false };
	const isSameBlock = block === start.index && !start.isBlock;
	return { lead: isSameBlock ? start.lead : tableHead(text.slice(block, block + LONGEST_HEAD)), fence, isBlock: false };
}

const LONGEST_HEAD = 4096;
const TABLE_HEAD = /^[^|\n]*\|.*\n(?=[^\n]*-)(?=[^\n]*\|)[|: -]+\n/;

function tableHead(block: string): string {
	return TABLE_HEAD.exec(block)?.[0] ?? "";
}
