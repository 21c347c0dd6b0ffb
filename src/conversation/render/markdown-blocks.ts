import type { Line, Span } from "../../ui/text/line.ts";
import { blanks, type CleanText, cleanText } from "../../ui/text/sanitize.ts";
import { cutLine, lineWidth, textWidth } from "../../ui/text/width.ts";
import { codeLines } from "./code-lines.ts";
import { inlineLines, type Style } from "./markdown-inline.ts";
import { tableRows } from "./markdown-table.ts";
import type { MarkdownBlock, MarkdownInline, MarkdownItem } from "./read-markdown.ts";
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
	rows(blocks: readonly MarkdownBlock[], width: number, style: Style, isLoose = true): Line[] {
		const rows: Line[] = [];
		let previous: MarkdownBlock | undefined;
		for (const block of blocks) {
			const drawn = this.#block(block, width, style);
			if (drawn.length === 0) continue;
			const isApart = isLoose && !(isDefinition(previous) && isDefinition(block));
			if (previous !== undefined && isApart) rows.push([]);
			rows.push(...drawn);
			previous = block;
		}
		return rows;
	}

	#block(block: MarkdownBlock, width: number, style: Style): readonly Line[] {
		switch (block.kind) {
			case "prose":
				return proseRows(block.text, width, { ...style, ...headingStyle(block.level) });
			case "code":
				return this.#codeBlock(block, width);
			case "quote":
				return this.#quote(block.blocks, width, style);
			case "list":
				return this.#list(block, width, style);
			case "table":
				return block.isWhole ? tableRows(block, width, style) : plainRows(block.raw, width, style);
			case "rule":
				return [[{ text: cleanText("─".repeat(width)), tone: "frame" }]];
			case "raw":
				return plainRows(block.text, width, { ...style, tone: "muted" });
		}
	}

	/** Code on its ground, behind a bar, with its language at the end of the first row, or of a row above a long one. */
	#codeBlock({ text, info }: { readonly text: string; readonly info: string }, width: number): Line[] {
		const bar = width > 1 ? [BAR] : [];
		const name = info.split(/[\s,{]/, 1)[0];
		const lines = codeLines(text, name === "" ? undefined : name, this.#renderers);
		const most = width - bar.length;
		const [first = [], ...further] = rowsOfLines(lines, most);
		// Its ground is as wide as the text, unless the code needs more.
		const inner = [first, ...further].reduce((widest, row) => Math.max(widest, lineWidth(row)), width - bar.length);
		const blockWidth = inner + bar.length;
		const label: Line =
			info === "" ? [] : cutLine([{ text: cleanText(info), tone: "muted", italic: true, isAside: true }], blockWidth);
		const missing = inner - lineWidth(first) - lineWidth(label);
		const isBeside = missing > 0 && info !== "";
		const rows = [isBeside ? [...first, { text: blanks(missing) }, ...label] : first, ...further];
		// At the right and without the bar it does not look like a line of the code.
		const above: Line[] = isBeside || info === "" ? [] : [[{ text: blanks(blockWidth - lineWidth(label)) }, ...label]];
		return [...above, ...rows.map((row) => [...bar, ...row])].map((row) => onGround(row, blockWidth, "code"));
	}

	#quote(blocks: readonly MarkdownBlock[], width: number, style: Style): Line[] {
		const margin: Line = [BAR, { text: blanks(1), isAside: true }];
		const isIndented = width - 2 >= MIN_CELLS;
		const rows = this.rows(blocks, isIndented ? width - 2 : width, { ...style, tone: "muted" });
		return isIndented ? rows.map((row) => [...margin, ...row]) : rows;
	}

	#list(
		{ items, isOrdered, isLoose }: Extract<MarkdownBlock, { readonly kind: "list" }>,
		width: number,
		style: Style,
	): Line[] {
		const markers = items.map((item) => markerOf(item, isOrdered));
		const margin = Math.max(0, ...markers.map(textWidth));
		const isIndented = width - margin >= MIN_CELLS;
		return items.flatMap(({ blocks }, index) => {
			const marker: Span = { text: markers[index] ?? blanks(0), tone: "muted" };
			const rows = this.rows(blocks, isIndented ? width - margin : width, style, isLoose);
			const gap: Line[] = isLoose && index > 0 ? [[]] : [];
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

function markerOf({ number, isDone }: MarkdownItem, isOrdered: boolean): CleanText {
	if (isDone !== undefined) return cleanText(isDone ? "[x] " : "[ ] ");
	return cleanText(isOrdered ? `${number}. ` : "• ");
}

function isDefinition(block: MarkdownBlock | undefined): boolean {
	return block?.kind === "raw" && block.isDefinition;
}

/** The levels of headings differ without their signs, and all but the first two also without colors. */
function headingStyle(level: number): Style {
	if (level === 0) return {};
	if (level === 1) return { tone: "heading", bold: true, underline: true };
	if (level === 2) return { tone: "heading", bold: true };
	return level === 3 ? { bold: true } : { italic: true };
}

function proseRows(text: readonly MarkdownInline[], width: number, style: Style): Line[] {
	return inlineLines(text, style).flatMap((line) => wrapProse(line, width));
}

/** A text as it is written, with its own line ends. */
export function plainRows(text: string, width: number, style: Style): Line[] {
	return text
		.trimEnd()
		.split("\n")
		.flatMap((line) => wrapProse([{ ...style, text: cleanText(line) }], width));
}
