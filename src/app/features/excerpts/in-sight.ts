import type { ReaderRow } from "../../../conversation/blocks/piece.ts";
import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import { rowsFrom } from "../../../conversation/document/walk.ts";
import type { Reader } from "../../world/opened/select-reader.ts";

/** A block of the conversation to copy. */
export interface BlockText {
	readonly text: string;
	/** Its name in messages, such as "the code block". */
	readonly what: string;
}

/**
 * The first visible code block of an answer, else the block at the top: a thought, an answer, an output. If the code behind
 * the rows is ambiguous, the whole answer.
 */
export function blockInSight({ document, top, height }: Reader): BlockText | undefined {
	const rows = rowsFrom(document, top, height);
	const code = rows.findIndex(({ row }) => isCode(row));
	const [first] = code === -1 ? [] : rows.slice(code);
	const text = first === undefined ? undefined : codeAt(document, first.at);
	if (text !== undefined) return { text, what: "the code block" };
	for (const { at } of rows.slice(Math.max(0, code))) {
		const whole = blockText(document, at);
		if (whole.trim() !== "") return { text: whole, what: "the block" };
	}
	return undefined;
}

/** The text of the block that a row is in, including folded parts. */
function blockText(document: ReaderDocument, { entry, piece }: Position): string {
	const block = document.pieces(entry)[piece]?.block;
	const found = block === undefined ? undefined : Iterator.from(document.wholeBlocks(entry)).drop(block).next().value;
	return found === undefined ? "" : found.parts.map(({ text }) => text).join("");
}

/** The code block that a row of Markdown shows; undefined if that is ambiguous. */
function codeAt(document: ReaderDocument, { entry, piece, row }: Position): string | undefined {
	const codes = document.codes(entry, piece);
	const rows = document.rows(entry, piece);
	const starts = rows.flatMap((one, index) => (isCode(one) && !isCode(rows[index - 1]) ? [index] : []));
	// Two blocks without a row between them look like one, so the counts differ.
	if (starts.length !== codes.length) return undefined;
	return codes[starts.filter((start) => start <= row).length - 1];
}

/** Whether a row of an answer shows code. A command has the same background, but on the row, not on its spans. */
function isCode(row: ReaderRow | undefined): boolean {
	return row !== undefined && row.ground === undefined && row.line.some(({ ground }) => ground === "code");
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
