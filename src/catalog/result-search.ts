import type { SessionRow } from "./model/row.ts";
import { ENOUGH, withOtherForms } from "./query/other-forms.ts";
import type { Query, Term } from "./query/parse-query.ts";
import { plainWordOf } from "./query/said-words.ts";
import type { SessionFile } from "./scan/session-files.ts";
import { batchesOf } from "./search/batches.ts";
import type { KnownOfSessions } from "./search/best-first.ts";
import { findFirst } from "./search/first-results.ts";
import { onlyWord } from "./search/first-sessions.ts";
import type { LineMatch } from "./search/match-line.ts";
import { filesWithAnyForm } from "./search/narrow-files.ts";
import { compareResults, type Hit, orderKey, type SearchFile, shownTitle } from "./search/search.ts";
import { FileSearch, type SearchFilesOptions } from "./search/search-files.ts";
import { NO_ENTRY, type SessionMatches } from "./search/session-matches.ts";
import type { StoredRows } from "./search/stored-rows.ts";
import { type SessionResult, titleOf } from "./search-rows.ts";

/** Sessions that one query found. */
interface Found {
	/** Best first, at most as many as wanted. */
	readonly results: readonly SessionResult[];
	/** The paths of all that there are. */
	readonly paths: readonly string[];
}

const NONE_FOUND: Found = { results: [], paths: [] };

interface ResultSearchOptions {
	/** For each run of ripgrep. */
	readonly passes: Omit<SearchFilesOptions, "thorough" | "beside" | "onMatch">;
	/** At most so many results. @default all */
	readonly limit: number | undefined;
	/** The same, if rows and branches are needed only for the sessions that can be among these. */
	readonly wanted: number | undefined;
	/** Called after each batch of files, for a search of all. */
	readonly onProgress?: ((searched: number, total: number) => void) | undefined;
	/** The row of a session as it is shown. */
	readonly rowOf: (row: SessionRow) => Promise<SessionRow>;
	/** Whether a row meets the conditions of the query. */
	readonly isMet: (row: SessionRow) => boolean;
}

/** Sessions between two checks whether others can be among the best. */
const AT_ONCE = 32;

/**
 * Searches files once, and makes rows of the sessions that were found. Its searches reject with a `RipgrepError`, or the signal's
 * reason.
 */
export class ResultSearch {
	readonly #query: Query;
	/** The query with other forms of its words; undefined if they have none. */
	readonly #inForms: Query | undefined;
	readonly #all: readonly SearchFile[];
	/** Those that may have the words in some form. */
	#open: readonly SearchFile[];
	readonly #stored: StoredRows;
	readonly #options: ResultSearchOptions;
	readonly #passes: Omit<SearchFilesOptions, "onMatch">;
	readonly #byPath: ReadonlyMap<string, SessionFile>;
	/** Paths of the sessions that have the words, whatever the conditions say. */
	readonly #hasWords = new Set<string>();
	readonly #began = Date.now();
	readonly #keyOf = orderKey(this.#began);
	#hasMatched = false;

