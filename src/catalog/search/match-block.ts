import type { Term } from "../query/parse-query.ts";
import type { Block } from "../texts/block.ts";
import { SEGMENT_FIELDS } from "../texts/block.ts";

/** A place where a term was found. */
export interface Match {
	/** 1-based line of the session file. */
	readonly line: number;
	/** Stored code of the segment's kind. */
	readonly code: number;
	/** Place in the block's text, in bytes. */
	readonly start: number;
	readonly end: number;
	/** Whether no letter, digit or `_` touches it. */
	readonly word: boolean;
}

/** A term made ready for searching bytes. */
export interface Needle {
	readonly term: Term;
	/** Undefined for a regex and for a term that takes any text. */
	readonly bytes: Buffer | undefined;
	/** Place of its rarest byte: looking for that first is several times faster than looking for an "e". */
	readonly rare: number;
}

export function needleOf(term: Term): Needle {
	if (term.needle === undefined) return { term, bytes: undefined, rare: 0 };
	const bytes = Buffer.from(term.needle);
	let rare = 0;
	// At least two bytes are looked for: each place of a single one would cost a call.
	for (let index = 1; index < bytes.length - 1; index++) {
		if (commonness(bytes[index]) < commonness(bytes[rare])) rare = index;
	}
	return { term, bytes, rare };
}

/** Bytes of text and code from the most common on; all that is not here is rare. */
const COMMON = Buffer.from(" etaoinsrlhd\tcupmf\n.g,y\"b-w'v_/()=k:;");

function commonness(byte: number | undefined): number {
	const place = byte === undefined ? -1 : COMMON.indexOf(byte);
	return place === -1 ? 0 : COMMON.length - place;
}

/** Whether a segment's tool (by number) is asked for; true for all when no tool is. */
export type ToolTest = (tool: number) => boolean;

/** All matches of a needle in a block, in order, as far as `more` wants them. */
export function matchBlock(needle: Needle, block: Block, tools: ToolTest, onMatch: (match: Match) => boolean): void {
	const { text, segments } = block;
	if (needle.bytes) {
		matchBytes(needle.bytes, needle.rare, text, (start) => {
			const segment = segmentAt(segments, start);
			const end = start + (needle.bytes?.length ?? 0);
			return report(needle.term, block, segment, start, end, tools, onMatch);
		});
		return;
	}
	for (let segment = 0; segment < segments.length / SEGMENT_FIELDS; segment++) {
		const start = segments[segment * SEGMENT_FIELDS + 2] ?? 0;
		const end = (segments[(segment + 1) * SEGMENT_FIELDS + 2] ?? text.length) - 1;
		if (!matchSegment(needle.term, block, segment, start, end, tools, onMatch)) return;
	}
}

function matchSegment(
	term: Term,
	block: Block,
	segment: number,
	start: number,
	end: number,
	tools: ToolTest,
	onMatch: (match: Match) => boolean,
): boolean {
	if (!term.regex) return report(term, block, segment, start, start, tools, onMatch);
	const text = block.text.toString("utf8", start, end);
	for (const found of text.matchAll(term.regex)) {
		if (found[0] === "") continue;
		const from = start + Buffer.byteLength(text.slice(0, found.index));
		if (!report(term, block, segment, from, from + Buffer.byteLength(found[0]), tools, onMatch)) return false;
	}
	return true;
}

/** Calls `onFound` with each place of the needle until it says false. */
function matchBytes(needle: Buffer, rare: number, text: Buffer, onFound: (start: number) => boolean): void {
	const tail = rare === 0 ? needle : needle.subarray(rare);
	let from = rare;
	for (;;) {
		const at = text.indexOf(tail, from);
		if (at === -1) return;
		const start = at - rare;
		const whole = startsAt(text, start, needle, rare);
		if (whole && !onFound(start)) return;
		from = whole ? at + needle.length : at + 1;
	}
}

/** Whether the needle's first bytes are there; a loop, because a call of `compare` costs more than a few bytes do. */
function startsAt(text: Buffer, start: number, needle: Buffer, length: number): boolean {
	for (let index = 0; index < length; index++) if (text[start + index] !== needle[index]) return false;
	return true;
}

function report(
	term: Term,
	block: Block,
	segment: number,
	start: number,
	end: number,
	tools: ToolTest,
	onMatch: (match: Match) => boolean,
): boolean {
	const line = block.segments[segment * SEGMENT_FIELDS] ?? 0;
	const what = block.segments[segment * SEGMENT_FIELDS + 1] ?? 0;
	if ((term.kinds & (1 << (what & 31))) === 0 || !tools(what >> 5)) return true;
	const word = !isWordByte(block.text[start - 1]) && !isWordByte(block.text[end]);
	return onMatch({ line, code: what & 31, start, end, word });
}

/** The segment that the place in the text belongs to. */
function segmentAt(segments: Uint32Array, place: number): number {
	let low = 0;
	let high = segments.length / SEGMENT_FIELDS - 1;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((segments[middle * SEGMENT_FIELDS + 2] ?? 0) <= place) low = middle;
		else high = middle - 1;
	}
	return low;
}

/** Whether a byte of folded UTF-8 belongs to a word: a letter, a digit, or `_`. */
export function isWordByte(byte: number | undefined): boolean {
	if (byte === undefined) return false;
	return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f || byte >= 0x80;
}
