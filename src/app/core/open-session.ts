import type { SessionRow } from "../../catalog/model/row.ts";
import { NO_QUERY } from "../../catalog/query/parse-query.ts";
import { editedText } from "../../ui/field/edit.ts";
import { MEMORY, viewKey } from "../features/memory/memory-state.ts";
import { selectedRow } from "../world/list/select-list.ts";
import { shownSession } from "../world/opened/shown-session.ts";
import { layoutFor } from "../world/screen/layout.ts";
import { NO_BRANCHES } from "../world/state/branches-state.ts";
import { withoutPlace } from "../world/state/reader-state.ts";
import type { State, Transition } from "../world/state/state.ts";
import { transition } from "../world/state/transition.ts";
import type { TreeState } from "../world/state/tree-state.ts";
import { pagePreview } from "./features/pages.ts";

const NOTHING_DRAWN = { tree: undefined, reader: undefined, branches: undefined };

/** Requests the session under the cursor if the tree is drawn and shows another one, or an older state of this one. */
export function openSession(state: State): Transition {
	const { detail } = state;
	const preview = pagePreview(state);
	const row = preview ? preview.row : selectedRow(state);
	if (row === undefined)
		return transition(detail.status === "none" || isListed(state) ? state : switchTo(state, { status: "none" }));
	const same = detail.status !== "none" && detail.row.path === row.path;
	const { tree, reader, branches } = preview ? { ...NOTHING_DRAWN, tree: preview.box } : layoutFor(state);
	if (tree === undefined && reader === undefined && branches === undefined) {
		// Nothing is read for a tree that is not drawn, and keys must not act on an entry of another session.
		return transition(same || detail.status === "none" ? state : switchTo(state, { status: "none" }));
	}
	// One request at a time: if a file is written faster than it can be read, each request would abort the previous one.
	if (same && (detail.status === "loading" || isCurrent(detail.row, row))) return transition(state);
	const request = state.request + 1;
	const before = same ? shownSession(detail) : undefined;
	const loading: State["detail"] = { status: "loading", row, session: before };
	const next = same ? { ...state, detail: loading } : switchTo(state, loading);
	return transition({ ...next, request }, { type: "read-session", request, path: row.path, before });
}

/** Whether the open session is the one under the list's cursor: it stays open behind a page that shows none. */
function isListed(state: State): boolean {
	return state.detail.status !== "none" && state.detail.row.path === selectedRow(state)?.path;
}

function isCurrent(read: SessionRow, row: SessionRow): boolean {
	return read.size === row.size && read.modified.getTime() === row.modified.getTime();
}

/** Switches to another session, remembering the entry under the cursor of the previous one. */
function switchTo(state: State, detail: State["detail"]): State {
	const savedCursors = new Map(state.tree.savedCursors);
	if (state.detail.status !== "none") savedCursors.set(state.detail.row.path, state.tree.selected);
	const remembered = detail.status === "none" ? undefined : MEMORY.of(state).views.get(viewKey(detail.row));
	const isSaved = detail.status !== "none" && savedCursors.has(detail.row.path);
	const selected = isSaved ? savedCursors.get(detail.row.path) : remembered?.selected;
	// A filter typed for one session would silently hide entries of the next.
	const query = editedText("");
	const fresh: Partial<TreeState> = {
		query,
		parsed: NO_QUERY,
		mistake: undefined,
		selected,
		top: 0,
		pinned: undefined,
		hits: undefined,
		opened: remembered?.opened ?? new Set<string>(),
		folded: new Set<string>(),
		filter: remembered?.filter ?? MEMORY.of(state).filter,
		savedCursors,
	};
	const reader = withoutPlace(state.reader);
	const branches = {
		...NO_BRANCHES,
		sort: state.branches.sort,
		from: state.branches.from,
		fromZoom: state.branches.fromZoom,
	};
	return { ...state, detail, reader, tree: { ...state.tree, ...fresh }, branches };
}
