import { formatCost, formatCount, formatCounted, formatDay, formatTokens } from "../../../ui/text/format.ts";
import { type Line, type Span, span, strong } from "../../../ui/text/line.ts";
import { blanks, cleanText } from "../../../ui/text/sanitize.ts";
import { cutLine } from "../../../ui/text/width.ts";
import { type HeatDay, type Heatmap, WEEK } from "./heatmap.ts";

/** Cells of a day, and of the name of the weekday before the first one. */
const DAY_WIDTH = 2;
const NAMES_WIDTH = 4;
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
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
	const name = span((WEEKDAYS[weekday] ?? "").padEnd(NAMES_WIDTH), selected === undefined ? "muted" : "accent");
	return [...sign, name, ...joined(days), ...(weekday === heatmap.today ? [span(TODAY, "accent")] : [])];
}

/** The cursor is a pair of brackets, visible on any shade with or without color. */
function drawDay({ level, isPast }: HeatDay, isSelected: boolean): Span {
	if (isSelected) return { ...strong("[]", "accent"), ground: "cursor" };
	if (!isPast) return { text: blanks(DAY_WIDTH) };
	const shade = SHADES[level] ?? "·";
	return level === 0 ? span(`${shade} `, "frame") : span(shade.repeat(DAY_WIDTH), "current");
}

/** Joins adjacent spans of the same style. */
function joined(spans: readonly Span[]): Span[] {
	const all: Span[] = [];
	for (const each of spans) {
		const last = all.at(-1);
		if (last !== undefined && last.tone === each.tone && last.ground === each.ground && last.bold === each.bold)
			all[all.length - 1] = { ...last, text: cleanText(last.text + each.text) };
		else all.push(each);
	}
	return all;
}

/** The legend of the shades. */
export function drawShades(heatmap: Heatmap, byTokens: boolean, width: number): Line {
	return cutLine(shades(heatmap, byTokens), width);
}

function shades({ steps }: Heatmap, byTokens: boolean): Line {
	const [least] = steps;
	const most = steps.at(-1);
	if (least === undefined || most === undefined) return [span("nothing was spent in these weeks", "muted")];
	const format = byTokens ? formatTokens : formatCost;
	if (least === most)
		return [span(`${format(most)} a day `, "muted"), span(SHADES[SHADES.length - 1] ?? "", "current")];
	return [
		span(`a day from ${format(least)} `, "muted"),
		span(SHADES.slice(1).join(""), "current"),
		span(` to ${format(most)} and more`, "muted"),
	];
}

/** "17 Nov · $0.15 · 49.8k tokens · 5 sessions, 4 last used then"; `last`: how many were. */
export function drawDayNote({ day, line, isPast }: HeatDay, last: number, now: number, width: number): Line {
	const [year, month, date] = day.split("-").map(Number);
	const name = formatDay(new Date(year ?? 0, (month ?? 1) - 1, date).getTime(), now);
	if (!isPast) return [strong(name), span(" · still to come", "muted")];
	if (line === undefined) return [strong(name), span(" · no answers", "muted")];
	const { cost, tokens, sessions } = line;
	const numbers = [formatCost(cost), formatTokens(tokens), formatCounted(sessions, "session")];
	// A session can span days; the list shows it by its last message.
	const note = last === sessions ? "" : `, ${formatCount(last)} last used then`;
	return cutLine([strong(name), span(` · ${numbers.join(" · ")}`), span(note, "muted")], width);
}

/** Rows of the heatmap including the names of the months and the note. */
export const HEATMAP_ROWS = WEEK + 2;
