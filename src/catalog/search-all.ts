import { TimeSlice } from "../shared/steps.ts";
import { cannot } from "../store/files/store-error.ts";
import { listCounted, runMarker } from "./list-all.ts";
import type { SessionRow } from "./model/row.ts";
import { archiveTest } from "./model/session-roots.ts";
import { isListed } from "./model/visibility.ts";
import { needsCounts, rowMeets, unanswerable, visibilityOf, withTerms } from "./query/conditions.ts";
import { ENOUGH, withOtherForms } from "./query/other-forms.ts";
import { asksForText, parseQuery, type Query } from "./query/parse-query.ts";
import { alternativesOf } from "./query/term.ts";
import type { SessionFile } from "./scan/session-files.ts";
import { filesWith, findBest } from "./search/best-sessions.ts";
import { findRipgrep, type Ripgrep } from "./search/find-ripgrep.ts";
import type { GrepTools, OnUnreadable } from "./search/grep.ts";
import type { LineMatch } from "./search/match-line.ts";
import { HIDDEN_LINE } from "./search/raw-pattern.ts";
import { compareResults, type Hit, type SearchFile, type SearchResult, shownTitle } from "./search/search.ts";
import { NO_ENTRY, type SessionMatches } from "./search/session-matches.ts";
import {
	conditionFacts,
	findRows,
	type SearchOptions,
	type SearchResults,
	type SessionResult,
	titleHit,
} from "./search-rows.ts";
import { SingleRows } from "./single-rows.ts";
import { Snapshot } from "./snapshot.ts";

/** As the library's `searchAll` (src/library.ts), with rows as the catalog has them. */
export async function searchAll(query: string, options: SearchOptions = {}): Promise<SessionResult[]> {
	const parsed = parseQuery(query);
	const mistake = "error" in parsed ? parsed.error : unanswerable(parsed.query);
	if ("error" in parsed || mistake !== undefined) throw new RangeError(`cannot read the query ${query}: ${mistake}`);
	const { results, others } = await findAll(parsed.query, options);
	return [...results, ...others];
}

/** Like `searchAll`, for a parsed query; also returns how much was searched and what was not. */
export async function findAll(query: Query, options: SearchOptions = {}): Promise<SearchResults> {
	return asksForText(query) ? findInFiles(query, options) : findRows(query, options);
}

/** Searches the files themselves, and makes rows only for the sessions that are shown. The index need not exist. */
async function findInFiles(query: Query, options: SearchOptions): Promise<SearchResults> {
	options.signal?.throwIfAborted();
	const ripgrep = await findRipgrep(options.env);
	// What it counts is then in the index.
	const listed = needsCounts(query.conditions) ? await listCounted({ ...options, archived: true }) : undefined;
	const snapshot = await Snapshot.open(options);
	try {
		const { files: all, problems, sessionRoots } = snapshot;
		const rows = new SingleRows(snapshot);
		if (listed === undefined) options.onProblems?.(problems);
		const facts = query.conditions.length === 0 ? undefined : conditionFacts(all, listed ?? NOTHING_LISTED, options);
		const visibility = visibilityOf(query.conditions);
		const isInArchive = archiveTest(sessionRoots);
		const files = all.filter(({ path }) => {
			return isListed({ archived: isInArchive(path) }, visibility) && (options.isAsked?.(path) ?? true);
		});
		const search = new OneSearch(rows, files, {
			ripgrep,
			signal: options.signal ?? new AbortController().signal,
			limit: options.limit,
			marked: runMarker(sessionRoots, options),
			meets: facts && ((row, result) => rowMeets(row, query.conditions, withTerms(facts, query, result))),
		});
		const foundSessions = await search.find(query, new Set());
		const inForms = foundSessions.paths.length < ENOUGH ? withOtherForms(query) : undefined;
		const otherSessions = inForms ? await search.find(inForms, foundSessions.hasWords) : NOTHING_FOUND;
		return {
			results: foundSessions.results,
			others: otherSessions.results,
			found: { results: foundSessions.paths, others: otherSessions.paths },
			isUpTo: foundSessions.isUpTo || otherSessions.isUpTo,
			total: files.length,
			damaged: rows.damaged(files),
			unsearched: unsearched(search.unreadable).map(({ message }) => message),
		};
	} finally {
		snapshot.close();
	}
}

const NOTHING_LISTED = { rows: [], counts: new Map() };

interface OneSearchOptions extends Pick<SearchOptions, "limit"> {
	readonly ripgrep: Ripgrep;
	readonly signal: AbortSignal;
	/** The row of a run as that of a run. */
	readonly marked: (row: SessionRow) => Promise<SessionRow>;
	/** Whether a session meets the conditions of the query; undefined if it has none. */
	readonly meets: ((row: SessionRow, result: SearchResult) => boolean) | undefined;
}

