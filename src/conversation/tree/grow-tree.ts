import { runToEnd } from "../../shared/steps.ts";
import type { Session } from "../../store/read/read-session.ts";
import { AFTER_PAUSE, CHANGES_SETTING, type EntryColumns, entryColumns } from "./entry-columns.ts";
import { entryCount, filterOf, isSaid, STEPS_OF_SUM, type TreeFilter } from "./shown-entries.ts";
import type { TreeRows } from "./tree-rows.ts";

/**
 * Draws what was appended to a session since `drawn` of its entries were drawn, in a time that does not depend on the
 * session's size: the rows are extended, not copied. False, with nothing changed, where an entry does not simply go on from
 * the last row of the active path; then the tree must be drawn anew.
 */
export function growRows(
	rows: TreeRows,
	drawn: number,
	session: Session,
	filter: TreeFilter,
	isRich: boolean,
): boolean {
	// Which turns are shown, and which entries have labels, changes for entries that are drawn already.
	if (filter === "turns" || filter === "labeled-only") return false;
	const columns = runToEnd(entryColumns(session));
	const last = lastOnPath(rows, rows.length - 1);
	if (columns !== rows.columns || last === -1) return false;
	const shows = filterOf(columns, session, filter, rows.runs);
	const newIndexes: number[] = [];
	for (let index = drawn; index < entryCount(columns, session); index++) {
		if (rows.runs.size > 0 && rows.runs.has(session.entries[index]?.id ?? "")) return false;
		if (shows(index)) newIndexes.push(index);
	}
	// A sum stands behind the last of what was said and done, and other entries may follow it.
	if (isRich && ![rows.subjectAt(last), ...newIndexes].every((index) => isSaid(columns, index))) return false;
	// It may have been shown only because it was the leaf.
	if (!shows(rows.subjectAt(last))) {
		const above = beforeDividers(rows, last);
		const rowBefore = lastOnPath(rows, above);
		if (rowBefore === -1 || (isRich && !isSaid(columns, rows.subjectAt(rowBefore)))) return false;
		while (rows.length > above + 1) rows.pop();
	}
	for (const index of newIndexes) addRow(rows, columns, index, isRich);
	if (isRich) pushSum(rows, columns);
	const end = lastOnPath(rows, rows.length - 1);
	rows.end(0, end, rows.length);
	return true;
}

/** The last row of the active path, if it is this one, or the one above it and this one is its sum; else -1. */
function lastOnPath(rows: TreeRows, row: number): number {
	const last = rows.kindAt(row) === "sum" ? row - 1 : row;
	const isOnPath = rows.columns.outline.active[rows.subjectAt(last)] === 1;
	return rows.kindAt(last) === "entry" && rows.depthAt(last) === 0 && isOnPath ? last : -1;
}

/** The row before the dividers above a row. */
function beforeDividers(rows: TreeRows, row: number): number {
	let above = row - 1;
	while (rows.kindAt(above) === "settings" || rows.kindAt(above) === "time") above -= 1;
	return above;
}

function addRow(rows: TreeRows, columns: EntryColumns, index: number, isRich: boolean): void {
	const last = lastOnPath(rows, rows.length - 1);
	const above = rows.subjectAt(last);
	const isSameTurn = columns.turn[above] === columns.turn[index];
	if (isSameTurn && rows.kindAt(rows.length - 1) === "sum") rows.pop();
	if (isRich && !isSameTurn) pushSum(rows, columns);
	rows.goOn(0, last);
	if (isRich) pushDividers(rows, columns, index, above);
	rows.push("entry", index, 0);
}

function pushDividers(rows: TreeRows, { flags, outline }: EntryColumns, index: number, above: number): void {
	let isAfterPause = ((flags[index] ?? 0) & AFTER_PAUSE) !== 0;
	let setting = -1;
	for (let at = outline.table.parent[index] ?? -1; at !== -1 && at !== above; at = outline.table.parent[at] ?? -1) {
		if (((flags[at] ?? 0) & AFTER_PAUSE) !== 0) isAfterPause = true;
		if (((flags[at] ?? 0) & CHANGES_SETTING) !== 0 && setting === -1) setting = at;
	}
	if (isAfterPause) rows.push("time", index, 0);
	if (setting !== -1) rows.push("settings", setting, 0);
}

/** The sum of the turn that the last row is of, if it is not there and is worth a row. */
function pushSum(rows: TreeRows, { turn, stepsIn }: EntryColumns): void {
	const row = rows.length - 1;
	const index = rows.subjectAt(row);
	if (rows.kindAt(row) === "entry" && (stepsIn[turn[index] ?? index] ?? 0) >= STEPS_OF_SUM) rows.push("sum", index, 0);
}
