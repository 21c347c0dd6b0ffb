import { parseQuery, type Term } from "../../src/catalog/query/parse-query.ts";

/** The only term of a query. */
export function termOf(text: string): Term {
	const parsed = parseQuery(text);
	const [term, ...others] = "error" in parsed ? [] : parsed.query.terms;
	if (term === undefined || others.length > 0) throw new Error(`${text} is not one term`);
	return term;
}
