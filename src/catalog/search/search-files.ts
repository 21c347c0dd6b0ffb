import type { TimeSlice } from "../../shared/steps.ts";
import { asksForFiles, bestRankOf, KIND_STEP, KINDS, LOOKED_AT_RANK, maskOf } from "../query/kinds.ts";
import type { Query } from "../query/parse-query.ts";
import { LEVEL_RANK, levelOfRank } from "../query/relevance.ts";
import { alternativesOf, hasForms, hasWords, type Term } from "../query/term.ts";
import { PatternError } from "./find-ripgrep.ts";
import { type GrepTools, grepBatches } from "./grep.ts";
import { matchLine } from "./match-line.ts";
import {
	anyLinePattern,
	changePattern,
	HIDDEN_LINE,
	ownPattern,
	passesOf,
	saidPattern,
	syntaxPatterns,
	togetherPattern,
} from "./raw-pattern.ts";
import type { GrepLine, LineSource } from "./read-matches.ts";
import type { SearchFile } from "./search.ts";
import { SessionLines } from "./session-lines.ts";
import { SessionMatches } from "./session-matches.ts";

export interface SearchTools extends GrepTools {
	readonly timeSlice: TimeSlice;
}

interface SearchFilesOptions extends SearchTools {
	/** Count the hits if they are few, and distinguish titles from other messages; otherwise few lines are checked. */
	readonly thorough: boolean;
	/** Gets each session that has all terms, as soon as that is known. */
	readonly onMatch: (session: SessionMatches) => void;
}

/** Lines of a file that are checked first; nearly always enough to decide. */
const FIRST_LINES = 8;
/** More sessions than this with words in other forms keep the rank of what was found first: better matches would take seconds. */
const MANY = 200;
/** Kinds of text in what the person said, and in names, labels and summaries. */
const OWN = maskOf(["title", "user", "name", "label", "summary"]);
/** Kinds of text in what else was said. */
const ANSWERS = maskOf(["assistant", "custom", "error"]);
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

/** Indexes of the terms, those likely to leave the fewest files first; what need not be there leaves all. */
function inOrder(terms: readonly Term[]): number[] {
	const lengths = terms.map((term) => {
		return term.isOptional ? -1 : Math.min(...alternativesOf(term).map(({ needle = "" }) => needle.length));
	});
	return [...terms.keys()].sort((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0) || a - b);
}

