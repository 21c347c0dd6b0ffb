import type { SessionRow } from "../../../catalog/model/row.ts";
import { memoLast } from "../../../shared/memo.ts";
import { type PageRow, rowAtCursor } from "../../../ui/page/page-cursor.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import type { Tone } from "../../../ui/view.ts";
import type { GroupId, MaintenanceState } from "../../model/maintenance-state.ts";
import type { State } from "../../model/state.ts";
import type { TrashItem } from "../../model/trash-state.ts";
import { selectTidying } from "./select-tidying.ts";
import { KEPT_REASONS, type Tidying, type TidyKind, type TidySession } from "./tidy-groups.ts";
import { keptWords } from "./tidy-words.ts";

/** The heading of a group. */
export interface Group {
	readonly id: GroupId;
	/** How many things are in it. */
	readonly count: number;
	/** Of its files together. */
	readonly bytes: number;
	/** More about it, in a few words. */
	readonly note?: string | undefined;
}

/** A row of the view. */
export type MaintenanceRow = PageRow & {
	/** Key of the row that it is folded into. */
	readonly parent?: string;
} & (
		| { readonly type: "group"; readonly group: Group }
		| { readonly type: "session"; readonly session: TidySession }
		| { readonly type: "trashed"; readonly item: TrashItem }
		/** The heading of what was made from here and taken back. */
		| { readonly type: "undone"; readonly count: number }
		/** A sentence to read. */
		| { readonly type: "note"; readonly text: string; readonly tone: Tone; readonly isSkipped: true }
	);

type RowOf<Type extends MaintenanceRow["type"]> = Extract<MaintenanceRow, { readonly type: Type }>;

/** What can be marked: sessions, wherever they are. */
export type SessionLike = RowOf<"session" | "trashed">;

/** What the heading of a group is known by: no file has a path like this. */
export function groupKey(id: GroupId): string {
	return `group ${id}`;
}

const UNDONE = "undone";

/** All rows, also those that are folded away; what a row is folded into stands before it. */
export function selectAllRows(state: State): readonly MaintenanceRow[] {
	const tidying = selectTidying(state);
	const { items, complete, error } = state.trash;
	return joined(tidyRows(tidying), trashRows(items, complete, error), keptRows(tidying));
}

const joined = memoLast((...parts: readonly (readonly MaintenanceRow[])[]) => parts.flat());

const TIDY_GROUPS: readonly (readonly [id: GroupId, kinds: readonly TidyKind[]])[] = [
	["gone", ["orphaned"]],
	["duplicate", ["duplicate"]],
	["empty", ["empty", "tiny"]],
	["old", ["old"]],
];

const tidyRows = memoLast(({ groups }: Tidying): readonly MaintenanceRow[] =>
	TIDY_GROUPS.flatMap(([id, kinds]) => {
		const found = groups.filter(({ kind }) => kinds.includes(kind));
		const sessions = found.flatMap((group) => group.sessions);
		const bytes = found.reduce((sum, group) => sum + group.bytes, 0);
		const parent = groupKey(id);
		return [
			{ key: parent, type: "group", group: { id, count: sessions.length, bytes } },
			...sessions.map((session) => ({ key: session.row.path, parent, type: "session", session }) as const),
			...(sessions.length === 0 ? [noteRow(parent, "There is none.")] : []),
		];
	}),
);

const keptRows = memoLast(({ kept }: Tidying): readonly MaintenanceRow[] =>
	KEPT_REASONS.flatMap((reason) => {
		const count = kept.get(reason) ?? 0;
		return count === 0 ? [] : [noteRow(undefined, keptWords(reason, count))];
	}),
);

const NO_TRASH =
	"There is no session in the trash. What is deleted here goes to the system's trash, which is emptied there.";

const trashRows = memoLast(
	(items: readonly TrashItem[], complete: boolean, error: string | undefined): readonly MaintenanceRow[] => {
		const [undone, deleted] = [true, false].map((wanted) => items.filter(({ wasUndone }) => wasUndone === wanted));
		const rowsOf = (some: readonly TrashItem[] | undefined, parent: string) =>
			(some ?? []).map((item) => ({ key: item.key, parent, type: "trashed", item }) as const);
		const parent = groupKey("trash");
		const count = deleted?.length ?? 0;
		const forks = undone?.length ?? 0;
		const bytes = (deleted ?? []).reduce((sum, { size }) => sum + size, 0);
		const note = forks === 0 ? undefined : `and ${formatCounted(forks, "undone fork")}`;
		return [
			{ key: parent, type: "group", group: { id: "trash", count, bytes, note } },
			...rowsOf(deleted, parent),
			...(forks === 0 ? [] : [{ key: UNDONE, parent, type: "undone", count: forks } as const]),
			...rowsOf(undone, UNDONE),
			...(items.length === 0
				? [noteRow(parent, error ?? (complete ? NO_TRASH : "Looking …"), error === undefined ? "muted" : "error")]
				: []),
		];
	},
);

