import type { ReaderRow } from "../../../conversation/blocks/piece.ts";
import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import { rowsFrom } from "../../../conversation/document/walk.ts";
import type { Reader } from "../../world/opened/select-reader.ts";
import type { CopiedBlock } from "../../world/state/opened-state.ts";

/** A block of the conversation to copy. */
export interface BlockText {
	readonly text: string;
	/** Its name in messages, such as "the code block". */
	readonly what: string;
	/** The rows that show it. */
	readonly place: CopiedBlock;
}

/**
 * The first code block whose first row is visible, of the entry that is read if there is one in it, else one of which only
 * other rows are visible. Without any, or if the code behind the rows is ambiguous, the whole block: a thought, an answer, an
 * output. `current`: index of the entry that is read.
 */
export function blockInSight({ document, top, height }: Reader, current: number): BlockText | undefined {
	const visible = rowsFrom(document, top, height);
	const rows = [...visible.filter(({ at }) => at.entry === current), ...visible];
	const found =
		rows.find(({ at }) => isStart(document, at)) ??
		rows.find(({ at }) => isCode(document.rows(at.entry, at.piece)[at.row]));
	const code = found && codeAt(document, found.at);
	if (code !== undefined) return code;
	for (const { at } of found === undefined ? rows : [found, ...rows]) {
		const whole = wholeBlock(document, at);
		if (whole !== undefined) return whole;
	}
	return undefined;
}

/** Whether a row is the first one of a code block. */
function isStart(document: ReaderDocument, { entry, piece, row }: Position): boolean {
	const rows = document.rows(entry, piece);
	return isCode(rows[row]) && !isCode(rows[row - 1]);
}

/** The block that a row is in, including folded parts; undefined if there is no text in it. */
function wholeBlock(document: ReaderDocument, at: Position): BlockText | undefined {
	const text = blockText(document, at);
	const block = document.pieces(at.entry)[at.piece]?.block;
	const entryId = document.path[at.entry]?.id;
	if (text.trim() === "" || block === undefined || entryId === undefined) return undefined;
	return { text, what: "the block", place: { entryId, block, part: undefined, from: 0, to: Number.MAX_SAFE_INTEGER } };
}

/** The text of the block that a row is in, including folded parts. */
function blockText(document: ReaderDocument, { entry, piece }: Position): string {
	const block = document.pieces(entry)[piece]?.block;
	const found = block === undefined ? undefined : Iterator.from(document.wholeBlocks(entry)).drop(block).next().value;
	return found === undefined ? "" : found.parts.map(({ text }) => text).join("");
}

/** The code block that a row of Markdown shows; undefined if that is ambiguous. */
function codeAt(document: ReaderDocument, { entry, piece, row }: Position): BlockText | undefined {
	const codes = document.codes(entry, piece);
	const rows = document.rows(entry, piece);
	const starts = rows.flatMap((one, index) => (isCode(one) && !isCode(rows[index - 1]) ? [index] : []));
	// Two blocks without a row between them look like one, so the counts differ.
	if (starts.length !== codes.length) return undefined;
	const number = starts.filter((start) => start <= row).length - 1;
	const [text, from = 0] = [codes[number], starts[number]];
	const { block = 0, part = 0 } = document.pieces(entry)[piece] ?? {};
	const entryId = document.path[entry]?.id;
	if (text === undefined || entryId === undefined) return undefined;
	const end = rows.findIndex((one, index) => index > from && !isCode(one));
	const to = end === -1 ? rows.length : end;
	return { text, what: "the code block", place: { entryId, block, part, from, to } };
}

/** Whether a row of an answer or a prompt shows code. A command has the same background, but on the row, not on its spans. */
function isCode(row: ReaderRow | undefined): boolean {
	return row !== undefined && row.ground !== "code" && row.line.some(({ ground }) => ground === "code");
}

/** An image in the conversation. */
export interface ShownImage {
	readonly entryId: string;
	readonly base64: string;
}

/** The first visible image. */
export function imageInSight({ document, top, height }: Reader): ShownImage | undefined {
	for (const { at } of rowsFrom(document, top, height)) {
		const image = document.pieces(at.entry)[at.piece]?.image;
		const entry = document.path[at.entry];
		if (image !== undefined && entry !== undefined) return { entryId: entry.id, base64: image };
	}
	return undefined;
}
