import { nearest } from "../../shared/nearest.ts";
import {
	CONDITION_FIELDS,
	type Condition,
	entryConditions,
	isAboutEntries,
	isDateField,
	parseCondition,
} from "./conditions.ts";
import { ALL_KINDS, FIELDS, NARROWING, TEXT_FIELDS, takesAnything, valuesOf } from "./fields.ts";
import { compose, fold, needleOf } from "./fold.ts";
import type { Form } from "./other-forms.ts";
import { regexProblem } from "./regex.ts";
import { printTokens, type Token, tokenize } from "./tokens.ts";

export interface Term {
	/** Folded text to find. With neither this nor `regex`, any text of the kinds matches. */
	readonly needle?: string | undefined;
	/** Whether the text was typed with accents, so that it only matches with these. */
	readonly accents?: true | undefined;
	/** Pattern to find, in RE2's dialect, composed; see regex.ts. */
	readonly regex?: string | undefined;
	/** The word as typed, if it may also stand in other forms: without quotes, a field of its own and a `-`. */
	readonly typed?: string | undefined;
	/** Other forms of the word that count too, nearest first; see other-forms.ts. */
	readonly forms?: readonly Form[] | undefined;
	/** The kinds of text that count, as a bit mask. */
	readonly kinds: number;
	/** Limits it to calls of a tool whose name contains this (folded). */
	readonly tool?: string | undefined;
}

/** A query as plain data, which can be sent to another thread. */
export interface Query {
	/** As typed, trimmed. */
	readonly text: string;
	/** All of these must occur in a session, each anywhere in it. */
	readonly terms: readonly Term[];
	/** None of these may occur in it. */
	readonly without: readonly Term[];
	/** Requirements for the session itself, not for its texts; checked by `rowMeets`. */
	readonly conditions: readonly Condition[];
}

/** A query, or what is wrong with it, in one sentence to show. A query may be invalid for a moment while it is typed. */
type ParsedQuery = { readonly query: Query } | { readonly error: string };

export const NO_QUERY: Query = { text: "", terms: [], without: [], conditions: [] };

/** Each term may need a pass over the files. */
const MAX_PARTS = 30;

/** Whether texts of sessions must be searched; otherwise their rows suffice. */
export function asksForText({ terms, without }: Query): boolean {
	return terms.length + without.length > 0;
}

/**
 * Parses a query: words and `"phrases"`, which must all be found; `re:pattern`; fields `role: tool: in:` (which narrow all
 * other words); `name: title: label: file: path: cmd: model: cwd:`; and conditions (conditions.ts), in upper or lower case.
 * A preceding `-` negates a part. An unknown field counts as text, because code is full of colons
 * (propose.ts); an unknown value of a known field is an error. `#todo` is short for `tag:todo`, and `today` or
 * `yesterday` without any other word for `on:` that day.
 */
export function parseQuery(text: string): ParsedQuery {
	return parse(
		text,
		withShortForms(tokenize(text.trim()), () => true),
	);
}

function parse(text: string, tokens: Iterable<Token>): ParsedQuery {
	const trimmed = text.trim();
	const words: QueryWord[] = [];
	const conditions: Condition[] = [];
	let scope = ALL_KINDS;
	let tool: string | undefined;
	let parts = 0;
	for (const token of tokens) {
		const { field, value, not } = token;
		const problem = problemOf(token);
		if (problem !== undefined) return { error: problem };
		const narrowed = NARROWING.get(field)?.get(value.toLowerCase());
		const condition = CONDITION_FIELDS.includes(field) ? parseCondition(field, value, not) : undefined;
		if (condition !== undefined) conditions.push(condition);
		else if (field === "tool" && not) words.push({ not, kinds: ALL_KINDS, ownTool: fold(value) });
		else if (field === "tool") tool = fold(value);
		else if (narrowed !== undefined && not) words.push({ not, kinds: narrowed });
		else if (narrowed !== undefined) scope &= narrowed;
		else if (field === "re") words.push({ not, regex: compose(value), kinds: ALL_KINDS });
		else if (value !== "" && field === "" && !not && !token.quoted)
			words.push({ not, ...termOf(value), typed: value, kinds: ALL_KINDS });
		else if (value !== "") words.push({ not, ...termOf(value), kinds: TEXT_FIELDS.get(field) ?? ALL_KINDS });
		if (++parts > MAX_PARTS) return { error: `A query may have up to ${MAX_PARTS} parts; this one has more.` };
	}
	const terms = words.filter(({ not }) => !not).map((word) => narrow(word, scope, tool));
	const without = words.filter(({ not }) => not).map((word) => narrow(word, scope, tool));
	// A narrowing field without words matches any text of its kinds.
	if (terms.length === 0 && (scope !== ALL_KINDS || tool !== undefined)) terms.push({ kinds: scope, tool });
	return { query: { text: trimmed, terms, without, conditions } };
}

/**
 * Parses a filter for the entries of a session with these tags, typed at `now` (Unix ms). Conditions about the session hide
 * no entry: with nothing else, the filter is empty. Its own `#tag` is one of them, any other `#word` is text.
 */
export function parseEntryQuery(text: string, now: number, tags: readonly string[]): ParsedQuery {
	const parsed = parse(text, entryTokens(text, tags));
	if ("error" in parsed || parsed.query.conditions.length === 0) return parsed;
	const conditions = entryConditions(parsed.query.conditions, now);
	const query = { ...parsed.query, conditions };
	return { query: asksForText(query) || conditions.length > 0 ? query : NO_QUERY };
}

