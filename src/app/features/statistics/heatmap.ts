import type { CatalogStats, StatsLine } from "../../../catalog/stats/aggregate-stats.ts";
import { dayName, highestDay, isFree } from "../../../conversation/statistics/stats-tables.ts";
import { DAYS, formatCost, formatCount, formatCounted, formatTokens, MONTHS } from "../../../ui/text/format.ts";
import { type Line, type Span, span, strong } from "../../../ui/text/line.ts";
import { blanks } from "../../../ui/text/sanitize.ts";
import { cutLine } from "../../../ui/text/width.ts";

export interface HeatDay {
	/** "2026-01-31", local time. */
	readonly day: string;
	/** Numbers of the day; undefined without answers. */
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
	/** The days on which something was answered, oldest first. */
	readonly answered: readonly StatsLine[];
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
	const weekday = (today.getDay() + WEEK - 1) % WEEK;
	// Calendar days are computed in UTC, where each has 24 hours and none is skipped, as time zones do.
	const [year, month, date] = [today.getFullYear(), today.getMonth(), today.getDate()];
	const dateAt = (row: number, ago: number): Date => new Date(Date.UTC(year, month, date - weekday - ago * WEEK + row));
	const first = dayOf(dateAt(0, weeks - 1));
	const answered = days.filter(({ key }) => key >= first);
	const lines = new Map(answered.map((line) => [line.key, line]));
	const steps = stepsOf(answered.map(spentIn));
	return {
		weeks,
		today: weekday,
		answered,
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
			? [{ week, name: MONTHS[monday.getUTCMonth()] ?? "" }]
			: [],
	);
}

/** Cells of a day, and of the name of the weekday before the first one. */
const DAY_WIDTH = 2;
const NAMES_WIDTH = 4;
/** Shades that are distinguishable without color. */
const SHADES = ["·", "░", "▒", "▓", "█"] as const;
const TODAY = " ◂";
const MOST_WEEKS = 52;
/** Fewer weeks would show no pattern. */
const LEAST_WEEKS = 8;
/** Cells of the name of a month and the blank after it. */
const MONTH_WIDTH = 4;

/** How many weeks fit into rows of `width` cells after `indent`; 0 if there is too little room. */
export function weeksIn(width: number, indent: number): number {
	const fitting = Math.floor((width - indent - NAMES_WIDTH - TODAY.length) / DAY_WIDTH);
	return fitting < LEAST_WEEKS ? 0 : Math.min(fitting, MOST_WEEKS);
}

/** The week drawn in a column of a row, as the number of weeks before the current one; undefined outside of the days. */
export function weekAt(column: number, indent: number, weeks: number): number | undefined {
	const week = Math.floor((column - indent - NAMES_WIDTH) / DAY_WIDTH);
	return week >= 0 && week < weeks ? weeks - 1 - week : undefined;
}

/** The names of the months above the weeks in which they begin. */
export function drawMonths({ months }: Heatmap, indent: number): Line {
	let text = "";
	for (const { name, week } of months) {
		const at = week * DAY_WIDTH;
		if (at < text.length) continue;
		text = `${text.padEnd(at)}${name.padEnd(MONTH_WIDTH)}`;
	}
	return [{ text: blanks(indent + NAMES_WIDTH) }, span(text.trimEnd(), "muted")];
}

/** Draws the days of one weekday. `selected`: the week of the day under the cursor, if that is in this row, counted back from the current one. */
export function drawWeekday(heatmap: Heatmap, weekday: number, selected: number | undefined, sign: Line): Line {
	const days: Span[] = [];
	for (let ago = heatmap.weeks - 1; ago >= 0; ago--) days.push(drawDay(heatmap.at(weekday, ago), ago === selected));
	const name = span(
		(DAYS[(weekday + 1) % WEEK] ?? "").padEnd(NAMES_WIDTH),
		selected === undefined ? "muted" : "accent",
	);
	return [...sign, name, ...days, ...(weekday === heatmap.today ? [span(TODAY, "accent")] : [])];
}

/** The cursor is a pair of brackets, visible on any shade with or without color. */
function drawDay({ level, isPast }: HeatDay, isSelected: boolean): Span {
	if (isSelected) return { ...strong("[]", "accent"), ground: "cursor" };
	if (!isPast) return { text: blanks(DAY_WIDTH) };
	const shade = SHADES[level] ?? "·";
	return level === 0 ? span(`${shade} `, "frame") : span(shade.repeat(DAY_WIDTH), "current");
}

/** "less ░▒▓█ more $ · highest: Wed 25 Nov $0.97": what the shades compare, and the day with the most. */
export function drawLegend({ answered }: Heatmap, sums: CatalogStats, width: number): Line {
	const highest = highestDay(answered, sums);
	if (highest === undefined) return [span("no costs in these weeks", "muted")];
	const shades = [span("less ", "muted"), span(SHADES.slice(1).join(""), "current")];
	const unit = span(` more ${isFree(sums) ? "tokens" : "$"}`, "muted");
	// In the first month it stands above the table of the days.
	const isSaidBelow = sums.months.length <= 1 && sums.days.length > 1;
	return cutLine([...shades, unit, ...(isSaidBelow ? [] : [span(" · ", "muted"), span(highest)])], width);
}

/** "Wed 25 Nov · $0.15 · 49.8k tokens · 5 sessions, 4 last used then"; `last`: how many were. */
export function drawDayNote({ day, line, isPast }: HeatDay, last: number, width: number): Line {
	const name = strong(dayName(day));
	if (!isPast) return [name, span(" · in the future", "muted")];
	if (line === undefined) return [name, span(" · no answers", "muted")];
	const { cost, tokens, sessions } = line;
	const numbers = [formatCost(cost), formatTokens(tokens), formatCounted(sessions, "session")];
	// A session can span days; the list shows it by its last message.
	const note = last === sessions ? "" : `, ${formatCount(last)} last used then`;
	return cutLine([name, span(` · ${numbers.join(" · ")}`), span(note, "muted")], width);
}

/** Rows of the heatmap including the names of the months, the note and the legend. */
export const HEATMAP_ROWS = WEEK + 3;
