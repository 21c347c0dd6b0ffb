import { type SessionRow, usedMs } from "../../../catalog/model/row.ts";
import { periodOf, startOfDay } from "../../../catalog/query/dates.ts";
import type { Token } from "../../../catalog/query/tokens.ts";
import type { CatalogStats } from "../../../catalog/stats/aggregate-stats.ts";
import { INDENT, summary, type TableLayout, tableLayout } from "../../../conversation/statistics/draw-table.ts";
import { costlyTitles, type StatsTable, spentOf, statsTables } from "../../../conversation/statistics/stats-tables.ts";
import { memoEqual, memoFields, memoLast, sameItems } from "../../../shared/memo.ts";
import { cursorIndex, FIRST_CURSOR, type PageCursor, type PageRow } from "../../../ui/page/page-rows.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { wrapLine } from "../../../ui/text/wrap.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { listedFamilies } from "../../world/list/listed-sum.ts";
import { wholePage } from "../../world/page/page.ts";
import { defineSlice, type State, say } from "../../world/state/state.ts";
import { HEATMAP_ROWS, type HeatDay, type Heatmap, heatmapOf, WEEK, weeksIn } from "./heatmap.ts";

interface StatsState {
	readonly cursor: PageCursor;
	/** The periods from which this one was chosen, the last one last, and where the cursor was in them. */
	readonly before: readonly Pick<StatsState, "period" | "cursor">[];
	/** The week of the day under the cursor, counted back from the current one. */
	readonly weeksAgo: number;
	/** Whether only what the list shows is summed up. */
	readonly isListed: boolean;
	/** "2026-11-27", "2026-11", or "" for all time. */
	readonly period: string;
}

export const STATS = defineSlice<StatsState>("stats", {
	cursor: FIRST_CURSOR,
	before: [],
	weeksAgo: 0,
	isListed: false,
	period: "",
});

/** The sum over the sessions. It is asked for again when sessions were counted or deleted, one at a time. */
export const STATS_SUM = defineQuery<SummedRows, CatalogStats>({
	name: "statistics",
	wanted(state, { value }) {
		const { rows, counted, countable } = state.catalog;
		const { isListed, period: on } = STATS.of(state);
		const only = isListed ? listedFamilies(state) : undefined;
		return { rows, only, on, gently: value !== undefined && counted < countable };
	},
	isSame: (one, other) => isSumOf(one, other.only !== undefined, other.on),
	load: ({ rows, only, on, gently }, { store }) => store.count({ all: [...rows.values()], only, on }, gently),
	canFail: true,
	answered: (state, { error }) => (error === undefined ? state : say(state, error, "error")),
});

interface SummedRows {
	readonly rows: State["catalog"]["rows"];
	/** The only ones that are summed up; undefined: all are. */
	readonly only: readonly SessionRow[] | undefined;
	/** The period to which all is limited. */
	readonly on: string;
	/** Whether to sum up without slowing down the counting, which is still going on. */
	readonly gently: boolean;
}

function isSumOf({ only, on }: SummedRows, isListed: boolean, days: string): boolean {
	return on === days && (only !== undefined) === isListed;
}

/** A row of the page; the cursor skips headings, texts and blank rows. */
export type StatsRow = PageRow &
	(
		| { readonly kind: "text"; readonly line: Line }
		| { readonly kind: "months" }
		| { readonly kind: "weekday"; readonly weekday: number }
		| { readonly kind: "day-note" | "legend" }
		| { readonly kind: "heads"; readonly table: StatsTable }
		| { readonly kind: "line"; readonly table: StatsTable; readonly index: number }
	);

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

/** What is on the page; undefined before the first count. */
export function selectStats(state: State): StatsPage | undefined {
	const { value: sum, key } = STATS_SUM.of(state);
	const { isListed, period, weeksAgo } = STATS.of(state);
	// What was summed up for something else is not shown.
	if (sum === undefined || key === undefined || !isSumOf(key, isListed, period)) return undefined;
	const { width, height } = wholePage(state.size);
	const isHigh = period === "" && height >= HEATMAP_FROM_ROWS;
	const titles = titlesOf(sum, state.catalog.rows);
	const { home } = state.environment;
	const today = startOfDay(state.now);
	return pageOf({ sum, home, titles, width, isHigh, today, isThisWeek: weeksAgo === 0 });
}

