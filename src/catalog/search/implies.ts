import type { Query, Term } from "../query/parse-query.ts";

/** Whether everything that matches `query` also matches `other`, in cases that are easy to see: more was typed. */
export function implies(query: Query, other: Query): boolean {
	if (other.tool !== undefined && !query.tool?.includes(other.tool)) return false;
	return other.terms.every((wanted) => query.terms.some((term) => termImplies(term, wanted)));
}

function termImplies(term: Term, wanted: Term): boolean {
	if ((term.kinds & ~wanted.kinds) !== 0) return false;
	if (wanted.regex !== undefined) return term.regex === wanted.regex;
	return wanted.needle === undefined || term.needle?.includes(wanted.needle) === true;
}
