import { noticeRows } from "../../ui/page/notice-rows.ts";
import { cursorIndex } from "../../ui/page/page-cursor.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { cleanText } from "../../ui/text/sanitize.ts";
import { span, strong } from "../../ui/text/span.ts";
import type { Box, Line, RowView } from "../../ui/view.ts";
import { archivedCount } from "../list/archived.ts";
import type { AppPane, State } from "../model/state.ts";
import { drawDayNote, drawMonths, drawShades, drawWeekday } from "./draw-heatmap.ts";
import { drawTableHeads, drawTableLine, INDENT } from "./draw-table.ts";
import type { Heatmap } from "./heatmap.ts";
import {
	type StatsPage,
	type StatsRow,
	selectedDay,
	selectStats,
	statsBox,
	statsCursor,
	weekOf,
} from "./stats-rows.ts";
import { lastIn } from "./stats-target.ts";

/** The page of the statistics: the rows in sight. */
export function selectStatsPage(state: State): AppPane[] {
	const box = statsBox(state.size);
	const page = selectStats(state);
	const pane = { id: "list", ...box, focused: true } as const;
	if (page === undefined) {
		const rows = noticeRows("Counting …", "muted", box);
		return [{ ...pane, title: [strong("statistics", "accent")], settings: [], position: cleanText(""), rows }];
	}
	const { sum, rows } = page;
	const cursor = cursorIndex(statsCursor(state, page), rows);
	return [
		{
			...pane,
			title: [strong(`statistics of ${formatCounted(sum.sessions, "session")}`, "accent")],
			settings: countedNotes(state, page),
			position: cleanText(
				cursor === -1 ? "" : `${formatCount(numberOf(page, cursor))}/${formatCount(page.selectable)}`,
			),
			rows: rowsInSight(state, page, cursor, box),
		},
	];
}

/** The number of a row, from 1, among those that the cursor may be on. */
function numberOf({ rows }: StatsPage, index: number): number {
	let number = 0;
	for (let at = 0; at <= index; at++) if (rows[at]?.isSkipped !== true) number += 1;
	return number;
}

/** How far the counting is, in the longest form that fits; once all is counted, what the list has elsewhere. */
function countedNotes({ catalog }: State, { sum: { counted, sessions } }: StatsPage): Line[] {
	const archived = archivedCount(catalog.rows);
	if (counted === sessions) return archived === 0 ? [] : [[span(`${formatCount(archived)} of them archived`, "muted")]];
	const text = `${formatCount(counted)} of ${formatCount(sessions)}`;
	return [[span(`${text} counted`, "warning")], [span(text, "warning")]];
}

function rowsInSight(state: State, page: StatsPage, cursor: number, { width, height }: Box): RowView[] {
	const { top } = state.stats.cursor;
	return page.rows.slice(top, top + height).map((row, index) => {
		const selected = top + index === cursor;
		return {
			key: row.key,
			line: drawRow(state, page, row, selected, width),
			// In the heatmap the day is under the cursor, not the row.
			selected: selected && row.kind === "line",
		};
	});
}

function drawRow(
	state: State,
	{ sum, layout, heatmap }: StatsPage,
	row: StatsRow,
	selected: boolean,
	width: number,
): Line {
	const sign = [span((selected ? "›" : "").padEnd(INDENT), "accent")];
	switch (row.kind) {
		case "text":
			return row.line;
		case "months":
			return heatmap === undefined ? [] : drawMonths(heatmap, INDENT);
		case "weekday":
			if (heatmap === undefined) return [];
			return drawWeekday(heatmap, row.weekday, selected ? weekOf(state, heatmap) : undefined, sign);
		case "day-note":
			if (heatmap === undefined) return [];
			return [span(" ".repeat(INDENT)), ...dayNote(state, heatmap, sum.cost === 0, width - INDENT)];
		case "heads":
			return drawTableHeads(row.table, layout, row.table.note);
		case "line":
			return drawTableLine(row.table, row.table.at(row.index), sign, layout);
	}
}

/** What the shades mean, or, with the cursor on a day, what was spent on it. */
function dayNote(state: State, heatmap: Heatmap, byTokens: boolean, width: number): Line {
	const day = selectedDay(state);
	if (day === undefined) return drawShades(heatmap, byTokens, width);
	return drawDayNote(day, lastIn(state, day.day), width);
}
