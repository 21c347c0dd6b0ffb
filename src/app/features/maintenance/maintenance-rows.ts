import type { SessionRow } from "../../../catalog/model/row.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import type { TrashItem } from "../../../changes/engine/read-trash.ts";
import { moreSentences } from "../../../conversation/entries/finding-words.ts";
import { memoFields } from "../../../shared/memo.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import type { Finding } from "../../../store/doctor/finding.ts";
import { type PageRow, rowAtCursor } from "../../../ui/page/page-rows.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import type { Tone } from "../../../ui/text/line.ts";
import { type Fates, fatesIn, isLooking } from "../../world/list/gone-directories.ts";
import type { SessionGroup } from "../../world/list/session-groups.ts";
import { KEPT_REASONS, keptWords, selectTidying, type Tidying } from "../../world/list/tidy-groups.ts";
import type { State } from "../../world/state/state.ts";
import { type DamagedSession, damagedSessions } from "./damaged-sessions.ts";
import { goneGroups } from "./gone-groups.ts";
import {
	allProblems,
	DOCTOR,
	type GroupId,
	MAINTENANCE,
	type MaintenanceState,
	type ProblemSources,
	TRASH_ITEMS,
} from "./maintenance-state.ts";
import { type OldSessions, oldSessions } from "./old-sessions.ts";

export interface RowGroup {
	readonly id: GroupId;
	readonly count: number;
	/** Total size of its files. */
	readonly bytes: number;
	/** A short remark that replaces its rule. */
	readonly note?: string | undefined;
}

export type MaintenanceRow = PageRow & {
	/** Key of the row that it is folded into. */
	readonly parent?: string;
} & (
		| { readonly type: "group"; readonly group: RowGroup }
		/** A session that is empty, or whose directory is gone; `why`: in a few words. */
		| { readonly type: "session"; readonly row: SessionRow; readonly why: string; readonly isGone: boolean }
		| { readonly type: "directory"; readonly directory: SessionGroup }
		| { readonly type: "old"; readonly old: OldSessions }
		| ({ readonly type: "damaged" } & DamagedSession)
		| { readonly type: "finding"; readonly finding: Finding; readonly path: string }
		| { readonly type: "trashed"; readonly item: TrashItem }
		/** The heading of the sessions that pi-grove created and an undo removed. */
		| { readonly type: "undone"; readonly count: number }
		| { readonly type: "problem"; readonly text: string }
		/** A sentence; the cursor skips it. */
		| { readonly type: "note"; readonly text: string; readonly tone: Tone; readonly isSkipped: true }
	);

export type RowOf<Type extends MaintenanceRow["type"]> = Extract<MaintenanceRow, { readonly type: Type }>;

/** A row that can be marked: a session of any kind. */
export type SessionLike = RowOf<"session" | "damaged" | "trashed">;

/** Key of the heading of a group; no file has such a path. */
export function groupKey(id: GroupId): string {
	return `group ${id}`;
}

const UNDONE = "undone";

/** Keys of the rows whose members are wanted; "all": members of every row. Folded members, perhaps tens of thousands, are not made. */
type OpenKeys = MaintenanceState["opened"] | "all";

function isOpen(opened: OpenKeys, key: string): boolean {
	return opened === "all" || opened.has(key);
}

/** All rows, also those that are folded away; what a row is folded into stands before it. */
export function selectAllRows(state: State): readonly MaintenanceRow[] {
	return allRows(sourcesOf(state, "all"));
}

/** The rows that are not folded away; a group that has nothing is there only where it was opened. */
export function selectMaintenanceRows(state: State): readonly MaintenanceRow[] {
	return shownRows(sourcesOf(state, MAINTENANCE.of(state).opened));
}

interface RowSources extends ProblemSources {
	readonly opened: OpenKeys;
	/** When today began, Unix ms. */
	readonly today: number;
	readonly examined: ReadonlyMap<string, Examination>;
	readonly fates: Fates;
	readonly isChecking: boolean;
	readonly tidying: Tidying;
	readonly trashed: readonly TrashItem[] | undefined;
	readonly trashError: string | undefined;
}

function sourcesOf(state: State, opened: OpenKeys): RowSources {
	const { environment, catalog, markProblems, saved } = state;
	const { value: trashed, error: trashError } = TRASH_ITEMS.of(state);
	return {
		...{ environment, catalog, markProblems, saved, opened, trashed, trashError },
		today: startOfDay(state.now),
		examined: DOCTOR.of(state).examined,
		fates: fatesIn(state),
		isChecking: isLooking(state),
		tidying: selectTidying(state),
	};
}