/** The titles of sessions; the same list as long as no title has changed. */
const titlesOf = memoEqual(costlyTitles, sameItems);

interface PageFacts {
	readonly sum: CatalogStats;
	readonly home: string;
	/** Of the most expensive sessions, in their order. */
	readonly titles: readonly string[];
	/** Cells. */
	readonly width: number;
	/** Whether there is room for the heatmap. */
	readonly isHigh: boolean;
	/** When today began, Unix ms. */
	readonly today: number;
	/** Whether the cursor of the heatmap is in the current week, whose days to come it skips. */
	readonly isThisWeek: boolean;
}

/** Each frame and each key needs all rows several times; the tables are made from all models, projects and days. */
const pageOf = memoFields(({ sum, home, titles, width, isHigh, today, isThisWeek }: PageFacts): StatsPage => {
	// One cell is left at the edge.
	const weeks = isHigh ? weeksIn(width - 1, INDENT) : 0;
	const spentIn = (line: CatalogStats["days"][number]): number => spentOf(line, sum);
	const heatmap = weeks > 0 && sum.days.length > 0 ? heatmapOf(sum.days, spentIn, today, weeks) : undefined;
	const tables = statsTables(sum, home, titles);
	const layout = tableLayout(tables, width - 1);
	const rows: StatsRow[] = summary(sum, layout.barWidth > 0)
		.flatMap((line) => wrapLine(line, width - 1, HANGING))
		.map((line): Line => [span(" "), ...line])
		.map((line, index) => ({ kind: "text", key: `text ${index}`, line, isSkipped: true }));
	if (heatmap !== undefined) {
		rows.push(blank("heatmap"), { kind: "months", key: "months", isSkipped: true });
		for (let weekday = 0; weekday < WEEK; weekday++) {
			const isSkipped = isThisWeek && weekday > heatmap.today;
			rows.push({ kind: "weekday", key: `weekday ${weekday}`, weekday, isSkipped });
		}
		for (const kind of ["legend", "day-note"] as const) rows.push({ kind, key: kind, isSkipped: true });
	}
	for (const table of tables) {
		rows.push(blank(table.id), { kind: "heads", key: `heads ${table.id}`, table, isSkipped: true });
		for (let index = 0; index < table.count; index++)
			rows.push({ kind: "line", key: `${table.id} ${table.valueAt(index)}`, table, index });
	}
	const selectable = rows.reduce((count, row) => count + (row.isSkipped === true ? 0 : 1), 0);
	return { sum, rows, selectable, layout, heatmap };
});

function blank(section: string): StatsRow {
	return { kind: "text", key: `blank ${section}`, line: [], isSkipped: true };
}

/** The cursor; until it is moved, it is on today, or on the first line of the tables. */
export function statsCursor(state: State, rows: readonly StatsRow[]): PageCursor {
	const { cursor } = STATS.of(state);
	if (cursor.selected !== undefined) return cursor;
	const today = selectStats(state)?.heatmap?.today;
	const index = rows.findIndex((row) => (today === undefined ? row.kind === "line" : row.key === `weekday ${today}`));
	return index === -1 ? cursor : { ...cursor, selected: rows[index]?.key, index };
}

export function selectedStatsRow(state: State): StatsRow | undefined {
	const page = selectStats(state);
	return page?.rows[cursorIndex(statsCursor(state, page.rows), page.rows)];
}

export function selectedDay(state: State): HeatDay | undefined {
	const row = selectedStatsRow(state);
	const heatmap = selectStats(state)?.heatmap;
	return row?.kind === "weekday" && heatmap !== undefined ? heatmap.at(row.weekday, weekOf(state, heatmap)) : undefined;
}

