import { memoEach, RecentlyUsed } from "../../shared/memo.ts";
import type { Line, Span } from "../../ui/text/line.ts";
import { cleanLines, cleanText } from "../../ui/text/sanitize.ts";
import type { CodePart, Renderers } from "./renderers.ts";
import { type OpenLine, plainLines, wrapOpenLines } from "./wrap-rows.ts";

/** Distance of tab stops in code, in cells: the eight of a terminal would push deeply indented lines out of sight. */
export const CODE_TAB_STOP = 4;

/** Larger code, in UTF-16 units, is not highlighted: this much takes some 30 ms. */
const MAX_UNITS = 65_536;
const MAX_LINES = 2000;
/** Nor is code with longer lines, which is generated: grammars may take time quadratic in the length of a line. */
const MAX_LINE = 1000;
/** Number of highlighted codes that are cached. */
const CACHED = 32;

const cacheOf = memoEach(
	(_: Renderers) => new RecentlyUsed<string, { readonly lines: readonly Line[] | undefined }>(CACHED),
);

/**
 * Code in rows of `width` cells. `language`: that of a fence, or `languageOfPath`; it is never guessed. `isContinued`: it begins within a
 * line.
 */
export function* codeRows(...input: Parameters<typeof numberedCodeRows>): Generator<Line, void> {
	for (const { row } of numberedCodeRows(...input)) yield row;
}

/** The same, each row with the index of its line in the code. */
export function* numberedCodeRows(
	code: string,
	width: number,
	language: string | undefined,
	renderers: Renderers | undefined,
	isContinued = false,
): Generator<{ readonly row: Line; readonly line: number }, void> {
	let line = 0;
	for (const { rows, isEnd } of wrapOpenLines(codeLines(code, language, renderers), width, {
		isMarked: true,
		isContinued,
	})) {
		for (const row of rows) yield { row, line };
		if (isEnd) line++;
	}
}

/** Code line by line, highlighted if it is not too large and its language (a name or a file extension) is known. */
export function* codeLines(
	code: string,
	language: string | undefined,
	renderers: Renderers | undefined,
): Generator<OpenLine, void> {
	const lines = highlightedLines(code, language, renderers);
	if (lines === undefined) yield* plainLines(code, CODE_TAB_STOP);
	else for (const spans of lines) yield { spans, isEnd: true };
}

/** All lines of code, highlighted; undefined if it is too large or its language is not known. */
export function highlightedLines(
	code: string,
	language: string | undefined,
	renderers: Renderers | undefined,
): readonly Line[] | undefined {
	if (renderers === undefined || language === undefined || code.length > MAX_UNITS) return undefined;
	return cacheOf(renderers).get(`${language}\n${code}`, () => ({ lines: highlight(code, language, renderers) })).lines;
}

/** Whether code is small enough, with short enough lines, to be highlighted at once. */
export function isHighlightable(code: string): boolean {
	if (code.length > MAX_UNITS) return false;
	const lines = code.split("\n");
	return lines.length <= MAX_LINES && lines.every((line) => line.length <= MAX_LINE);
}

function highlight(code: string, language: string, renderers: Renderers): Line[] | undefined {
	// Clean first: no grammar sees a raw escape sequence, and none can come out of it.
	const lines = cleanLines(code.replace(/\r?\n$/, ""), CODE_TAB_STOP);
	if (lines.length > MAX_LINES || lines.some((line) => line.length > MAX_LINE)) return undefined;
	const parts = renderers.highlightCode(lines.join("\n"), language);
	return parts === undefined ? undefined : linesOf(parts);
}

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

/** File extensions and names that highlight.js does not know, by their languages. */
const ENDINGS: readonly (readonly [language: string, endings: string])[] = [
	["bash", "bashrc profile zshrc"],
	["dockerfile", "containerfile"],
	["typescript", "cts mts"],
	["ini", "editorconfig env gitconfig"],
	["ruby", "gemfile rakefile"],
	["makefile", "gnumakefile"],
	["xml", "htm vue"],
	["json", "ipynb jsonl webmanifest"],
	["kotlin", "kts"],
];

const LANGUAGES: ReadonlyMap<string, string> = new Map(
	ENDINGS.flatMap(([language, endings]) => endings.split(" ").map((ending) => [ending, language] as const)),
);

/** The language of a file by its extension, or by a name such as "Makefile"; undefined if neither can be one. */
export function languageOfPath(path: string): string | undefined {
	const name = path.slice(-256).split(/[\\/]/).at(-1)?.toLowerCase() ?? "";
	const ending = name.slice(name.lastIndexOf(".") + 1);
	if (!/^[a-z0-9+#_-]+$/.test(ending)) return undefined;
	return LANGUAGES.get(ending) ?? ending;
}
