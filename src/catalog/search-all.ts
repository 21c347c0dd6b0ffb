import { TimeSlice } from "../shared/steps.ts";
import { cannot } from "../store/files/store-error.ts";
import { knownElsewhere } from "./known-elsewhere.ts";
import { listCounted, runMarker } from "./list-all.ts";
import { withConflicts } from "./model/conflict-copies.ts";
import { archiveTest, findSessionRoots, type SessionRoots } from "./model/session-roots.ts";
import { asksForArchived, needsCounts, rowMeets, unanswerable } from "./query/conditions.ts";
import { asksForText, parseQuery, type Query } from "./query/parse-query.ts";
import { ResultSearch } from "./result-search.ts";
import { ConflictCopies } from "./scan/conflict-copies.ts";
import { type FoundFiles, findSessionFiles, type SessionFile } from "./scan/session-files.ts";
import { AccentCensus } from "./search/accent-census.ts";
import { findRipgrep } from "./search/find-ripgrep.ts";
import type { OnUnreadable } from "./search/grep.ts";
import { type StartedAhead, startAhead } from "./search/start-ahead.ts";
import { openStoredRows, type StoredRows } from "./search/stored-rows.ts";
import { factsOf, findRows, type SearchOptions, type SearchResults, type SessionResult } from "./search-rows.ts";

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
	const { env, onProblems, signal } = options;
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
		const unreadable = new Map<string, string>();
		const onUnreadable: OnUnreadable = (reasons) => {
			for (const [path, reason] of reasons) unreadable.set(path, reason);
		};
		const census = new AccentCensus();
		const passes = { ripgrep, signal, timeSlice, census, onUnreadable, ahead: early?.ahead };
		const search = new ResultSearch(query, files, stored, {
			passes,
			limit: options.limit,
			wanted: wantedOf(query, options),
			onProgress: options.onProgress,
			async rowOf(row) {
				const known = await marked(row);
				return withConflicts([known], conflicts)[0] ?? known;
			},
			isMet: (row) => facts === undefined || rowMeets(row, query.conditions, facts),
		});
		const searching = search.find();
		// Awaited below.
		searching.catch(() => undefined);
		// What ripgrep has found meanwhile.
		for (let turn = 0; turn < TURNS; turn++) await timeSlice.yieldToEventLoop();
		const ahead = search.hasMatched || !options.onNothing ? undefined : stored.knownNamesOf(listedOf(files));
		if (ahead) options.onNothing?.(ahead);
		const found = await searching;
		const others = await search.findInForms(found);
		const unsearched = [...unreadable].map(
			([path, reason]) => cannot("search the session", path, "unreadable", reason).message,
		);
		const isNothing = found.paths.length + others.paths.length === 0;
		const rows = isNothing && !ahead ? stored.rowsOf(listedOf(files)) : undefined;
		if (rows) options.onNothing?.(rows);
		const keep = stored.prepareStore(all, census.learned());
		return {
			results: found.results,
			others: others.results,
			found: { results: found.paths, others: others.paths },
			total: files.length,
			damaged: stored.damaged(files),
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

/** Turns of the event loop in which matches of a common word arrive that waited for the index. */
const TURNS = 3;
