import type { TimeSlice } from "../../shared/steps.ts";
import { asksForFiles, bestRankOf, KIND_STEP, KINDS, LOOKED_AT_RANK, maskOf } from "../query/kinds.ts";
import { atLevel, levelsOf } from "../query/other-forms.ts";
import type { Query, Term } from "../query/parse-query.ts";
import { batchesOf } from "./batches.ts";
import { PatternError, type Ripgrep } from "./find-ripgrep.ts";
import { LEVEL_RANK, levelOfRank } from "./form-ranks.ts";
import { grepBatches, type OnUnreadable } from "./grep.ts";
import type { HiddenFiles } from "./hidden-files.ts";
import { matchLine } from "./match-line.ts";
import {
	anyLinePattern,
	changePattern,
	linePattern,
	loosePattern,
	ownPattern,
	type RawPattern,
	saidPattern,
	syntaxPatterns,
	togetherPattern,
} from "./raw-pattern.ts";
import type { LineSource, RawLine } from "./read-matches.ts";
import type { SearchFile } from "./search.ts";
import { SessionLines } from "./session-lines.ts";
import { SessionMatches } from "./session-matches.ts";

export interface SearchFilesOptions {
	readonly ripgrep: Ripgrep;
	readonly signal: AbortSignal;
	readonly timeSlice: TimeSlice;
	/** Count the hits if they are few, and distinguish titles from other messages; otherwise few lines are checked. */
	readonly thorough: boolean;
	/** Gets each session that has all terms, as soon as that is known. */
	readonly onMatch: (session: SessionMatches) => void;
	readonly onUnreadable: OnUnreadable;
	/** Remembers for later searches which files have characters that do not show. */
	readonly hiddenFiles: HiddenFiles;
	/** Called when a ripgrep has started, and when it has ended. */
	readonly onProcess?: ((pid: number, running: boolean) => void) | undefined;
}

/** Lines of a file that are checked first; nearly always enough to decide. */
const FIRST_LINES = 8;
/** More sessions than this with words in other forms keep the rank of what was found first: better matches would take seconds. */
const MANY = 200;
/** Kinds of text in what the person said, and in names, labels and summaries. */
const OWN = maskOf(["title", "user", "name", "label", "summary"]);
/** Kinds of text in what else was said. */
const ANSWERS = maskOf(["assistant", "custom"]);
/** Ranks from here on are not of what the person said. */
const NOT_SAID_RANK = KIND_STEP;
/** Ranks from here on are of thoughts and of the work of tools. */
const WORK_RANK = KINDS.thinking.rank * KIND_STEP;

/** The best rank of a match on a line; lines are checked in this order. */
const BEST_ON: Readonly<Record<LineSource, number>> = {
	person: KINDS.title.rank * KIND_STEP,
	note: KINDS.name.rank * KIND_STEP,
	answer: KINDS.assistant.rank * KIND_STEP,
	message: KINDS.assistant.rank * KIND_STEP,
	calls: KINDS.command.rank * KIND_STEP,
	output: KINDS.output.rank * KIND_STEP,
};

/** Indexes of the terms, those likely to leave the fewest files first. */
function inOrder(terms: readonly Term[]): number[] {
	const length = (index: number) => terms[index]?.needle?.length ?? 0;
	return [...terms.keys()].sort((a, b) => length(b) - length(a) || a - b);
}

/**
 * Searches files for one query: one pass for each term, over the files that are left. For a query whose words may stand in other
 * forms, each form has its own pass, over the files without a nearer one; files with all words as typed may be missed then,
 * because another search has found them.
 */
export class FileSearch {
	readonly #query: Query;
	readonly #options: SearchFilesOptions;
	/** Sessions that have all terms. */
	readonly #matched: SessionMatches[] = [];

	constructor(query: Query, options: SearchFilesOptions) {
		this.#query = query;
		this.#options = options;
	}

