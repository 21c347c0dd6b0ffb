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

/** Words of names, titles and projects, or of projects or agents alone. */
type Vocabulary = Map<string, KnownWord>;

interface KnownWord {
	/** Number of sessions that have it. */
	sessions: number;
	/** Number of the last of these rows. */
	lastRow: number;
}

/** Largest number of proposals. */
const MAX_PROPOSALS = 3;
/** Characters of a title that are used: as many as a list shows on a wide screen. */
export const TITLE_LENGTH = 160;
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
	const misspelled = tokens.map(misspelledOf);
	const asked = misspelled.filter((one) => one !== undefined);
	if (asked.length === 0) return [];
	const known = yield* vocabularyOf(rows, asked);
	const replaced = new Map<number, readonly string[]>();
	for (const [index, token] of tokens.entries()) {
		const vocabulary = vocabularyFor(token, known);
		const word = misspelled[index];
		const near = vocabulary && word ? yield* nearestTo(word, vocabulary) : [];
		if (near.length > 0) replaced.set(index, near);
	}
	const count = (index: number, word: string) => {
		const token = tokens[index];
		return (token && vocabularyFor(token, known)?.get(word)?.sessions) ?? 0;
	};
	// With several unknown words, combine the nearest of each; with one, try each word near it.
	const choices: ReadonlyMap<number, string>[] = [];
	for (let rank = 0; rank < (replaced.size === 1 ? MAX_PROPOSALS : Math.min(1, replaced.size)); rank++) {
		const choice = [...replaced].flatMap(([index, near]) => {
			const word = near[rank];
			return word === undefined ? [] : [[index, word] as const];
		});
		if (choice.length === replaced.size) choices.push(new Map(choice));
	}
	return choices.map((choice) => ({
		query: printTokens(tokens.map((token, index) => withValue(token, choice.get(index)))),
		words: [...choice.values()],
		sessions: Math.min(...[...choice].map(([index, word]) => count(index, word))),
	}));
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

interface Vocabularies {
	readonly words: Vocabulary;
	readonly projects: Vocabulary;
	readonly agents: Vocabulary;
}

/** The words that the value of a field may be. */
function vocabularyFor({ field }: Token, { words, projects, agents }: Vocabularies): Vocabulary | undefined {
	if (field === "project") return projects;
	if (field === "agent") return agents;
	return NAMED_FIELDS.has(field) ? words : undefined;
}

/** The words that the asked ones may be, or are a part of. Only these are counted: they are a tenth of all words. */
function* vocabularyOf(rows: Iterable<SessionNames>, asked: readonly Misspelled[]): Steps<Vocabularies> {
	const words: Vocabulary = new Map();
	const agents: Vocabulary = new Map();
	const projects: Vocabulary = new Map();
	const matters = (word: string): boolean => {
		const plain = bare(word);
		return isWord(word) && asked.some((one) => mayBeNear(one, plain) || plain.includes(one.word));
	};
	let row = 0;
	for (const { name = "", cwd, ...said } of rows) {
		if (++row % PER_STEP === 0) yield;
		const project = fold(projectName(cwd));
		for (const word of wordsIn(`${name} ${saidFirst(said).slice(0, TITLE_LENGTH)} ${project}`))
			if (matters(word)) addTo(words, word, row);
		if (!project.includes('"') && matters(project)) {
			addTo(words, project, row);
			addTo(projects, project, row);
		}
		const agent = fold(runNameOf(name)?.agent ?? "");
		if (matters(agent)) addTo(agents, agent, row);
	}
	return { words, projects, agents };
}

/** Counts a word of a row, once however often the row has it. */
function addTo(vocabulary: Vocabulary, word: string, row: number): void {
	const known = vocabulary.get(word);
	if (known === undefined) vocabulary.set(word, { sessions: 1, lastRow: row });
	else if (known.lastRow !== row) {
		known.sessions += 1;
		known.lastRow = row;
	}
}

function isWord({ length }: string): boolean {
	return length >= MIN_LENGTH && length <= MAX_LENGTH;
}

/** Letters, digits and `_` of ASCII, and everything beyond ASCII: found several times as fast as words of any language. */
const PIECE = /[a-z0-9_\u0080-\uffff]{3,}/g;
const ASCII = /^[\x00-\x7f]*$/;

function wordsIn(text: string): readonly string[] {
	const folded = fold(text);
	const pieces = folded.match(PIECE) ?? [];
	return ASCII.test(folded)
		? pieces
		: pieces.flatMap((piece) => (ASCII.test(piece) ? piece : (piece.match(/[\p{L}\p{N}_]+/gu) ?? [])));
}

/** A single word of the query, which may have been typed wrongly. */
interface Misspelled {
	/** Without accents. */
	readonly word: string;
	/** Edits that may have been made. */
	readonly most: number;
	readonly letters: number;
}

/** Undefined for what cannot be corrected. */
function misspelledOf({ value, not }: Token): Misspelled | undefined {
	const word = bare(fold(value));
	if (not || !isWord(word) || /\s/.test(word)) return undefined;
	return { word, most: word.length > 4 ? 2 : 1, letters: letterSet(word) };
}

/** False for words, without accents, that are more edits away: a small part of the time of counting these. */
function mayBeNear({ word, most, letters }: Misspelled, plain: string): boolean {
	return Math.abs(plain.length - word.length) <= most && mayBeWithin(most, letters, letterSet(plain));
}

/** The words nearest to a typed one, those in most sessions first; empty if it is known. */
function* nearestTo(asked: Misspelled, vocabulary: Vocabulary): Steps<readonly string[]> {
	const { word, most } = asked;
	const near: { readonly word: string; readonly distance: number; readonly sessions: number }[] = [];
	let step = 0;
	for (const [known, { sessions }] of vocabulary) {
		if (++step % PER_STEP === 0) yield;
		const plain = bare(known);
		if (plain.includes(word)) return [];
		if (!mayBeNear(asked, plain)) continue;
		const distance = editDistance(word, plain);
		if (distance <= most) near.push({ word: known, distance, sessions });
	}
	near.sort((a, b) => a.distance - b.distance || b.sessions - a.sessions || (a.word < b.word ? -1 : 1));
	return near.slice(0, MAX_PROPOSALS).map((one) => one.word);
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
