import type { Distance } from "../../ui/page/distance.ts";
import { moveCursor } from "../../ui/page/page-cursor.ts";
import type { State } from "../model/state.ts";
import { openPage } from "../page/open-page.ts";
import { weekAt } from "../stats/draw-heatmap.ts";
import { INDENT } from "../stats/draw-table.ts";
import { withStats } from "../stats/reconcile-stats.ts";
import { selectedStatsRow, selectStats, statsBox, statsCursor, weekOf } from "../stats/stats-rows.ts";

/** The page of the statistics, as it was left; they are counted anew. */
export function openStats(state: State): State {
	return openPage(withStats(state, { stale: true }), "stats");
}

export function moveInStats(state: State, distance: Distance): State {
	const page = selectStats(state);
	if (page === undefined) return state;
	const { height } = statsBox(state.size);
	return withStats(state, { cursor: moveCursor(statsCursor(state, page), page.rows, distance, height) });
}

/** A press on a row puts the cursor there, in the days on the day; `row` and `column` are those of the page's box. */
export function pressInStats(state: State, row: number, column: number): State {
	const page = selectStats(state);
	const pressed = page?.rows[state.stats.cursor.top + row];
	if (page === undefined || pressed === undefined || pressed.isSkipped === true) return state;
	const week = page.heatmap && weekAt(column, INDENT, page.heatmap.weeks);
	if (pressed.kind === "weekday" && week === undefined) return state;
	const cursor = { ...state.stats.cursor, selected: pressed.key, index: state.stats.cursor.top + row };
	return withStats(state, { cursor, weeksAgo: pressed.kind === "weekday" ? (week ?? 0) : state.stats.weeksAgo });
}

/** Moves from day to day of the same weekday; never past the weeks in sight. */
export function moveWeeks(state: State, weeks: number): State {
	const heatmap = selectStats(state)?.heatmap;
	if (heatmap === undefined || selectedStatsRow(state)?.kind !== "weekday") return state;
	const weeksAgo = Math.max(0, Math.min(weekOf(state, heatmap) - weeks, heatmap.weeks - 1));
	return withStats(state, { weeksAgo });
}
