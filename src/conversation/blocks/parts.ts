import { printJson } from "../../shared/json.ts";
import { formatCount, formatSize } from "../../ui/text/format.ts";
import type { Ground, Line, Tone } from "../../ui/text/line.ts";
import { blanks, type CleanText, cleanText } from "../../ui/text/sanitize.ts";
import { wrapText } from "../../ui/text/wrap.ts";
import { blocksIn, type Fields, textOf } from "../entries/fields.ts";
import { imageSize } from "../entries/images.ts";
import { rowText } from "../entries/row-text.ts";
import { withheldIn } from "../entries/withheld.ts";
import { type MarkdownPiece, markdownPieces } from "../render/markdown-pieces.ts";
import { jsonRows } from "../render/render-json.ts";
import { codesIn, type MarkdownLook, renderMarkdown } from "../render/render-markdown.ts";
import { partEnd } from "../render/wrap-rows.ts";
import type { Block, Part, ReaderRow } from "./piece.ts";

/** How plain text looks. */
export interface TextLook {
	readonly tone?: Tone;
	readonly bold?: boolean;
	readonly ground?: Ground;
	/** Before the first row; the others are indented as far. */
	readonly sign?: string;
}

/** Plain text of any length. */
export function textParts(text: string, look: TextLook = {}): Part[] {
	return cutLines(text).map((part, index) => ({
		text: part,
		draw: (width) => textRows(withoutLineEnd(part), width, look, index === 0),
	}));
}

/** What the model did not get of a message. */
export function withheldParts(message: Fields): Part[] {
	return withheldIn(message).flatMap(({ long }) => textParts(long, { tone: "warning" }));
}

/** Plain text of bounded length in rows. */
function textRows(text: string, width: number, look: TextLook, isFirst: boolean): ReaderRow[] {
	const sign = cleanText(look.sign ?? "");
	const indent = sign.length < width ? sign : blanks(0);
	return wrapText(text, Math.max(1, width - indent.length)).map((row, index) => ({
		line: lineOf(row, isFirst && index === 0 ? indent : blanks(indent.length), look),
		ground: look.ground,
	}));
}

function lineOf(text: CleanText, before: CleanText, { tone, bold = false }: TextLook): Line {
	const style = { ...(tone === undefined ? {} : { tone }), bold };
	return (before === "" ? [text] : [before, text]).map((part) => ({ text: part, ...style }));
}

/** UTF-16 units of a text that are laid out at a time: several pages of it, in a fraction of a frame. */
const PIECE = 12 * 1024;

/** The text in parts of bounded size, cut behind a line where possible. All of it is in them, in order. */
export function cutLines(text: string): string[] {
	const parts: string[] = [];
	for (let from = 0; from < text.length; ) {
		const to = partEnd(text, from, PIECE);
		parts.push(text.slice(from, to));
		from = to;
	}
	return parts;
}

/** The text without the line end that a cut leaves at its end. */
function withoutLineEnd(text: string): string {
	return text.endsWith("\n") ? text.slice(0, text.endsWith("\r\n") ? -2 : -1) : text;
}

/** A text of bounded length that is drawn in parts. `tone`: of what has none of its own. */
export function drawnPart(
	text: string,
	lines: (...args: Parameters<Part["draw"]>) => Iterable<readonly Line[]>,
	{ tone, isCode = false }: { readonly tone?: Tone; readonly isCode?: boolean } = {},
): Part {
	const rowOf = (line: Line) => ({ line: tone === undefined ? line : line.map((span) => ({ tone, ...span })) });
	return { text, isCode, draw: (width, renderers) => [...lines(width, renderers)].flat().map(rowOf) };
}

/** A Markdown text of any length. */
export function markdownParts(text: string, look?: MarkdownLook): Part[] {
	return Array.from(markdownPieces(text)).map((piece, index, pieces) => ({
		...drawnPart(piece.text, (width, renderers) => [renderMarkdown(piece, width, renderers, look)], {
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

/** Characters of a value printed as JSON at most: some thousand rows. */
const MAX_JSON = 200_000;

/** A value as JSON, "" for none; of a very large one the beginning. */
export function jsonText(value: unknown): string {
	if (value === undefined) return "";
	const text = printJson(value, { indent: 2, limit: MAX_JSON + 1 });
	return text.length > MAX_JSON ? `${text.slice(0, MAX_JSON)}\n… ${CUT}` : text;
}

/** A value as JSON, below what it is. */
function jsonParts(value: unknown, title: string): Part[] {
	return [...(title === "" ? [] : textParts(title, { tone: "verb" })), ...jsonTextParts(jsonText(value))];
}

/** A text in JSON. */
export function jsonTextParts(json: string): Part[] {
	return cutLines(json).map((part) => drawnPart(part, (width) => jsonRows(part, width), { tone: "muted" }));
}

/** Lines below each other; a list of very many is cut. */
export function joinLines(lines: Iterable<string>): string {
	let text = "";
	for (const line of lines) {
		if (text.length > MAX_JSON) return `${text}\n… ${CUT}`;
		text += text === "" ? line : `\n${line}`;
	}
	return text;
}

/** Ends what is too large to be shown. */
const CUT = `cut here: ${formatCount(MAX_JSON)} characters of a value are shown`;

/** The blocks of a message's content, each for itself. */
export function* contentBlocks(content: unknown, kind: "markdown" | "text"): Generator<Block> {
	for (const block of blocksIn(content)) yield contentBlock(block, kind);
}

/** A text, an image, or anything else as JSON. */
export function contentBlock(block: Fields, kind: "markdown" | "text"): Block {
	switch (block.type) {
		case "text": {
			const text = textOf(block.text);
			return { parts: kind === "markdown" ? markdownParts(text) : textParts(text), gap: true };
		}
		case "image": {
			const parts = textParts(describeImage(block), { tone: "muted", sign: "▣ " });
			return { parts: parts.map((part) => ({ ...part, image: textOf(block.data) })), gap: true };
		}
		default:
			return { parts: jsonParts(block, rowText(block.type)), gap: true };
	}
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
