import { TimeSlice } from "../shared/steps.ts";
import { knownElsewhere } from "./known-elsewhere.ts";
import { listCounted, runMarker } from "./list-all.ts";
import { withConflicts } from "./model/conflict-copies.ts";
import { archiveTest, findSessionRoots, type SessionRoots } from "./model/session-roots.ts";
import { asksForArchived, needsCounts, rowMeets, unanswerable } from "./query/conditions.ts";
import { ENOUGH, withOtherForms } from "./query/other-forms.ts";
import { asksForText, parseQuery, type Query, type Term } from "./query/parse-query.ts";
import { plainWordOf } from "./query/said-words.ts";
import { ConflictCopies } from "./scan/conflict-copies.ts";
import { type FoundFiles, findSessionFiles, type SessionFile } from "./scan/session-files.ts";
import { AccentCensus } from "./search/accent-census.ts";
import { batchesOf } from "./search/batches.ts";
import type { KnownOfSessions } from "./search/best-first.ts";
import { findRipgrep } from "./search/find-ripgrep.ts";
import { findFirst } from "./search/first-results.ts";
import { onlyWord } from "./search/first-sessions.ts";
import type { LineMatch } from "./search/match-line.ts";
import { filesWithAnyForm } from "./search/narrow-files.ts";
import { compareResults, type Hit, orderKey, type SearchFile, shownTitle } from "./search/search.ts";
import { FileSearch } from "./search/search-files.ts";
import { NO_ENTRY, type SessionMatches as SearchedSession } from "./search/session-matches.ts";
import { type StartedAhead, startAhead } from "./search/start-ahead.ts";
import { openStoredRows, type StoredRows } from "./search/stored-rows.ts";
import {
	factsOf,
	findRows,
	type SearchOptions,
	type SearchResults,
	type SessionResult,
	titleOf,
} from "./search-rows.ts";

/**
 * Searches all sessions once; best results first. If there are fewer than ten, those follow that have the words only in other
 * forms (`migration` for `migrating`), each with `other`: which words, and what was found for them. Rejects with a `RangeError`
 * for a query that cannot be parsed or answered (`is:live`: nothing is watched here), with a `RipgrepError` if ripgrep cannot be
 * used, and with the signal's reason when aborted.
 */
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

/**
 * Searches the files themselves and makes rows only for the sessions that were found. The index need not exist, and is
 * not written before `keep` is called.
 */
async function findInFiles(query: Query, options: SearchOptions): Promise<SearchResults> {
	const { sessionDir, env = process.env, cwd, home, cacheDir, signal = new AbortController().signal } = options;
	signal.throwIfAborted();
	const sessionRoots = await findSessionRoots({ sessionDirFlag: sessionDir, env, cwd, home, cacheDir });
	// What selects sessions may leave few, and what counts them takes long.
	const isAll = options.isAsked === undefined && !needsCounts(query.conditions);
	const early = isAll
		? await startAhead(query, wantedOf(query, options) !== undefined, sessionRoots, env, signal)
		: undefined;
	try {
		return await findIn(sessionRoots, query, { ...options, signal }, early);
	} finally {
		await early?.ahead.stop();
	}
}

/**
 * How many results are enough to know, if rows and branches are needed only for the sessions that can be among them, and not to check
 * conditions.
 */
function wantedOf({ conditions }: Query, { limit }: SearchOptions): number | undefined {
	return conditions.length === 0 ? limit : undefined;
}

const NOTHING_LISTED = { rows: [], counts: new Map() };

