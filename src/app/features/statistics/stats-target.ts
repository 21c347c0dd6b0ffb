import type { SessionRow } from "../../../catalog/model/row.ts";
import { periodOf } from "../../../catalog/query/dates.ts";
import type { Token } from "../../../catalog/query/tokens.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { State } from "../../world/state/state.ts";
import { selectedDay, selectedStatsRow, selectStats } from "./stats-rows.ts";
import type { StatsTable } from "./stats-tables.ts";

/** What the list can show for a row: the results of a query, a session, or nothing, with the reason. */
export type StatsTarget = { readonly query: Token } | { readonly path: string } | { readonly why: string };

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
export function lastIn({ catalog: { rows }, now }: State, period: string): number {
	const time = periodOf(period, now);
	return time === undefined ? 0 : countIn(rows, time.from, time.to);
}

/** Remembered because every key needs it, and there may be ten thousand sessions. */
const countIn = memoLast((rows: ReadonlyMap<string, SessionRow>, from: number, to: number): number => {
	let count = 0;
	for (const { modified, archived } of rows.values())
		if (archived !== true && modified.getTime() >= from && modified.getTime() < to) count += 1;
	return count;
});

function inPeriod(state: State, period: string): StatsTarget {
	if (lastIn(state, period) > 0) return query("on", period);
	return { why: "All sessions of that time went on later: the list has them by their last message" };
}

function targetOfLine(state: State, table: StatsTable, index: number): StatsTarget {
	const value = table.valueAt(index);
	switch (table.id) {
		case "project":
			return query("project", `=${value}`);
		case "model":
			return value.startsWith("(") ? { why: "It has no model: there is nothing to search for" } : query("model", value);
		case "month":
			return value === "" ? { why: "It has no date: there is nothing to search for" } : inPeriod(state, value);
		case "type":
			return { why: "These are kinds of entries, in all sessions: there is nothing to filter by" };
		case "session":
			return state.catalog.rows.has(value) ? { path: value } : { why: "This session is gone" };
	}
}

function query(field: string, text: string): StatsTarget {
	const isPlain = /^[^\s"]\S*$/.test(text);
	if (isPlain || !text.includes('"')) return { query: { field, value: text, quoted: !isPlain, not: false } };
	// A quotation mark ends a phrase, so a text with quotation marks is searched by a part without them.
	const value = text.split('"').find((part) => part.replace("=", "").trim() !== "") ?? "";
	return { query: { field, value: value.replace(/^=/, ""), quoted: true, not: false } };
}
