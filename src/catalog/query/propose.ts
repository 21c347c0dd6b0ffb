import { nearest } from "../../shared/nearest.ts";
import { runNameOf } from "../families/run-name.ts";
import { type SessionNames, saidFirst, usedMs } from "../model/row.ts";
import { localDay } from "../stats/usage.ts";
import { projectName } from "./conditions.ts";
import { DATE_WORDS, periodOf } from "./dates.ts";
import { COMMON_FIELDS, FIELDS, fieldsBeginning, isValidValue, valuesOf } from "./fields.ts";
import { fold } from "./fold.ts";
import { mistypedShort } from "./other-forms.ts";
import { meantValue, shortDate, typedTokens } from "./parse-query.ts";
import { spokenDateAt, spokenQuery, spokenStateAt } from "./spoken-conditions.ts";
import { isOr, isWord, printTokens, type Token } from "./tokens.ts";

/** A query that may have been meant by one that finds nothing. */
export interface Proposal {
	readonly query: string;
	/** The part that was corrected, as it is in that query. */
	readonly part: string;
	/** Why the part may not have been meant as it was read: "“status:” is not a field". */
	readonly why: string;
	/** Whether that says as what the part was read, as `readingNote` does. */
	readonly saysReading?: true;
	/** Number of sessions that are of this date, project or agent; undefined where only a search would tell. */
	readonly sessions?: number;
}

/** Another meaning of one part of a query, or of two. */
interface Meaning extends Pick<Proposal, "why" | "saysReading" | "sessions"> {
	readonly tokens: readonly Token[];
	/** How many parts it stands for. @default 1 */
	readonly length?: number;
}

/**
 * The queries that may have been meant by one that finds nothing: with all that names conditions read so, then each with one part read in
 * another way: as a date (`now`: Unix ms), the nearest name of a project or an agent, a state, the nearest word of a title, another field
 * than one that there is not. Longer words that were typed wrongly are found in other forms (other-forms.ts).
 */
export function proposeQueries(text: string, rows: Iterable<SessionNames>, now: number): readonly Proposal[] {
	const tokens = typedTokens(text);
	const sessions = [...rows];
	const isDate = shortDate(text) !== undefined;
	const fields = unknownFields(text).flatMap(({ name, meant = "", query }): readonly Proposal[] => {
		return query === undefined ? [] : [{ query, part: meant, why: `“${name}:” is not a field`, saysReading: true }];
	});
	const inPlace = (read: (token: Token, index: number) => readonly Meaning[]): readonly Proposal[] =>
		tokens.flatMap((token, index) =>
			read(token, index).map(({ tokens: meant, length = 1, ...meaning }) => {
				return { ...meaning, query: printTokens(tokens.toSpliced(index, length, ...meant)), part: printTokens(meant) };
			}),
		);
	const dates = inPlace((token, index) => [
		...(isDate ? wordOfDate(token) : datedToken(tokens, index, sessions, now)),
		...dayBefore(isDate && isWord(token) ? { ...token, field: "on" } : token, sessions, now),
	]);
	const reading = isDate ? undefined : spokenQuery(tokens, now);
	const isMistyped = reading === undefined && dates.length === 0 && tokens.length <= MOST_MISTYPED;
	const otherReadings = inPlace((token, index) => [
		...negatedToken(tokens, index),
		...namedToken(token, sessions),
		...stateToken(tokens, index),
		...idToken(token),
		...patternTokens(token),
		...phraseTokens(token),
		...wordsIn(token),
		...(isMistyped ? mistypedToken(token, sessions) : []),
	]);
	const query = reading === undefined ? "" : printTokens(reading.tokens);
	const whole = reading === undefined ? [] : [{ query, part: query, why: reading.why }];
	// What would still be searched for may be what other words in it are.
	return reading?.isWhole === true
		? [...fields, ...whole, ...dates, ...otherReadings]
		: [...fields, ...dates, ...whole, ...otherReadings];
}

/** Words that name a date as that date, if there are sessions of it. */
function datedToken(
	tokens: readonly Token[],
	index: number,
	sessions: readonly SessionNames[],
	now: number,
): readonly Meaning[] {
	const { token, ...spoken } = spokenDateAt(tokens, index, now) ?? {};
	const period = token && periodOf(token.value, now);
	if (token === undefined || period === undefined) return [];
	const isIn = (used: number): boolean =>
		token.field === "before"
			? used < period.from
			: used >= period.from && (token.field === "since" || used < period.to);
	const count = sessions.filter((one) => isIn(usedMs(one, now))).length;
	return count === 0 ? [] : [{ why: "", ...spoken, tokens: [token], sessions: count }];
}

