import { memoLast } from "../../shared/memo.ts";
import { type Fields, textOf } from "../../store/format/fields.ts";
import { formatSize } from "../../ui/text/format.ts";
import type { Ground, Line, Tone } from "../../ui/text/line.ts";
import { blanks, cleanLines, cleanText } from "../../ui/text/sanitize.ts";
import { cutLine } from "../../ui/text/width.ts";
import { wrapLine } from "../../ui/text/wrap.ts";
import { imageSize } from "../entries/images.ts";
import { newlines } from "../entries/output.ts";
import { rowText } from "../entries/row-text.ts";
import { codeRows, numberedCodeRows } from "../render/code-lines.ts";
import { type MarkdownPiece, markdownPieces } from "../render/markdown-pieces.ts";
import { codesIn, type MarkdownLook, renderMarkdown } from "../render/render-markdown.ts";
import { partsOf } from "../render/wrap-rows.ts";
import type { Part, ReaderRow, ShownFileLine } from "./piece.ts";

interface TextLook {
	readonly tone?: Tone;
	readonly bold?: boolean;
	readonly ground?: Ground;
	/** Before the first row; the others are indented as far. */
	readonly sign?: string;
}

/** UTF-16 units of a first line: more than any terminal shows in a row. */
export const FIRST_LINE = 1000;

export function textParts(text: string, look: TextLook = {}): Part[] {
	return cutLines(text).map((part, index) => ({
		text: part,
		draw: (width) => textRows(withoutLineEnd(part), width, look, index === 0),
	}));
}

/** Plain text of bounded length in rows. */
function textRows(text: string, width: number, look: TextLook, isFirst: boolean): ReaderRow[] {
	const sign = cleanText(look.sign ?? "");
	const indent = sign.length < width ? sign : blanks(0);
	const { tone, bold = false, ground } = look;
	const style = { ...(tone === undefined ? {} : { tone }), bold };
	const rows = cleanLines(text).flatMap((line) =>
		wrapLine([{ text: line, ...style }], Math.max(1, width - indent.length)),
	);
	return rows.map((row, index) => {
		const margin = isFirst && index === 0 ? indent : blanks(indent.length);
		return { line: margin === "" ? row : [{ text: margin, ...style }, ...row], ground };
	});
}

/** UTF-16 units of a text that are laid out at a time: several pages of it, in a fraction of a frame. */
const PIECE = 12 * 1024;

/** The text in parts of bounded size, cut behind a line where possible. All of it is in them, in order. */
export function cutLines(text: string): string[] {
	return [...partsOf(text, PIECE)];
}

function withoutLineEnd(text: string): string {
	return text.endsWith("\n") ? text.slice(0, text.endsWith("\r\n") ? -2 : -1) : text;
}

/** A text of bounded length that is drawn in parts. `tone`: of what has none of its own. */
export function drawnPart(
	text: string,
	lines: (...args: Parameters<Part["draw"]>) => Iterable<Line>,
	{ tone, isCode = false }: { readonly tone?: Tone; readonly isCode?: boolean } = {},
): Part {
	const rowOf = (line: Line) => ({ line: tone === undefined ? line : line.map((span) => ({ tone, ...span })) });
	return { text, isCode, draw: (width, renderers) => Array.from(lines(width, renderers), rowOf) };
}

/** One row; `key`: what it folds and unfolds, `hidden`: the text that is folded away. */
export function rowPart(line: Line, { key, hidden }: { readonly key?: string; readonly hidden?: string } = {}): Part {
	return {
		text: hidden ?? "",
		fold: hidden === undefined ? undefined : key,
		draw: (width) => [{ line: cutLine(line, width), fold: key }],
	};
}

export function markdownParts(text: string, look?: MarkdownLook): Part[] {
	return Array.from(markdownPieces(text)).map((piece, index, pieces) => ({
		...drawnPart(piece.text, (width, renderers) => renderMarkdown(piece, width, renderers, look), {
			isCode: piece.lead !== "" || /```|~~~/.test(piece.text),
		}),
		// A block that is cut is in no piece as a whole.
		codes: (renderers) => (goesOn(piece) || goesOn(pieces[index + 1]) ? [] : codesIn(piece, renderers)),
	}));
}

/** Whether a piece may begin within a block: with its rest, or with a line that may belong to the list or the code above. */
function goesOn(piece: MarkdownPiece | undefined): boolean {
	return piece !== undefined && piece.start > 0 && (!piece.isBlock || /^[ \t]/.test(piece.text));
}

/** Code of any length in a language, if it is known. `tone`: of what has none of its own. */
export function codeParts(code: string, language: string | undefined, tone?: Tone): Part[] {
	const look = { isCode: language !== undefined, ...(tone && { tone }) };
	return cutLines(code).map((part, index, all) => {
		const isContinued = all[index - 1]?.endsWith("\n") === false;
		return drawnPart(part, (width, renderers) => codeRows(part, width, language, renderers, isContinued), look);
	});
}

/** A file that was read, from the line with this number on; each row knows its line. */
export function fileCodeParts(code: string, language: string | undefined, path: string, from: number): Part[] {
	const lines = memoLast((text: string) => text.split("\n"));
	let next = from - 1;
	return cutLines(code).map((part, index, all): Part => {
		const isContinued = all[index - 1]?.endsWith("\n") === false;
		const first = next;
		next += newlines(part);
		const fileAt = (at: number): ShownFileLine => {
			const text = (lines(code)[at - (from - 1)] ?? "").replace(/\r$/, "");
			return { path, line: { kind: "same", before: at + 1, after: at + 1, text } };
		};
		return {
			text: part,
			isCode: language !== undefined,
			draw: (width, renderers) =>
				Array.from(numberedCodeRows(part, width, language, renderers, isContinued), ({ row, line }) => ({
					line: row,
					file: fileAt(first + line),
				})),
		};
	});
}

/** An image, as its format and its size. */
export function imageParts(image: Fields): Part[] {
	const parts = textParts(describeImage(image), { tone: "muted", sign: "▣ " });
	return parts.map((part) => ({ ...part, image: textOf(image.data) }));
}

/** "image png, 640×480, 3.5 KB". */
function describeImage(image: Fields): string {
	const data = textOf(image.data);
	const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
	const bytes = Math.max(0, Math.floor(data.length * 0.75) - padding);
	const size = imageSize(data);
	const pixels = size === undefined ? "" : `, ${size.width}×${size.height}`;
	return `image ${rowText(image.mimeType).replace(/^image\//, "")}${pixels}, ${formatSize(bytes)}`;
}
