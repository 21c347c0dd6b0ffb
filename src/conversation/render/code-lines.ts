import { RecentlyUsed } from "../../shared/recently-used.ts";
import { cleanLines, cleanText } from "../../ui/text/sanitize.ts";
import type { Line, Span } from "../../ui/view.ts";
import { type OpenLine, plainLines } from "./open-line.ts";
import type { CodePart, Renderers } from "./renderers.ts";

/** Tab stops in code, in cells: the eight of a terminal would take a deep line out of sight. */
export const CODE_TAB_STOP = 4;

/** What is larger than this is not highlighted, which takes some 30 ms for so much. */
const MOST_UNITS = 65_536;
const MOST_LINES = 2000;
/** Nor is code with longer lines: it is made by a program, and grammars may take the square of a line's length. */
const LONGEST_LINE = 1000;
/** Highlighted codes that are remembered. */
const REMEMBERED = 32;

interface Highlighted {
	readonly lines: readonly Line[] | undefined;
}

const remembered = new WeakMap<Renderers, RecentlyUsed<string, Highlighted>>();

/** A code line by line, highlighted if it is not too large and its language known: its name, or the ending of a file. */
export function* codeLines(
	code: string,
	language: string | undefined,
	renderers: Renderers | undefined,
): Generator<OpenLine, void> {
	const lines = highlightedLines(code, language, renderers);
	if (lines === undefined) yield* plainLines(code, CODE_TAB_STOP);
	else for (const spans of lines) yield { spans, isEnd: true };
}

/** All lines of a code, highlighted; undefined when it is too large, or in no language that is known. */
export function highlightedLines(
	code: string,
	language: string | undefined,
	renderers: Renderers | undefined,
): readonly Line[] | undefined {
	if (renderers === undefined || language === undefined || code.length > MOST_UNITS) return undefined;
	const known = remembered.get(renderers) ?? new RecentlyUsed(REMEMBERED);
	remembered.set(renderers, known);
	return known.get(`${language}\n${code}`, () => ({ lines: highlight(code, language, renderers) })).lines;
}

/** Whether a code is so small, and has so short lines, that it is highlighted in no time. */
export function isHighlightable(code: string): boolean {
	if (code.length > MOST_UNITS) return false;
	const lines = code.split("\n");
	return lines.length <= MOST_LINES && lines.every((line) => line.length <= LONGEST_LINE);
}

function highlight(code: string, language: string, renderers: Renderers): Line[] | undefined {
	// Clean first: no grammar sees a raw escape, and no piece of what it returns is one.
	const lines = cleanLines(code.replace(/\r?\n$/, ""), CODE_TAB_STOP);
	if (lines.length > MOST_LINES || lines.some((line) => line.length > LONGEST_LINE)) return undefined;
	const parts = renderers.highlightCode(lines.join("\n"), language);
	return parts === undefined ? undefined : linesOf(parts);
}

/** The parts of a code, line by line. */
function linesOf(parts: readonly CodePart[]): Line[] {
	const lines: Line[] = [];
	let line: Span[] = [];
	for (const { text, tone } of parts) {
		for (const [index, piece] of text.split("\n").entries()) {
			if (index > 0) {
				lines.push(line);
				line = [];
			}
			if (piece !== "") line.push(tone === undefined ? { text: cleanText(piece) } : { text: cleanText(piece), tone });
		}
	}
	lines.push(line);
	return lines;
}
