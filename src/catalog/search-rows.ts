import { statSync } from "node:fs";
import { attempt } from "../shared/attempt.ts";
import { isOfThisSystem } from "../shared/paths.ts";
import { isDamaged } from "../store/format/diagnostic.ts";
import { listAll, listCounted } from "./list-all.ts";
import { NO_MARKS } from "./model/marks.ts";
import { type SessionRow, saidFirst } from "./model/row.ts";
import { runsIn } from "./model/session-links.ts";
import type { ListOptions } from "./model/session-roots.ts";
import { listed } from "./model/visibility.ts";
import { fileNames, needsCounts, type RowFacts, rowMeets, visibilityOf } from "./query/conditions.ts";
import { startOfDay } from "./query/dates.ts";
import type { Query } from "./query/parse-query.ts";
import { startSnippet } from "./query/snippet.ts";
import type { Hit, SearchResult } from "./search/search.ts";
import { dollarsOfFamilies } from "./stats/family-cost.ts";

export interface SessionResult extends SearchResult {
	readonly row: SessionRow;
}

export interface SearchResults {
	/** Best first. */
	readonly results: readonly SessionResult[];
	/**
	 * If these are few, the other sessions that have the words in other forms, nearest first, each with `other`: which words, and
	 * what was found for them.
	 */
	readonly others: readonly SessionResult[];
	/** The paths of all sessions that were found for each, also beyond `limit`. */
	readonly found: { readonly results: readonly string[]; readonly others: readonly string[] };
	readonly total: number;
	/** Number of sessions known to be damaged: their damaged lines are not searched. */
	readonly damaged: number;
	/** Why some were not searched, one sentence each. */
	readonly unsearched: readonly string[];
	/**
	 * Whether some results are unverified, because enough better ones were verified: ripgrep reports that they may match.
	 */
	readonly isUpTo: boolean;
}

export interface SearchOptions extends ListOptions {
	/** The pins and tags for `is:pinned`, `is:tagged` and `tag:`. @default none */
	readonly marks?: RowFacts["marks"] | undefined;
	/** Selects the sessions to search, by path. @default all */
	readonly isAsked?: ((path: string) => boolean) | undefined;
	/** How many results are wanted, of each of the two kinds. @default all */
	readonly limit?: number | undefined;
}

/** For a query that the rows alone can answer. */
export async function findRows(query: Query, options: SearchOptions): Promise<SearchResults> {
	const withArchive = { ...options, archived: true };
	const { rows: all, counts } = needsCounts(query.conditions)
		? await listCounted(withArchive)
		: { rows: await listAll(withArchive), counts: NOTHING_COUNTED };
	const facts = conditionFacts(all, { rows: all, counts }, options);
	const rows = listed(all, visibilityOf(query.conditions)).filter(({ path }) => options.isAsked?.(path) ?? true);
	const results = rows
		.filter((row) => rowMeets(row, query.conditions, facts))
		.map((row) => ({ ...resultOfRow(row), row }));
	const damaged = rows.filter((row) => isDamaged(row.diagnostics)).length;
	return {
		results: results.slice(0, options.limit),
		others: [],
		found: { results: results.map(({ path }) => path), others: [] },
		total: rows.length,
		damaged,
		unsearched: [],
		isUpTo: false,
	};
}

const NOTHING_COUNTED: RowFacts["counts"] = new Map();

/** What conditions need besides a row. `files`: all sessions, to recognize a fork whose parent is gone. */
export function conditionFacts(
	files: readonly { readonly path: string }[],
	{ rows, counts }: Awaited<ReturnType<typeof listCounted>>,
	{ marks = NO_MARKS }: SearchOptions,
): RowFacts {
	const names = fileNames(files.map(({ path }) => path));
	const runs = runsIn(rows);
	return {
		live: new Set(),
		gone: goneDirectories(),
		branches: new Map(),
		marks,
		counts,
		fileNames: names,
		runs,
		familyCosts: dollarsOfFamilies(counts, runs),
		now: startOfDay(Date.now()),
	};
}

/** The directories that do not exist, each looked for when it is asked for. One that cannot be read may exist. */
function goneDirectories(): RowFacts["gone"] {
	const states = new Map<string, boolean>();
	const isGone = (directory: string): boolean => {
		if (directory === "" || !isOfThisSystem(directory)) return false;
		return attempt(() => statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) ?? false;
	};
	return {
		has(directory) {
			const state = states.get(directory) ?? isGone(directory);
			states.set(directory, state);
			return state;
		},
	};
}

/** No text was searched for, so the session's title stands in for a hit. */
export function resultOfRow(row: SessionRow): SearchResult {
	const { path, modified } = row;
	return { path, rank: 0, modified: modified.getTime(), count: 0, more: false, best: titleHit(row) };
}

export function titleHit(row: SessionRow): Hit {
	return { line: 1, entryId: "", kind: "title", active: true, snippet: startSnippet(saidFirst(row)) };
}
