import { TimeSlice } from "../shared/steps.ts";
import { cannot } from "../store/files/store-error.ts";
import { listCounted, runMarker } from "./list-all.ts";
import { archiveTest } from "./model/session-roots.ts";
import { isListed } from "./model/visibility.ts";
import { needsCounts, rowMeets, unanswerable, visibilityOf } from "./query/conditions.ts";
import { ENOUGH, withOtherForms } from "./query/other-forms.ts";
import { asksForText, parseQuery, type Query } from "./query/parse-query.ts";
import type { SessionFile } from "./scan/session-files.ts";
import { type BestFound, findBest } from "./search/best-sessions.ts";
import { findRipgrep } from "./search/find-ripgrep.ts";
import type { OnUnreadable } from "./search/grep.ts";
import { HiddenFiles } from "./search/hidden-files.ts";
import { compareResults, type SearchFile, shownTitle } from "./search/search.ts";
import { NO_ENTRY, type SessionMatches } from "./search/session-matches.ts";
import {
	factsOf,
	findRows,
	type SearchOptions,
	type SearchResults,
	type SessionResult,
	titleOf,
} from "./search-rows.ts";
import { SingleRows } from "./single-rows.ts";
import { Snapshot } from "./snapshot.ts";

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

const NOTHING_LISTED = { rows: [], counts: new Map() };

/** Searches the files themselves, and makes rows only for the sessions that are shown. The index need not exist, and is not written. */
async function findInFiles(query: Query, options: SearchOptions): Promise<SearchResults> {
	const { env = process.env, limit, onProblems, onProgress } = options;
	const { signal = new AbortController().signal } = options;
	signal.throwIfAborted();
	const timeSlice = new TimeSlice();
	const ripgrep = await findRipgrep(env);
	// What it counts is then in the index.
	const listed = needsCounts(query.conditions) ? await listCounted({ ...options, archived: true }) : undefined;
	const snapshot = await Snapshot.open(options);
	try {
		const { files: all, problems, sessionRoots } = snapshot;
		const rows = new SingleRows(snapshot);
		if (listed === undefined) onProblems?.(problems);
		const facts = query.conditions.length === 0 ? undefined : factsOf(all, listed ?? NOTHING_LISTED, options);
		const marked = runMarker(sessionRoots, options);
		const visibility = visibilityOf(query.conditions);
		const isInArchive = archiveTest(sessionRoots);
		const files = all.filter(({ path }) => {
			return isListed({ archived: isInArchive(path) }, visibility) && (options.isAsked?.(path) ?? true);
		});
		const unreadable = new Map<string, string>();
		const onUnreadable: OnUnreadable = (reasons) => {
			for (const [path, reason] of reasons) unreadable.set(path, reason);
		};
		const resultFor = async (found: SessionMatches): Promise<SessionResult | undefined> => {
			const result = resultOf(found, byPath.get(found.file.path), rows);
			if (result === undefined) return undefined;
			const row = await marked(result.row);
			return facts === undefined || rowMeets(row, query.conditions, facts) ? { ...result, row } : undefined;
		};
		const byPath = new Map(files.map((file) => [file.path, file]));
		const searched = files.map(
			(file): SearchFile => ({ path: file.path, size: file.size, modified: rows.modifiedOf(file) }),
		);
		const pass = { ripgrep, signal, timeSlice, hiddenFiles: new HiddenFiles(), onUnreadable };
		const find = async (asked: Query, some: readonly SearchFile[]): Promise<Found> => {
			// Whether a session meets conditions shows only when it is read.
			const most = facts === undefined ? limit : undefined;
			const words = asked.terms.flatMap(({ needle }) => needle ?? []);
			const namedWith = rows.namedWith(words);
			const isNamed = ({ path }: SearchFile) => {
				const file = byPath.get(path);
				return file !== undefined && namedWith(file);
			};
			const found = await findBest(asked, some, { ...pass, most, isNamed, onProgress });
			return resultsOf(found, resultFor, limit);
		};
		const found = await find(query, searched);
		const inForms = found.paths.length < ENOUGH ? withOtherForms(query) : undefined;
		const others = inForms
			? await find(
					inForms,
					searched.filter(({ path }) => !found.hasWords.has(path)),
				)
			: NOTHING_FOUND;
		return {
			results: found.results,
			others: others.results,
			found: { results: found.paths, others: others.paths },
			isUpTo: found.isUpTo || others.isUpTo,
			total: files.length,
			damaged: rows.damaged(files),
			unsearched: unsearched(unreadable).map(({ message }) => message),
		};
	} finally {
		snapshot.close();
	}
}

/** What to say of the files that a search could not read; the values are the reasons. */
export function unsearched(unreadable: ReadonlyMap<string, string>): Error[] {
	return [...unreadable].map(([path, reason]) => cannot("search the session", path, "unreadable", reason));
}

/** The sessions that one query found. */
interface Found extends Pick<SearchResults, "results" | "isUpTo"> {
	/** The paths of all that there are. */
	readonly paths: readonly string[];
	/** The paths of those that have the words, whatever the conditions say. */
	readonly hasWords: ReadonlySet<string>;
}

const NOTHING_FOUND: Found = { results: [], paths: [], hasWords: new Set(), isUpTo: false };

/** What was found, as results, best first. */
async function resultsOf(
	{ found, open }: BestFound,
	resultFor: (found: SessionMatches) => Promise<SessionResult | undefined>,
	limit: number | undefined,
): Promise<Found> {
	const results: SessionResult[] = [];
	for (const session of found) {
		const result = await resultFor(session);
		if (result !== undefined) results.push(result);
	}
	return {
		results: results.sort(compareResults(Date.now())).slice(0, limit),
		paths: [...results.map(({ path }) => path), ...open],
		hasWords: new Set([...found.map(({ file }) => file.path), ...open]),
		isUpTo: open.length > 0,
	};
}

/** A session as a result; undefined if it is none after all. */
function resultOf(found: SessionMatches, file: SessionFile | undefined, rows: SingleRows): SessionResult | undefined {
	if (file === undefined) return undefined;
	const hitOf: NonNullable<Parameters<SessionMatches["result"]>[0]>["hitOf"] = (match) => rows.withBranch(match, file);
	// Before the row, so that one reading of the file provides the branches and the row.
	if (!found.result({ hitOf })) return undefined;
	const row = rows.rowOf(file);
	const result = found.result({ title: shownTitle(row), hitOf });
	const best = result?.best === NO_ENTRY ? titleOf(row) : result?.best;
	return result && best && { ...result, best, modified: row.modified.getTime(), row };
}