	constructor(query: Query, files: readonly SessionFile[], stored: StoredRows, options: ResultSearchOptions) {
		this.#query = query;
		this.#inForms = withOtherForms(query);
		this.#stored = stored;
		this.#options = options;
		this.#passes = { ...options.passes, thorough: true, beside: true };
		this.#byPath = new Map(files.map((file) => [file.path, file]));
		this.#all = files.map((file) => ({
			path: file.path,
			size: file.size,
			modified: file.mtimeMs,
			accents: stored.accentsOf(file),
		}));
		this.#open = this.#all;
	}

	/** Whether a session with the words was found so far. */
	get hasMatched(): boolean {
		return this.#hasMatched;
	}

	get #isLimited(): boolean {
		return this.#options.wanted !== undefined;
	}

	/** The sessions that have the words as typed. */
	async find(): Promise<Found> {
		const inForms = this.#inForms;
		// Where only the first results are wanted, other forms are seldom needed.
		if (inForms !== undefined && !this.#isLimited) this.#open = await this.#withAnyForm(inForms, this.#open);
		return this.#find(this.#query, this.#open);
	}

	/** If only these have the words as typed, and they are few: the sessions that have them in other forms. */
	async findInForms({ paths }: Found): Promise<Found> {
		const inForms = this.#inForms;
		if (inForms === undefined || paths.length >= ENOUGH) return NONE_FOUND;
		const rest = this.#open.filter(({ path }) => !this.#hasWords.has(path));
		const areSearched = this.#query.terms.length === 1;
		return this.#find(inForms, this.#isLimited ? await this.#withAnyForm(inForms, rest, areSearched) : rest);
	}

	/** The files that may have all words of a query in some form. `areSearched`: as in `filesWithAnyForm`. */
	#withAnyForm(inForms: Query, files: readonly SearchFile[], areSearched = false): Promise<readonly SearchFile[]> {
		return filesWithAnyForm(inForms, files, { ...this.#passes, onMatch: () => undefined }, areSearched);
	}

	/** Many sessions are not searched to their ends where only the first results are wanted. */
	async #find(asked: Query, some: readonly SearchFile[]): Promise<Found> {
		const { wanted } = this.#options;
		const word = wanted === undefined ? undefined : onlyWord(asked);
		if (word === undefined || wanted === undefined) return this.#findWhole(asked, some);
		const isSound = (path: string): boolean => {
			const file = this.#byPath.get(path);
			return file !== undefined && this.#stored.isSound(file);
		};
		const first = await findFirst<SessionResult>({
			query: asked,
			word,
			files: some,
			limit: wanted,
			options: { ...this.#passes, onMatch: () => undefined },
			isSound,
			onFound: () => {
				this.#hasMatched = true;
			},
			known: () => knownOf(this.#stored, word, { keyOf: this.#keyOf, byPath: this.#byPath }),
			search: async (best) => (await this.#findWhole(asked, best)).results,
			bestOf: (results) => results.toSorted(compareResults(this.#began)).slice(0, wanted),
			keyOf: this.#keyOf,
		});
		if ("few" in first) return this.#findWhole(asked, first.few, first.notTyped);
		for (const { path } of first.all) this.#hasWords.add(path);
		return { results: first.results, paths: first.all.map(({ path }) => path) };
	}

	/** Searches files to their ends. */
	async #findWhole(asked: Query, some: readonly SearchFile[], notTyped?: ReadonlySet<SearchFile>): Promise<Found> {
		const { limit } = this.#options;
		const sessions = new Map<string, SessionMatches>();
		const onMatch = (session: SessionMatches) => {
			this.#hasMatched = true;
			sessions.set(session.file.path, session);
		};
		const search = new FileSearch(asked, {
			...this.#passes,
			defer: this.#isLimited,
			notTyped,
			onMatch,
		});
		let searched = 0;
		for (const batch of batchesOf(some, false)) {
			await search.search(batch);
			searched += batch.length;
			if (asked === this.#query && !this.#isLimited)
				this.#options.onProgress?.(this.#all.length - some.length + searched, this.#all.length);
		}
		await search.improve(this.#options.wanted);
		const matched = [...sessions.values()].filter(({ isFound }) => isFound);
		for (const { file } of matched) this.#hasWords.add(file.path);
		const results = await this.#resultsOf(matched, search);
		const paths = this.#isLimited ? matched.map(({ file }) => file.path) : results.map(({ path }) => path);
		return { results: results.sort(compareResults(this.#began)).slice(0, limit), paths };
	}

	/** The results of sessions; where only the first are wanted, of those that can be among them. */
	async #resultsOf(matched: readonly SessionMatches[], search: FileSearch): Promise<SessionResult[]> {
		const { wanted, passes } = this.#options;
		const ranked = matched.map((session) => ({ session, rank: session.bestRank }));
		if (this.#isLimited) ranked.sort((a, b) => a.rank - b.rank);
		const results: SessionResult[] = [];
		let worst = Number.POSITIVE_INFINITY;
		for (const [index, { session, rank }] of ranked.entries()) {
			passes.signal.throwIfAborted();
			if (wanted !== undefined && index % AT_ONCE === 0) {
				results.sort(compareResults(this.#began)).splice(wanted);
				const last = results[wanted - 1];
				if (last !== undefined) worst = this.#keyOf(last);
			}
			if (rank > worst) break;
			const file = this.#byPath.get(session.file.path);
			if (!file) continue;
			const known = worst === Number.POSITIVE_INFINITY ? undefined : this.#stored.knownRowOf(file);
			if (known && this.#keyOf({ rank, modified: known.modified.getTime() }) > worst) continue;
			await search.complete(session);
			const result = await this.#resultOf(session, file, known);
			if (result !== undefined) results.push(result);
		}
		return results;
	}

	/** A session as a result; undefined if it is none after all, or does not meet the conditions. `known`: its row, if it is known. */
	async #resultOf(
		session: SessionMatches,
		file: SessionFile,
		known: SessionRow | undefined,
	): Promise<SessionResult | undefined> {
		const hitOf = (match: LineMatch): Hit => this.#stored.withBranch(match, file);
		// Before the row, so that one reading of the file provides the branches and the row.
		if (!session.result({ hitOf })) return undefined;
		const row = await this.#options.rowOf(known ?? this.#stored.rowOf(file));
		const result = session.result({ title: shownTitle(row), hitOf });
		if (!result || !this.#options.isMet(row)) return undefined;
		const best = result.best === NO_ENTRY ? titleOf(row) : result.best;
		return { ...result, best, modified: row.modified.getTime(), row };
	}
}

/** What the index tells of the sessions that may be among the first for a word. */
function knownOf(
	stored: StoredRows,
	term: Term,
	{ keyOf, byPath }: Pick<KnownOfSessions, "keyOf"> & { readonly byPath: ReadonlyMap<string, SessionFile> },
): KnownOfSessions {
	const titled = stored.titledWith(term.needle ?? "");
	const plain = plainWordOf(term);
	const isSaidIn = plain === undefined ? () => true : stored.saidWith(plain);
	return {
		keyOf,
		knownModified({ path }) {
			const file = byPath.get(path);
			return file && stored.knownModifiedOf(file);
		},
		modified({ path, modified }) {
			const file = byPath.get(path);
			return file ? stored.rowOf(file).modified.getTime() : modified;
		},
		mayBeTitled({ path }) {
			const file = byPath.get(path);
			return file === undefined || titled(file);
		},
		maySay({ path }) {
			const file = byPath.get(path);
			return file === undefined || isSaidIn(file);
		},
	};
}
