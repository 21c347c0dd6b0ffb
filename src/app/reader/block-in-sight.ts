import type { Position, ReaderDocument } from "./document.ts";
import type { ReaderRow } from "./piece.ts";
import type { Reader } from "./select-reader.ts";
import { rowsFrom } from "./walk.ts";

/** A part of the conversation that can be copied by itself. */
export interface BlockText {
	readonly text: string;
	/** What it is, as "the code block". */
	readonly what: string;
}

/** The first block of code of an answer that is in sight, else what stands at the top: a thought, an answer, an output. */
export function blockInSight({ document, top, height }: Reader): BlockText | undefined {
	const rows = rowsFrom(document, top, height);
	for (const { at, row } of rows) {
		const code = isCode(row) ? codeAt(document, at) : undefined;
		if (code !== undefined) return { text: code, what: "the code block" };
	}
	for (const { at } of rows) {
		const text = blockText(document, at);
		if (text.trim() !== "") return { text, what: "the block" };
	}
	return undefined;
}

/** The whole block that a row is in, what is folded away included. */
function blockText(document: ReaderDocument, { entry, piece }: Position): string {
	const block = document.pieces(entry)[piece]?.block;
	const found = block === undefined ? undefined : Iterator.from(document.wholeBlocks(entry)).drop(block).next().value;
	return found === undefined ? "" : found.parts.map(({ text }) => text).join("");
}

/** The fenced code that a row of Markdown shows: in the rows of its piece, each block of code is a run on its ground. */
function codeAt(document: ReaderDocument, { entry, piece, row }: Position): string | undefined {
	const rows = document.rows(entry, piece);
	let runs = 0;
	for (let index = 0; index <= row; index++) {
		const before = rows[index - 1];
		if (isCode(rows[index]) && (before === undefined || !isCode(before))) runs++;
	}
	return fencedCode(document.pieces(entry)[piece]?.text ?? "")[runs - 1];
}

/** Whether a row of an answer shows code; a command stands on the same ground, but as a whole row. */
function isCode(row: ReaderRow | undefined): boolean {
	return row !== undefined && row.ground === undefined && row.line.some(({ ground }) => ground === "code");
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The texts of the fenced blocks of code, without their fences, in order. */
export function fencedCode(markdown: string): string[] {
	const blocks: string[] = [];
	let fence = "";
	let code: string[] = [];
	for (const line of markdown.split("\n")) {
		const [, mark = ""] = FENCE.exec(line) ?? [];
		if (fence === "") {
			fence = mark;
			code = [];
		} else if (mark.startsWith(fence) && line.trim() === mark) {
			blocks.push(code.join("\n"));
			fence = "";
		} else code.push(line);
	}
	// The rest of it may be in the next piece.
	return fence === "" ? blocks : [...blocks, code.join("\n")];
}
