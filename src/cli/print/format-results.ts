import { drawSnippet } from "../../app/features/list/draw-snippet.ts";
import type { Kind } from "../../catalog/query/kinds.ts";
import type { Snippet } from "../../catalog/query/snippet.ts";
import type { SessionResult } from "../../catalog/search-all.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { shortenHome } from "../../ui/text/format.ts";
import type { Line } from "../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { span, strong } from "../../ui/text/span.ts";
import { cutText } from "../../ui/text/width.ts";

/** A result as `--json` prints it. Its text is raw: sanitize it before drawing. */
export interface ResultJson {
	/** Absolute path of the session file. */
	readonly path: string;
	/** Session id; "" when the file has none. */
	readonly id: string;
	/** The session's name; null when it has none. */
	readonly name: string | null;
	/** The name, else the first user message; one clean line. */
	readonly title: string;
	/** When it was last active. */
	readonly modified: Date;
	/** The project's directory; "" when the file has none. */
	readonly cwd: string;
	/** Id of the entry with the best hit; "" if the file has none: use the line then. */
	readonly entryId: string;
	/** 1-based line of the best hit in the file. */
	readonly line: number;
	/** The kind of text that the hit is in. */
	readonly kind: Kind;
	/** Whether it is on the path to the leaf; false on an abandoned branch. */
	readonly active: boolean;
	/** The text around the hit, and the ranges `[start, end)` of the matches in it, in UTF-16 units. */
	readonly snippet: Snippet;
	/** Number of hits in the session. */
	readonly count: number;
	/** Whether there may be more hits than were counted. */
	readonly more: boolean;
}

/** Width of a title in cells; longer ones are cut. */
const TITLE_CELLS = 60;
const BETWEEN = "  ";

export function resultJson({ row, path, count, more, best }: SessionResult): ResultJson {
	const { entryId, line, kind, active, snippet } = best;
	const { id, name = null, cwd, modified } = row;
	return { path, id, name, title: sessionTitle(row), modified, cwd, entryId, line, kind, active, snippet, count, more };
}

/** One line: path, title, entry id ("-" for none), snippet. Two blanks separate them and occur only in the path otherwise. */
export function resultLine({ row, path, best }: SessionResult): Line {
	const parts = [
		onOneLine(path),
		cutText(sessionTitle(row), TITLE_CELLS),
		idOf(best.entryId),
		sanitizeLine(best.snippet.text),
	];
	return [span(parts.join(BETWEEN))];
}

/** Two lines for a terminal: title, entry id and path (never cut); then the snippet, cut to the terminal's width. */
export function resultLines(found: SessionResult, home: string, columns: number): Line[] {
	const { row, best } = found;
	const title = cutText(sessionTitle(row), Math.max(20, Math.min(TITLE_CELLS, Math.floor(columns / 2))));
	const path = onOneLine(shortenHome(found.path, home));
	const head = [strong(title), span(`${BETWEEN}${idOf(best.entryId)}${BETWEEN}`, "label"), span(path, "muted")];
	return [head, drawSnippet(found, columns)];
}

/** An id as a field of a line; "-" for none. */
export function idOf(id: string): CleanText {
	return sanitizeLine(id) || cleanText("-");
}

/** The characters of one of pi's ids that encode its creation time in milliseconds. */
const SHORT_ID = 13;

/** As much of an id as distinguishes sessions, for a terminal. */
export function shortId(id: string): CleanText {
	return cleanText(idOf(id).slice(0, SHORT_ID));
}

/** A path as a field of a line: safe to print, and otherwise unchanged, so that it can be copied. */
export function onOneLine(path: string): CleanText {
	return cleanText(path.replaceAll("\n", "\u240a"));
}
