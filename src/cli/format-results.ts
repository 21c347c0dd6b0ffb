import { sessionTitle } from "../app/list/draw-row.ts";
import { drawSnippet } from "../app/list/draw-snippet.ts";
import { shortenHome } from "../app/text/format.ts";
import { sanitizeLine, sanitizeText } from "../app/text/sanitize.ts";
import { cutText } from "../app/text/width.ts";
import type { Kind } from "../catalog/query/kinds.ts";
import type { Snippet } from "../catalog/query/snippet.ts";
import type { SessionResult } from "../catalog/search-all.ts";
import { paint } from "./paint.ts";

/** A result as --json prints it. Raw text: sanitise before drawing. */
export interface ResultJson {
	/** Absolute path of the session file. */
	readonly path: string;
	/** Session id; "" where the file has none. */
	readonly id: string;
	/** The name that the session was given; null for none. */
	readonly name: string | null;
	/** The project's directory; "" where the file has none. */
	readonly cwd: string;
	/** Entry in which the best place is; "" where the file gives none: then go by the line. */
	readonly entryId: string;
	/** 1-based line of the best place in the file. */
	readonly line: number;
	/** What kind of text it is in. */
	readonly kind: Kind;
	/** Whether it is on the path to the leaf; false: on an abandoned branch. */
	readonly active: boolean;
	/** The text around it, and where in it `[start, end)` the query was found, in UTF-16 units. */
	readonly snippet: Snippet;
	/** How many places there are in the session. */
	readonly count: number;
	/** True when there may be more places than counted. */
	readonly more: boolean;
}

/** Cells of a title that is not a name but a first message. */
const TITLE = 60;
const BETWEEN = "  ";

export function resultJson({ row, path, count, more, best }: SessionResult): ResultJson {
	const { entryId, line, kind, active, snippet } = best;
	const { id, name = null, cwd } = row;
	return { path, id, name, cwd, entryId, line, kind, active, snippet, count, more };
}

/** One line: path, title, entry id ("-" for none), snippet; two blanks between, and nowhere else but in the path. */
export function resultLine({ row, path, best }: SessionResult): string {
	const parts = [
		onOneLine(path),
		cutText(sessionTitle(row), TITLE),
		idOf(best.entryId),
		sanitizeLine(best.snippet.text),
	];
	return `${parts.join(BETWEEN)}\n`;
}

/** Two lines for a terminal: title, entry id and path, never cut; then what was found, in the terminal's width. */
export function resultLines(found: SessionResult, home: string, columns: number): string {
	const { row, best } = found;
	const title = cutText(sessionTitle(row), Math.max(20, Math.min(TITLE, Math.floor(columns / 2))));
	const path = onOneLine(shortenHome(found.path, home));
	const head = paint([
		{ text: title, bold: true },
		{ text: `${BETWEEN}${idOf(best.entryId)}${BETWEEN}`, tone: "label" },
		{ text: path, tone: "muted" },
	]);
	return `${head}\n${paint(drawSnippet(found, columns))}\n`;
}

function idOf(entryId: string): string {
	return sanitizeLine(entryId) || "-";
}

/** Safe to print, and otherwise as it is, since it is to be copied. */
function onOneLine(path: string): string {
	return sanitizeText(path).replaceAll("\n", "\u240a");
}