	/**
	 * Searches some files. Resolves when it is known for each whether it has all terms. Rejects with a
	 * `RipgrepError`, or the signal's reason.
	 */
	async search(files: readonly SearchFile[]): Promise<void> {
		const { terms, without } = this.#query;
		let left = files.map((file) => new SessionMatches(file, this.#query));
		for (const [step, term] of inOrder(terms).entries()) {
			const isLast = step === terms.length - 1 && without.length === 0;
			left = await this.#find(term, left, isLast ? this.#options.onMatch : () => undefined);
			if (left.length === 0) return;
		}
		for (const term of without) left = await this.#drop(term, left);
		if (without.length > 0) for (const session of left) this.#options.onMatch(session);
		this.#matched.push(...left);
	}

	/** Finally searches for better matches than those found first, so that their sessions rank higher. */
	async improve(): Promise<void> {
		const found = this.#matched.splice(0);
		const hasForms = this.#query.terms.some(({ forms }) => forms !== undefined);
		if (hasForms && found.length > MANY) return;
		if (this.#options.thorough) await this.#findTogether(found.filter(({ more, hasAllInOne }) => more && !hasAllInOne));
		for (const [index, term] of this.#query.terms.entries())
			for (const level of levelsOf(term)) await this.#improveAt(index, atLevel(term, level), level, found);
	}

	/** The sessions without a term, found by searching for the term. */
	async #drop(term: Term, sessions: readonly SessionMatches[]): Promise<SessionMatches[]> {
		const found = new Set<string>();
		const query = { ...this.#query, terms: [term], without: [] };
		const onMatch = ({ file }: SessionMatches) => found.add(file.path);
		const search = new FileSearch(query, { ...this.#options, thorough: false, onMatch });
		await search.search(sessions.map(({ file }) => file));
		return sessions.filter(({ file }) => !found.has(file.path));
	}

	/** Searches for better matches of a term in the same form. */
	async #improveAt(index: number, term: Term, level: number, found: readonly SessionMatches[]): Promise<void> {
		const improve = (pattern: RawPattern, kindRank: number) => {
			const rank = kindRank + level * LEVEL_RANK;
			const isWorse = (known: number) => known >= rank && levelOfRank(known) === level;
			const some = found.filter(
				(session) => session.more && !session.hasSeenAll(index, level) && isWorse(session.rankOf(index) ?? 0),
			);
			return this.#passAgain(pattern, some, this.#untilTerm(index, level, FIRST_LINES), this.#options.onMatch);
		};
		if (asksForFiles(term)) await improve(changePattern(term), LOOKED_AT_RANK);
		if ((term.kinds & OWN) !== 0) await improve(ownPattern(term), NOT_SAID_RANK);
		if ((term.kinds & ANSWERS) !== 0) await improve(saidPattern(term), WORK_RANK);
	}

	/** Searches for entries with all terms, the best ones to show. */
	async #findTogether(sessions: readonly SessionMatches[]): Promise<void> {
		const pattern = togetherPattern(this.#query.terms);
		if (!pattern) return;
		const hasAll = ({ hasAllInOne }: SessionMatches) => hasAllInOne;
		const until: Until = { limit: FIRST_LINES, isFound: hasAll, isEnough: hasAll };
		await this.#passAgain(pattern, sessions, until, () => undefined);
	}

	/** One more run over sessions that were found. If ripgrep cannot use the pattern, they keep what was found. */
	async #passAgain(
		pattern: RawPattern,
		sessions: readonly SessionMatches[],
		until: Until,
		onMatch: (session: SessionMatches) => void,
	): Promise<void> {
		const byPath = new Map(sessions.map((session) => [session.file.path, session]));
		const files = sessions.map(({ file }) => file);
		// They are found already, so nobody waits for the first of them.
		for (const batch of batchesOf(files, false)) {
			const some = batch.map(({ path }) => byPath.get(path)).filter((session) => session !== undefined);
			try {
				await this.#pass(pattern, some, until, onMatch);
			} catch (error) {
				if (!(error instanceof PatternError)) throw error;
			}
		}
	}

	/** The sessions that have the term; `onMatch` gets each of them, possibly more than once. */
	async #find(
		index: number,
		sessions: readonly SessionMatches[],
		onMatch: (session: SessionMatches) => void,
	): Promise<SessionMatches[]> {
		const term = this.#query.terms[index];
		if (!term) return [];
		// A line checked for another term may already have decided.
		for (const session of sessions) if (session.has(index)) onMatch(session);
		for (const level of levelsOf(term)) {
			const part = atLevel(term, level);
			const some = term.forms === undefined ? sessions : sessions.filter((session) => mayHave(session, index, level));
			await this.#findAs(index, level, this.#attemptsFor(part), some, onMatch);
			await this.#findHidden(index, level, part, some, onMatch);
		}
		const found = sessions.filter((session) => session.has(index));
		// A line that was checked for a nearer form may have decided, as above.
		if (term.forms !== undefined) for (const session of found) onMatch(session);
		return found;
	}

	/** Finds a term in the few files in which it may have characters that do not show. */
	async #findHidden(
		index: number,
		level: number,
		term: Term,
		sessions: readonly SessionMatches[],
		onMatch: (session: SessionMatches) => void,
	): Promise<void> {
		const { thorough, hiddenFiles } = this.#options;
		const pattern = loosePattern(term);
		const open = sessions.filter((session) => thorough || !session.hasAt(index, level));
		if (pattern === undefined || open.length === 0) return;
		const files = open.map(({ file }) => file);
		const hidden = await hiddenFiles.among(files, this.#options);
		const left = open.filter(({ file }) => hidden.has(file));
		await this.#findAs(index, level, [[pattern], [anyLinePattern(term)]], left, onMatch, thorough);
	}

	/**
	 * Tries alternative patterns in turn, the next one if ripgrep gives up on one. `again`: also in sessions in which the term was found.
	 */
	async #findAs(
		index: number,
		level: number,
		attempts: readonly (readonly RawPattern[])[],
		sessions: readonly SessionMatches[],
		onMatch: (session: SessionMatches) => void,
		again = false,
	): Promise<void> {
		for (const [tries, patterns] of attempts.entries()) {
			try {
				for (const pattern of patterns) {
					const open = sessions.filter((session) => again || !session.hasAt(index, level));
					// If the first pattern finds something, the second is not tried, so more may be left.
					if (patterns.length > 1) for (const session of open) session.more = true;
					const unsure = await this.#pass(pattern, open, this.#untilTerm(index, level, FIRST_LINES), onMatch);
					await this.#pass(pattern, unsure, this.#untilTerm(index, level, undefined), onMatch);
				}
				break;
			} catch (error) {
				if (!(error instanceof PatternError) || tries === attempts.length - 1) throw error;
				// ripgrep gave up somewhere: the next pattern matches more lines, and the count may be incomplete.
				for (const session of sessions) {
					session.more = true;
					session.markSeen(index, undefined);
				}
			}
		}
	}

	#attemptsFor(term: Term): readonly (readonly RawPattern[])[] {
		const { pcre2 } = this.#options.ripgrep;
		const forms = term.forms?.map((form) => linePattern({ ...term, forms: [form] }));
		const syntax = pcre2 && forms === undefined ? syntaxPatterns(term) : undefined;
		return [forms ?? syntax ?? [linePattern(term)], [linePattern(term)], [anyLinePattern(term)]];
	}

	/** One run of ripgrep; returns the sessions in which no line up to the limit counts, but others are left. */
	async #pass(
		pattern: RawPattern,
		sessions: readonly SessionMatches[],
		until: Until,
		onMatch: (session: SessionMatches) => void,
	): Promise<SessionMatches[]> {
		const { ripgrep, signal, onUnreadable, onProcess } = this.#options;
		const unsure: SessionMatches[] = [];
		if (sessions.length === 0) return unsure;
		const byPath = new Map(sessions.map((session) => [session.file.path, session]));
		const { limit } = until;
		const paths = [...byPath.keys()];
		const options = { patterns: [pattern], limit, isNumbered: true, paths, signal, onUnreadable, onProcess };
		for await (const matches of grepBatches(ripgrep, options)) {
			for (const { path, lines } of matches) {
				const session = byPath.get(path);
				if (!session) continue;
				const checked = await this.#check(session, lines, until);
				const isAll = checked === lines.length && lines.length !== limit;
				session.more ||= !isAll || !this.#options.thorough;
				if (lines.length !== limit && lines.every(({ source }) => source !== "message")) until.onAll?.(session);
				if (until.isFound(session)) onMatch(session);
				else if (!isAll) unsure.push(session);
			}
		}
		return unsure;
	}

