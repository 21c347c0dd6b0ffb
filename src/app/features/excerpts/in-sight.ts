import type { ReaderRow } from "../../../conversation/blocks/piece.ts";
import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import { rowsFrom } from "../../../conversation/document/walk.ts";
import type { Reader } from "../../world/opened/select-reader.ts";

/** A part of the conversation that can be copied by itself. */
export interface BlockText {
	readonly text: string;
	/** What it is, as "the code block". */
	readonly what: string;
}

/**
 * The first block of code of an answer that is in sight, else what stands at the top: a thought, an answer, an output. Where
 * it is not certain what that code is, it is all of the answer.
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

/** The whole block that a row is in, what is folded away included. */
function blockText(document: ReaderDocument, { entry, piece }: Position): string {
	const block = document.pieces(entry)[piece]?.block;
	const found = block === undefined ? undefined : Iterator.from(document.wholeBlocks(entry)).drop(block).next().value;
	return found === undefined ? "" : found.parts.map(({ text }) => text).join("");
}

/** The code that a row of Markdown shows; undefined where it may be another one. */
function codeAt(document: ReaderDocument, { entry, piece, row }: Position): string | undefined {
	const codes = document.codes(entry, piece);
	const rows = document.rows(entry, piece);
	const starts = rows.flatMap((one, index) => (isCode(one) && !isCode(rows[index - 1]) ? [index] : []));
	// Two blocks without a row between them look like one.
	if (starts.length !== codes.length) return undefined;
	return codes[starts.filter((start) => start <= row).length - 1];
}

/** Whether a row of an answer shows code; a command stands on the same ground, but as a whole row. */
function isCode(row: ReaderRow | undefined): boolean {
	return row !== undefined && row.ground === undefined && row.line.some(({ ground }) => ground === "code");
}

/** An image in the conversation. */
export interface ShownImage {
	readonly entryId: string;
	readonly base64: string;
}

/** The first image in sight. */
export function imageInSight({ document, top, height }: Reader): ShownImage | undefined {
	for (const { at } of rowsFrom(document, top, height)) {
		const image = document.pieces(at.entry)[at.piece]?.image;
		const entry = document.path[at.entry];
		if (image !== undefined && entry !== undefined) return { entryId: entry.id, base64: image };
	}
	return undefined;
}
