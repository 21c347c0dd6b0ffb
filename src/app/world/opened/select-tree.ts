import { withOtherForms } from "../../../catalog/query/other-forms.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import { flatTerms } from "../../../catalog/query/term.ts";
import type { Hit } from "../../../catalog/search/search.ts";
import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import { indexAt } from "../../../conversation/entries/outline-columns.ts";
import { isRunKey, runGroupKey, stepOfGroup } from "../../../conversation/entries/place-runs.ts";
import {
	drawTree,
	growDrawing,
	hasOnlyGrown,
	type ShownTree,
	sameInput,
	type TreeDrawing,
	type TreeInput,
} from "../../../conversation/tree/draw-tree.ts";
import { rowOfHit } from "../../../conversation/tree/match-entry.ts";
import { DIGEST_KEY, type RunsByStep } from "../../../conversation/tree/tree-rows.ts";
import { memoLast } from "../../../shared/memo.ts";
import { runToEnd } from "../../../shared/steps.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { defineQuery } from "../effects/define-query.ts";
import { searchOf } from "../list/list-search.ts";
import { placedAt, withoutPlace } from "../state/opened-state.ts";
import type { State } from "../state/state.ts";
import { type DrawRequest, drawInSlices } from "./draw-in-slices.ts";
import { countDigestRows } from "./select-digest.ts";
import { forkedMs, runsByStep } from "./select-runs.ts";

/** The tree for a state; the same object while what it shows does not change. */
export function selectTree(state: State): ShownTree | undefined {
	const session = state.detail.session;
	if (session === undefined) return undefined;
	if (!isLarge(session, state.tree.parsed)) return drawSmall(treeInput(state, session));
	// A session may be large for one filter and not for another.
	const drawn = drawingOf(state, session) ?? last;
	return drawn?.input.session.path === session.path ? drawn.tree : undefined;
}

export function treeInput(state: State, session: Session): TreeInput {
	const { tree, environment } = state;
	const { filter, parsed: query, opened, folded } = tree;
	const pinned = query.text === "" ? tree.pinned : undefined;
	return {
		session,
		filter,
		query,
		pinned,
		home: environment.home,
		opened,
		folded,
		runs: runsByStep(state, session),
		forkedMs: forkedMs(state, session),
		digestRows: opened.has(DIGEST_KEY) ? countDigestRows(state, session) : 0,
	};
}

/** The tree of a large session, drawn outside of `update`. */
export const DRAWING = defineQuery<DrawRequest, TreeDrawing>({
	name: "tree",
	wanted(state) {
		const session = state.detail.session;
		if (session === undefined || !isLarge(session, state.tree.parsed)) return undefined;
		const input = treeInput(state, session);
		const lastDrawing = drawingOf(state, session);
		const near = state.tree.selected ?? session.tree.leafId ?? undefined;
		// Pinning an entry that has a row needs no new drawing.
		const isPinned = lastDrawing !== undefined && (input.pinned === undefined || hasRow(lastDrawing, input.pinned));
		return { input: isPinned ? { ...input, pinned: lastDrawing.input.pinned } : input, before: lastDrawing, near };
	},
	isSame: (askedKey, wantedKey) => sameInput(askedKey.input, wantedKey.input),
	// Entries appended meanwhile are added afterwards: restarting at every append would never end.
	finishes: (askedKey, wantedKey) => hasOnlyGrown(askedKey.input, wantedKey.input),
	derive: (_, { input, before }) => growDrawing(before, input),
	load: (request, { report, slice }) => drawInSlices(request, report, slice),
	forgets: true,
});

/** The last drawing of a session, which may be of an earlier input. */
function drawingOf(state: State, session: Session): TreeDrawing | undefined {
	const { value } = DRAWING.of(state);
	return value?.input.session.path === session.path ? value : undefined;
}

/** Whether an entry itself has a row; the row of a folded branch stands for all its entries. */
function hasRow({ tree: { rows } }: TreeDrawing, id: string): boolean {
	const kind = rows.kindAt(rows.indexOf(id));
	return kind === "entry" || kind === "opened";
}

/** The last tree drawn of a small session. */
let last: TreeDrawing | undefined;

function drawSmall(input: TreeInput): ShownTree {
	if (last === undefined || !sameInput(last.input, input))
		last = growDrawing(last, input) ?? runToEnd(drawTree(input, last));
	return last.tree;
}

/** The row under the cursor: that of the selected entry or its nearest ancestor with a row, else of the leaf; -1 for none. */
export function selectedTreeIndex(state: State, tree: ShownTree): number {
	return cursorRow(tree, state.tree.selected);
}

// Needed several times per frame, and a hidden entry may be far from any row.
const cursorRow = memoLast((tree: ShownTree, id: string | undefined): number => {
	const { session, rows } = tree;
	const { outline } = rows.columns;
	const ownRow = id === undefined ? -1 : rows.indexOf(id);
	if (ownRow !== -1) return ownRow;
	const step = id === undefined ? undefined : stepOfRun(rows.runs, id);
	const group = step === undefined ? -1 : rows.indexOf(runGroupKey(step));
	if (group !== -1) return group;
	const selected = id === undefined ? -1 : indexAt(outline, step ?? id);
	// The entry that was under the cursor may be gone.
	const index = selected === -1 ? indexAt(outline, conversationLeaf(session) ?? "") : selected;
	for (let at = index; at !== -1; at = outline.table.parent[at] ?? -1) if (rows.rowOf(at) !== -1) return rows.rowOf(at);
	return nearestRow(tree, outline.place[index] ?? 0);
});

