import type { TimeSlice } from "../../shared/steps.ts";
import { asksForFiles, bestRankOf, KIND_STEP, KINDS, LOOKED_AT_RANK, maskOf } from "../query/kinds.ts";
import { atLevel, levelsOf } from "../query/other-forms.ts";
import type { Query, Term } from "../query/parse-query.ts";
import type { AccentCensus } from "./accent-census.ts";
import { batchesOf } from "./batches.ts";
import { PatternError, type Ripgrep } from "./find-ripgrep.ts";
import { LEVEL_RANK, levelOfRank } from "./form-ranks.ts";
import { type GrepPass, grepBatches, type OnUnreadable, type StartedGrep, startGrep } from "./grep.ts";
import type { GrepAhead } from "./grep-ahead.ts";
import { matchLine } from "./match-line.ts";
import {
	accentPatterns,
	anyLinePattern,
	changePattern,
	hiddenPattern,
	linePattern,
	mayHaveAccents,
	ownPattern,
	type RawPattern,
	saidPattern,
	syntaxPatterns,
	togetherPattern,
} from "./raw-pattern.ts";
import type { LineSource, RawLine, RawMatch } from "./read-matches.ts";
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
	/** Remembers which files have no accents, for later searches. */
	readonly census: AccentCensus;
	/** A ripgrep that may be at the first pass already (`firstPass`). */
	readonly ahead?: GrepAhead | undefined;
	/** Files that can have the only word of the query with accents, but do not have it as typed. @default nothing is known */
	readonly notTyped?: ReadonlySet<SearchFile> | undefined;
	/** Run ripgrep for the word with other letters beside the one for the word as typed. @default after it */
	readonly beside?: boolean;
	/**
	 * Leave lines unchecked that only a result that is shown needs, for `complete`: for a query of one term, whose sessions are found
	 * without them. @default all are checked
	 */
	readonly defer?: boolean;
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

/** A ripgrep that looks for a word with accents. */
interface AccentedGrep {
	readonly pattern: RawPattern;
	readonly sessions: readonly SessionMatches[];
	readonly started: StartedGrep;
}

/** Lines of which the beginning says which kinds of text they have, in pi's own key order. */
const DEFERRED: ReadonlySet<LineSource> = new Set<LineSource>(["answer", "output"]);

/** Indexes of the terms, those likely to leave the fewest files first. */
function inOrder(terms: readonly Term[]): number[] {
	const length = (index: number) => terms[index]?.needle?.length ?? 0;
	return [...terms.keys()].sort((a, b) => length(b) - length(a) || a - b);
}