async function findIn(
	sessionRoots: SessionRoots,
	query: Query,
	options: SearchOptions & { readonly signal: AbortSignal },
	early: StartedAhead | undefined,
): Promise<SearchResults> {
	const { env, limit, onProblems, onProgress, signal } = options;
	const wanted = wantedOf(query, options);
	const isLimited = wanted !== undefined;
	const timeSlice = new TimeSlice();
	const starting = findRipgrep(env);
	// Awaited below.
	starting.catch(() => undefined);
	// What it counts is then in the index.
	const listed = needsCounts(query.conditions) ? await listCounted({ ...options, archived: true }) : undefined;
	const stored = await openStoredRows(options, sessionRoots);
	try {
		const { files: all, problems } = await allFiles(stored, sessionRoots, options, timeSlice);
		const ripgrep = await starting;
		if (listed === undefined) onProblems?.([...sessionRoots.problems, ...problems]);
		const facts = query.conditions.length === 0 ? undefined : factsOf(all, listed ?? NOTHING_LISTED, options);
		const marked = runMarker(sessionRoots, options);
		const withArchive = asksForArchived(query.conditions);
		const isInArchive = archiveTest(sessionRoots);
		const conflicts = new ConflictCopies().find(new Map(all.map((file) => [file.path, file])));
		const files = all.filter(
			({ path }) =>
				(withArchive || !isInArchive(path)) && conflicts.get(path)?.own !== 0 && (options.isAsked?.(path) ?? true),
		);
		early?.found(files);
		const listedOf = (some: readonly SessionFile[]) => some.filter(({ path }) => !isInArchive(path));
		const byPath = new Map(files.map((file) => [file.path, file]));
		const isSound = (path: string): boolean => {
			const file = byPath.get(path);
			return file !== undefined && stored.isSound(file);
		};
		const census = new AccentCensus();
		const unreadable = new Set<string>();
		const onUnreadable = (paths: readonly string[]) => {
			for (const path of paths) unreadable.add(path);
		};
		const passes = {
			ripgrep,
			signal,
			timeSlice,
			thorough: true,
			beside: true,
			census,
			onUnreadable,
			ahead: early?.ahead,
		};
		/** Sessions that have the words, whatever the conditions say. */
		const hasWords = new Set<string>();
		let hasMatched = false;
		const began = Date.now();
		const keyOf = orderKey(began);
		const searchFiles = files.map(
			(file): SearchFile => ({
				path: file.path,
				size: file.size,
				modified: file.mtimeMs,
				accents: stored.accentsOf(file),
			}),
		);
		const searchWhole = async (
			asked: Query,
			some: readonly SearchFile[],
			notTyped: readonly SearchFile[] = [],
		): Promise<Found> => {
			const sessions = new Map<string, SearchedSession>();
			const onMatch = (session: SearchedSession) => {
				hasMatched = true;
				sessions.set(session.file.path, session);
			};
			const fileSearch = new FileSearch(asked, { ...passes, defer: isLimited, notTyped, onMatch });
			let searched = 0;
			for (const batch of batchesOf(some, false)) {
				await fileSearch.search(batch);
				searched += batch.length;
				if (asked === query && !isLimited) onProgress?.(files.length - some.length + searched, files.length);
			}
			await fileSearch.improve(wanted);
			const matched = [...sessions.values()].filter(({ isFound }) => isFound);
			for (const { file } of matched) hasWords.add(file.path);
			const ranked = matched.map((session) => ({ session, rank: session.bestRank }));
			if (isLimited) ranked.sort((a, b) => a.rank - b.rank);
			const results: SessionResult[] = [];
			let worst = Number.POSITIVE_INFINITY;
			for (const [index, { session, rank }] of ranked.entries()) {
				signal.throwIfAborted();
				if (wanted !== undefined && index % AT_ONCE === 0) {
					results.sort(compareResults(began)).splice(wanted);
					const last = results[wanted - 1];
					if (last !== undefined) worst = keyOf(last);
				}
				if (rank > worst) break;
				const file = byPath.get(session.file.path);
				if (!file) continue;
				const known = worst === Number.POSITIVE_INFINITY ? undefined : stored.knownRowOf(file);
				if (known && keyOf({ rank, modified: known.modified.getTime() }) > worst) continue;
				await fileSearch.complete(session);
				const hitOf = (match: LineMatch): Hit => stored.withBranch(match, file);
				// Before the row, so that one reading of the file provides the branches and the row.
				if (!session.result({ hitOf })) continue;
				const markedRow = await marked(known ?? stored.rowOf(file));
				const [row = markedRow] = withConflicts([markedRow], conflicts);
				const result = session.result({ title: shownTitle(row), hitOf });
				if (!result) continue;
				const best = result.best === NO_ENTRY ? titleOf(row) : result.best;
				if (facts === undefined || rowMeets(row, query.conditions, facts))
					results.push({ ...result, best, modified: row.modified.getTime(), row });
			}
			const paths = isLimited ? matched.map(({ file }) => file.path) : results.map(({ path }) => path);
			return { results: results.sort(compareResults(began)).slice(0, limit), paths };
		};
		/** Many sessions are not searched to their ends where only the first results are wanted. */
		const search = async (asked: Query, some: readonly SearchFile[]): Promise<Found> => {
			const word = isLimited ? onlyWord(asked) : undefined;
			if (word === undefined || wanted === undefined) return searchWhole(asked, some);
			const first = await findFirst<SessionResult>({
				query: asked,
				word,
				files: some,
				limit: wanted,
				options: { ...passes, onMatch: () => undefined },
				isSound,
				onFound() {
					hasMatched = true;
				},
				known: () => knownOf(stored, word, { keyOf, byPath }),
				search: async (best) => (await searchWhole(asked, best)).results,
				bestOf: (results) => results.toSorted(compareResults(began)).slice(0, wanted),
				keyOf,
			});
			if ("few" in first) return searchWhole(asked, first.few, first.notTyped);
			for (const { path } of first.all) hasWords.add(path);
			return { results: first.results, paths: first.all.map(({ path }) => path) };
		};
		const inForms = withOtherForms(query);
		const narrowed = async (some: readonly SearchFile[], areSearched = false): Promise<readonly SearchFile[]> =>
			inForms === undefined
				? some
				: filesWithAnyForm(inForms, some, { ...passes, onMatch: () => undefined }, areSearched);
		// Where only the first results are wanted, other forms are seldom needed.
		const narrowing = isLimited ? Promise.resolve(searchFiles) : narrowed(searchFiles);
		const searching = narrowing.then((some) => search(query, some));
		// Awaited below.
		searching.catch(() => undefined);
		// What ripgrep has found meanwhile.
		for (let turn = 0; turn < TURNS; turn++) await timeSlice.yieldToEventLoop();
		const ahead = hasMatched || !options.onNothing ? undefined : stored.knownNamesOf(listedOf(files));
		if (ahead) options.onNothing?.(ahead);
		const found = await searching;
		const inOtherForms = found.paths.length < ENOUGH ? inForms : undefined;
		const rest = (await narrowing).filter(({ path }) => inOtherForms && !hasWords.has(path));
		const open = isLimited && inOtherForms ? await narrowed(rest, query.terms.length === 1) : rest;
		const others = inOtherForms ? await search(inOtherForms, open) : NONE_FOUND;
		const unsearched = [...unreadable].flatMap((path) => reasonOf(path, stored));
		const isNothing = found.paths.length + others.paths.length === 0;
		const rows = isNothing && !ahead ? stored.rowsOf(listedOf(files)) : undefined;
		if (rows) options.onNothing?.(rows);
		const keep = stored.prepareStore(all, census.learned());
		return {
			results: found.results,
			others: others.results,
			found: { results: found.paths, others: others.paths },
			total: files.length,
			damaged: stored.damaged(),
			unsearched,
			keep,
		};
	} finally {
		stored.close();
	}
}

/** All files, newest first. What the index knows of them is compared with the disk, in half the time of finding them. */
async function allFiles(
	stored: StoredRows,
	sessionRoots: SessionRoots,
	options: SearchOptions & { readonly signal: AbortSignal },
	timeSlice: TimeSlice,
): Promise<Pick<FoundFiles, "files" | "problems">> {
	const files = stored.unchangedFiles();
	if (files !== undefined) return { files, problems: [] };
	const known = stored.known ?? (await knownElsewhere(options, sessionRoots));
	return timeSlice.run(findSessionFiles(sessionRoots, undefined, known), options.signal);
}

/** Sessions that one query found. */
interface Found {
	/** Best first, at most as many as wanted. */
	readonly results: readonly SessionResult[];
	/** The paths of all that there are. */
	readonly paths: readonly string[];
}

/** Turns of the event loop in which matches of a common word arrive that waited for the index. */
const TURNS = 3;
const NONE_FOUND: Found = { results: [], paths: [] };
/** Sessions between two checks whether others can be among the best. */
const AT_ONCE = 32;

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

function reasonOf(path: string, stored: StoredRows): string[] {
	return stored
		.scan(path)
		.diagnostics.filter(({ code }) => code === "unreadable")
		.map(({ message }) => message);
}
