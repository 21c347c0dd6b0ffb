import { nearest } from "../../shared/nearest.ts";
import { ALL_KINDS, CONDITION_NAMES, NARROWING, TEXT_FIELDS } from "./fields.ts";
import { compose, fold } from "./fold.ts";
import { regexProblem } from "./regex.ts";
import { tokenize } from "./tokens.ts";

/** What one part of a query asks for. All terms must be found in a session, each anywhere in it. */
export interface Term {
	/** Folded text to find. With neither this nor `regex`, any text of the kinds will do. */
	readonly needle?: string | undefined;
	/** Pattern to find, in RE2's dialect, composed; see regex.ts. */
	readonly regex?: string | undefined;
	/** The kinds of text that count, as a bit mask. */
	readonly kinds: number;
}

/** A query as plain data, which can be sent to another thread. */
export interface Query {
	/** As it was typed, trimmed. */
	readonly text: string;
	readonly terms: readonly Term[];
	/** Only what belongs to a call of a tool whose name contains this (folded). */
	readonly tool?: string | undefined;
	/** The values of `is:`, lower case ("live"). They are about the session, not its text; the caller applies them. */
	readonly is: readonly string[];
}

/** A query, or what is wrong with it, in one sentence to show. What is still being typed may be wrong for a moment. */
export type ParsedQuery = { readonly query: Query } | { readonly error: string };

/** Asks for nothing. */
export const NO_QUERY: Query = { text: "", terms: [], is: [] };

/** Each term may need a pass over the files. */
const MAX_TERMS = 30;

/**
 * Parses a query: words and `"phrases"`, which must all be found; `re:pattern`; fields `role: tool: in:` (which narrow all
 * other terms), `is:`, and `name: title: label: file: path: cmd: model: cwd:`, in upper or lower case. An unknown field
 * counts as text, because code is full of colons (unknown-fields.ts); an unknown value of a known field is an error.
 */
export function parseQuery(text: string): ParsedQuery {
	const trimmed = text.trim();
	const terms: Term[] = [];
	const is: string[] = [];
	let scope = ALL_KINDS;
	let tool: string | undefined;
	for (const { field, value } of tokenize(trimmed)) {
		const problem = problemOf(field, value);
		if (problem !== undefined) return { error: problem };
		const narrowed = NARROWING.get(field)?.get(value.toLowerCase());
		if (field === "is") is.push(value.toLowerCase());
		else if (field === "tool") tool = fold(value);
		else if (narrowed !== undefined) scope &= narrowed;
		else if (field === "re") terms.push({ regex: compose(value), kinds: ALL_KINDS });
		else if (value !== "") terms.push({ needle: fold(value), kinds: TEXT_FIELDS.get(field) ?? ALL_KINDS });
		if (terms.length > MAX_TERMS) return { error: `A query may have up to ${MAX_TERMS} parts; this one has more.` };
	}
	const narrowed = terms.map((term) => (term.kinds === ALL_KINDS ? { ...term, kinds: scope } : term));
	if (terms.length === 0 && (scope !== ALL_KINDS || tool !== undefined)) narrowed.push({ kinds: scope });
	return { query: { text: trimmed, terms: narrowed, tool, is } };
}

function problemOf(field: string, value: string): string | undefined {
	if (field === "") return undefined;
	if (field === "re") {
		const problem = value === "" ? "re: needs a pattern after it." : regexProblem(compose(value));
		return problem === undefined || value === "" ? problem : `The pattern is not valid: ${problem}.`;
	}
	const known =
		field === "is" ? CONDITION_NAMES : NARROWING.has(field) ? [...(NARROWING.get(field)?.keys() ?? [])] : [];
	const names = known.map((name) => `${field}:${name}`);
	if (value === "")
		return `${field}: needs ${names.length > 0 ? `one of ${names.join(", ")}` : "a word after it"}; "${field}:" in quotes is text.`;
	if (known.length === 0 || known.some((name) => name === value.toLowerCase())) return undefined;
	const near = nearest(value, known);
	const meant = near === undefined ? "" : ` Did you mean ${field}:${near}?`;
	return `${field}:${value} is not known.${meant} There are ${names.slice(0, -1).join(", ")} and ${names.at(-1)}.`;
}
