import type { Condition } from "./conditions.ts";
import type { Query, Term } from "./parse-query.ts";

/** Whether everything that matches `query` also matches `other`; detects only simple cases, as when more was typed. */
export function implies(query: Query, other: Query): boolean {
	const isAsked = (wanted: Term) => query.terms.some((term) => termImplies(term, wanted));
	const isExcluded = (unwanted: Term) => query.without.some((term) => termImplies(unwanted, term));
	const isMet = (wanted: Condition) => query.conditions.some((one) => JSON.stringify(one) === JSON.stringify(wanted));
	return other.terms.every(isAsked) && other.without.every(isExcluded) && other.conditions.every(isMet);
}

/** Whether a text that contains the first term also contains the second. */
function termImplies(term: Term, wanted: Term): boolean {
	if ((term.kinds & ~wanted.kinds) !== 0) return false;
	if (wanted.tool !== undefined && term.tool?.includes(wanted.tool) !== true) return false;
	// Each has forms that the other may lack.
	if (term.forms !== undefined || wanted.forms !== undefined) return false;
	if (wanted.regex !== undefined) return term.regex === wanted.regex;
	return wanted.needle === undefined || term.needle?.includes(wanted.needle) === true;
}
