import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import type { Diagnostic } from "../../store/format/diagnostic.ts";
import type { Session } from "../../store/read/read-session.ts";
import { sizeAt } from "../entries/outline-columns.ts";
import { runGroupKey } from "../entries/place-runs.ts";
import { areMany } from "../entries/run-line.ts";
import { AFTER_PAUSE, CHANGES_SETTING, type EntryColumns } from "./entry-columns.ts";
import { type ShownEntries, STEPS_OF_SUM } from "./shown-entries.ts";
import { type RunsByStep, type TreeFolds, TreeRows } from "./tree-rows.ts";

export interface TreeLayout {
	/** Whether a branch beside the line is open, by the index of its first entry. */
	readonly isOpen: (index: number) => boolean;
	readonly folds: TreeFolds;
	/** Whether there are rows between the entries: sums of turns, other models, days, damaged lines. */
	readonly isRich: boolean;
	readonly runs: RunsByStep;
	/** Whether all runs of a step that has many are open, by the id of the step. */
	readonly areRunsOpen: (entryId: string) => boolean;
	/** When the run of a subagent was forked, Unix ms: what is older was copied from its parent. */
	readonly forkedMs: number | undefined;
	/** Whether the runs of a step that is not shown are. */
	readonly showsOpenRuns: boolean;
}

/** Puts the entries that are shown in rows, in a time linear in their number. */
export function* layOutTree(
	columns: EntryColumns,
	session: Session,
	entries: ShownEntries,
	layout: TreeLayout,
): Steps<TreeRows> {
	const { outline } = columns;
	const { order, depth } = outline;
	const { count } = entries;
	const damage = layout.isRich ? lostLines(session) : [];
	const lostAfter = placeDamage(columns, damage);
	const rows = new TreeRows(columns, damage, layout.runs, layout.folds);
	const lines = new Lines(rows);
	const pending = new Pending(columns, entries, layout.isRich);
	for (let number = 0; number < rows.firstRow; number++) rows.push("digest", number, 0);
	for (const lost of lostAfter.get(-1) ?? []) rows.push("damage", lost, 0);
	let step = 0;
	let isCopied = layout.forkedMs !== undefined;
	for (let place = 0; place < count; ) {
		if (++step % ENTRIES_PER_STEP === 0) yield;
		const index = order[place] ?? 0;
		const level = depth[index] ?? 0;
		if (rows.beginsBranch(index)) {
			const size = sizeAt(outline, index);
			const visible = (entries.before[place + size] ?? 0) - (entries.before[place] ?? 0);
			lines.closeFrom(level);
			const isFolded = visible > 0 && !layout.isOpen(index);
			if (isFolded) rows.push("folded", index, level);
			if (isFolded || visible === 0) {
				place += size;
				continue;
			}
			if (index === layout.folds.leftBehind) rows.push("left", index, level);
			lines.open(level);
		}
		place += 1;
		pending.pass(index);
		if (entries.shown[index] === 1) {
			lines.closeFrom(level + 1);
			pushDividers(rows, pending, index, level);
			if (isCopied && (columns.time[index] ?? 0) >= (layout.forkedMs ?? 0)) {
				isCopied = false;
				if (layout.isRich && rows.length > rows.firstRow) rows.push("own", index, level);
			}
			lines.add(index, level);
			const { preamble } = layout.folds;
			if (index === preamble?.index)
				for (const number of preamble.details?.keys() ?? []) rows.push("detail", number, level);
			pushRuns(rows, layout, index, level);
			if (layout.isRich && endsTurn(columns, entries, index)) rows.push("sum", index, level);
		} else if (layout.showsOpenRuns && layout.runs.has(outline.session.entries[index]?.id ?? "")) {
			lines.closeFrom(level + 1);
			pushRuns(rows, layout, index, level);
		}
		for (const lost of lostAfter.get(index) ?? []) rows.push("damage", lost, level);
	}
	lines.closeFrom(0);
	return rows;
}

function pushRuns(rows: TreeRows, { runs, areRunsOpen }: TreeLayout, index: number, level: number): void {
	if (runs.size === 0) return;
	const id = rows.columns.outline.session.entries[index]?.id ?? "";
	const { keys = [], isOne = false } = runs.get(id) ?? {};
	if (isOne) return;
	const hasGroup = areMany(keys);
	if (hasGroup) rows.pushRun("runs", index, level, runGroupKey(id));
	if (!hasGroup || areRunsOpen(id)) for (const key of keys) rows.pushRun("run", index, level, key);
}