function noteRow(parent: string | undefined, text: string, tone: Tone = "muted"): MaintenanceRow {
	return { key: `note ${parent} ${text}`, ...(parent && { parent }), type: "note", text, tone, isSkipped: true };
}

/** The rows that are not folded away; a group that has nothing is there only where it was opened. */
export function selectRows(state: State): readonly MaintenanceRow[] {
	return unfolded(selectAllRows(state), state.maintenance.opened);
}

const unfolded = memoLast(
	(all: readonly MaintenanceRow[], opened: MaintenanceState["opened"]): readonly MaintenanceRow[] => {
		const open = new Set<string>();
		return all.filter((row) => {
			const { key, parent } = row;
			if (parent !== undefined && !open.has(parent)) return false;
			if (opened.has(key)) open.add(key);
			return row.type !== "group" || row.group.count > 0 || row.group.note !== undefined || opened.has(key);
		});
	},
);

/** The row under the cursor. */
export function selectedRow(state: State): MaintenanceRow | undefined {
	return rowAtCursor(state.maintenance.cursor, selectRows(state));
}

/** Whether a row is a session, which can be marked. */
export function isSessionLike(row: MaintenanceRow | undefined): row is SessionLike {
	return row?.type === "session" || row?.type === "trashed";
}

/** Whether rows can be folded into a row. */
export function isFolding(row: MaintenanceRow | undefined): boolean {
	return row?.type === "group" || row?.type === "undone";
}

/** The group that a row is of, or the heading of which it is; what was taken back is apart from what was deleted. */
export function groupOf(row: MaintenanceRow): string {
	return isFolding(row) ? row.key : (row.parent ?? "");
}

/** Keys of the sessions that a row stands for: of a heading, those below it. */
export function keysOf(state: State, row: MaintenanceRow): readonly string[] {
	return isSessionLike(row) ? [row.key] : (membersIn(selectAllRows(state)).get(row.key) ?? []);
}

const membersIn = memoLast((all: readonly MaintenanceRow[]): ReadonlyMap<string, readonly string[]> => {
	const members = new Map<string, string[]>();
	for (const row of all) {
		if (!isSessionLike(row) || row.parent === undefined) continue;
		const before = members.get(row.parent);
		if (before === undefined) members.set(row.parent, [row.key]);
		else before.push(row.key);
	}
	return members;
});

/** How many sessions of each heading are marked. */
export function selectMarkedCounts(state: State): ReadonlyMap<string, number> {
	const { marked } = state.maintenance.marks;
	return marked.size === 0 ? NONE : countsOf(marked, membersIn(selectAllRows(state)));
}

const NONE: ReadonlyMap<string, number> = new Map();

const countsOf = memoLast(
	(marked: ReadonlySet<string>, members: ReadonlyMap<string, readonly string[]>) =>
		new Map([...members].map(([key, each]) => [key, each.filter((one) => marked.has(one)).length])),
);

/** The sessions that are marked, in the order of the rows. */
export function selectMarked(state: State): readonly SessionLike[] {
	return markedIn(selectAllRows(state), state.maintenance.marks.marked);
}

const markedIn = memoLast((all: readonly MaintenanceRow[], marked: ReadonlySet<string>): readonly SessionLike[] =>
	marked.size === 0 ? [] : all.filter(isSessionLike).filter(({ key }) => marked.has(key)),
);

/** What is deleted: the marked sessions that are listed, else the one under the cursor; of a heading, none. */
export function chosenSessions(state: State): readonly SessionRow[] {
	return chosenOf(state, "session").map(({ session }) => session.row);
}

/** What is restored: the marked sessions that are in the trash, else the one under the cursor. */
export function chosenItems(state: State): readonly TrashItem[] {
	return chosenOf(state, "trashed").map(({ item }) => item);
}

function chosenOf<Type extends SessionLike["type"]>(state: State, type: Type): readonly RowOf<Type>[] {
	const isOfType = (row: MaintenanceRow | undefined): row is RowOf<Type> => row?.type === type;
	const marked = selectMarked(state).filter(isOfType);
	const here = selectedRow(state);
	return marked.length > 0 || !isOfType(here) ? marked : [here];
}