/** The last day with sessions before a date that has none. */
function dayBefore(token: Token, sessions: readonly SessionNames[], now: number): readonly Meaning[] {
	const isFrom = token.field === "on" || token.field === "since";
	const period = isFrom && !token.not ? periodOf(token.value, now) : undefined;
	if (period === undefined) return [];
	const times = sessions.map((one) => usedMs(one, now));
	if (times.some((used) => used >= period.from && (token.field === "since" || used < period.to))) return [];
	const lastMs = times.reduce(
		(last, used) => (used < period.from && used > last ? used : last),
		Number.NEGATIVE_INFINITY,
	);
	if (lastMs === Number.NEGATIVE_INFINITY) return [];
	const value = localDay(lastMs);
	const count = times.filter((used) => localDay(used) === value).length;
	return [
		{ tokens: [{ ...token, field: "on", value }], why: "the last day with sessions before that", sessions: count },
	];
}

/** The word that was taken for a date. */
function wordOfDate(token: Token): readonly Meaning[] {
	const isDate = isWord(token) && DATE_WORDS.some((word) => word === token.value.toLowerCase());
	return isDate ? [{ tokens: [{ ...token, quoted: true }], why: `the word “${token.value}”, not the date` }] : [];
}

/** The nearest name of a project or an agent to one that there is not. */
function namedToken(token: Token, sessions: readonly SessionNames[]): readonly Meaning[] {
	const nameOf = token.not ? undefined : NAMES[token.field];
	if (nameOf === undefined) return [];
	const word = fold(token.value);
	const names = sessions.map((one) => fold(nameOf(one)));
	if (names.some((name) => name.includes(word))) return [];
	const value = nearest(word, [...new Set(names)], word.length > 4 ? 2 : 1);
	if (value === undefined) return [];
	return [
		{
			tokens: [{ ...token, value, quoted: /\s/.test(value) }],
			why: `no ${token.field} is called “${token.value}”`,
			sessions: names.filter((name) => name === value).length,
		},
	];
}

function stateToken(tokens: readonly Token[], index: number): readonly Meaning[] {
	const { token, ...spoken } = spokenStateAt(tokens, index) ?? {};
	return token === undefined ? [] : [{ why: "", ...spoken, tokens: [token] }];
}

