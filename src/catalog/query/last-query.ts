import { FIELDS } from "./fields.ts";
import { parseQuery, type Query } from "./parse-query.ts";

/**
 * What goes on being shown while `text` is no query, or not yet: the query before it, but without the name of the field that
 * is being typed, which that one took for a word ("bug role" before "bug role:").
 */
export function lastQuery(before: Query, text: string): Query {
	const name = /(?:^|\s)-?([a-zA-Z]+)$/.exec(before.text)?.[1];
	if (name === undefined || !FIELDS.has(name.toLowerCase()) || !text.startsWith(`${before.text}:`)) return before;
	const rest = parseQuery(before.text.slice(0, -name.length).replace(/(?:^|\s)-$/, ""));
	return "error" in rest ? before : rest.query;
}
