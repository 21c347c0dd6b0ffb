import type { StatsLine } from "../../../catalog/stats/aggregate-stats.ts";

/** A day of the heatmap. */
export interface HeatDay {
	/** "2026-01-31", local time. */
	readonly day: string;
	/** What was spent; undefined where nothing was. */
	readonly line: StatsLine | undefined;
	/** From 0, where nothing was said, to 4. */
	readonly level: number;
	/** Whether it has come. */
	readonly isPast: boolean;
}

/** Weeks as columns, the present one last; days from Monday on as rows. */
export interface Heatmap {
	readonly weeks: number;
	/** The row of today, from 0 for Monday. */
	readonly today: number;
	/** `ago`: weeks before the present one. */
	at(weekday: number, ago: number): HeatDay;
	/** The names of months, each with the week (from the left) in which its first Monday is. */
	readonly months: readonly { readonly name: string; readonly week: number }[];
	/** The least that a day of each level from 1 to 4 has; empty where nothing was spent. */
	readonly steps: readonly number[];
}

export const WEEK = 7;
/** Shades of days on which something was spent. */
const LEVELS = 4;

/** The days of the last weeks. `spentIn`: what the shades compare; `now`: Unix ms. */
export function heatmapOf(
	days: readonly StatsLine[],
	spentIn: (line: StatsLine) => number,
	now: number,
	weeks: number,
): Heatmap {
	const today = new Date(now);
	const weekday = weekdayOf(today);
	// Days of the calendar: in UTC none is left out, as a time zone may, and none has other than 24 hours.
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
			// Where a model costs nothing something was said all the same.
			const level = line === undefined ? 0 : Math.max(1, steps.filter((least) => spentIn(line) >= least).length);
			return { day, line, level, isPast: ago > 0 || row <= weekday };
		},
	};
}

/** The row of a day in the heatmap, from 0 for Monday. */
function weekdayOf(date: Date): number {
	return (date.getDay() + WEEK - 1) % WEEK;
}

/** As days are written in a query: "2026-01-31". */
function dayOf(date: Date): string {
	return date.toISOString().slice(0, 10);
}

/** Of four days that are in use as many have each shade: one costly day does not make all others pale. */
function stepsOf(values: readonly number[]): number[] {
	const sorted = values.filter((value) => value > 0).sort((a, b) => a - b);
	return sorted.length === 0
		? []
		: Array.from({ length: LEVELS }, (_, level) => sorted[Math.floor((level * sorted.length) / LEVELS)] ?? 0);
}

function monthsOf(weeks: number, mondayOf: (week: number) => Date): Heatmap["months"] {
	return Array.from({ length: weeks }, (_, week) => ({ week, monday: mondayOf(week) })).flatMap(({ week, monday }) =>
		// The first week has the name of its month where the next name does not follow at once.
		monday.getUTCDate() <= WEEK || (week === 0 && monday.getUTCDate() <= 2 * WEEK)
			? [{ week, name: monday.toLocaleDateString("en-US", { month: "short", timeZone: "UTC" }) }]
			: [],
	);
}