/** Id of the entry below which a run stands. */
function stepOfRun(runs: RunsByStep, key: string): string | undefined {
	if (!isRunKey(key)) return stepOfGroup(key);
	for (const [entryId, { keys }] of runs) if (keys.includes(key)) return entryId;
	return undefined;
}

/** The last row before this position in the outline, else the first one. */
function nearestRow({ rows }: ShownTree, place: number): number {
	let first = -1;
	for (let row = rows.length - 1; row >= 0; row--) {
		if (!rows.isSelectable(row)) continue;
		const kind = rows.kindAt(row);
		if (kind === "run" || kind === "runs" || kind === "digest") continue;
		const isEntry = kind !== "damage";
		if (isEntry && (rows.columns.outline.place[rows.subjectAt(row)] ?? 0) <= place) return row;
		first = row;
	}
	return first;
}

/** The state with the cursor of the tree on an entry, even if the filter hides it, and the reader at its start. */
export function atEntry(state: State, id: string): State {
	return { ...state, tree: { ...state.tree, selected: id, pinned: id }, reader: placedAt(state.reader, id) };
}

/** The state with the cursor of the tree on the leaf, where what a search finds in the session leaves it, and the reader beside it. */
export function atLeaf(state: State): State {
	const tree = { ...state.tree, selected: undefined, pinned: undefined, isReturned: state.list.query.text !== "" };
	return { ...state, tree, reader: withoutPlace(state.reader) };
}

/** The entry under the cursor of the tree. */
export function selectedEntry(state: State): SessionEntry | undefined {
	const tree = selectTree(state);
	return tree?.rows.at(selectedTreeIndex(state, tree))?.entry;
}

/**
 * "hit 3/14": the hit of the list's search that the cursor is on, among as many as its row of the list counts; nothing until all are known.
 * A click goes to the next one.
 */
export function hitNote(state: State): Line {
	const { hits, selected } = state.tree;
	if (hits === undefined || !hits.complete || hits.ids.length === 0) return [];
	const at = hits.ids.indexOf(selected ?? selectedEntry(state)?.id ?? "") + 1;
	const all = formatCount(hits.ids.length);
	const words = at === 0 ? formatCounted(hits.ids.length, "hit") : `hit ${formatCount(at)}/${all}`;
	return [{ ...span(words, "muted"), press: "next-hit" }];
}

/** The query of the list's search for a session: with other forms of the words where it was found by these. */
export function queryIn(state: State, path: string | undefined): Query {
	const search = searchOf(state);
	return path !== undefined && search.others.has(path) ? widened(search.query) : search.query;
}

/** A query is recognized by its object: hits are of the same one as long as this one is returned. */
const widened = memoLast((query: Query): Query => withOtherForms(query) ?? query);

/** The id of the entry whose row shows a hit. */
export function rowIdOf(
	hit: Pick<Hit, "entryId" | "line" | "kind">,
	query: Query,
	session: Session,
): string | undefined {
	const id = hitEntryId(hit, session);
	const entry = id === undefined ? undefined : session.tree.byId.get(id);
	return entry === undefined ? id : rowOfHit(entry, hit.kind, query, session);
}

/** The id of the entry with a hit; version 1 files have no ids, so there the line number identifies it. */
export function hitEntryId({ entryId, line }: Pick<Hit, "entryId" | "line">, session: Session): string | undefined {
	return entryId === "" ? idsByLine(session).get(line) : entryId;
}

/** Each hit of a search asks for the id of its line. */
const idsByLine = memoLast(
	({ lines }: Session): ReadonlyMap<number, string> => new Map([...lines].map(([id, line]) => [line, id])),
);

/** A larger session cannot be filtered between two frames. */
const LARGE_BYTES = 1024 * 1024;
/** A larger session cannot be filtered by a pattern between two frames: the slowest patterns take a microsecond per character, most a hundredth of that. */
const LARGE_BYTES_FOR_PATTERN = 128 * 1024;
/** More entries cannot be drawn between two frames. */
const LARGE_ENTRIES = 4000;

/** Whether drawing or filtering a session would delay the screen, so that it is done outside of `update`. */
export function isLarge({ size, entries }: Session, filter: Query): boolean {
	const hasPattern = flatTerms(filter.terms).some(({ regex }) => regex !== undefined);
	return size > (hasPattern ? LARGE_BYTES_FOR_PATTERN : LARGE_BYTES) || entries.length > LARGE_ENTRIES;
}

/** Whether the tree of a session has been drawn: whatever else is computed about the session has to wait for that. */
export function isDrawn(state: State, session: Session): boolean {
	return !isLarge(session, state.tree.parsed) || drawingOf(state, session) !== undefined;
}
