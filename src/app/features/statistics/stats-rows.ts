import { startOfDay } from "../../../catalog/query/dates.ts";
import type { CatalogStats } from "../../../catalog/stats/aggregate-stats.ts";
import { memoLast } from "../../../shared/memo.ts";
import { cursorIndex, type PageCursor, type PageRow } from "../../../ui/page/page-rows.ts";
import type { Line } from "../../../ui/text/line.ts";
import { wrapLine } from "../../../ui/text/wrap.ts";
import type { Box, Size } from "../../../ui/view.ts";
import { wholePage } from "../../world/page/page.ts";
import type { State } from "../../world/state/state.ts";
import { HEATMAP_ROWS, weeksIn } from "./draw-heatmap.ts";
import { INDENT, type TableLayout, tableLayout } from "./draw-table.ts";
import { type HeatDay, type Heatmap, heatmapOf, WEEK } from "./heatmap.ts";
import { STATS } from "./stats-state.ts";
import { type StatsTable, spentOf, statsTables } from "./stats-tables.ts";
import { summary } from "./stats-text.ts";

/** A row of the page; the cursor skips headings, texts and blank rows. */
export type StatsRow = PageRow &
	(
		| { readonly kind: "text"; readonly line: Line }
		| { readonly kind: "months" }
		| { readonly kind: "weekday"; readonly weekday: number }
		| { readonly kind: "day-note" }
		| { readonly kind: "heads"; readonly table: StatsTable }
		| { readonly kind: "line"; readonly table: StatsTable; readonly index: number }
	);

/** What is on the page. */
export interface StatsPage {
	readonly sum: CatalogStats;
	readonly rows: readonly StatsRow[];
	/** Number of rows that the cursor can be on. */
	readonly selectable: number;
	readonly layout: TableLayout;
	/** Undefined if there is no room for it. */
	readonly heatmap: Heatmap | undefined;
}

/** The heatmap is shown in pages of at least this many rows, because the tables need some as well. */
const HEATMAP_FROM_ROWS = 2 * HEATMAP_ROWS;
/** Indentation of continuation rows, in cells. */
const HANGING = 2;

/** The box of the page. */
export function statsBox(size: Size): Box {
	return wholePage(size);
}

/** What is on the page; undefined before the first count. */
export function selectStats(state: State): StatsPage | undefined {
	const { sum } = STATS.of(state);
	if (sum === undefined) return undefined;
	const { width, height } = statsBox(state.size);
	return pageOf(sum, state.environment.home, width, height >= HEATMAP_FROM_ROWS, startOfDay(state.now));
}

const pageOf = memoLast((sum: CatalogStats, home: string, width: number, isHigh: boolean, today: number): StatsPage => {
	const weeks = isHigh ? weeksIn(width, INDENT) : 0;
	const spentIn = (line: CatalogStats["days"][number]): number => spentOf(line, sum);
	const heatmap = weeks > 0 && sum.days.length > 0 ? heatmapOf(sum.days, spentIn, today, weeks) : undefined;
	const tables = statsTables(sum, home, false);
	const layout = tableLayout(tables, width);
	const rows: StatsRow[] = summary(sum, layout.barWidth > 0)
		.flatMap((line) => wrapLine(line, width, HANGING))
		.map((line, index) => ({ kind: "text", key: `text ${index}`, line, isSkipped: true }));
	if (heatmap !== undefined) {
		rows.push(blank("heatmap"), { kind: "months", key: "months", isSkipped: true });
		for (let weekday = 0; weekday < WEEK; weekday++) rows.push({ kind: "weekday", key: `weekday ${weekday}`, weekday });
		rows.push({ kind: "day-note", key: "day-note", isSkipped: true });
	}
	for (const table of tables) {
		rows.push(blank(table.id), { kind: "heads", key: `heads ${table.id}`, table, isSkipped: true });
		for (let index = 0; index < table.count; index++)
			rows.push({ kind: "line", key: `${table.id} ${table.valueAt(index)}`, table, index });
	}
	const selectable = rows.reduce((count, row) => count + (row.isSkipped === true ? 0 : 1), 0);
	return { sum, rows, selectable, layout, heatmap };
});

function blank(before: string): StatsRow {
	return { kind: "text", key: `blank ${before}`, line: [], isSkipped: true };
}

/** The cursor; until it is moved, it is on the first line of the tables. */
export function statsCursor(state: State, rows: readonly StatsRow[]): PageCursor {
	const { cursor } = STATS.of(state);
	if (cursor.selected !== undefined) return cursor;
	const index = rows.findIndex(({ kind }) => kind === "line");
	return index === -1 ? cursor : { ...cursor, selected: rows[index]?.key, index };
}

/** The row under the cursor. */
export function selectedStatsRow(state: State): StatsRow | undefined {
	const page = selectStats(state);
	return page?.rows[cursorIndex(statsCursor(state, page.rows), page.rows)];
}

/** The day under the cursor. */
export function selectedDay(state: State): HeatDay | undefined {
	const row = selectedStatsRow(state);
	const heatmap = selectStats(state)?.heatmap;
	return row?.kind === "weekday" && heatmap !== undefined ? heatmap.at(row.weekday, weekOf(state, heatmap)) : undefined;
}

/** The week of the cursor in the heatmap, counted back from the current one; the heatmap may have fewer weeks than before. */
export function weekOf(state: State, { weeks }: Heatmap): number {
	return Math.min(STATS.of(state).weeksAgo, weeks - 1);
}
