import type { Line, Span } from "../../src/ui/text/line.ts";
import { lineWidth } from "../../src/ui/text/width.ts";

/** The text of rows, without trailing spaces. */
export function rowTexts(rows: Iterable<Line>): string[] {
	return Array.from(rows, (row) => textOfRow(row).trimEnd());
}

/** The text of a row. */
export function textOfRow(row: Line): string {
	return row.map(({ text }) => text).join("");
}

/** The characters of a text that are drawn wherever it is cut: without spaces, marks and their carriers, and ellipses. */
export function letters(text: string): string {
	return text.normalize("NFD").replace(/[\s\p{M}◌…]/gu, "");
}

/** Rows as text with styles in angle brackets: "<keyword>if</> x", "<added bold @added>new</>". */
export function styledTexts(rows: Iterable<Line>): string[] {
	return Array.from(rows, (row) => row.map(styledSpan).join(""));
}

/** Width of the widest row, in cells. */
export function widest(rows: Iterable<Line>): number {
	return Math.max(0, ...Array.from(rows, lineWidth));
}

function styledSpan({ text, ground, link, color, background, tone, isAside, joins, ...flags }: Span): string {
	const words = [
		tone,
		...Object.entries(flags).flatMap(([name, isSet]) => (isSet ? [name] : [])),
		color === undefined ? undefined : `color ${String(color)}`,
		background === undefined ? undefined : `on ${String(background)}`,
		ground === undefined ? undefined : `@${ground}`,
		link === undefined ? undefined : `→${link}`,
	].filter((word) => word !== undefined);
	return words.length === 0 ? text : `<${words.join(" ")}>${text}</>`;
}
