import type { Query } from "../../catalog/query/parse-query.ts";
import type { Steps } from "../../shared/steps.ts";
import { BOOKKEEPING } from "../../store/format/raw-entry.ts";
import type { Session } from "../../store/read/read-session.ts";
import { conversationLeaf } from "../entries/leaf.ts";
import { indexAt, isBeside, lineFrom, type OutlineColumns } from "../entries/outline-columns.ts";
import { runGroupKey } from "../entries/place-runs.ts";
import { preambleIn } from "../entries/preamble.ts";
import { type EntryColumns, entryColumns } from "./entry-columns.ts";
import { growRows } from "./grow-tree.ts";
import { layOutTree, type TreeLayout } from "./lay-out-tree.ts";
import { Matching } from "./matching.ts";
import { entryCount, filterOf, type Shows, shownEntries, type TreeFilter } from "./shown-entries.ts";
import { PREAMBLE_KEY, type RunsByStep, type TreeFolds, type TreeRows } from "./tree-rows.ts";

export interface TreeInput {
	readonly session: Session;
	readonly filter: TreeFilter;
	readonly query: Query;
	/** Id of an entry that is shown whatever the filter is. */
	readonly pinned: string | undefined;
	readonly home: string;
	/** Ids of the first entries of the branches that are open, or `ALL_BRANCHES`; `runGroupKey` of the steps whose runs are. */
	readonly opened: ReadonlySet<string>;
	/** Ids of the first entries of branches that are folded where others are open, or `ALL_BRANCHES`. */
	readonly folded: ReadonlySet<string>;
	/** The runs of subagents below entries; the same object while these do not change. */
	readonly runs: RunsByStep;
	/** When the run of a subagent was forked from its parent, Unix ms; undefined for any other session. */
	readonly forkedMs: number | undefined;
	/** How many rows the digest has while it is open; 0 while it is folded, undefined for a tree without one. */
	readonly digestRows: number | undefined;
}

export const ALL_BRANCHES = "*";

export interface ShownTree {
	readonly session: Session;
	readonly rows: TreeRows;
	/** How many entries hold the words of the filter, and whether all have been compared. Undefined without words. */
	readonly hits: { readonly count: number; readonly isComplete: boolean } | undefined;
}

export interface TreeDrawing {
	readonly input: TreeInput;
	readonly tree: ShownTree;
	/** How many entries of the session have been drawn. */
	readonly entries: number;
	/** What is known of the entries that hold the words of the filter. */
	readonly matching: Matching | undefined;
	/** False while entries are still being compared with the filter. */
	readonly isComplete: boolean;
}

/** Draws all of a tree at once, in steps; `earlier`: the drawing before, whose comparisons are used again. */
export function* drawTree(input: TreeInput, earlier: TreeDrawing | undefined): Steps<TreeDrawing> {
	const { session, filter, home } = input;
	const columns = yield* entryColumns(session);
	const matching = matchingFor(input, columns, earlier);
	if (matching?.isComplete === false)
		yield* matching.compare({ columns, shows: filterOf(columns, session, filter, input.runs), near: 0, home });
	return yield* drawMatching(input, columns, matching);
}

/** Draws what is known by now. */
export function* drawMatching(
	input: TreeInput,
	columns: EntryColumns,
	matching: Matching | undefined,
): Steps<TreeDrawing> {
	const { session, filter } = input;
	const passes = filterOf(columns, session, filter, input.runs);
	const pinned = input.pinned === undefined ? -1 : indexAt(columns.outline, input.pinned);
	const shows: Shows = (index) =>
		index === pinned || (passes(index) && (matching === undefined || matching.holds(index)));
	const entries = yield* shownEntries(columns, entryCount(columns, session), shows);
	const rows = yield* layOutTree(columns, session, entries, layoutOf(input, columns, pinned, entries.count));
	return drawingOf(input, rows, entries.count, matching);
}

function drawingOf(input: TreeInput, rows: TreeRows, entries: number, matching: Matching | undefined): TreeDrawing {
	const { session } = input;
	const isComplete = matching === undefined || matching.isComplete;
	const hits = matching && { count: matching.found, isComplete };
	return { input, tree: { session, rows, hits }, entries, matching, isComplete };
}

/** What is to be compared with the words of the filter, and what is known already; undefined without words. */
export function matchingFor(
	{ session, query, filter }: TreeInput,
	columns: EntryColumns,
	last: TreeDrawing | undefined,
): Matching | undefined {
	if (query.text === "") return undefined;
	const count = entryCount(columns, session);
	const earlier = last?.input.session.entries === session.entries && sameLabels(last, session) ? last : undefined;
	const { matching } = earlier ?? {};
	const isSame = matching?.isComplete === true && matching.query === query && earlier?.input.filter === filter;
	if (isSame && earlier.entries === count) return matching;
	return new Matching(query, matching?.statesFor(query, count) ?? new Uint8Array(count));
}

/** A label that was set or removed since changes whether its entry holds a word. */
function sameLabels({ input, entries }: TreeDrawing, session: Session): boolean {
	if (input.session === session) return true;
	return session.entries.slice(entries).every(({ type }) => type !== "label" && type !== "session_info");
}