interface FoundSessions extends Pick<SearchResults, "results" | "isUpTo"> {
	readonly paths: readonly string[];
	/** The paths of those that have the words, whatever the conditions say. */
	readonly hasWords: ReadonlySet<string>;
}

const NOTHING_FOUND: FoundSessions = { results: [], paths: [], hasWords: new Set(), isUpTo: false };

/** A search of files, for the words of a query and then for other forms of them, with what its results are made of. */
class OneSearch {
	/** Why some files could not be read, by path. */
	readonly unreadable = new Map<string, string>();
	readonly #rows: SingleRows;
	readonly #files: ReadonlyMap<string, SessionFile>;
	readonly #searched: readonly SearchFile[];
	readonly #options: OneSearchOptions;
	#hiddenFiles: Promise<readonly SearchFile[]> | undefined;

	constructor(rows: SingleRows, files: readonly SessionFile[], options: OneSearchOptions) {
		this.#rows = rows;
		this.#files = new Map(files.map((file) => [file.path, file]));
		this.#searched = files.map((file) => {
			return { path: file.path, size: file.size, modified: rows.modifiedOf(file), hidden: rows.hiddenOf(file) };
		});
		this.#options = options;
	}

	/** Searches all files but the known ones. */
	async find(query: Query, knownPaths: ReadonlySet<string>): Promise<FoundSessions> {
		const { ripgrep, signal, limit, meets } = this.#options;
		const onUnreadable: OnUnreadable = (reasons) => {
			for (const [path, reason] of reasons) this.unreadable.set(path, reason);
		};
		const pass = { ripgrep, signal, timeSlice: new TimeSlice(), onUnreadable };
		const { matches, open } = await findBest(
			query,
			this.#searched.filter(({ path }) => !knownPaths.has(path)),
			{
				...pass,
				hiddenFiles: () => (this.#hiddenFiles ??= this.#findHidden(pass)),
				// Whether a session meets conditions shows only when it is read.
				most: meets === undefined ? limit : undefined,
				isNamed: this.#rows.namedWith(
					query.terms.map((term) => alternativesOf(term).flatMap(({ needle }) => needle ?? [])),
				),
			},
		);
		const results: SessionResult[] = [];
		for (const session of matches) {
			const result = await this.#resultOf(session);
			if (result !== undefined) results.push(result);
		}
		return {
			results: results.sort(compareResults(Date.now())).slice(0, limit),
			paths: [...results.map(({ path }) => path), ...open],
			hasWords: new Set([...matches.map(({ file }) => file.path), ...open]),
			isUpTo: open.length > 0,
		};
	}

	/** The files that have lines with characters that do not show; those that no search has looked at are looked at once. */
	async #findHidden(tools: GrepTools): Promise<readonly SearchFile[]> {
		const newFiles = this.#searched.filter(({ hidden }) => hidden === undefined);
		const hiddenPaths = new Set((await filesWith(HIDDEN_LINE, newFiles, tools)).map(({ path }) => path));
		const readable = newFiles.filter(({ path }) => !this.unreadable.has(path));
		await this.#rows.noteHidden(
			readable.flatMap(({ path }) => this.#files.get(path) ?? []),
			hiddenPaths,
		);
		return this.#searched.filter(({ path, hidden }) => hidden ?? hiddenPaths.has(path));
	}

	/** A session as a result; undefined if it is none after all. */
	async #resultOf(session: SessionMatches): Promise<SessionResult | undefined> {
		const { marked, meets } = this.#options;
		const file = this.#files.get(session.file.path);
		if (file === undefined) return undefined;
		const hitOf = (match: LineMatch): Hit => this.#rows.withBranch(match, file);
		// Before the row, so that one reading of the file provides the branches and the row.
		if (!session.result({ hitOf })) return undefined;
		const storedRow = this.#rows.rowOf(file);
		const result = session.result({ title: shownTitle(storedRow), hitOf });
		const best = result?.best === NO_ENTRY ? titleHit(storedRow) : result?.best;
		const row = await marked(storedRow);
		if (!result || !best || meets?.(row, result) === false) return undefined;
		return { ...result, best, modified: storedRow.modified.getTime(), row };
	}
}

/** What to say of the files that a search could not read; the values are the reasons. */
export function unsearched(unreadable: ReadonlyMap<string, string>): Error[] {
	return [...unreadable].map(([path, reason]) => cannot("search the session", path, "unreadable", reason));
}