/** Each key needs all shown rows several times, and with marks the folded ones too: there may be 10,000 of them. */
const [allRows, shownRows] = [memoFields(makeRows), memoFields(makeRows)];

function makeRows(sources: RowSources): readonly MaintenanceRow[] {
	const { opened, catalog, today, examined, fates, isChecking, tidying, trashed, trashError } = sources;
	const rows = [
		...damagedRowsOf(damagedSessions(catalog.here, examined), opened),
		...goneRows(goneGroups(catalog.here, fates), fates, isChecking, opened),
		...emptyRows(tidying, opened),
		...oldRows(catalog.here, today, opened),
		...trashRows(trashed, trashError, opened),
		...problemRows(allProblems(sources), opened),
		...keptRows(tidying),
	];
	return rows.filter(
		(row) => row.type !== "group" || row.group.count > 0 || row.group.note !== undefined || isOpen(opened, row.key),
	);
}

function emptyRows({ sessions }: Tidying, opened: OpenKeys): readonly MaintenanceRow[] {
	const bytes = sessions.reduce((sum, { row }) => sum + row.size, 0);
	return groupRows({ id: "empty", count: sessions.length, bytes }, opened, "There is none.", (parent) =>
		sessions.map(({ kind, row }) => {
			const why = kind === "empty" ? "no message" : "no answer";
			return { key: row.path, parent, type: "session", row, why, isGone: false } as const;
		}),
	);
}

function oldRows(rows: State["catalog"]["here"], today: number, opened: OpenKeys): readonly MaintenanceRow[] {
	const { doors, all } = oldSessions(rows, today);
	return groupRows({ id: "old", ...all }, opened, "There is none.", (parent) =>
		doors.map((old) => ({ key: `old ${old.query}`, parent, type: "old", old }) as const),
	);
}

export function damagedKey(path: string): string {
	return `damaged ${path}`;
}

function damagedRowsOf(sessions: readonly DamagedSession[], opened: OpenKeys): readonly MaintenanceRow[] {
	const group: RowGroup = { id: "damaged", count: sessions.length, bytes: 0 };
	return groupRows(group, opened, "No session is known to be damaged.", (parent) =>
		sessions.flatMap((session): MaintenanceRow[] => {
			const key = damagedKey(session.row.path);
			const row: MaintenanceRow = { key, parent, type: "damaged", ...session };
			return isOpen(opened, key) ? [row, ...findingRows(session)] : [row];
		}),
	);
}

/** The findings in a session, and how many more of each kind are not stored. */
function findingRows({ row: { path, size }, examination }: DamagedSession): MaintenanceRow[] {
	const parent = damagedKey(path);
	if (examination === undefined) return [noteRow(parent, "Examining …")];
	// A session that cannot be read has no size.
	const hasChanged = examination.size !== size && examination.size > 0;
	return [
		...(hasChanged ? [noteRow(parent, "It has changed since it was examined.", "warning")] : []),
		...examination.findings.map(
			(finding, index) => ({ key: `${index} ${parent}`, parent, type: "finding", finding, path }) as const,
		),
		...moreSentences(examination).map((text) => noteRow(parent, text)),
	];
}

export function directoryKey(directory: string): string {
	return `gone ${directory}`;
}

function goneRows(
	groups: readonly SessionGroup[],
	fates: Fates,
	looking: boolean,
	opened: OpenKeys,
): readonly MaintenanceRow[] {
	const goneDirectories = groups.filter(({ key }) => fates.get(key)?.kind === "gone");
	const count = goneDirectories.reduce((sum, { rows }) => sum + rows.length, 0);
	const note =
		groups.length === 0 ? undefined : `in ${formatCounted(goneDirectories.length, "directory", "directories")}`;
	const none = looking ? "Looking …" : "The directories of all sessions outside of the archive exist.";
	return groupRows({ id: "gone", count, bytes: 0, note }, opened, none, (parent) =>
		groups.flatMap((directory): MaintenanceRow[] => {
			const key = directoryKey(directory.key);
			const row: MaintenanceRow = { key, parent, type: "directory", directory };
			if (!isOpen(opened, key)) return [row];
			const rows = directory.rows.toSorted((a, b) => b.modified.getTime() - a.modified.getTime());
			return [
				row,
				...rows.map(
					(each) =>
						({ key: `gone ${each.path}`, parent: key, type: "session", row: each, why: "", isGone: true }) as const,
				),
			];
		}),
	);
}

