import { nearest } from "../../shared/nearest.ts";
import {
	CONDITION_FIELDS,
	type Condition,
	entryConditions,
	isAboutEntries,
	isDateField,
	parseCondition,
} from "./conditions.ts";
import { DATE_WORDS } from "./dates.ts";
import { ALL_KINDS, FIELDS, isValidValue, NARROWING, TEXT_FIELDS, takesAnything, valuesOf } from "./fields.ts";
import { compose, fold, needleOf } from "./fold.ts";
import { regexProblem } from "./regex.ts";
import { anyOf, type Term } from "./term.ts";
import { isOr, joinedTokens, printTokens, type Token, tokenize } from "./tokens.ts";

/** A query as plain data, which can be sent to another thread. */
export interface Query {
	/** As typed, trimmed. */
	readonly text: string;
	/** All of these must occur in a session, each anywhere in it, unless they are optional. */
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
/** As many as show that there are too many parts, with an "or" behind each: a pasted text may have very many. */
const MOST_TOKENS = 2 * (MAX_PARTS + 1);

/** Whether texts of sessions must be searched; otherwise their rows suffice. */
export function asksForText({ terms, without }: Query): boolean {
	return terms.length + without.length > 0;
}

/**
 * Parses a query: words and `"phrases"`, which must all be found; `re:pattern`; fields `role: tool: in:` (which narrow all
 * other words); `name: title: label: file: path: cmd: model: cwd: entry:`; and conditions (conditions.ts), in upper or lower case.
 * A preceding `-` negates a part. An unknown field counts as text, because code is full of colons
 * (propose.ts); an unknown value of a known field is an error. `#todo` is short for `tag:todo`, and `today` or
 * `yesterday` without any other word for `on:` that day, and an address such as `019b8d3c#2f8a1c3e` for its session and entry. Of parts with an `or` or `|` between them, one suffices.
 */
export function parseQuery(text: string): ParsedQuery {
	return parse(text, fullTokens(text));
}

/** The query of a text; that for nothing if the text is not valid. */
export function asQuery(text: string): Query {
	const parsed = parseQuery(text);
	return "query" in parsed ? parsed.query : NO_QUERY;
}

function parse(text: string, tokens: readonly Token[]): ParsedQuery {
	const problem = tokens.map(problemOf).find((one) => one !== undefined);
	if (problem !== undefined) return { error: problem };
	if (tokens.filter((token) => !isOr(token)).length > MAX_PARTS)
		return { error: `A query may have up to ${MAX_PARTS} parts; this one has more.` };
	const words: QueryWord[] = [];
	const optional: QueryWord[] = [];
	const conditions: Condition[] = [];
	let scope = ALL_KINDS;
	let tools: readonly string[] = [];
	for (const tokensOfGroup of joinedTokens(tokens)) {
		const [part, ...others] = tokensOfGroup.flatMap((token) => partOf(token) ?? []);
		if (part === undefined) continue;
		const group = [part, ...others] as const;
		const groupScopes = group.flatMap((one) => one.scope ?? []);
		const groupTools = group.flatMap((one) => one.tool ?? []);
		const groupConditions = group.flatMap((one) => one.condition ?? []);
		const groupWords = group.flatMap((one) => one.word ?? []);
		if (groupScopes.length === group.length) scope &= groupScopes.reduce((mask, kinds) => mask | kinds, 0);
		else if (groupTools.length === group.length) tools = groupTools;
		else if (others.length === 0) {
			conditions.push(...groupConditions);
			words.push(...groupWords);
		} else if (groupWords.length === group.length && groupWords.every(({ not }) => !not))
			words.push({ not: false, kinds: ALL_KINDS, joined: groupWords });
		else {
			// Such a word may be missing, if one of the conditions holds or another of the words is not to be there.
			const ofWords = groupWords.map((word): Condition => {
				optional.push({ ...word, not: false });
				return { field: "term", value: optional.length - 1, not: word.not };
			});
			conditions.push({ field: "either", value: [...groupConditions, ...ofWords], not: false });
		}
	}
	const inScope = (word: QueryWord): Term => narrow(word, scope, tools);
	const terms = [
		...optional.map((word): Term => ({ ...inScope(word), isOptional: true })),
		...words.filter(({ not }) => !not).map(inScope),
	];
	const without = words.filter(({ not }) => not).map(inScope);
	// A narrowing field without words matches any text of its kinds.
	if (terms.length === 0 && (scope !== ALL_KINDS || tools.length > 0)) terms.push(inTools({ kinds: scope }, tools));
	return { query: { text: text.trim(), terms, without, conditions } };
}

/** What one part of a query asks for; undefined for an empty one. */
interface QueryPart {
	readonly condition?: Condition;
	/** For `role:` and `in:`: the kinds of text to which they limit all words. */
	readonly scope?: number;
	/** For `tool:`: the tool to whose calls it limits all words. */
	readonly tool?: string;
	/** The part as something to search for by itself; undefined for a condition. */
	readonly word?: QueryWord;
}

function partOf(token: Token): QueryPart | undefined {
	const { field, value, not } = token;
	const condition = CONDITION_FIELDS.includes(field) ? parseCondition(field, value, not) : undefined;
	if (condition !== undefined) return { condition };
	const scope = NARROWING.get(field)?.get(value.toLowerCase());
	if (scope !== undefined) return { ...(!not && { scope }), word: { not, kinds: scope } };
	if (field === "tool") {
		const tool = fold(value);
		return { ...(!not && { tool }), word: { not, kinds: ALL_KINDS, ownTool: tool } };
	}
	if (value === "") return undefined;
	if (field === "re") return { word: { not, regex: compose(value), kinds: ALL_KINDS } };
	const isPlain = field === "" && !not && !token.quoted;
	const kinds = TEXT_FIELDS.get(field) ?? ALL_KINDS;
	const word = { not, ...termOf(value), ...(isPlain && { typed: value }), kinds };
	return { word: PATH_FIELDS.has(field) && /[/\\]/.test(value) ? { ...word, joined: inBothSlashes(word) } : word };
}

/** Fields of paths, in which a session on Windows may have the other slash. */
const PATH_FIELDS: ReadonlySet<string> = new Set(["file", "path", "cwd"]);

function inBothSlashes(word: QueryWord): readonly QueryWord[] {
	const needle = word.needle ?? "";
	const spellings = [needle, needle.replaceAll("\\", "/"), needle.replaceAll("/", "\\")];
	return [...new Set(spellings)].map((spelling) => ({ ...word, needle: spelling }));
}

/**
 * Parses a filter for the entries of a session with these tags, typed at `now` (Unix ms). Conditions about the session hide
 * no entry: with nothing else, the filter is empty. Its own `#tag`, or the beginning of one, is among them; any other `#word` is text.
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

/**
 * The parts of a query that texts are searched for, as typed in full: without what it asks of the session itself. Where that would suffice
 * instead of a word, all sessions meet the part, and their results say whether they lack the word.
 */
export function wordsOf(text: string): string {
	return joinedTokens(fullTokens(text))
		.flatMap((group) => {
			const words = group.filter(({ field }) => !CONDITION_FIELDS.includes(field));
			const parts = words.length === 0 || words.length === group.length ? words : [...words, ANY_SESSION];
			return parts.length === 0 ? [] : [parts.map((token) => printTokens([token])).join(" or ")];
		})
		.join(" ");
}

/** A condition that all sessions meet. */
const ANY_SESSION: Token = { field: "messages", value: ">=0", quoted: false, not: false };

function entryTokens(text: string, tags: readonly string[]): readonly Token[] {
	const isOwn = (typed: string) => tags.some((tag) => tag.toLowerCase().startsWith(typed.toLowerCase()));
	return withShortForms(typedTokens(text), isOwn);
}

/** A tag as rows show it. `#123` is more often an issue, and stays text. */
const TAG = /^#(?=.*[^\d#])([^\s#]+)$/u;
const DAYS: ReadonlySet<string> = new Set(["today", "yesterday"]);

/** "on:today" for a query with only that word; undefined for any other. */
export function shortDate(text: string): string | undefined {
	const typed = typedTokens(text);
	const date = fullTokens(text).find(({ field }, index) => field === "on" && typed[index]?.field === "");
	return date && printTokens([date]);
}

/** The parts of a query as typed; of a text with too many only the first ones. */
export function typedTokens(text: string): readonly Token[] {
	return [...tokenize(text.trim()).take(MOST_TOKENS)];
}

/** The parts of a query with the fields that short forms stand for. */
function fullTokens(text: string): readonly Token[] {
	return withShortForms(typedTokens(text).flatMap(addressTokens), () => true);
}

/** The address of an entry, as it is copied: its session, or the beginning of the session's id, and its own id. */
const ADDRESS = /^([0-9a-f][0-9a-f-]{5,35})#([0-9a-f]{4,8}|[0-9a-f-]{36})$/i;

function addressTokens(token: Token): readonly Token[] {
	const [, session, entry] = token.field === "" && !token.quoted ? (ADDRESS.exec(token.value) ?? []) : [];
	if (session === undefined || entry === undefined) return [token];
	return [
		{ ...token, value: session },
		{ ...token, field: "entry", value: entry },
	];
}

function withShortForms(typed: readonly Token[], isTag: (name: string) => boolean): readonly Token[] {
	const all = typed.map((token, index): Token => {
		const tag = token.field === "" && !token.quoted ? tagIn(token.value, index === typed.length - 1) : undefined;
		return tag === undefined || !isTag(tag) ? token : { ...token, field: "tag", value: tag };
	});
	const words = all.filter((token) => !CONDITION_FIELDS.includes(token.field) && !isOr(token));
	const [word] = words;
	if (word === undefined || words.length > 1 || word.field !== "" || word.quoted) return all;
	if (!DAYS.has(word.value.toLowerCase())) return all;
	return all.map((token) => (token === word ? { ...token, field: "on" } : token));
}

/** The tag, or the beginning of one, that a word stands for; "" for any, at the end of what is typed. */
function tagIn(word: string, isLast: boolean): string | undefined {
	return word === "#" && isLast ? "" : TAG.exec(word)?.[1];
}

/** A term before all fields are known. */
interface QueryWord extends Term {
	readonly not: boolean;
	/** From `-tool:bash`. */
	readonly ownTool?: string;
	/** The words of which one suffices, which then stand for it. */
	readonly joined?: readonly QueryWord[];
}

function termOf(value: string): Term | Pick<Term, "needle" | "accents"> {
	const { text, accents } = needleOf(value);
	return { needle: text, ...(accents && { accents }) };
}

/** Applies `role:`, `in:` and `tool:` to words without a field; fields that stand for themselves stay as they are. */
function narrow({ not: _not, ownTool, joined, ...term }: QueryWord, scope: number, tools: readonly string[]): Term {
	if (joined !== undefined) {
		const [first = term, ...others] = joined.map((word) => narrow(word, scope, tools));
		return anyOf([first, ...others]);
	}
	if (ownTool !== undefined) return { ...term, tool: ownTool };
	if (term.needle === undefined && term.regex === undefined) return term;
	return inTools({ ...term, kinds: term.kinds === ALL_KINDS ? scope : term.kinds }, tools);
}

/** The term, only in the calls of one of these tools, if there are any. */
function inTools(term: Term, tools: readonly string[]): Term {
	const [first = term, ...others] = tools.map((tool): Term => ({ ...term, tool }));
	return anyOf([first, ...others]);
}

function problemOf({ field, value }: Token): string | undefined {
	// "tag:" alone, like "#", is any tag.
	if (field === "" || (field === "tag" && value === "")) return undefined;
	if (field === "re") {
		const problem = value === "" ? "re: needs a pattern after it." : regexProblem(compose(value));
		return problem === undefined || value === "" ? problem : `The pattern is not valid: ${problem}.`;
	}
	const values = valuesOf(field);
	const names = values.map((name) => `${field}:${name}`);
	const takes = values.length > 0 || takesAnything(field) ? undefined : FIELDS.get(field)?.takes;
	const example = takes === undefined || isDateField(field) ? takes : `a number: ${takes}`;
	const common = names.slice(0, MOST_NAMED);
	const hasMore = names.length > MOST_NAMED;
	if (value === "") {
		const needed =
			names.length > 0 ? `one of ${[...common, ...(hasMore ? ["…"] : [])].join(", ")}` : (example ?? "a word after it");
		return `${field}: needs ${needed}; "${field}:" in quotes is text.`;
	}
	if (takesAnything(field) || isValidValue(field, value)) return undefined;
	const near = meantValue(field, value);
	const meant = near === undefined ? "" : ` Did you mean ${field}:${near}?`;
	if (example !== undefined)
		return near === undefined
			? `“${value}” does not suit ${field}:, which needs ${example}. In quotes it is text.`
			: `“${value}” does not suit ${field}:.${meant} It needs ${example}. In quotes it is text.`;
	const all = hasMore ? [...common, "more"] : common;
	return `${field}:${value} is not known.${meant} There are ${all.slice(0, -1).join(", ")} and ${all.at(-1)}.`;
}

/** Values that a message names; the commonest come first. */
const MOST_NAMED = 10;

/** The value that was probably meant: the one that people also call so, that begins so, that is the last word of it, or the nearest. */
export function meantValue(field: string, value: string): string | undefined {
	const values = isDateField(field) ? DATE_WORDS : valuesOf(field);
	const lower = value.toLowerCase();
	const synonym = field === "is" ? OTHER_STATES.get(lower) : undefined;
	const isPart = (name: string): boolean => name.startsWith(lower) || name.endsWith(`-${lower}`);
	return synonym ?? (lower.length > 1 ? values.find(isPart) : undefined) ?? nearest(lower, values);
}

/** What people also call a state of a session. */
export const OTHER_STATES: ReadonlyMap<string, string> = new Map(
	Object.entries({
		asks: "asking question open",
		failed: "fail failing failure crashed broken",
		aborted: "cancelled canceled interrupted stopped incomplete",
		running: "live active busy now",
		waiting: "wait waits pending",
		pinned: "starred star favorite favourite bookmarked",
		error: "errors failures red",
		gone: "missing deleted moved",
		archived: "archive hidden",
		fork: "forked",
		run: "subagent agent child",
		damaged: "corrupt corrupted invalid",
	}).flatMap(([value, names]) => names.split(" ").map((name) => [name, value] as const)),
);

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
