import { nearest } from "../../shared/nearest.ts";
import { runNameOf } from "../families/run-name.ts";
import { type SessionNames, usedMs } from "../model/row.ts";
import { projectName } from "./conditions.ts";
import { DATE_WORDS, periodOf } from "./dates.ts";
import { COMMON_FIELDS, FIELDS, fieldsBeginning, isValidValue, valuesOf } from "./fields.ts";
import { fold } from "./fold.ts";
import { meantValue } from "./parse-query.ts";
import { printTokens, type Token, tokenize } from "./tokens.ts";

/** A query that may have been meant. */
export interface Proposal {
	readonly query: string;
	/** The part that was corrected. */
	readonly part: string;
	/** Number of sessions that are of this date, project or agent. */
	readonly sessions: number;
}

/**
 * For a query that finds nothing: takes a word such as `monday` for a date (`now`: Unix ms), if there are sessions of that date; else
 * corrects the name of a project or an agent that there is not. Words that were typed wrongly are found in other forms (other-forms.ts).
 */
export function proposeQuery(text: string, rows: Iterable<SessionNames>, now: number): Proposal | undefined {
	const tokens = [...tokenize(text.trim())];
	const sessions = [...rows];
	for (const [index, token] of tokens.entries()) {
		const meant = datedToken(token, sessions, now) ?? namedToken(token, sessions);
		if (meant === undefined) continue;
		const query = printTokens(tokens.with(index, meant.token));
		return { query, part: printTokens([meant.token]), sessions: meant.sessions };
	}
	return undefined;
}

interface MeantToken {
	readonly token: Token;
	readonly sessions: number;
}

/** A word that names a date as that date, if there are sessions of it. */
function datedToken(token: Token, sessions: readonly SessionNames[], now: number): MeantToken | undefined {
	const { field, value, quoted, not } = token;
	if (field !== "" || quoted || not || !DATE_WORDS.some((word) => word === value.toLowerCase())) return undefined;
	const period = periodOf(value, now);
	if (period === undefined) return undefined;
	const isIn = (used: number): boolean => used >= period.from && used < period.to;
	const count = sessions.filter((one) => isIn(usedMs(one, now))).length;
	return count === 0 ? undefined : { token: { ...token, field: "on" }, sessions: count };
}

/** The nearest name of a project or an agent to one that there is not. */
function namedToken(token: Token, sessions: readonly SessionNames[]): MeantToken | undefined {
	const nameOf = token.not ? undefined : NAMES[token.field];
	if (nameOf === undefined) return undefined;
	const word = fold(token.value);
	const names = sessions.map((one) => fold(nameOf(one)));
	if (names.some((name) => name.includes(word))) return undefined;
	const value = nearest(word, [...new Set(names)], word.length > 4 ? 2 : 1);
	if (value === undefined) return undefined;
	return {
		token: { ...token, value, quoted: /\s/.test(value) },
		sessions: names.filter((name) => name === value).length,
	};
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
	const tokens = [...tokenize(text.trim())];
	return tokens.flatMap((token, index): UnknownField[] => {
		const { field, value: word, quoted } = token;
		// Not `http://`, `std::x` or the drive in `C:\x`.
		const [, typedName, value = ""] =
			field === "" && !quoted ? (/^([a-zA-Z](?=:.)|[a-zA-Z_-]{2,}):(?![/\\:])(.*)$/s.exec(word) ?? []) : [];
		if (typedName === undefined) return [];
		const name = typedName.toLowerCase();
		const part = meantPart(name, value);
		const printed = part && printTokens([{ ...token, ...part }]);
		const query = part && printTokens(tokens.with(index, { ...token, ...part }));
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
