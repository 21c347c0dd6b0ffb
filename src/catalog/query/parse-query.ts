import { compose, fold } from "./fold.ts";
import { maskOf, maskWhere } from "./kinds.ts";
import { regexProblem } from "./regex.ts";

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

/** A query, or what is wrong with it, in one sentence to show. */
export type ParsedQuery = { readonly query: Query } | { readonly error: string };

/** Asks for nothing. */
export const NO_QUERY: Query = { text: "", terms: [], is: [] };

/** All kinds of text, as a bit mask. */
export const ALL_KINDS = maskWhere(() => true);
const OUTPUT = maskOf(["output"]);

/** Fields that ask for text of certain kinds: `label:todo`, `file:src/x.ts`. */
const TEXT_FIELDS: Readonly<Record<string, number>> = {
	name: maskOf(["name"]),
	title: maskOf(["name", "title"]),
	label: maskOf(["label"]),
	file: maskOf(["path"]),
	path: maskOf(["path"]),
	cmd: maskOf(["command"]),
	model: maskOf(["model"]),
	cwd: maskOf(["cwd"]),
};

/** Values of `in:`, which limits where all other terms are searched. */
const SCOPES: Readonly<Record<string, number>> = {
	name: maskOf(["name"]),
	title: maskOf(["name", "title"]),
	label: maskOf(["label"]),
	summary: maskOf(["summary"]),
	thinking: maskOf(["thinking"]),
	output: OUTPUT,
	args: maskOf(["arguments", "command", "path"]),
	text: maskOf(["title", "user", "assistant"]),
	custom: maskOf(["custom"]),
	cmd: maskOf(["command"]),
	file: maskOf(["path"]),
};

const ROLES = ["user", "assistant", "tool", "custom"] as const;

interface Token {
	readonly field: string;
	readonly value: string;
}

/**
 * Parses a query: words and `"phrases"`, which must all be found; `re:pattern` (at the start, all that follows is the
 * pattern); fields `role: tool: in:` (which narrow all other terms) and `name: title: label: file: cmd: model: cwd:`.
 * An unknown field counts as text, because code is full of colons.
 */
export function parseQuery(text: string): ParsedQuery {
	const trimmed = text.trim();
	const tokens: Token[] = trimmed.startsWith("re:")
		? [{ field: "re", value: trimmed.slice(3).trim() }]
		: tokenize(trimmed);
	const terms: Term[] = [];
	const is: string[] = [];
	let scope = ALL_KINDS;
	let tool: string | undefined;
	for (const { field, value } of tokens) {
		if (field === "is") is.push(value.toLowerCase());
		else if (field === "tool") tool = fold(value);
		else if (field === "role" || field === "in") {
			const narrowed = field === "role" ? roleMask(value) : ownValue(SCOPES, value.toLowerCase());
			if (narrowed === undefined) return { error: unknownValue(field, value) };
			scope &= narrowed;
		} else if (field === "re") {
			const regex = compose(value);
			const problem = regex === "" ? "re: needs a pattern after it." : regexProblem(regex);
			if (problem !== undefined) return { error: regex === "" ? problem : `The pattern is not valid: ${problem}.` };
			terms.push({ regex, kinds: ALL_KINDS });
		} else terms.push({ needle: fold(value), kinds: ownValue(TEXT_FIELDS, field) ?? ALL_KINDS });
	}
	if (terms.length > MAX_TERMS)
		return { error: `A query may have up to ${MAX_TERMS} parts; this one has ${terms.length}.` };
	const narrowed = terms.map((term) => (term.kinds === ALL_KINDS ? { ...term, kinds: scope } : term));
	if (terms.length === 0 && (scope !== ALL_KINDS || tool !== undefined)) narrowed.push({ kinds: scope });
	return { query: { text: trimmed, terms: narrowed, tool, is } };
}

/** Each term may need a pass over the files. */
const MAX_TERMS = 30;

function tokenize(text: string): Token[] {
	const balanced = (text.match(/"/g)?.length ?? 0) % 2 === 0;
	const pattern = balanced ? /(?:([a-z]+):)?"([^"]*)"|(\S+?)(?=\s|"|$)/g : /()()(\S+)/g;
	const tokens: Token[] = [];
	for (const [, field = "", phrase, word] of text.matchAll(pattern)) {
		if (word !== undefined && word !== "") tokens.push(wordToken(word));
		else if (phrase)
			tokens.push(
				isField(field) ? { field, value: phrase } : { field: "", value: field ? `${field}:${phrase}` : phrase },
			);
	}
	return tokens;
}

function wordToken(word: string): Token {
	const [, field = "", value = ""] = /^([a-z]+):(.+)$/s.exec(word) ?? [];
	return isField(field) ? { field, value } : { field: "", value: word };
}

function isField(field: string): boolean {
	return Object.hasOwn(TEXT_FIELDS, field) || ["role", "tool", "in", "is", "re"].includes(field);
}

function roleMask(value: string): number | undefined {
	const role = ROLES.find((known) => known === value.toLowerCase());
	return role && maskWhere((facts) => facts.role === role);
}

function unknownValue(field: "role" | "in", value: string): string {
	const known = field === "role" ? ROLES : Object.keys(SCOPES);
	return `${field}:${value} is not known; there are ${known.map((name) => `${field}:${name}`).join(", ")}.`;
}

/** The value of a typed key, which may be the name of a property that every object inherits. */
function ownValue(table: Readonly<Record<string, number>>, key: string): number | undefined {
	return Object.hasOwn(table, key) ? table[key] : undefined;
}
