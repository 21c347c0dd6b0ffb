import { decodeHTMLStrict } from "entities/decode";
import type { MarkedToken, Token, Tokens } from "marked";
import { lexMarkdown } from "./lex-markdown.ts";

/** A block of a Markdown text, for all painters. Nothing else reads the tokens of marked. */
export type MarkdownBlock =
	/** `level`: of a heading, 1 to 6; 0 for a paragraph. */
	| { readonly kind: "prose"; readonly level: number; readonly text: readonly MarkdownInline[] }
	/** `info`: what stands behind the fence, "" for nothing. */
	| { readonly kind: "code"; readonly text: string; readonly info: string }
	| { readonly kind: "quote"; readonly blocks: readonly MarkdownBlock[] }
	| {
			readonly kind: "list";
			readonly isOrdered: boolean;
			readonly isLoose: boolean;
			readonly items: readonly MarkdownItem[];
	  }
	/** `raw`: as it is written. `isWhole`: whether every cell is under a head cell; marked drops the others. */
	| {
			readonly kind: "table";
			readonly head: readonly MarkdownCell[];
			readonly rows: ReadonlyArray<readonly MarkdownCell[]>;
			readonly raw: string;
			readonly isWhole: boolean;
	  }
	| { readonly kind: "rule" }
	/** Shown as it is written: HTML, and where a link leads. */
	| { readonly kind: "raw"; readonly text: string; readonly isDefinition: boolean };

export interface MarkdownItem {
	readonly number: number;
	/** Undefined if it is no task. */
	readonly isDone: boolean | undefined;
	readonly blocks: readonly MarkdownBlock[];
}

export interface MarkdownCell {
	readonly text: readonly MarkdownInline[];
	readonly align: "center" | "left" | "right" | null;
}

interface MarkdownMarks {
	readonly bold?: boolean;
	readonly italic?: boolean;
	readonly strike?: boolean;
}

/** A part of prose. Of a link or an image, marks are around what is `inside`, which is empty where it has no text of its own. */
export type MarkdownInline =
	| { readonly kind: "text" | "code" | "raw"; readonly text: string; readonly marks: MarkdownMarks }
	| { readonly kind: "break" }
	| {
			readonly kind: "link" | "image";
			readonly address: string;
			/** "" for none. */
			readonly title: string;
			readonly text: string;
			readonly inside: readonly MarkdownInline[];
			readonly marks: MarkdownMarks;
	  };

/**
 * The blocks of a clean Markdown text, at most 50 deep, in time linear in the length of the text. `breaks`: whether the line
 * ends within a paragraph stay.
 */
export function readMarkdown(text: string, breaks = false): readonly MarkdownBlock[] {
	return blocksOf(lexMarkdown(text, breaks));
}

function blocksOf(tokens: readonly Token[]): readonly MarkdownBlock[] {
	return tokens.flatMap((token) => blockOf(marked(token)) ?? []);
}

function blockOf(token: MarkedToken): MarkdownBlock | undefined {
	switch (token.type) {
		case "space":
		// The marker of the item shows it.
		case "checkbox":
			return undefined;
		case "heading":
			return { kind: "prose", level: token.depth, text: inlinesOf(token.tokens) };
		case "paragraph":
			return { kind: "prose", level: 0, text: inlinesOf(token.tokens) };
		case "code":
			return { kind: "code", text: token.text, info: token.lang ?? "" };
		case "blockquote":
			return { kind: "quote", blocks: blocksOf(token.tokens) };
		case "list":
			return { kind: "list", isOrdered: token.ordered, isLoose: token.loose, items: itemsOf(token) };
		case "table":
			return tableOf(token);
		case "hr":
			return { kind: "rule" };
		case "html":
		case "def":
			return { kind: "raw", text: token.raw, isDefinition: token.type === "def" };
		default:
			return { kind: "prose", level: 0, text: inlinesOf([token]) };
	}
}

/** Their numbers are those that are written, unless all have the same one. */
function itemsOf({ items, start }: Tokens.List): readonly MarkdownItem[] {
	const written = items.map(({ raw }) => Number(/^ *(\d{1,9})[.)]/.exec(raw)?.[1]));
	const isCounted = written.every((number) => number === written[0]);
	return items.map(({ task, checked, tokens }, index) => ({
		number: isCounted ? Number(start) + index : (written[index] ?? 0),
		isDone: task ? checked === true : undefined,
		blocks: blocksOf(tokens),
	}));
}

function tableOf({ header, rows, raw }: Tokens.Table): MarkdownBlock {
	const cellOf = ({ tokens, align }: Tokens.TableCell): MarkdownCell => ({ text: inlinesOf(tokens), align });
	const lines = raw.trimEnd().split("\n").slice(2);
	const isWhole = rows.every((_, index) => cellCount(lines[index] ?? "") <= header.length);
	return { kind: "table", head: header.map(cellOf), rows: rows.map((row) => row.map(cellOf)), raw, isWhole };
}

function cellCount(line: string): number {
	return line
		.trim()
		.replace(/^\||(?<!\\)\|$/g, "")
		.split(/(?<!\\)\|/).length;
}

const LINE_BREAK = /^<br ?\/?>$/i;

function inlinesOf(tokens: readonly Token[], marks: MarkdownMarks = {}): readonly MarkdownInline[] {
	return tokens.flatMap((token) => inlineOf(marked(token), marks));
}

function inlineOf(token: MarkedToken, marks: MarkdownMarks): MarkdownInline | readonly MarkdownInline[] {
	switch (token.type) {
		case "text":
			if (token.tokens !== undefined) return inlinesOf(token.tokens, marks);
			return { kind: "text", text: decodeHTMLStrict(token.text), marks };
		case "escape":
			return { kind: "text", text: token.text, marks };
		case "strong":
			return inlinesOf(token.tokens, { ...marks, bold: true });
		case "em":
			return inlinesOf(token.tokens, { ...marks, italic: true });
		case "del":
			return inlinesOf(token.tokens, { ...marks, strike: true });
		case "codespan":
			return { kind: "code", text: token.text, marks };
		case "br":
			return { kind: "break" };
		case "checkbox":
			return [];
		case "html":
			return LINE_BREAK.test(token.raw) ? { kind: "break" } : { kind: "raw", text: token.raw, marks };
		case "link":
		case "image": {
			const { href, title, text, tokens } = token;
			// An address that is written in the text is no HTML.
			const address = token.type === "link" && token.autolink === true ? href : decodeHTMLStrict(href);
			const name = title ? decodeHTMLStrict(title) : "";
			return { kind: token.type, address, title: name, text, inside: inlinesOf(tokens), marks };
		}
		default:
			return { kind: "text", text: token.raw, marks };
	}
}

/** Only extensions of the lexer make other tokens, and we have none. */
function marked(token: Token): MarkedToken {
	return token as MarkedToken;
}
