import { memoLast } from "../model/memo.ts";
import { type PageRow, rowAtCursor } from "../model/page-cursor.ts";
import { chosenOf, type PageMarks } from "../model/page-marks.ts";
import type { State } from "../model/state.ts";
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

const rowsOf = memoLast(({ groups, kept }: Tidying): readonly TidyRow[] => [
	...groups.flatMap((group): TidyRow[] => [
		{ key: `group ${group.kind}`, type: "heading", group },
		...group.sessions.map((session): TidyRow => ({ key: session.row.path, type: "session", session })),
	]),
	...KEPT_REASONS.flatMap((reason): TidyRow[] => {
		const count = kept.get(reason) ?? 0;
		return count === 0 ? [] : [{ key: `kept ${reason}`, type: "kept", reason, count, isSkipped: true }];
	}),
]);

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
	return countsOf(state.tidy.marks.marked, kindsOf(selectTidying(state)));
}

const countsOf = memoLast((marked: ReadonlySet<string>, kinds: ReadonlyMap<string, TidyKind>) => {
	const counts = new Map<TidyKind, number>();
	for (const path of marked) {
		const kind = kinds.get(path);
		if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
	}
	return counts;
});

/** The marks without those of sessions that are not proposed any more; the same object where there is none. */
export function keptMarks(state: State): PageMarks {
	return marksAmong(state.tidy.marks, kindsOf(selectTidying(state)));
}

/** It is asked for with every key. */
const marksAmong = memoLast((marks: PageMarks, kinds: ReadonlyMap<string, TidyKind>): PageMarks => {
	const kept = [...marks.marked].filter((path) => kinds.has(path));
	return kept.length === marks.marked.size ? marks : { ...marks, marked: new Set(kept) };
});

const kindsOf = memoLast(
	({ groups }: Tidying): ReadonlyMap<string, TidyKind> =>
		new Map(groups.flatMap(({ kind, sessions }) => sessions.map(({ row }) => [row.path, kind] as const))),
);

/** How much is marked. */
export function markedTidySum({ tidy, catalog }: State): { readonly count: number; readonly bytes: number } {
	return sum(tidy.marks.marked, catalog.rows);
}

const sum = memoLast((marked: ReadonlySet<string>, rows: State["catalog"]["rows"]) => {
	let bytes = 0;
	for (const path of marked) bytes += rows.get(path)?.size ?? 0;
	return { count: marked.size, bytes };
});
