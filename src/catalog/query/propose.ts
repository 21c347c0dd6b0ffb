import { editDistance, letterSet, mayBeWithin, nearest } from "../../shared/nearest.ts";
import type { Steps } from "../../shared/steps.ts";
import { runNameOf } from "../families/run-name.ts";
import { type SessionNames, saidFirst, usedMs } from "../model/row.ts";
import { projectName } from "./conditions.ts";
import { DATE_WORDS, periodOf } from "./dates.ts";
import { FIELDS, fieldsBeginning } from "./fields.ts";
import { bare, fold } from "./fold.ts";
import { printTokens, type Token, tokenize } from "./tokens.ts";

/** A query that may have been meant. */
export interface Proposal {
	readonly query: string;
	/** The corrected words. */
	readonly words: readonly string[];
	/** Number of sessions that have the rarest of these words in their name, title or project, or that are of this date. */
	readonly sessions: number;
	/** Whether a word was taken for a date. */
	readonly isDate?: true;
}

/** Largest number of proposals. */
const MAX_PROPOSALS = 3;
/** Characters of a title that are used: as many as a list shows on a wide screen. */
const TITLE_LENGTH = 160;
/** Rows or words between two checks of the clock. */
const PER_STEP = 32;
/** Longer strings are not words. */
const MAX_LENGTH = 40;
const MIN_LENGTH = 3;

/** Fields whose values occur in names and titles. */
const NAMED_FIELDS: ReadonlySet<string> = new Set(["", "name", "title"]);

/**
 * Takes words such as `monday` for dates (`now`: Unix ms), if there are sessions of that date; else corrects words that occur in no session's name, title or project by the nearest words that do; the nearest proposals first,
 * none if each word occurs. In steps: with thousands of sessions it takes longer than a key may.
 */
export function* proposeQueries(text: string, rows: Iterable<SessionNames>, now: number): Steps<readonly Proposal[]> {
	const tokens = [...tokenize(text.trim())];
	const dated = yield* proposeDate(tokens, rows, now);
	if (dated !== undefined) return [dated];
	const sessions = [...rows];
	const replaced = new Map<number, readonly NearWord[]>();
	for (const [index, token] of tokens.entries()) {
		const near = yield* nearestTo(token, sessions);
		if (near.length > 0) replaced.set(index, near);
	}
	// With several unknown words, combine the nearest of each; with one, try each word near it.
	const choices = Array.from({ length: replaced.size === 1 ? MAX_PROPOSALS : Math.min(1, replaced.size) }, (_, rank) =>
		[...replaced].flatMap(([index, near]): (readonly [number, NearWord])[] => {
			const word = near[rank];
			return word === undefined ? [] : [[index, word]];
		}),
	).filter(({ length }) => length === replaced.size);
	return choices.map((choice) => {
		const words = new Map(choice.map(([index, { word }]) => [index, word]));
		return {
			query: printTokens(tokens.map((token, index) => withValue(token, words.get(index)))),
			words: [...words.values()],
			sessions: Math.min(...choice.map(([, near]) => near.sessions)),
		};
	});
}

/** The query with its first word that names a date as that date. */
function* proposeDate(
	tokens: readonly Token[],
	rows: Iterable<SessionNames>,
	now: number,
): Steps<Proposal | undefined> {
	const isDate = ({ field, value, quoted, not }: Token): boolean =>
		field === "" && !quoted && !not && DATE_WORDS.some((word) => word === value.toLowerCase());
	const word = tokens.find(isDate);
	const period = word && periodOf(word.value, now);
	if (word === undefined || period === undefined) return undefined;
	let sessions = 0;
	let step = 0;
	for (const row of rows) {
		if (++step % PER_STEP === 0) yield;
		const used = usedMs(row, now);
		if (used >= period.from && used < period.to) sessions += 1;
	}
	if (sessions === 0) return undefined;
	const query = printTokens(tokens.map((token) => (token === word ? { ...token, field: "on" } : token)));
	return { query, words: [`on:${word.value}`], sessions, isDate: true };
}

function withValue(token: Token, value: string | undefined): Token {
	return value === undefined ? token : { ...token, value, quoted: /\s/.test(value) };
}

/** A word that sessions have, and how many. */
interface NearWord {
	readonly word: string;
	readonly sessions: number;
}

/** The words of sessions that the value of a field may be, folded. */
function wordsOf({ field }: Token, { name = "", cwd, ...said }: SessionNames): ReadonlySet<string> {
	const project = fold(projectName(cwd));
	if (field === "project") return new Set([project]);
	if (field === "agent") return new Set([fold(runNameOf(name)?.agent ?? "")]);
	if (!NAMED_FIELDS.has(field)) return new Set();
	const text = fold(`${name} ${saidFirst(said).slice(0, TITLE_LENGTH)}`);
	return new Set([...(text.match(/[\p{L}\p{N}_]+/gu) ?? []), ...(project.includes('"') ? [] : [project])]);
}

/** The words nearest to a typed one, those in most sessions first; none if a session has it. */
function* nearestTo(token: Token, sessions: readonly SessionNames[]): Steps<readonly NearWord[]> {
	const word = bare(fold(token.value));
	if (token.not || !isWord(word) || /\s/.test(word)) return [];
	const most = word.length > 4 ? 2 : 1;
	const letters = letterSet(word);
	const counts = new Map<string, number>();
	for (const [index, session] of sessions.entries()) {
		if (index % PER_STEP === 0) yield;
		for (const known of wordsOf(token, session)) {
			const plain = bare(known);
			if (plain.includes(word)) return [];
			// A small part of the time of comparing them.
			const mayBeNear = Math.abs(plain.length - word.length) <= most && mayBeWithin(most, letters, letterSet(plain));
			if (mayBeNear && isWord(known)) counts.set(known, (counts.get(known) ?? 0) + 1);
		}
	}
	return [...counts]
		.map(([known, count]) => ({ word: known, sessions: count, distance: editDistance(word, bare(known)) }))
		.filter(({ distance }) => distance <= most)
		.sort((a, b) => a.distance - b.distance || b.sessions - a.sessions || (a.word < b.word ? -1 : 1))
		.slice(0, MAX_PROPOSALS);
}

function isWord({ length }: string): boolean {
	return length >= MIN_LENGTH && length <= MAX_LENGTH;
}

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
	const fields = [...FIELDS].filter((field) => field.length > 2);
	const near = nearest(name, fields, name.length > 4 ? 2 : 1);
	return near && `${near}:`;
}