/** The week of the cursor in the heatmap, counted back from the current one; the heatmap may have fewer weeks than before. */
export function weekOf(state: State, { weeks }: Heatmap): number {
	return Math.min(STATS.of(state).weeksAgo, weeks - 1);
}

/** What the list can show for a row: the results of a query, a session, or nothing, with the reason. */
type StatsTarget = { readonly query: Token } | { readonly path: string } | { readonly why: string };

/** The target of the row or the day under the cursor; undefined if the cursor is on neither. */
export function targetOf(state: State): StatsTarget | undefined {
	const row = selectedStatsRow(state);
	const sum = selectStats(state)?.sum;
	if (row === undefined || sum === undefined) return undefined;
	if (row.kind === "weekday") {
		const day = selectedDay(state);
		return day?.line === undefined ? { why: "Nothing was answered on that day" } : inPeriod(state, day.day);
	}
	if (row.kind !== "line") return undefined;
	return targetOfLine(state, row.table, row.index);
}

/** The number of sessions that the list shows for a month or a day: those with their last message in it. */
export function lastIn(state: State, period: string): number {
	return rowsOfPeriod(state, period).length;
}

/** The sessions of a period by their last message, of those that are summed up. */
function rowsOfPeriod(state: State, period: string): readonly SessionRow[] {
	const { catalog, now } = state;
	const only = STATS.of(state).isListed ? STATS_SUM.of(state).key?.only : undefined;
	const time = periodOf(period, now);
	// Only whether the time of a session has come depends on now.
	const hour = now - (now % 3_600_000);
	return time === undefined ? [] : rowsIn(only ?? catalog.rows, time.from, time.to, hour);
}

/** The day or the month under the cursor; undefined if it is on neither. */
export function selectedPeriod(state: State): string | undefined {
	const row = selectedStatsRow(state);
	const isOfTime = row?.kind === "line" && (row.table.id === "day" || row.table.id === "month");
	return (isOfTime ? row.table.valueAt(row.index) : selectedDay(state)?.day) || undefined;
}

/** The sessions that the list shows for that; undefined if there is none. */
export function selectedSessions(state: State): readonly SessionRow[] | undefined {
	const period = selectedPeriod(state);
	const rows = period === undefined ? [] : rowsOfPeriod(state, period).filter(({ run }) => run === undefined);
	return rows.length === 0 ? undefined : rows;
}

/** Remembered because every key needs it, and there may be ten thousand sessions. */
const rowsIn = memoLast(
	(rows: Pick<ReadonlyMap<string, SessionRow>, "values">, from: number, to: number, now: number) =>
		[...rows.values()].filter((row) => {
			const used = usedMs(row, now);
			return row.archived !== true && used >= from && used < to;
		}),
);

function inPeriod(state: State, period: string): StatsTarget {
	if (lastIn(state, period) > 0) return query("on", period);
	return { why: "All sessions of that time were continued later: the list dates them by their last message" };
}

function targetOfLine(state: State, table: StatsTable, index: number): StatsTarget {
	const value = table.valueAt(index);
	switch (table.id) {
		case "place":
			return query("place", value);
		case "project":
			return query("project", `=${value}`);
		case "session":
			return { path: value };
		case "model":
			return value.startsWith("(")
				? { why: "These answers name no model: there is nothing to search for" }
				: query("model", value);
		case "agent":
			return value === "" ? { why: "The agents of these runs are not known" } : query("agent", value);
		case "day":
		case "month":
			return value === ""
				? { why: "These answers have no date: there is nothing to search for" }
				: inPeriod(state, value);
	}
}

function query(field: string, text: string): StatsTarget {
	const isPlain = /^[^\s"]\S*$/.test(text);
	if (isPlain || !text.includes('"')) return { query: { field, value: text, quoted: !isPlain, not: false } };
	// A quotation mark ends a phrase, so a text with quotation marks is searched by a part without them.
	const value = text.split('"').find((part) => part.replace("=", "").trim() !== "") ?? "";
	return { query: { field, value: value.replace(/^=/, ""), quoted: true, not: false } };
}