function problemRows(texts: readonly string[], opened: OpenKeys): readonly MaintenanceRow[] {
	const group: RowGroup = {
		id: "problems",
		count: texts.length,
		bytes: 0,
		note: texts.length === 1 ? texts[0] : undefined,
	};
	return groupRows(group, opened, "Everything could be read.", (parent) =>
		texts.map((text) => ({ key: `problem ${text}`, parent, type: "problem", text })),
	);
}

function keptRows({ kept }: Tidying): readonly MaintenanceRow[] {
	return KEPT_REASONS.flatMap((reason) => {
		const count = kept.get(reason) ?? 0;
		// Damaged sessions have their own group.
		return count === 0 || reason === "damaged" ? [] : [noteRow(undefined, keptWords(reason, count))];
	});
}

const NO_TRASH =
	"There is no session in the trash. Deleted sessions go to the system's trash, which pi-grove never empties.";

function trashRows(
	items: readonly TrashItem[] | undefined,
	error: string | undefined,
	opened: OpenKeys,
): readonly MaintenanceRow[] {
	const [undone = [], deleted = []] = [true, false].map((isUndone) =>
		(items ?? []).filter(({ wasUndone }) => wasUndone === isUndone),
	);
	const rowsOf = (some: readonly TrashItem[], parent: string) =>
		some.map((item) => ({ key: item.key, parent, type: "trashed", item }) as const);
	const forks = undone.length;
	const bytes = deleted.reduce((sum, { size }) => sum + size, 0);
	const note = forks === 0 ? undefined : `and ${formatCounted(forks, "undone fork")}`;
	const group: RowGroup = { id: "trash", count: deleted.length, bytes, note };
	const none = error ?? (items === undefined ? "Looking …" : NO_TRASH);
	const members = (parent: string): readonly MaintenanceRow[] => [
		...rowsOf(deleted, parent),
		...(forks === 0 ? [] : [{ key: UNDONE, parent, type: "undone", count: forks } as const]),
		...(isOpen(opened, UNDONE) ? rowsOf(undone, UNDONE) : []),
	];
	return groupRows(group, opened, none, members, error === undefined ? "muted" : "error");
}

/** The heading of a group and, if the group is open, its members, or a sentence if it is empty. */
function groupRows(
	group: RowGroup,
	opened: OpenKeys,
	none: string,
	membersBelow: (parent: string) => readonly MaintenanceRow[],
	tone?: Tone,
): readonly MaintenanceRow[] {
	const key = groupKey(group.id);
	const heading: MaintenanceRow = { key, type: "group", group };
	if (!isOpen(opened, key)) return [heading];
	const members = membersBelow(key);
	return [heading, ...(members.length === 0 ? [noteRow(key, none, tone)] : members)];
}

function noteRow(parent: string | undefined, text: string, tone: Tone = "muted"): MaintenanceRow {
	return { key: `note ${parent} ${text}`, ...(parent && { parent }), type: "note", text, tone, isSkipped: true };
}

export function selectedMaintenanceRow(state: State): MaintenanceRow | undefined {
	return rowAtCursor(MAINTENANCE.of(state).cursor, selectMaintenanceRows(state));
}

export function isSessionLike(row: MaintenanceRow | undefined): row is SessionLike {
	return row?.type === "session" || row?.type === "damaged" || row?.type === "trashed";
}

export function isFolding(row: MaintenanceRow | undefined): boolean {
	return row?.type === "group" || row?.type === "undone" || row?.type === "directory" || row?.type === "damaged";
}

export function isOnUnfolded(state: State): boolean {
	const row = selectedMaintenanceRow(state);
	return row !== undefined && isFolding(row) && isOpen(MAINTENANCE.of(state).opened, row.key);
}

/** Key of the heading of a row, or of the row itself if it is one. A damaged session is not a heading, although its findings fold into it. */
export function headingOf(row: MaintenanceRow): string {
	return isFolding(row) && row.type !== "damaged" ? row.key : (row.parent ?? "");
}

/** The session of a row, unless it is in the trash. */
export function listedRow(row: MaintenanceRow | undefined): SessionRow | undefined {
	return row?.type === "session" || row?.type === "damaged" ? row.row : undefined;
}
