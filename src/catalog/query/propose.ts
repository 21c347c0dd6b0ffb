import { nearest } from "../../shared/nearest.ts";
import { runNameOf } from "../families/run-name.ts";
import { type SessionNames, usedMs } from "../model/row.ts";
import { IS_VALUES, projectName } from "./conditions.ts";
import { DATE_WORDS, periodOf } from "./dates.ts";
import { COMMON_FIELDS, FIELDS, fieldsBeginning, isValidValue, valuesOf } from "./fields.ts";
import { fold } from "./fold.ts";
import { meantValue, shortDate, typedTokens } from "./parse-query.ts";
import { spokenDate } from "./spoken-dates.ts";
import { isOr, printTokens, type Token } from "./tokens.ts";

/** A query that may have been meant by one that finds nothing. */
export interface Proposal {
	readonly query: string;
	/** The part that was corrected, as it is in that query. */
	readonly part: string;
	/** Why the part may not have been meant as it was read: "“status:” is not a field". */
	readonly why: string;
	/** Number of sessions that are of this date, project or agent; undefined where only a search would tell. */
	readonly sessions?: number;
}

/** Another meaning of one part of a query, or of two. */
interface Meaning extends Pick<Proposal, "why" | "sessions"> {
	readonly tokens: readonly Token[];
	/** How many parts it stands for. @default 1 */
	readonly length?: number;
}

/**
 * The queries that may have been meant by one that finds nothing, each with one part read in another way: as a date (`now`: Unix ms), the
 * nearest name of a project or an agent, a state, another field than one that there is not. Words that were typed wrongly are found in
 * other forms (other-forms.ts).
 */
export function proposeQueries(text: string, rows: Iterable<SessionNames>, now: number): readonly Proposal[] {
	const tokens = typedTokens(text);
	const sessions = [...rows];
	const isDate = shortDate(text) !== undefined;
	const fields = unknownFields(text).flatMap(({ name, meant = "", query }): readonly Proposal[] => {
		return query === undefined ? [] : [{ query, part: meant, why: `“${name}:” is not a field` }];
	});
	const meanings = tokens.flatMap((token, index) =>
		[
			...(isDate ? wordOfDate(token) : datedToken(tokens, index, sessions, now)),
			...namedToken(token, sessions),
			...stateToken(token, tokens[index + 1]),
			...patternTokens(token),
			...phraseTokens(token),
			...wordsIn(token),
		].map(({ tokens: meant, length = 1, ...meaning }) => {
			return { ...meaning, query: printTokens(tokens.toSpliced(index, length, ...meant)), part: printTokens(meant) };
		}),
	);
	return [...fields, ...meanings];
}

/** Words that name a date as that date, perhaps with the field before them ("since monday"), if there are sessions of it. */
function datedToken(
	tokens: readonly Token[],
	index: number,
	sessions: readonly SessionNames[],
	now: number,
): readonly Meaning[] {
	const end = tokens.findIndex((token, at) => at >= index && !isWord(token));
	const words = tokens.slice(index, end === -1 ? undefined : end).map(({ value }) => value);
	const named = DATE_FIELDS.get(words[0]?.toLowerCase() ?? "");
	const skipped = named === undefined ? 0 : 1;
	const date = spokenDate(words.slice(skipped, skipped + 3), now);
	const period = date && periodOf(date.value, now);
	const [lastToken, first] = [tokens[index - 1], tokens[index]];
	if (date === undefined || period === undefined || first === undefined) return [];
	// The words behind the name of a field have been read with it.
	if (skipped === 0 && lastToken !== undefined && isWord(lastToken) && DATE_FIELDS.has(lastToken.value.toLowerCase()))
		return [];
	const field = named ?? "on";
	const isIn = (used: number): boolean =>
		field === "before" ? used < period.from : used >= period.from && (field === "since" || used < period.to);
	const count = sessions.filter((one) => isIn(usedMs(one, now))).length;
	const length = skipped + date.length;
	const why = `“${words.slice(0, length).join(" ")}” as a date`;
	return count === 0 ? [] : [{ tokens: [{ ...first, field, value: date.value }], length, why, sessions: count }];
}