/** What looks like an id, alone or behind the session as in an address: the entry that is called so. */
function idToken(token: Token): readonly Meaning[] {
	const [, value] = isWord(token) ? (/^(?:.+#|#)?([0-9a-f]{6,8}|[0-9a-f-]{36})$/i.exec(token.value) ?? []) : [];
	return value === undefined ? [] : [{ tokens: [{ ...token, field: "entry", value }], why: "the id of an entry" }];
}

/** `!word` and `NOT word`, as other programs leave out a word. */
function negatedToken(tokens: readonly Token[], index: number): readonly Meaning[] {
	const { token, length } = negationAt(tokens, index) ?? {};
	if (token === undefined || length === undefined) return [];
	return [{ tokens: [token], length, why: `“${printTokens([token])}”: without it`, saysReading: true }];
}

function negationAt(
	tokens: readonly Token[],
	index: number,
): { readonly token: Token; readonly length: number } | undefined {
	const [token, next] = tokens.slice(index, index + 2);
	if (token === undefined || !isWord(token)) return undefined;
	const [, value] = /^!([\p{L}\p{N}].*)/su.exec(token.value) ?? [];
	if (value !== undefined) return { token: { ...token, value, not: true }, length: 1 };
	return token.value === "NOT" && next !== undefined && !next.not
		? { token: { ...next, not: true }, length: 2 }
		: undefined;
}

/** A pattern, whose `*` is searched for as it is: of names of files, if it looks like one. */
function patternTokens(token: Token): readonly Meaning[] {
	const { field, value } = token;
	const pieces = value.split("*").filter((piece) => piece !== "");
	const isOfFiles = field === "file" || field === "path";
	if (!(isOfFiles || isWord(token)) || !value.includes("*") || pieces.length === 0) return [];
	const reading = { why: "“*” stands for itself", saysReading: true } as const;
	if (!isOfFiles && !/[./\\]/.test(value)) return meaningsOf(pieces, reading);
	return [{ tokens: pieces.map((piece) => ({ ...token, field: "file", value: piece })), ...reading }];
}

function phraseTokens(token: Token): readonly Meaning[] {
	const { field, value, quoted, not } = token;
	const words = value.split(/\s+/).filter((word) => word !== "");
	if (field !== "" || !quoted || not || words.length < 2) return [];
	return meaningsOf(words, { why: "the words, not the phrase" });
}

/** Some words, and then any of them. */
function meaningsOf(words: readonly string[], reading: Pick<Meaning, "why" | "saysReading">): readonly Meaning[] {
	// In quotes, "or" is one of the words.
	const tokens = words.map((value): Token => ({ ...OR, value, quoted: isOr({ ...OR, value }) }));
	const joined = tokens.flatMap((token, at) => (at === 0 ? [token] : [OR, token]));
	return words.length < 2
		? [{ tokens, ...reading }]
		: [
				{ tokens, ...reading },
				{ tokens: joined, why: "any of its words" },
			];
}

const OR: Token = { field: "", value: "or", quoted: false, not: false };

/** The file of a path, and the words in a piece of code or whatever else has signs between them. */
function wordsIn(token: Token): readonly Meaning[] {
	const { value } = token;
	if (!isWord(token) || /^!|\*/.test(value) || isOr(token)) return [];
	const [, name = ""] = /[/\\]([^/\\]{3,})$/.exec(value) ?? [];
	const words = value.split(/[^\p{L}\p{N}\p{M}_-]+/u).filter((word) => word.length > 1);
	const file: Meaning = { tokens: [{ ...token, field: "file", value: name }], why: "the name of the file" };
	const isSame = words.length === 0 || words.join() === value;
	const meanings = isSame ? [] : meaningsOf(words, { why: "the words in it" });
	// Folders, and what looks like a field, are in too many sessions to be worth anything alone.
	return [...(name === "" ? [] : [file]), ...(/[/\\:]/.test(value) ? meanings.slice(0, 1) : meanings)];
}

/** The commonest word of titles that a short word, which none of them has, is mistyped from. */
function mistypedToken(token: Token, sessions: readonly SessionNames[]): readonly Meaning[] {
	const pattern = isWord(token) ? mistypedShort(token.value) : undefined;
	if (pattern === undefined) return [];
	const words = sessions.flatMap((one) => (one.name ?? saidFirst(one)).slice(0, TITLE_LENGTH).match(pattern) ?? []);
	const counts = Map.groupBy(words, fold);
	const [[value, same] = ["", []]] = [...counts].sort(([, a], [, b]) => b.length - a.length);
	if (value === "" || counts.has(fold(token.value))) return [];
	const why = `“${value}” instead of “${token.value}”`;
	return [{ tokens: [{ ...token, value, quoted: /\s/.test(value) }], why, sessions: same.length }];
}

/** As much of a first message as a title shows. */
const TITLE_LENGTH = 200;
/** In more words titles are not looked through: each takes 10 ms with 30,000 sessions. */
const MOST_MISTYPED = 5;

const NAMES: Readonly<Record<string, (session: SessionNames) => string>> = {
	project: ({ cwd }) => projectName(cwd),
	agent: ({ name = "" }) => runNameOf(name)?.agent ?? "",
};

/** Names that people type for fields with another name. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
	["status", "is:"],
	["state", "is:"],
	["author", "role:user"],
	["user", "role:user"],
	["assistant", "role:assistant"],
	["from", "role:user"],
	["by", "role:user"],
	["date", "on:"],
	["day", "on:"],
	["time", "on:"],
	["until", "before:"],
	["year", "on:"],
	["command", "cmd:"],
	["bash", "tool:bash"],
	["price", "cost:"],
	["msgs", "messages:"],
	["dir", "cwd:"],
	["directory", "cwd:"],
	["folder", "cwd:"],
	["filename", "file:"],
	["regex", "re:"],
	["has", "is:"],
	["subagent", "agent:"],
	["child", "runs:"],
	// As they stand before a hit.
	["output", "in:output"],
	["answer", "role:assistant"],
	["you", "role:user"],
	["thinking", "in:thinking"],
	["summary", "in:summary"],
	["extension", "in:custom"],
	["id", "entry:"],
	["children", "runs:"],
]);

/** A word of a query that looks like a field and its value, but is none, and so is searched for as text. */
interface UnknownField {
	/** As typed: "status:failed". */
	readonly word: string;
	/** In lower case, without the colon: "status". */
	readonly name: string;
	/** What was probably meant: a part of a query ("is:failed"), or only a field ("cost:"); undefined if nothing is near. */
	readonly meant: string | undefined;
	/** The whole query with that part in place of the word; undefined if only a field, or nothing, was meant. */
	readonly query: string | undefined;
}

/** The words of a query that look like fields but were read as text, with what was probably meant. */
export function unknownFields(text: string): readonly UnknownField[] {
	const tokens = typedTokens(text);
	return tokens.flatMap((token, index): UnknownField[] => {
		const { field, value: word, quoted } = token;
		// Not `http://`, `std::x` or the drive in `C:\x`.
		const [, typedName, value = ""] =
			field === "" && !quoted ? (/^([a-zA-Z](?=:.)|[a-zA-Z_-]{2,}):(?![/\\:])(.*)$/s.exec(word) ?? []) : [];
		if (typedName === undefined) return [];
		const name = typedName.toLowerCase();
		const part = meantPart(name, value);
		const printed = part && printTokens([{ ...token, ...part }]);
		// Of "user:bob" only the role is a field.
		const isWhole = part === undefined || part.field === "is" || part.value === value || value === "";
		const rest = isWhole ? [] : [{ ...token, value }];
		const query = part && printTokens(tokens.toSpliced(index, 1, { ...token, ...part }, ...rest));
		return [{ word, name, meant: printed ?? meantField(name), query }];
	});
}

/** The field and the value that were probably meant by those that are none; undefined if no field takes the value. */
function meantPart(name: string, value: string): Pick<Token, "field" | "value"> | undefined {
	const [field = "", ownValue] = (OTHER_NAMES.get(name) ?? nearField(name) ?? "").split(":");
	const named = ownValue !== undefined && ownValue !== "" ? { field, value: ownValue } : { field, value };
	if (field !== "" && named.value !== "" && isValidValue(field, named.value)) return named;
	// "outcome:failed" is "is:failed", whatever the name.
	const state = field === "is" ? meantValue("is", value) : valuesOf("is").find((one) => one === value.toLowerCase());
	return state === undefined || (field !== "" && field !== "is") ? undefined : { field: "is", value: state };
}

/** The fields that may have been meant: "cmd:, cwd: or cost:". */
function meantField(name: string): string | undefined {
	return OTHER_NAMES.get(name) ?? begunFields(name) ?? nearField(name);
}

/** What to say of a query that finds nothing: what looks like a field, or a sign of other searches, was read as text. */
export function readingNote(text: string): string | undefined {
	return unknownFieldNote(text) ?? signNote(text);
}

/**
 * Says of a word that looks like a field but is none that it was searched as text, with what was probably meant, or the common fields. The
 * note is useful only if nothing was found. Undefined for a query without such words.
 */
function unknownFieldNote(text: string): string | undefined {
	const [unknown] = unknownFields(text).toSorted(
		(a, b) => Number(b.meant !== undefined) - Number(a.meant !== undefined),
	);
	if (unknown === undefined) return undefined;
	const hint =
		unknown.meant === undefined
			? `fields are ${COMMON_FIELDS.map((field) => `${field}:`).join(" ")}`
			: `did you mean ${unknown.meant}?`;
	return `${unknown.name}: is not a field and was searched as text; ${hint}`;
}

/** Signs of fzf, of shells and of other languages of queries, which are text here, and what finds what they mean there. */
const SIGNS: readonly (readonly [pattern: RegExp, sign: string, instead: (word: string) => string])[] = [
	[/^'/, "'", (word) => word.slice(1)],
	[/^\^/, "^", (word) => word.slice(1)],
	[/\$$/, "$", (word) => word.slice(0, -1)],
	[/\*/, "*", (word) => word.split("*").filter(Boolean).join(" ")],
	[/^[^,]+,[^,]+$/, ",", (word) => `${word.replace(",", " ")}, or ${word.replace(",", " or ")}`],
];

function signNote(text: string): string | undefined {
	const tokens = typedTokens(text);
	for (const [index, token] of tokens.entries()) {
		const negation = negationAt(tokens, index);
		if (negation !== undefined) return tryNote(negation.length === 1 ? "!" : "NOT", printTokens([negation.token]));
		if (!isWord(token) || !/[\p{L}\p{N}]/u.test(token.value)) continue;
		if (/^\(|\)$/.test(token.value)) return "brackets do not group words: or joins those beside it";
		const [, sign, instead] = SIGNS.find(([pattern]) => pattern.test(token.value)) ?? [];
		if (sign !== undefined && instead !== undefined) return tryNote(sign, instead(token.value));
	}
	return undefined;
}

function tryNote(sign: string, instead: string): string {
	return `“${sign}” is searched as text; try ${instead}`;
}

/** Fields that are named in a note. */
const MOST_NAMED = 4;

/** The fields that begin so, if there are only a few: "cmd:, cwd: or cost:". */
function begunFields(name: string): string | undefined {
	const fields = fieldsBeginning(name).map((field) => `${field}:`);
	if (fields.length === 0 || fields.length > MOST_NAMED) return undefined;
	return [fields.slice(0, -1).join(", "), ...fields.slice(-1)].filter((part) => part !== "").join(" or ");
}

/** Skips fields of two letters, which are near too many words. */
function nearField(name: string): string | undefined {
	const fields = [...FIELDS.keys()].filter((field) => field.length > 2);
	const near = nearest(name, fields, name.length > 4 ? 2 : 1);
	return near && `${near}:`;
}
