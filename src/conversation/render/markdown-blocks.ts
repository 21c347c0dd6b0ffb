import type { MarkedToken, Token, Tokens } from "marked";
import type { Line, Span } from "../../ui/text/line.ts";
import { blanks, type CleanText, cleanText } from "../../ui/text/sanitize.ts";
import { cutLine, lineWidth, textWidth } from "../../ui/text/width.ts";
import { codeLines } from "./code-lines.ts";
import { inlineLines, knownToken, type Style } from "./markdown-inline.ts";
import { tableRows } from "./markdown-table.ts";
import type { Renderers } from "./renderers.ts";
import { onGround, rowsOfLines, wrapProse } from "./wrap-rows.ts";

/** Least width of the text within a list or a quotation, in cells; if it would be narrower, it is not indented. */
const MIN_CELLS = 10;
const BAR: Span = { text: cleanText("▏"), tone: "frame", isAside: true };

export class BlockDrawer {
	readonly #renderers: Renderers;

	constructor(renderers: Renderers) {
		this.#renderers = renderers;
	}

	/** Blocks in rows of `width` cells; if `isLoose`, with blank rows between them. */
	rows(tokens: readonly Token[], width: number, style: Style, isLoose = true): Line[] {
		const rows: Line[] = [];
		let previous: MarkedToken | undefined;
		for (const token of tokens.map(knownToken)) {
			const block = this.#block(token, width, style);
			if (block.length === 0) continue;
			const isApart = isLoose && !(previous?.type === "def" && token.type === "def");
			if (previous !== undefined && isApart) rows.push([]);
			rows.push(...block);
			previous = token;
		}
		return rows;
	}

	#block(token: MarkedToken, width: number, style: Style): readonly Line[] {
		switch (token.type) {
			case "space":
			// The marker of the item shows it.
			case "checkbox":
				return [];
			case "heading":
				return proseRows(token.tokens, width, { ...style, ...headingStyle(token.depth) });
			case "paragraph":
				return proseRows(token.tokens, width, style);
			case "text":
				return proseRows(token.tokens ?? [token], width, style);
			case "code":
				return this.#codeBlock(token, width);
			case "blockquote":
				return this.#quote(token, width, style);
			case "list":
				return this.#list(token, width, style);
			case "table":
				return hasAllCells(token) ? tableRows(token, width, style) : plainRows(token.raw, width, style);
			case "hr":
				return [[{ text: cleanText("─".repeat(width)), tone: "frame" }]];
			case "html":
			case "def":
				return plainRows(token.raw, width, { ...style, tone: "muted" });
			default:
				return proseRows([token], width, style);
		}
	}

	/** Code on its ground, behind a bar, with its language at the end of the first row, or of a row above a long one. */
	#codeBlock({ text, lang = "" }: Tokens.Code, width: number): Line[] {
		const bar = width > 1 ? [BAR] : [];
		const name = lang.split(/[\s,{]/, 1)[0];
		const lines = codeLines(text, name === "" ? undefined : name, this.#renderers);
		const most = width - bar.length;
		const [first = [], ...further] = rowsOfLines(lines, most);
		// Its ground is as wide as the text, unless the code needs more.
		const inner = [first, ...further].reduce((widest, row) => Math.max(widest, lineWidth(row)), width - bar.length);
		const blockWidth = inner + bar.length;
		const label: Line =
			lang === "" ? [] : cutLine([{ text: cleanText(lang), tone: "muted", italic: true, isAside: true }], blockWidth);
		const missing = inner - lineWidth(first) - lineWidth(label);
		const isBeside = missing > 0 && lang !== "";
		const rows = [isBeside ? [...first, { text: blanks(missing) }, ...label] : first, ...further];
		// At the right and without the bar it does not look like a line of the code.
		const above: Line[] = isBeside || lang === "" ? [] : [[{ text: blanks(blockWidth - lineWidth(label)) }, ...label]];
		return [...above, ...rows.map((row) => [...bar, ...row])].map((row) => onGround(row, blockWidth, "code"));
	}

	#quote({ tokens }: Tokens.Blockquote, width: number, style: Style): Line[] {
		const margin: Line = [BAR, { text: blanks(1), isAside: true }];
		const isIndented = width - 2 >= MIN_CELLS;
		const rows = this.rows(tokens, isIndented ? width - 2 : width, { ...style, tone: "muted" });
		return isIndented ? rows.map((row) => [...margin, ...row]) : rows;
	}

	#list(list: Tokens.List, width: number, style: Style): Line[] {
		const { items, loose } = list;
		const markers = markersOf(list);
		const margin = Math.max(0, ...markers.map(textWidth));
		const isIndented = width - margin >= MIN_CELLS;
		return items.flatMap(({ tokens }, index) => {
			const marker: Span = { text: markers[index] ?? blanks(0), tone: "muted" };
			const rows = this.rows(tokens, isIndented ? width - margin : width, style, loose);
			const gap: Line[] = loose && index > 0 ? [[]] : [];
			const [head = [], ...further] = rows;
			if (!isIndented) {
				const joined: Line = [marker, ...head];
				return [...gap, ...(lineWidth(joined) <= width ? [joined] : [cutLine([marker], width), head]), ...further];
			}
			const shift = { text: blanks(margin - textWidth(marker.text)) };
			const indented = further.map((row) => (row.length === 0 ? row : [{ text: blanks(margin) }, ...row]));
			return [...gap, [...(shift.text === "" ? [] : [shift]), marker, ...head], ...indented];
		});
	}
}

/** The markers of a list's items: their numbers as written, unless all are written with the same one. */
function markersOf({ items, ordered, start }: Tokens.List): CleanText[] {
	const written = items.map(({ raw }) => Number(/^ *(\d{1,9})[.)]/.exec(raw)?.[1]));
	const isCounted = written.every((number) => number === written[0]);
	return items.map(({ task, checked }, index) => {
		if (task) return cleanText(checked ? "[x] " : "[ ] ");
		return cleanText(ordered ? `${isCounted ? Number(start) + index : written[index]}. ` : "• ");
	});
}

/** The levels of headings differ without their signs, and all but the first two also without colors. */
function headingStyle(depth: number): Style {
	if (depth === 1) return { tone: "heading", bold: true, underline: true };
	if (depth === 2) return { tone: "heading", bold: true };
	return depth === 3 ? { bold: true } : { italic: true };
}

function proseRows(tokens: readonly Token[], width: number, style: Style): Line[] {
	return inlineLines(tokens, style).flatMap((line) => wrapProse(line, width));
}

/** A text as it is written, with its own line ends. */
export function plainRows(text: string, width: number, style: Style): Line[] {
	return text
		.trimEnd()
		.split("\n")
		.flatMap((line) => wrapProse([{ ...style, text: cleanText(line) }], width));
}

/** Whether every cell of a table is under a head cell: marked drops the others. */
function hasAllCells({ header, rows, raw }: Tokens.Table): boolean {
	const lines = raw.trimEnd().split("\n").slice(2);
	return rows.every((_, index) => cellCount(lines[index] ?? "") <= header.length);
}

function cellCount(line: string): number {
	return line
		.trim()
		.replace(/^\||(?<!\\)\|$/g, "")
		.split(/(?<!\\)\|/).length;
}
