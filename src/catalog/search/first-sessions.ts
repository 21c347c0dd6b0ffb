import { ALL_KINDS } from "../query/fields.ts";
import { KIND_STEP, KINDS } from "../query/kinds.ts";
import type { Query, Term } from "../query/parse-query.ts";
import { batchesOf } from "./batches.ts";
import { sessionRank } from "./form-ranks.ts";
import { grep, type RawLine, type RawMatch } from "./grep.ts";
import { isSaid, provesTerm, rankInSaid } from "./match-line.ts";
import { objectIn } from "./parse-object.ts";
import { accentPatterns, likelyPattern, personPattern, type RawPattern } from "./raw-pattern.ts";
import type { SearchFile } from "./search.ts";
import { FileSearch, type SearchFilesOptions } from "./search-files.ts";
import { SessionLines } from "./session-lines.ts";

/*
 * A search of which only the first results are wanted, for a word that is in many sessions: the sessions are counted by one line of
 * each that has the word, and ordered by what a person said, which is the best that can be found. Only those that can be among the
 * first are then searched as others are.
 */

/** The term of a query that consists of one word in any kind of text; undefined for other queries. */
export function onlyWord({ terms, without }: Query): Term | undefined {
	const [term] = terms;
	if (term === undefined || terms.length > 1 || without.length > 0) return undefined;
	const { needle, kinds, tool, forms } = term;
	return needle !== undefined && kinds === ALL_KINDS && tool === undefined && forms === undefined ? term : undefined;
}

/** What one line of each file says about a word. */
export interface Sightings {
	/** Sessions that have the word. */
	readonly found: readonly SearchFile[];
	/** Sessions that may have it. All others do not. */
	readonly unsure: readonly SearchFile[];
}

/**
 * Looks for one line of each file that shows that its session has the word. `onFound` is called for each such session. Rejects with a
 * `RipgrepError`, or the signal's reason.
 */
export async function sightWord(
	term: Term,
	files: readonly SearchFile[],
	{ onFound, ...options }: SearchFilesOptions & { readonly onFound: () => void },
): Promise<Sightings> {
	const { pattern, isComplete } = likelyPattern(term);
	const [proven, matched] = [new Set<string>(), new Set<string>()];
	for await (const { path, lines } of grepAll(pattern, files, { ...options, limit: 1, wholeBytes: LINE_BYTES })) {
		matched.add(path);
		if (lines.some((line) => isProof(line, term))) {
			proven.add(path);
			onFound();
		}
		const { timeSlice } = options;
		if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
	}
	const { found = [], others = [] } = Object.groupBy(files, ({ path }) => (proven.has(path) ? "found" : "others"));
	if (!isComplete) return { found, unsure: others };
	const silent = accentPatterns(term).length === 0 ? [] : others.filter(({ path }) => !matched.has(path));
	const accented = await options.census.accented(term, silent, options);
	return { found, unsure: others.filter((file) => matched.has(file.path) || accented.has(file)) };
}

/** The files whose sessions have the query, without looking for the best matches. Rejects as `FileSearch.search` does. */
export async function sessionsWith(
	query: Query,
	files: readonly SearchFile[],
	options: SearchFilesOptions,
): Promise<readonly SearchFile[]> {
	const paths = new Set<string>();
	const onMatch = ({ file }: { readonly file: SearchFile }) => paths.add(file.path);
	const search = new FileSearch(query, { ...options, thorough: false, beside: false, defer: false, onMatch });
	for (const batch of batchesOf(files, false)) await search.search(batch);
	return files.filter(({ path }) => paths.has(path));
}

/** A session in which a person may have said the word. */
interface Candidate {
	readonly file: SearchFile;
	/** The best rank of a match of the word, unless it is in the title. */
	readonly rank: number;
	/** The first line with the word, which may be the title, and its rank then. */
	readonly first: { readonly offset: number; readonly rank: number } | undefined;
}

/** A candidate with the least sort key that it may have. */
interface Bounded {
	readonly candidate: Candidate;
	readonly key: number;
	/** Whether nothing more can be found out but by searching the session. */
	readonly isFinal: boolean;
}

/** What is known of a session's age, which is part of its sort key. */
export interface Ages {
	/** Sort key of a session of this rank, and this time of modification in Unix ms. */
	keyOf(session: { readonly rank: number; readonly modified: number }): number;
	/** Time of modification in Unix ms; undefined if the file must be read for it. */
	knownModified(file: SearchFile): number | undefined;
	/** The same; reads the file if necessary. */
	modified(file: SearchFile): number;
}

/** Sessions that have a word, those first that can be among the best. */
export class BestFirst {
	readonly #ages: Ages;
	/** In ascending order of the keys. */
	readonly #open: Bounded[] = [];
	/** Sessions in which the person did not say the word. */
	readonly #others: SearchFile[];

	private constructor(candidates: readonly Candidate[], others: readonly SearchFile[], ages: Ages) {
		this.#ages = ages;
		this.#others = [...others];
		for (const candidate of candidates) {
			const rank = Math.min(candidate.rank, candidate.first?.rank ?? candidate.rank);
			const modified = ages.knownModified(candidate.file);
			this.#open.push({ candidate, key: this.#keyOf(rank, modified), isFinal: false });
		}
		this.#open.sort((a, b) => a.key - b.key);
	}