/** The parts of a filter for entries that are about the session, as typed in full: `cost:>1`. Empty for an invalid filter. */
export function aboutSession(text: string, tags: readonly string[]): readonly string[] {
	return entryTokens(text, tags).flatMap((token) => {
		const { field, value, not } = token;
		const condition = CONDITION_FIELDS.includes(field) ? parseCondition(field, value, not) : undefined;
		return condition === undefined || isAboutEntries(condition) ? [] : [printTokens([token])];
	});
}

/** The parts of a query that texts are searched for, as typed in full: without what it asks of the session itself. */
export function wordsOf(text: string): string {
	const tokens = withShortForms(tokenize(text.trim()), () => true);
	return printTokens(tokens.filter(({ field }) => !CONDITION_FIELDS.includes(field)));
}

function entryTokens(text: string, tags: readonly string[]): readonly Token[] {
	const ownTags = new Set(tags.map((tag) => tag.toLowerCase()));
	return withShortForms(tokenize(text.trim()), (tag) => ownTags.has(tag.toLowerCase()));
}

/** A tag as rows show it. `#123` is more often an issue, and stays text. */
const TAG = /^#(?=.*[^\d#])([^\s#]+)$/u;
const DAYS: ReadonlySet<string> = new Set(["today", "yesterday"]);

/** "on:today" for a query with only that word; undefined for any other. */
export function shortDate(text: string): string | undefined {
	const typed = [...tokenize(text.trim()).take(MAX_PARTS + 1)];
	const full = withShortForms(tokenize(text.trim()), () => true);
	const date = full.find(({ field }, index) => field === "on" && typed[index]?.field === "");
	return date && printTokens([date]);
}

/** Replaces short forms by the fields that they stand for. */
function withShortForms(tokens: Generator<Token, void>, isTag: (name: string) => boolean): readonly Token[] {
	// No more than show that there are too many: a pasted text may have very many.
	const all = [...tokens.take(MAX_PARTS + 1)].map((token): Token => {
		const tag = token.field === "" && !token.quoted ? TAG.exec(token.value)?.[1] : undefined;
		return tag === undefined || !isTag(tag) ? token : { ...token, field: "tag", value: tag };
	});
	const words = all.filter(({ field }) => !CONDITION_FIELDS.includes(field));
	const [word] = words;
	if (word === undefined || words.length > 1 || word.field !== "" || word.quoted) return all;
	if (!DAYS.has(word.value.toLowerCase())) return all;
	return all.map((token) => (token === word ? { ...token, field: "on" } : token));
}

/** A term before all fields are known. */
interface QueryWord extends Term {
	readonly not: boolean;
	/** From `-tool:bash`. */
	readonly ownTool?: string;
}

function termOf(value: string): Term | Pick<Term, "needle" | "accents"> {
	const { text, accents } = needleOf(value);
	return { needle: text, ...(accents && { accents }) };
}

/** Applies `role:`, `in:` and `tool:` to words without a field; negated fields stand for themselves. */
function narrow({ not: _not, ownTool, ...term }: QueryWord, scope: number, tool: string | undefined): Term {
	if (ownTool !== undefined) return { ...term, tool: ownTool };
	if (term.needle === undefined && term.regex === undefined) return term;
	const kinds = term.kinds === ALL_KINDS ? scope : term.kinds;
	return tool === undefined ? { ...term, kinds } : { ...term, kinds, tool };
}

function problemOf({ field, value }: Token): string | undefined {
	if (field === "") return undefined;
	if (field === "re") {
		const problem = value === "" ? "re: needs a pattern after it." : regexProblem(compose(value));
		return problem === undefined || value === "" ? problem : `The pattern is not valid: ${problem}.`;
	}
	const values = valuesOf(field);
	const names = values.map((name) => `${field}:${name}`);
	const takes = values.length > 0 || takesAnything(field) ? undefined : FIELDS.get(field)?.takes;
	const example = takes === undefined || isDateField(field) ? takes : `a number: ${takes}`;
	if (value === "") {
		const needed = names.length > 0 ? `one of ${names.join(", ")}` : (example ?? "a word after it");
		return `${field}: needs ${needed}; "${field}:" in quotes is text.`;
	}
	if (example !== undefined)
		return parseCondition(field, value, false) !== undefined
			? undefined
			: `${field}:${value} is not known; ${field}: needs ${example}. In quotes it is text.`;
	if (values.length === 0 || values.some((name) => name === value.toLowerCase())) return undefined;
	const near = nearest(value, values);
	const meant = near === undefined ? "" : ` Did you mean ${field}:${near}?`;
	return `${field}:${value} is not known.${meant} There are ${names.slice(0, -1).join(", ")} and ${names.at(-1)}.`;
}

/**
 * The query that stays in effect while `text` is not valid (yet): the one before it, without the name of the field that is
 * being typed, which the earlier query took for a word ("bug role" before "bug role:").
 */
export function lastQuery(last: Query, text: string): Query {
	const name = /(?:^|\s)-?([a-zA-Z]+)$/.exec(last.text)?.[1];
	if (name === undefined || !FIELDS.has(name.toLowerCase()) || !text.startsWith(`${last.text}:`)) return last;
	const rest = parseQuery(last.text.slice(0, -name.length).replace(/(?:^|\s)-$/, ""));
	return "error" in rest ? last : rest.query;
}