/** Words before a date, and the fields that they stand for. */
const DATE_FIELDS: ReadonlyMap<string, string> = new Map([
	...["since", "after"].map((word) => [word, "since"] as const),
	...["before", "until"].map((word) => [word, "before"] as const),
	["on", "on"],
]);

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

/** A word or a sign that rows of sessions show as a state, or a word for what they cost. */
function stateToken(token: Token, next: Token | undefined): readonly Meaning[] {
	if (!isWord(token)) return [];
	const word = token.value.toLowerCase();
	const two = next !== undefined && isWord(next) ? `${word}-${next.value.toLowerCase()}` : "";
	if (IS_VALUES.has(two))
		return [
			{ tokens: [{ ...token, field: "is", value: two }], length: 2, why: `“${two.replace("-", " ")}” as a state` },
		];
	if (COST_WORDS.has(word))
		return [{ tokens: [{ ...token, field: "cost", value: ">0" }], why: "the most expensive sessions first" }];
	const state = SIGN_STATES.get(word) ?? word;
	if (!IS_VALUES.has(state)) return [];
	return [{ tokens: [{ ...token, field: "is", value: state }], why: `“${token.value}” as a state` }];
}

const COST_WORDS: ReadonlySet<string> = new Set(["cost", "costs", "costly", "expensive", "price", "spent", "$"]);
/** The signs in rows of the list. */
const SIGN_STATES: ReadonlyMap<string, string> = new Map([
	["●", "running"],
	["◐", "waiting"],
	["★", "pinned"],
	["✗", "error"],
	["⚑", "labeled"],
	["◌", "gone"],
]);

/** A pattern of file names, whose `*` is searched for as it is. */
function patternTokens(token: Token): readonly Meaning[] {
	const { field, value } = token;
	const pieces = value.split("*").filter((piece) => piece !== "");
	const isOfFiles = field === "file" || field === "path" || isWord(token);
	if (!isOfFiles || !value.includes("*") || pieces.length === 0) return [];
	const tokens = pieces.map((piece) => ({ ...token, field: "file", value: piece }));
	return [{ tokens, why: "“*” stands for itself" }];
}

/** The words of a phrase. */
function phraseTokens(token: Token): readonly Meaning[] {
	const { field, value, quoted, not } = token;
	const words = value.split(/\s+/).filter((word) => word !== "");
	if (field !== "" || !quoted || not || words.length < 2) return [];
	return meaningsOf(words, "the words, not the phrase");
}

/** Some words, and then any of them. */
function meaningsOf(words: readonly string[], why: string): readonly Meaning[] {
	// In quotes, "or" is one of the words.
	const tokens = words.map((value): Token => ({ ...OR, value, quoted: isOr({ ...OR, value }) }));
	const joined = tokens.flatMap((token, at) => (at === 0 ? [token] : [OR, token]));
	return words.length < 2
		? [{ tokens, why }]
		: [
				{ tokens, why },
				{ tokens: joined, why: "any of its words" },
			];
}

const OR: Token = { field: "", value: "or", quoted: false, not: false };

/** The file of a path, and the words in a piece of code or whatever else has signs between them. */
function wordsIn(token: Token): readonly Meaning[] {
	const { value } = token;
	if (!isWord(token) || value.includes("*") || isOr(token)) return [];
	const [, name = ""] = /[/\\]([^/\\]{3,})$/.exec(value) ?? [];
	const words = value.split(/[^\p{L}\p{N}\p{M}_-]+/u).filter((word) => word.length > 1);
	const file: Meaning = { tokens: [{ ...token, field: "file", value: name }], why: "the name of the file" };
	const isSame = words.length === 0 || words.join() === value;
	const meanings = isSame ? [] : meaningsOf(words, "the words in it");
	// Folders, and what looks like a field, are in too many sessions to be worth anything alone.
	return [...(name === "" ? [] : [file]), ...(/[/\\:]/.test(value) ? meanings.slice(0, 1) : meanings)];
}

/** Whether a part is a word alone: without a field, quotes and a `-`. */
function isWord({ field, quoted, not }: Token): boolean {
	return field === "" && !quoted && !not;
}

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

/**
 * Says of a word that looks like a field but is none that it was searched as text, with what was probably meant, or the common fields. The
 * note is useful only if nothing was found. Undefined for a query without such words.
 */
export function unknownFieldNote(text: string): string | undefined {
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
