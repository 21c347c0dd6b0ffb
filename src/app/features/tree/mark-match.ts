import { holdsTerm, spanOf } from "../../../catalog/query/match.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import { SearchText } from "../../../catalog/query/search-text.ts";
import { makeSnippet, rangesIn } from "../../../catalog/query/snippet.ts";
import { textsOf } from "../../../conversation/tree/match-entry.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { highlight, type Line, span, type Tone } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { graphemeStart } from "../../../ui/text/width.ts";

/** Characters of context before a match. */
const BEFORE = 16;
/** A match that begins within this share of the room is visible without cutting the start. */
const VISIBLE_SHARE = 0.7;
/** Characters of an entry that are searched while its row is drawn. */
const MAX_CHARACTERS = 100_000;
/** Texts of an entry that are searched while its row is drawn. */
const MAX_TEXTS = 50;

/** A row's text with its matches marked; cut to start shortly before the first match if that is far in. */
export function markMatches(text: string, query: Query, tone: Tone, room: number): Line {
	const clean = sanitizeLine(text);
	const ranges = rangesIn(clean, query.terms);
	const first = ranges[0]?.[0] ?? 0;
	const cut = first < room * VISIBLE_SHARE ? 0 : graphemeStart(clean, first - BEFORE);
	const shifted = ranges.map(([start, end]) => [start - cut, end - cut] as const);
	return [...(cut > 0 ? [span("…", tone)] : []), ...highlight(clean.slice(cut), shifted, tone)];
}

/** Whether a text, as a row shows it, contains a word of the query. */
export function showsMatch(text: string, query: Query): boolean {
	return rangesIn(sanitizeLine(text), query.terms).length > 0;
}

const snippets = new WeakMap<SessionEntry, { readonly query: Query; readonly text: string }>();

/** The text around the first match in an entry; "" if that is too far into a long text, or in the label. */
export function matchSnippet(entry: SessionEntry, session: Session, query: Query, home: string): string {
	const known = snippets.get(entry);
	if (known?.query === query) return known.text;
	const text = findSnippet(entry, session, query, home);
	snippets.set(entry, { query, text });
	return text;
}

function findSnippet(entry: SessionEntry, session: Session, query: Query, home: string): string {
	let left = MAX_CHARACTERS;
	for (const whole of textsOf(entry, session, home).slice(0, MAX_TEXTS)) {
		if (left <= 0) break;
		const text = whole.text.length > left ? new SearchText(whole.kind, whole.text.slice(0, left), whole.tool) : whole;
		left -= text.text.length;
		const term = query.terms.find((each) => (each.needle ?? each.regex) !== undefined && holdsTerm(text, each));
		if (term !== undefined) return makeSnippet(text, spanOf(text, term), query.terms).text;
	}
	return "";
}