/** Filters under which nothing is folded before the person folds it: who asks for all, or for labels, wants to see them. */
const UNFOLDED: ReadonlySet<TreeFilter> = new Set<TreeFilter>(["all", "labeled-only", "errors"]);
/** Filters with rows between the entries: sums, days, other models. */
const RICH: ReadonlySet<TreeFilter> = new Set<TreeFilter>(["default", "no-tools", "all"]);

function layoutOf(input: TreeInput, columns: EntryColumns, pinned: number, count: number): TreeLayout {
	const { query, filter, opened, folded, session } = input;
	const { outline } = columns;
	const isFiltering = query.text !== "";
	const areOpen = isFiltering || UNFOLDED.has(filter) || opened.has(ALL_BRANCHES);
	const leftBehind = leftBehindIn(outline, session, count);
	const pinnedBranches = branchesAbove(outline, pinned, leftBehind);
	const isOpen = (index: number) => {
		const id = session.entries[index]?.id ?? "";
		if (pinnedBranches.has(index) || folded.has(id)) return pinnedBranches.has(index);
		return opened.has(id) || (areOpen && !folded.has(ALL_BRANCHES));
	};
	return {
		isOpen,
		folds: {
			leftBehind,
			preamble: preambleRow(outline, opened.has(PREAMBLE_KEY)),
			digestRows: hasDigest(input, columns) ? input.digestRows : undefined,
		},
		isRich: !isFiltering && RICH.has(filter),
		runs: input.runs,
		forkedMs: input.forkedMs,
		areRunsOpen: (id) => opened.has(runGroupKey(id)),
		// What this filter hides only keeps books: a call without a result, a note.
		showsOpenRuns: !isFiltering && filter === "default",
	};
}

/** Whether the digest is above the tree: what a session of one turn is about, is seen without it. */
function hasDigest({ query, filter }: TreeInput, { promptsBefore, outline }: EntryColumns): boolean {
	const isWhole = query.text === "" && (filter === "turns" || RICH.has(filter));
	return isWhole && (promptsBefore[outline.count] ?? 0) > 1;
}

function preambleRow(outline: OutlineColumns, isOpen: boolean): TreeFolds["preamble"] {
	const preamble = preambleIn(lineFrom(outline, outline.mainRoot));
	if (preamble?.hasPrompt !== true) return undefined;
	const { owner, words, details } = preamble;
	return { index: indexAt(outline, owner.id), words, details: isOpen ? details : undefined };
}

/** The first entries of all branches, each beside another line or left behind, that an entry is on. */
function branchesAbove(outline: OutlineColumns, index: number, leftBehind: number): ReadonlySet<number> {
	const branches = new Set<number>();
	for (let at = index; at !== -1; at = outline.table.parent[at] ?? -1)
		if (at === leftBehind || isBeside(outline, at)) branches.add(at);
	return branches;
}

/**
 * The first entry of what was left behind: pi was taken back to an earlier entry, below which the last words of the session are,
 * and nothing has been said there since. -1 for none. `count`: how many entries there are.
 */
function leftBehindIn(outline: OutlineColumns, session: Session, count: number): number {
	const { table, active, level } = outline;
	const end = indexAt(outline, conversationLeaf(session) ?? "");
	const { entries } = session;
	let last = count - 1;
	while (last > end && (active[last] === 1 || BOOKKEEPING.has(entries[last]?.type ?? ""))) last--;
	if (last <= end) return -1;
	let first = last;
	let fork = table.parent[first] ?? -1;
	while (fork !== -1 && active[fork] !== 1) {
		first = fork;
		fork = table.parent[first] ?? -1;
	}
	return (level[fork] ?? -1) >= (level[end] ?? -1) ? first : -1;
}

/**
 * Adds what was appended to the session to a drawing, which must not be used any more, at once. Undefined where the session
 * has not just grown by entries that continue the last row: then all is to be drawn.
 */
export function growDrawing(earlier: TreeDrawing | undefined, input: TreeInput): TreeDrawing | undefined {
	if (!earlier || !hasOnlyGrown(earlier.input, input) || input.query.text !== "") return undefined;
	const { session, filter } = input;
	if (input.forkedMs !== undefined) return undefined;
	if (session.diagnostics.length !== earlier.input.session.diagnostics.length) return undefined;
	const { rows } = earlier.tree;
	// Once something is said, what was left behind is a branch.
	if (rows.folds.leftBehind !== -1) return undefined;
	if (!growRows(rows, earlier.entries, session, filter, RICH.has(filter))) return undefined;
	const isDigested = input.digestRows !== undefined && hasDigest(input, rows.columns);
	if (isDigested !== (rows.folds.digestRows !== undefined)) return undefined;
	return drawingOf(input, rows, entryCount(rows.columns, session), undefined);
}

export function sameInput(earlier: TreeInput, now: TreeInput): boolean {
	return changedInputs(earlier, now) === "";
}

/** Whether nothing but entries that were appended to the session is new. */
export function hasOnlyGrown(earlier: TreeInput, now: TreeInput): boolean {
	// A session that has grown goes on with the entries of the one before.
	return changedInputs(earlier, now) === "session" && earlier.session.entries === now.session.entries;
}

function changedInputs(earlier: TreeInput, now: TreeInput): string {
	return Object.entries(now)
		.filter(([name, value]) => earlier[name as keyof TreeInput] !== value)
		.map(([name]) => name)
		.join();
}
