import { memoLast } from "../../../shared/memo.ts";
import { type PageRow, rowAtCursor } from "../../../ui/page/page-cursor.ts";
import { chosenOf } from "../../../ui/page/page-marks.ts";
import type { State } from "../../world/state.ts";
import { selectTidying } from "./select-tidying.ts";
import {
	KEPT_REASONS,
	type KeptReason,
	type TidyGroup,
	type Tidying,
	type TidyKind,
	type TidySession,
} from "./tidy-groups.ts";

/** A row of the page: the heading of a group, a session of it, or what is not proposed. */
export type TidyRow = PageRow &
	(
		| { readonly type: "heading"; readonly group: TidyGroup }
		| { readonly type: "session"; readonly session: TidySession }
		| { readonly type: "kept"; readonly reason: KeptReason; readonly count: number; readonly isSkipped: true }
	);

/** All rows of the page, in their order. */
export function selectTidyRows(state: State): readonly TidyRow[] {
	return rowsOf(selectTidying(state));
}

const rowsOf = memoLast(({ groups, kept }: Tidying): readonly TidyRow[] => {
	const rows: TidyRow[] = [];
	for (const group of groups) {
		rows.push({ key: `group ${group.kind}`, type: "heading", group });
		for (const session of group.sessions) rows.push({ key: session.row.path, type: "session", session });
	}
	for (const reason of KEPT_REASONS) {
		const count = kept.get(reason) ?? 0;
		if (count > 0) rows.push({ key: `kept ${reason}`, type: "kept", reason, count, isSkipped: true });
	}
	return rows;
});

/** The row under the cursor. */
function selectedTidyRow(state: State): TidyRow | undefined {
	return rowAtCursor(state.tidy.cursor, selectTidyRows(state));
}

/** The session under the cursor. */
export function selectedTidySession(state: State): TidySession | undefined {
	const row = selectedTidyRow(state);
	return row?.type === "session" ? row.session : undefined;
}

/** What is deleted: the marked sessions, else the one under the cursor; of a heading, none. */
export function chosenTidySessions(state: State): readonly TidySession[] {
	const { marks, cursor } = state.tidy;
	return chosenOf(marks, selectTidyRows(state), cursor).flatMap((row) => (row.type === "session" ? [row.session] : []));
}

/** Paths of all that a row stands for: of a heading, those of its group. */
export function pathsOf(row: TidyRow): readonly string[] {
	if (row.type === "heading") return row.group.sessions.map((session) => session.row.path);
	return row.type === "session" ? [row.key] : [];
}

/** How many sessions of each group are marked. */
export function markedByKind(state: State): ReadonlyMap<TidyKind, number> {
	const { marked } = state.tidy.marks;
	return marked.size === 0 ? NONE : countsOf(marked, kindsOf(selectTidying(state)));
}

const NONE: ReadonlyMap<TidyKind, number> = new Map();

const countsOf = memoLast((marked: ReadonlySet<string>, kinds: ReadonlyMap<string, TidyKind>) => {
	const counts = new Map<TidyKind, number>();
	for (const path of marked) {
		const kind = kinds.get(path);
		if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
	}
	return counts;
});

const kindsOf = memoLast(({ groups }: Tidying): ReadonlyMap<string, TidyKind> => {
	const kinds = new Map<string, TidyKind>();
	for (const { kind, sessions } of groups) for (const { row } of sessions) kinds.set(row.path, kind);
	return kinds;
});

/** The bytes of what is marked. */
export function markedTidyBytes({ tidy, catalog }: State): number {
	return bytesOf(tidy.marks.marked, catalog.rows);
}

const bytesOf = memoLast((marked: ReadonlySet<string>, rows: State["catalog"]["rows"]): number => {
	let bytes = 0;
	for (const path of marked) bytes += rows.get(path)?.size ?? 0;
	return bytes;
});
