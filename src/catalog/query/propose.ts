import { nearest } from "../../shared/nearest.ts";
import { runNameOf } from "../families/run-name.ts";
import { type SessionNames, usedMs } from "../model/row.ts";
import { projectName } from "./conditions.ts";
import { DATE_WORDS, periodOf } from "./dates.ts";
import { FIELDS, fieldsBeginning } from "./fields.ts";
import { fold } from "./fold.ts";
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

/**
 * Suggests a field for a part of the query that looks like a field but is not one: "roel: is not a field; did you mean role:?"
 * Such a word is searched as text, so the note is useful only if nothing was found. Undefined for a query without such words.
 */
export function unknownFieldNote(text: string): string | undefined {
	for (const { field, value, quoted } of tokenize(text)) {
		// Not `http://`, `std::x` or the drive in `C:\x`.
		const name =
			field === "" && !quoted
				? /^([a-zA-Z](?=:.)|[a-zA-Z_-]{2,}):(?![/\\:])/.exec(value)?.[1]?.toLowerCase()
				: undefined;
		if (name === undefined) continue;
		const other = OTHER_NAMES.get(name) ?? begunFields(name) ?? nearField(name);
		if (other !== undefined) return `${name}: is not a field and was searched as text; did you mean ${other}?`;
	}
	return undefined;
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