/**
 * Searches files for one query: for each term one pass, or a few, over the files that are left (`passesOf`). For a query whose words may
 * stand in other forms, files with all words as typed may be missed, because another search has found them.
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
		let candidates = files.map((file) => new SessionMatches(file, this.#query));
		// What must not be there, or need not be, is searched for last.
		const isAtEnd = without.length > 0 || terms.some(({ isOptional }) => isOptional);
		for (const [step, term] of inOrder(terms).entries()) {
			const isLast = step === terms.length - 1 && !isAtEnd;
			const some = await this.#find(term, candidates, isLast ? this.#options.onMatch : () => undefined);
			if (terms[term]?.isOptional) continue;
			candidates = some;
			if (candidates.length === 0) return;
		}
		for (const term of without) candidates = await this.#drop(term, candidates);
		if (isAtEnd) for (const session of candidates) this.#options.onMatch(session);
		this.#matched.push(...candidates);
	}

	/** Finally searches for better matches than those found first: so that their sessions rank higher, and entries with all terms are shown. */
	async improve(): Promise<void> {
		const { terms } = this.#query;
		const { thorough, onMatch } = this.#options;
		const sessions = this.#matched.splice(0);
		if (sessions.length > MANY && terms.some(hasForms)) return;
		const improve = async (pattern: string, until: PassEnd, isWorse: (session: SessionMatches) => boolean) => {
			const some = sessions.filter((session) => session.more && isWorse(session));
			try {
				await this.#pass(pattern, some, until, onMatch);
			} catch (error) {
				// If ripgrep cannot use the pattern, they keep what was found.
				if (!(error instanceof PatternError)) throw error;
			}
		};
		const together = thorough ? togetherPattern(terms) : undefined;
		const hasAll = ({ hasAllInOne }: SessionMatches) => hasAllInOne;
		if (together)
			await improve(together, { limit: FIRST_LINES, isFound: hasAll, isEnough: hasAll }, (one) => !one.hasAllInOne);
		for (const [index, term] of terms.entries()) {
			const until = this.#untilTerm(index, FIRST_LINES);
			const isFrom = (rank: number) => (session: SessionMatches) =>
				!session.hasSeenAll(index) && (session.rankOf(index) ?? 0) % LEVEL_RANK >= rank;
			if (asksForFiles(term)) await improve(changePattern(term), until, isFrom(LOOKED_AT_RANK));
			if ((term.kinds & OWN) !== 0) await improve(ownPattern(term), until, isFrom(NOT_SAID_RANK));
			if ((term.kinds & ANSWERS) !== 0) await improve(saidPattern(term), until, isFrom(WORK_RANK));
		}
	}

	/** The sessions without a term, found by searching for the term. */
	async #drop(term: Term, sessions: readonly SessionMatches[]): Promise<SessionMatches[]> {
		const paths = new Set<string>();
		const query = { ...this.#query, terms: [term], without: [] };
		const onMatch = ({ file }: SessionMatches) => paths.add(file.path);
		const search = new FileSearch(query, { ...this.#options, thorough: false, onMatch });
		await search.search(sessions.map(({ file }) => file));
		return sessions.filter(({ file }) => !paths.has(file.path));
	}

	/** The sessions that have the term; `onMatch` gets each of them, possibly more than once. */
	async #find(
		index: number,
		sessions: readonly SessionMatches[],
		onMatch: (session: SessionMatches) => void,
	): Promise<SessionMatches[]> {
		const { terms } = this.#query;
		const term = terms[index];
		if (!term) return [];
		// A line checked for another term may already have decided.
		for (const session of sessions) if (session.has(index)) onMatch(session);
		for (const pass of this.#passesFor(term)) await this.#findAs(index, pass, sessions, onMatch);
		const matches = sessions.filter((session) => session.has(index));
		// A line that was checked for a nearer form may have decided, as above.
		if (hasForms(term)) for (const session of matches) onMatch(session);
		return matches;
	}

	#passesFor(term: Term): readonly LinePass[] {
		const { pcre2 } = this.#options.ripgrep;
		const passes = alternativesOf(term)
			.flatMap((one) => {
				const syntax = pcre2 && one.forms === undefined ? syntaxPatterns(one) : undefined;
				const anyLine = [anyLinePattern(one)];
				return passesOf(one).map(({ pattern, level }): LinePass => {
					return { level, isHidden: false, attempts: syntax ? [syntax, [pattern], anyLine] : [[pattern], anyLine] };
				});
			})
			.toSorted((a, b) => a.level - b.level);
		if (!hasWords(term)) return passes;
		const typed = passes.filter(({ level }) => level === 0).length;
		return passes.toSpliced(typed, 0, { level: 0, isHidden: true, attempts: [[HIDDEN_LINE], [anyLinePattern(term)]] });
	}

	/** Tries alternative patterns in turn, the next one if ripgrep gives up on one. */
	async #findAs(
		index: number,
		{ level, isHidden, attempts }: LinePass,
		sessions: readonly SessionMatches[],
		onMatch: (session: SessionMatches) => void,
	): Promise<void> {
		const term = this.#query.terms[index];
		const isInForms = term !== undefined && hasForms(term);
		// What one of them finds, the next one may find in a better text.
		const isOneOfSome = term?.anyOf !== undefined;
		const isOpen = (session: SessionMatches): boolean => {
			if (isHidden && session.file.hidden === false) return false;
			// All hits are counted, those with characters that do not show among them.
			if (isHidden && this.#options.thorough) return true;
			if (!isInForms || session.hasAt(index, level)) return !session.hasAt(index, level);
			// A session with all words as typed was found before.
			return level === 0 && !isHidden ? !session.hasOthersTyped(index) : !session.hasTyped(index);
		};
		const onAll = isHidden || isOneOfSome ? undefined : (session: SessionMatches) => session.markSeen(index, level);
		const find = (pattern: string, some: readonly SessionMatches[], limit: number | undefined) =>
			this.#pass(pattern, some, { ...this.#untilTerm(index, limit, level), onAll }, onMatch);
		for (const [tries, patterns] of attempts.entries()) {
			try {
				for (const pattern of patterns) {
					const open = sessions.filter(isOpen);
					// What finds nothing prints nothing that would say so.
					if (!isHidden) for (const session of open) session.markSeen(index, undefined);
					// If this pattern finds something, the next one is not tried, so more may be left.
					if (patterns.length > 1 || isOneOfSome || (isInForms && level > 0))
						for (const session of open) session.more = true;
					const limit = isHidden && this.#options.thorough ? undefined : FIRST_LINES;
					await find(pattern, await find(pattern, open, limit), undefined);
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

	/** One run of ripgrep; returns the sessions in which no line up to the limit counts, but others are left. */
	async #pass(
		pattern: string,
		sessions: readonly SessionMatches[],
		until: PassEnd,
		onMatch: (session: SessionMatches) => void,
	): Promise<SessionMatches[]> {
		const unsure: SessionMatches[] = [];
		const byPath = new Map(sessions.map((session) => [session.file.path, session]));
		const { limit } = until;
		for await (const matches of grepBatches({
			...this.#options,
			patterns: [pattern],
			limit,
			paths: [...byPath.keys()],
		})) {
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
	 * Until a term was found, in as good a kind of text as the next line can have, or only tool output is left. `level`: of the nearest form
	 * that the lines may have; they are checked until it is found. @default that in which the term was found
	 */
	#untilTerm(index: number, limit: number | undefined, level = Number.POSITIVE_INFINITY): PassEnd {
		const best = bestRankOf(this.#query.terms[index]?.kinds ?? 0);
		return {
			limit,
			isFound: (session) => session.hasEntry(index),
			isEnough: (session, { source }) => {
				const rank = session.rankOf(index);
				if (rank === undefined || levelOfRank(rank) > level) return false;
				return source === "output" || rank % LEVEL_RANK < Math.max(best, BEST_ON[source]) + KIND_STEP;
			},
		};
	}

	/** Checks lines until the outcome is clear; returns how many were checked. */
	async #check(session: SessionMatches, lines: readonly GrepLine[], { limit, isEnough }: PassEnd): Promise<number> {
		const { timeSlice, thorough } = this.#options;
		const file = new SessionLines(session.file.path);
		let checked = 0;
		try {
			// The header is first, which has the project; tool output is last: it is long, and ranks low.
			const place = ({ number, source }: GrepLine): number => (number === 1 ? -1 : BEST_ON[source]);
			for (const line of lines.toSorted((a, b) => place(a) - place(b))) {
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

interface PassEnd {
	/** Largest number of lines per file; undefined for all. */
	readonly limit: number | undefined;
	/** Whether a session has what the pass searches for. */
	readonly isFound: (session: SessionMatches) => boolean;
	/** Whether this line and the following need not be checked. */
	readonly isEnough: (session: SessionMatches, line: GrepLine) => boolean;
	/** Called for a session of which ripgrep has printed all lines, if it is known of each what it can have. */
	readonly onAll?: ((session: SessionMatches) => void) | undefined;
}

interface LinePass {
	/** The level of the nearest form for which it is. */
	readonly level: number;
	/** Whether it is for lines with characters that do not show. */
	readonly isHidden: boolean;
	/** Patterns that together find all these lines; the next ones if ripgrep cannot use them. */
	readonly attempts: readonly (readonly string[])[];
}