/** The first pass of a search for a query whose words stand as typed, unless it depends on what ripgrep can do. */
export function firstPass({ terms }: Query): GrepPass | undefined {
	const [first] = inOrder(terms);
	const term = first === undefined ? undefined : terms[first];
	if (term === undefined || syntaxPatterns(term) !== undefined) return undefined;
	return { patterns: [linePattern(term)], limit: FIRST_LINES, isNumbered: true };
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

	/** The sessions without a term, found by searching for the term. */
	async #drop(term: Term, sessions: readonly SessionMatches[]): Promise<SessionMatches[]> {
		const found = new Set<string>();
		const query = { ...this.#query, terms: [term], without: [] };
		const onMatch = ({ file }: SessionMatches) => found.add(file.path);
		const search = new FileSearch(query, { ...this.#options, thorough: false, onMatch });
		await search.search(sessions.map(({ file }) => file));
		return sessions.filter(({ file }) => !found.has(file.path));
	}

	/** Checks the lines of a session that were left for later. */
	async complete(session: SessionMatches): Promise<void> {
		const lines = session.takeDeferred();
		if (lines.length > 0)
			await this.#check(session, lines, { limit: undefined, isFound: () => true, isEnough: () => false }, false);
	}

	/**
	 * Finally searches for better matches than those found first, so that their sessions rank higher. `limit`: of a query of one term,
	 * only so many of the best sessions are needed.
	 */
	async improve(limit = Number.POSITIVE_INFINITY): Promise<void> {
		const found = this.#matched.splice(0);
		const hasForms = this.#query.terms.some(({ forms }) => forms !== undefined);
		if (hasForms && found.length > MANY) return;
		if (this.#options.thorough) await this.#findTogether(found.filter(({ more, hasAllInOne }) => more && !hasAllInOne));
		for (const [index, term] of this.#query.terms.entries())
			for (const level of levelsOf(term)) await this.#improveAt(index, atLevel(term, level), level, found, limit);
	}

	/** Searches for better matches of a term in the same form. */
	async #improveAt(
		index: number,
		term: Term,
		level: number,
		found: readonly SessionMatches[],
		limit: number,
	): Promise<void> {
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
		// What a person said comes before any answer, however old it is, and on whatever branch.
		const said = found.filter((session) => (session.rankOf(index) ?? KIND_STEP) < KIND_STEP).length;
		if (said >= limit && this.#mayDefer) return;
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
			const patterns = [this.#patternsOf(part), [linePattern(part)], [anyLinePattern(part)]];
			const some = term.forms === undefined ? sessions : sessions.filter((session) => mayHave(session, index, level));
			const accented = level === 0 ? this.#startAccented(part, some) : undefined;
			// If the search for the plain form fails, that is the error to report.
			accented?.catch(() => undefined);
			try {
				await this.#findAs(index, level, patterns, level === 0 ? this.#mayBeTyped(some) : some, onMatch);
				if (level === 0) await this.#findAccented(index, part, some, onMatch, await accented);
				await this.#findHidden(index, level, part, some, onMatch);
			} finally {
				const running = await accented?.catch(() => undefined);
				for (const { started } of running ?? []) await started.stop();
			}
		}
		const found = sessions.filter((session) => session.has(index));
		// A line that was checked for a nearer form may have decided, as above.
		if (term.forms !== undefined) for (const session of found) onMatch(session);
		return found;
	}

	/** The sessions that may have a word as typed. */
	#mayBeTyped(sessions: readonly SessionMatches[]): readonly SessionMatches[] {
		const { notTyped } = this.#options;
		return notTyped === undefined ? sessions : sessions.filter(({ file }) => !notTyped.has(file));
	}

	/** Starts to find forms with accents, if that is to be done beside the plain form; the census may take a while. */
	async #startAccented(term: Term, sessions: readonly SessionMatches[]): Promise<readonly AccentedGrep[] | undefined> {
		const { thorough, beside = false, ripgrep, signal, onUnreadable, onProcess } = this.#options;
		// Otherwise only those sessions are searched in which the plain form is not found.
		if (!thorough || !beside) return undefined;
		// The plain form first: ripgrep runs while the patterns are made.
		await Promise.resolve();
		const open = await this.#accented(term, sessions);
		if (open.length === 0) return [];
		const paths = open.map(({ file }) => file.path);
		return accentPatterns(term).map((pattern) => {
			const pass = { patterns: [pattern], limit: FIRST_LINES, isNumbered: true };
			const options = { ...pass, paths, signal, onUnreadable, onProcess };
			return { pattern, sessions: open, started: startGrep(ripgrep, options) };
		});
	}

	/** The sessions in which a form with accents may be found. */
	async #accented(term: Term, sessions: readonly SessionMatches[]): Promise<readonly SessionMatches[]> {
		if (sessions.length === 0 || !mayHaveAccents(term)) return [];
		const files = sessions.map(({ file }) => file);
		const accented = await this.#options.census.accented(term, files, this.#options);
		return sessions.filter(({ file }) => accented.has(file));
	}

	/** Finds forms with accents that were not typed: only if the plain form was not found, or for an exact count. */
	async #findAccented(
		index: number,
		term: Term,
		sessions: readonly SessionMatches[],
		onMatch: (session: SessionMatches) => void,
		started: readonly AccentedGrep[] | undefined,
	): Promise<void> {
		const { thorough } = this.#options;
		const anyLine = [anyLinePattern(term)];
		if (started !== undefined) {
			for (const { pattern, sessions: some, started: running } of started)
				await this.#findAs(index, 0, [[pattern], anyLine], some, onMatch, running);
			return;
		}
		const open = sessions.filter((session) => thorough || !session.hasAt(index, 0));
		const left = await this.#accented(term, open);
		for (const pattern of left.length === 0 ? [] : accentPatterns(term))
			await this.#findAs(index, 0, [[pattern], anyLine], left, onMatch, thorough);
	}

	/** Finds a term with characters in it that do not show: as `#findAccented`, and in the few files that have some. */
	async #findHidden(
		index: number,
		level: number,
		term: Term,
		sessions: readonly SessionMatches[],
		onMatch: (session: SessionMatches) => void,
	): Promise<void> {
		const { thorough, census } = this.#options;
		const pattern = hiddenPattern(term);
		const open = sessions.filter((session) => thorough || !session.hasAt(index, level));
		if (pattern === undefined || open.length === 0) return;
		const files = open.map(({ file }) => file);
		const hidden = await census.hidden.among(files, this.#options);
		const left = open.filter(({ file }) => hidden.has(file));
		if (left.length > 0) await this.#findAs(index, level, [[pattern], [anyLinePattern(term)]], left, onMatch, thorough);
	}

	/** Tries alternative patterns in turn, the next one if ripgrep gives up on one. */
	async #findAs(
		index: number,
		level: number,
		attempts: readonly (readonly RawPattern[])[],
		sessions: readonly SessionMatches[],
		onMatch: (session: SessionMatches) => void,
		again: boolean | StartedGrep = false,
	): Promise<void> {
		for (const [tries, patterns] of attempts.entries()) {
			try {
				// What runs already is the first attempt.
				await this.#findWith(index, level, patterns, sessions, onMatch, tries > 0 && again !== false ? true : again);
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

	async #findWith(
		index: number,
		level: number,
		patterns: readonly RawPattern[],
		sessions: readonly SessionMatches[],
		onMatch: (session: SessionMatches) => void,
		again: boolean | StartedGrep,
	): Promise<void> {
		for (const pattern of patterns) {
			const open = sessions.filter((session) => again !== false || !session.hasAt(index, level));
			// If the first pattern finds something, the second is not tried, so more may be left.
			if (patterns.length > 1) for (const session of open) session.more = true;
			const started = typeof again === "object" ? again.matches : undefined;
			const unsure = await this.#pass(pattern, open, this.#untilTerm(index, level, FIRST_LINES), onMatch, started);
			await this.#pass(pattern, unsure, this.#untilTerm(index, level, undefined), onMatch);
		}
	}

	#patternsOf(term: Term): readonly RawPattern[] {
		if (term.forms !== undefined) return term.forms.map((form) => linePattern({ ...term, forms: [form] }));
		const syntax = this.#options.ripgrep.pcre2 ? syntaxPatterns(term) : undefined;
		return syntax ?? [linePattern(term)];
	}

	/**
	 * One run of ripgrep, or what one that runs already finds; returns the sessions in which no line up to the limit counts, but
	 * others are left.
	 */
	async #pass(
		pattern: RawPattern,
		sessions: readonly SessionMatches[],
		until: Until,
		onMatch: (session: SessionMatches) => void,
		started?: AsyncIterable<readonly RawMatch[]>,
	): Promise<SessionMatches[]> {
		const { ripgrep, signal, onUnreadable, onProcess, ahead } = this.#options;
		const unsure: SessionMatches[] = [];
		if (sessions.length === 0) return unsure;
		const byPath = new Map(sessions.map((session) => [session.file.path, session]));
		const paths = [...byPath.keys()];
		const { limit } = until;
		const pass = { patterns: [pattern], limit, isNumbered: true };
		const options = { ...pass, paths, signal, onUnreadable, onProcess, ahead };
		for await (const matches of started ?? grepBatches(ripgrep, options)) {
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

	get #mayDefer(): boolean {
		const { terms, without } = this.#query;
		const isOne = terms.length === 1 && without.length === 0 && terms[0]?.forms === undefined;
		return this.#options.defer === true && isOne;
	}

	/** Checks lines until the outcome is clear; returns how many were checked. */
	async #check(
		session: SessionMatches,
		lines: readonly RawLine[],
		{ limit, isEnough }: Until,
		defer = this.#mayDefer,
	): Promise<number> {
		const { timeSlice, thorough } = this.#options;
		const file = new SessionLines(session.file.path);
		let checked = 0;
		try {
			for (const line of bestFirst(lines)) {
				// If these are all the lines, all are checked for the count.
				const isAll = thorough && lines.length !== limit;
				if (isEnough(session, line) && !isAll) break;
				checked += 1;
				if (defer && isAll && session.rankOf(0) !== undefined && DEFERRED.has(line.source)) {
					session.defer(line, BEST_ON[line.source]);
					continue;
				}
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