	/** Looks for what a person said in sessions that have the word. Rejects with a `RipgrepError`, or the signal's reason. */
	static async of(
		term: Term,
		files: readonly SearchFile[],
		options: SearchFilesOptions,
		ages: Ages,
	): Promise<BestFirst> {
		const byPath = new Map(files.map((file) => [file.path, file]));
		const candidates: Candidate[] = [];
		const pattern = personPattern(term);
		const limits = { limit: MOST_LINES, wholeBytes: SAID_BYTES };
		for await (const { path, lines } of grepAll(pattern, files, { ...options, ...limits })) {
			const file = byPath.get(path);
			const candidate = file && candidateOf(file, lines, term);
			if (candidate === undefined) continue;
			candidates.push(candidate);
			byPath.delete(path);
			const { timeSlice } = options;
			if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
		}
		return new BestFirst(candidates, [...byPath.values()], ages);
	}

	/**
	 * The next sessions to search, at most so many, if one of them may have a sort key up to `worst`; all others once there is none
	 * left in which a person said the word.
	 */
	next(count: number, worst: number): readonly SearchFile[] {
		const files: SearchFile[] = [];
		while (files.length < count) {
			const [best] = this.#open;
			if (best === undefined || best.key > worst) break;
			this.#open.shift();
			if (best.isFinal) files.push(best.candidate.file);
			else this.#insert(this.#refined(best.candidate));
		}
		if (files.length > 0 || this.#open.length > 0) return files;
		return this.#keyOf(NOT_SAID_RANK, undefined) > worst ? [] : this.#others.splice(0);
	}

	/** Finds out whether the word is in the title, and how old the session is. */
	#refined(candidate: Candidate): Bounded {
		const { file, first } = candidate;
		const rank =
			first !== undefined && isTitle(file, first.offset) ? Math.min(first.rank, candidate.rank) : candidate.rank;
		return {
			candidate,
			key: this.#keyOf(rank, this.#ages.knownModified(file) ?? this.#ages.modified(file)),
			isFinal: true,
		};
	}

	/** A session of unknown age may be the newest. */
	#keyOf(rank: number, modified = Number.POSITIVE_INFINITY): number {
		return this.#ages.keyOf({ rank: sessionRank({ ranks: [rank], isTogether: true }), modified });
	}

	#insert(one: Bounded): void {
		let [from, to] = [0, this.#open.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			if ((this.#open[middle]?.key ?? 0) < one.key) from = middle + 1;
			else to = middle;
		}
		this.#open.splice(from, 0, one);
	}
}

/** Longer lines are not printed, but their sessions searched. */
const LINE_BYTES = 32_000;
/** The same for what a person said. */
const SAID_BYTES = 4000;
/** Lines of a file that are looked at. */
const MOST_LINES = 8;
/** Rank of a match in the title, and in another message of the person, as a whole word. */
const [TITLE_RANK, SAID_RANK] = [KINDS.title.rank * KIND_STEP, KINDS.user.rank * KIND_STEP];
/** The best rank of a match in what else there is. */
const NOT_SAID_RANK = KIND_STEP;

async function* grepAll(
	pattern: RawPattern,
	files: readonly SearchFile[],
	options: SearchFilesOptions & { readonly limit: number; readonly wholeBytes: number },
): AsyncGenerator<RawMatch> {
	for (const batch of batchesOf(files, false))
		yield* grep(options.ripgrep, { ...options, patterns: [pattern], paths: batch.map(({ path }) => path) });
}

/** A line that is longer than asked for proves nothing. */
function isProof({ text = "", offset }: RawLine, term: Term): boolean {
	const entry = objectIn(text, offset);
	return entry !== undefined && provesTerm(entry, term);
}

/** What the lines say in which a person may have said the word, in file order; undefined if none does. */
function candidateOf(file: SearchFile, lines: readonly RawLine[], term: Term): Candidate | undefined {
	let rank = Number.POSITIVE_INFINITY;
	let first: Candidate["first"];
	for (const line of lines) {
		const entry = objectIn(line.text ?? "", line.offset);
		// What cannot be judged may be anything.
		if (entry === undefined) return { file, rank: TITLE_RANK, first: undefined };
		const found = rankInSaid(entry, term);
		if (found === undefined) continue;
		first ??= { offset: line.offset, rank: found - SAID_RANK + TITLE_RANK };
		rank = Math.min(rank, found);
	}
	// Behind the last of these lines it may be a whole word.
	if (lines.length === MOST_LINES) rank = Math.min(rank, SAID_RANK);
	return rank === Number.POSITIVE_INFINITY ? undefined : { file, rank, first };
}

/** Whether the line at `offset` is the title of the session. */
function isTitle({ path }: SearchFile, offset: number): boolean {
	const lines = new SessionLines(path);
	try {
		return lines.isTitle(offset, isSaid);
	} finally {
		lines.close();
	}
}
