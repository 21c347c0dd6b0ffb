import type { StatsLine } from "../../../catalog/stats/aggregate-stats.ts";

/** A day of the heatmap. */
export interface HeatDay {
	/** "2026-01-31", local time. */
	readonly day: string;
	/** What was spent; undefined if nothing was. */
	readonly line: StatsLine | undefined;
	/** From 0, for a day without answers, to 4. */
	readonly level: number;
	/** Whether it is today or earlier. */
	readonly isPast: boolean;
}

/** Weeks as columns, the current one last; weekdays from Monday on as rows. */
export interface Heatmap {
	readonly weeks: number;
	/** The row of today, from 0 for Monday. */
	readonly today: number;
	/** `ago`: weeks before the current one. */
	at(weekday: number, ago: number): HeatDay;
	/** The names of months, each with the week (from the left) of its first Monday. */
	readonly months: readonly { readonly name: string; readonly week: number }[];
	/** The lower bounds of the levels from 1 to 4; empty if nothing was spent. */
	readonly steps: readonly number[];
}

export const WEEK = 7;
/** Levels of days on which something was spent. */
const LEVELS = 4;

/** The days of the last weeks. `spentIn`: the value that the shades compare; `now`: Unix ms. */
export function heatmapOf(
	days: readonly StatsLine[],
	spentIn: (line: StatsLine) => number,
	now: number,
	weeks: number,
): Heatmap {
	const today = new Date(now);
	const weekday = weekdayOf(today);
	// Calendar days are computed in UTC, where each has 24 hours and none is skipped, as time zones do.
	const [year, month, date] = [today.getFullYear(), today.getMonth(), today.getDate()];
	const dateAt = (row: number, ago: number): Date => new Date(Date.UTC(year, month, date - weekday - ago * WEEK + row));
	const first = dayOf(dateAt(0, weeks - 1));
	const lines = new Map(days.filter(({ key }) => key >= first).map((line) => [line.key, line]));
	const steps = stepsOf([...lines.values()].map(spentIn));
	return {
		weeks,
		today: weekday,
		steps,
		months: monthsOf(weeks, (week) => dateAt(0, weeks - 1 - week)),
		at(row, ago) {
			const day = dayOf(dateAt(row, ago));
			const line = lines.get(day);
			// A day with answers has at least level 1, even if the model costs nothing.
			const level = line === undefined ? 0 : Math.max(1, steps.filter((least) => spentIn(line) >= least).length);
			return { day, line, level, isPast: ago > 0 || row <= weekday };
		},
	};
}

/** The weekday of a date, from 0 for Monday. */
function weekdayOf(date: Date): number {
	return (date.getDay() + WEEK - 1) % WEEK;
}

/** A date as in a query: "2026-01-31". */
function dayOf(date: Date): string {
	return date.toISOString().slice(0, 10);
}

/** Levels by quartiles, so that one expensive day does not make all others pale. */
function stepsOf(values: readonly number[]): number[] {
	const sorted = values.filter((value) => value > 0).sort((a, b) => a - b);
	return sorted.length === 0
		? []
		: Array.from({ length: LEVELS }, (_, level) => sorted[Math.floor((level * sorted.length) / LEVELS)] ?? 0);
}

function monthsOf(weeks: number, mondayOf: (week: number) => Date): Heatmap["months"] {
	return Array.from({ length: weeks }, (_, week) => ({ week, monday: mondayOf(week) })).flatMap(({ week, monday }) =>
		// The first week is labeled with its month unless the next label follows at once.
		monday.getUTCDate() <= WEEK || (week === 0 && monday.getUTCDate() <= 2 * WEEK)
			? [{ week, name: monday.toLocaleDateString("en-US", { month: "short", timeZone: "UTC" }) }]
			: [],
	);
}
