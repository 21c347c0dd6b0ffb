import type { SessionRow } from "../../../catalog/model/row.ts";
import { periodOf } from "../../../catalog/query/dates.ts";
import type { Token } from "../../../catalog/query/tokens.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { State } from "../../world/state/state.ts";
import { selectedDay, selectedStatsRow, selectStats } from "./stats-rows.ts";
import type { StatsTable } from "./stats-tables.ts";

/** What there is to see in the list of a row: what a query finds, a session, or why there is nothing. */
export type StatsTarget = { readonly query: Token } | { readonly path: string } | { readonly why: string };

/** What the row or the day under the cursor is about; undefined where the cursor is on none. */
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

/** How many sessions the list shows for a month or a day: those whose last message is in it. */
export function lastIn({ catalog: { rows }, now }: State, period: string): number {
	const time = periodOf(period, now);
	return time === undefined ? 0 : countIn(rows, time.from, time.to);
}

/** It is asked with every key: ten thousand sessions are not looked through each time. */
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
	// A quotation mark ends a phrase: what has blanks, too, is found by a part.
	const value = text.split('"').find((part) => part.replace("=", "").trim() !== "") ?? "";
	return { query: { field, value: value.replace(/^=/, ""), quoted: true, not: false } };
}