	/**
	 * Until a term was found, in the form of this level or a nearer one, in as good a kind of text as the next line can have, or
	 * only tool output is left.
	 */
	#untilTerm(index: number, level: number, limit: number | undefined): Until {
		const best = bestRankOf(this.#query.terms[index]?.kinds ?? 0);
		return {
			limit,
			isFound: (session) => session.hasAt(index, level),
			onAll: (session) => session.markSeen(index, level),
			isEnough: (session, { source }) => {
				const rank = session.rankOf(index);
				if (rank === undefined || levelOfRank(rank) > level) return false;
				return source === "output" || rank < Math.max(best, BEST_ON[source]) + KIND_STEP + level * LEVEL_RANK;
			},
		};
	}

	/** Checks lines until the outcome is clear; returns how many were checked. */
	async #check(session: SessionMatches, lines: readonly RawLine[], { limit, isEnough }: Until): Promise<number> {
		const { timeSlice, thorough } = this.#options;
		const file = new SessionLines(session.file.path);
		let checked = 0;
		try {
			for (const line of bestFirst(lines)) {
				// If these are all the lines, all are checked for the count.
				if (isEnough(session, line) && !(thorough && lines.length !== limit)) break;
				checked += 1;
				for (const match of matchLine(file, line, this.#query, thorough)) session.add(match);
				if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
			}
		} finally {
			file.close();
		}
		return checked;
	}
}

/** When a pass may stop. */
interface Until {
	/** Largest number of lines per file; undefined for all. */
	readonly limit: number | undefined;
	/** Whether a session has what the pass searches for. */
	readonly isFound: (session: SessionMatches) => boolean;
	/** Whether this line and the following need not be checked. */
	readonly isEnough: (session: SessionMatches, line: RawLine) => boolean;
	/** Called for a session of which ripgrep has printed all lines, if it is known of each what it can have. */
	readonly onAll?: (session: SessionMatches) => void;
}

/**
 * Whether a session may have a word in the form of this level and in no nearer one. It was found before if it has all words as
 * typed.
 */
function mayHave(session: SessionMatches, index: number, level: number): boolean {
	return level === 0 ? !session.hasOthersTyped(index) : !session.hasTyped(index) && !session.hasAt(index, level - 1);
}

/** The lines on which the best matches can be first. Tool output is last: it is long, and ranks low. */
function bestFirst(lines: readonly RawLine[]): readonly RawLine[] {
	return lines.toSorted((a, b) => BEST_ON[a.source] - BEST_ON[b.source]);
}
