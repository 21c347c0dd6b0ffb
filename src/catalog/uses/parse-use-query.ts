import { type Condition, splitDates } from "../query/conditions.ts";
import { KINDS } from "../query/kinds.ts";
import { parseQuery, type Query, type Term } from "../query/parse-query.ts";
import type { UseKind } from "./use.ts";

/** A query for prompts or commands: what their texts must contain, and the conditions, separately. */
export interface ParsedUseQuery {
	readonly query: Query;
	/** Conditions that a session must meet. */
	readonly sessions: readonly Condition[];
	/** Conditions that the time of a use must meet. */
	readonly dates: readonly Condition[];
}

/**
 * Parses a query for one kind at `now` (Unix ms), in the language of the search; or returns what is wrong with it, as a
 * sentence.
 */
export function parseUseQuery(text: string, kind: UseKind, now: number): ParsedUseQuery | { readonly error: string } {
	const parsed = parseQuery(text);
	if ("error" in parsed) return parsed;
	const { query } = parsed;
	if (![...query.terms, ...query.without].every((term) => canHold(term, kind)))
		return {
			error: `Only ${kind}s are searched here: use words, "phrases", re:, dates, and fields of sessions such as project:.`,
		};
	return { query, ...splitDates(query.conditions, now) };
}

/** Whether a term can match a text of this kind. */
function canHold({ kinds, tool }: Term, kind: UseKind): boolean {
	return (
		(kinds & KINDS[kind === "prompt" ? "user" : "command"].bit) !== 0 && (tool === undefined || kind === "command")
	);
}