function pushDividers(rows: TreeRows, pending: Pending, index: number, level: number): void {
	// Above the first row there is nothing to divide it from.
	const isFirst = rows.length === rows.firstRow;
	if (!isFirst && pending.isAfterPause(index)) rows.push("time", index, level);
	const setting = pending.settingAbove(index);
	if (!isFirst && setting !== -1) rows.push("settings", setting, level);
}

/** Whether an entry is the last row of a turn that is worth a sum. */
function endsTurn({ turn, stepsIn }: EntryColumns, { lastOfTurn }: ShownEntries, index: number): boolean {
	const first = turn[index] ?? index;
	return lastOfTurn[first] === index && (stepsIn[first] ?? 0) >= STEPS_OF_SUM;
}

const NO_ROW = -1;
const BEGUN = -2;

/** Follows the lines, each beside the one before, and marks where they end. */
class Lines {
	readonly #rows: TreeRows;
	/** The last row of each line that is open, by depth; `NO_ROW` for a branch without any, `BEGUN` for the main line. */
	readonly #last: number[] = [];

	constructor(rows: TreeRows) {
		this.#rows = rows;
	}

	/** Ends the lines from this depth on: what follows is beside another one, or below it. */
	closeFrom(depth: number): void {
		while (this.#last.length > depth) {
			const last = this.#last.pop() ?? NO_ROW;
			if (last >= 0) this.#rows.end(this.#last.length, last, this.#rows.length);
		}
	}

	/** Begins the lines of branches down to a depth. */
	open(depth: number): void {
		while (this.#last.length <= depth) this.#last.push(this.#last.length === depth ? NO_ROW : BEGUN);
	}

	add(index: number, depth: number): void {
		const isFirst = this.#last[depth] === NO_ROW;
		this.#last[depth] = this.#rows.length;
		this.#rows.push(isFirst ? "opened" : "entry", index, depth);
	}
}

/** Remembers the pauses and settings of hidden entries between two rows of a line. */
class Pending {
	readonly #columns: EntryColumns;
	readonly #shown: Uint8Array;
	readonly #isRich: boolean;
	/** By entry index: the last hidden change of a setting above it, with no row in between; -1 for none. */
	readonly #setting: Int32Array;
	readonly #pause: Uint8Array;

	constructor(columns: EntryColumns, { shown }: ShownEntries, isRich: boolean) {
		const count = isRich ? shown.length : 0;
		this.#columns = columns;
		this.#shown = shown;
		this.#isRich = isRich;
		this.#setting = new Int32Array(count);
		this.#pause = new Uint8Array(count);
	}

	/** Passes an entry; its parent was passed before. */
	pass(index: number): void {
		if (!this.#isRich) return;
		const flags = this.#columns.flags[index] ?? 0;
		const isShown = this.#shown[index] === 1;
		this.#setting[index] = isShown ? -1 : (flags & CHANGES_SETTING) !== 0 ? index : this.settingAbove(index);
		this.#pause[index] = !isShown && this.isAfterPause(index) ? 1 : 0;
	}

	settingAbove(index: number): number {
		const above = this.#columns.outline.table.parent[index] ?? -1;
		return !this.#isRich || above === -1 ? -1 : (this.#setting[above] ?? -1);
	}

	isAfterPause(index: number): boolean {
		if (!this.#isRich) return false;
		const above = this.#columns.outline.table.parent[index] ?? -1;
		return ((this.#columns.flags[index] ?? 0) & AFTER_PAUSE) !== 0 || (above !== -1 && this.#pause[above] === 1);
	}
}

/** Lines of the file that are lost whole. */
function lostLines({ diagnostics }: Session): readonly Diagnostic[] {
	return diagnostics.filter(
		({ code, line }) => line !== undefined && (code === "bad-line" || code === "torn-tail" || code === "line-too-long"),
	);
}

/** Diagnostics by the index of the entry that stands before their line; -1 for those before all. */
function placeDamage({ outline }: EntryColumns, damage: readonly Diagnostic[]): ReadonlyMap<number, number[]> {
	return Map.groupBy(damage.keys(), (number) => outline.table.upToLine(damage[number]?.line ?? 0));
}
