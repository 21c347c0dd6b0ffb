import { unanswerable } from "../../catalog/query/conditions.ts";
import { parseQuery, type Query } from "../../catalog/query/parse-query.ts";
import { Mistake } from "../print/output.ts";

/** The query that the words of a command are. Throws a `Mistake` if it cannot be read, or cannot be answered outside of the browser. */
export function typedQuery(words: readonly string[]): Query {
	const text = words.join(" ").trim();
	const parsed = parseQuery(text);
	const mistake = "error" in parsed ? parsed.error : unanswerable(parsed.query);
	if ("error" in parsed || mistake !== undefined) throw new Mistake(`cannot read the query ${text}: ${mistake}`);
	return parsed.query;
}
