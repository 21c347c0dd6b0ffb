import { drawSnippet } from "../../app/features/list/draw-snippet.ts";
import type { Kind } from "../../catalog/query/kinds.ts";
import type { Snippet } from "../../catalog/query/snippet.ts";
import type { SessionResult } from "../../catalog/search-all.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { shortenHome } from "../../ui/text/format.ts";
import { type Line, span, strong } from "../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine, cutText } from "../../ui/text/width.ts";
import type { Table } from "./output.ts";

/** The fields of a result that `--json` prints after those of its session. Its text is raw: sanitize it before drawing. */
interface HitJson {
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

/** Width of a title on a terminal, in cells; longer ones are cut. */
const TITLE_CELLS = 60;
const BETWEEN = "  ";

export function hitJson({ count, more, best }: SessionResult): HitJson {
	const { entryId, line, kind, active, snippet } = best;
	return { entryId, line, kind, active, snippet, count, more };
}

/** Results for another program. */
export const RESULT_TABLE: Table<SessionResult> = {
	names: ["id", "path", "entry", "title", "text"],
	fieldsOf: ({ row, path, best }) => {
		return [idOf(row.id), onOneLine(path), idOf(best.entryId), sessionTitle(row), sanitizeLine(best.snippet.text)];
	},
};

/** Two lines for a terminal, cut to its width: title, address of the entry and project; then the snippet. */
export function resultLines(found: SessionResult, home: string, columns: number): Line[] {
	const { row, best } = found;
	const title = cutText(sessionTitle(row), Math.max(20, Math.min(TITLE_CELLS, Math.floor(columns / 2))));
	const project = sanitizeLine(shortenHome(row.cwd, home));
	const name = row.id === "" ? onOneLine(shortenHome(found.path, home)) : shortId(row.id);
	const address = `${name}${best.entryId === "" ? "" : `#${idOf(best.entryId)}`}`;
	const head = [strong(title), span(cleanText(`${BETWEEN}${address}${BETWEEN}`), "label"), span(project, "muted")];
	return [cutLine(head, columns), drawSnippet(found, columns)];
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
