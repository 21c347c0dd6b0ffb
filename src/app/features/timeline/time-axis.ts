import { formatClock, formatDay, formatDayTime } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { cellAt, GAP_CELLS, type TimeScale } from "./time-scale.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Steps between times that are easy to read, of local time. */
type Step =
	| { readonly unit: "ms"; readonly ms: number }
	| { readonly unit: "day" | "month" | "year"; readonly count: number; readonly ms: number };

const STEPS: readonly Step[] = [
	...[1, 2, 5, 10, 15, 30].map((seconds): Step => ({ unit: "ms", ms: seconds * SECOND })),
	...[1, 2, 5, 10, 15, 30].map((minutes): Step => ({ unit: "ms", ms: minutes * MINUTE })),
	...[1, 2, 3, 6, 12].map((hours): Step => ({ unit: "ms", ms: hours * HOUR })),
	...[1, 2, 7, 14].map((count): Step => ({ unit: "day", count, ms: count * DAY })),
	...[1, 3, 6].map((count): Step => ({ unit: "month", count, ms: count * 30 * DAY })),
	...[1, 2, 5, 10].map((count): Step => ({ unit: "year", count, ms: count * 365 * DAY })),
];

/** Cells from one time to the next, at least: room for "╷23:05:10", "╷23:05" and "╷21 Nov 2025", and for a blank. */
const SECONDS_CELLS = 10;
const CLOCK_CELLS = 9;
const DAY_CELLS = 13;

const TICK = "╷";
const GAP = "≈";

/** A time on the axis: its mark is in this cell, and the text follows it. */
interface Label {
	readonly cell: number;
	readonly text: string;
}

/** The times above the bars, in local time, and where time is left out. `now`: Unix ms. */
export function drawAxis(scale: TimeScale, now: number): Line {
	const cells = Array.from({ length: scale.width }, () => " ");
	for (const { right } of scale.pieces.slice(0, -1)) {
		for (let at = right; at < right + GAP_CELLS; at++) cells[at] = GAP;
	}
	for (const { cell, text } of axisLabels(scale, now))
		for (const [at, char] of [...text].entries()) cells[cell + at] = char;
	return [span(cells.join(""), "muted")];
}

/**
 * The times, in order, none over another or over a gap; the beginnings of pieces come first. A time of day stands alone only if
 * it is of today, or of the day of the time before it.
 */
export function axisLabels(scale: TimeScale, now: number): readonly Label[] {
	const step = stepOf(scale);
	const free = freeCells(scale);
	const labels: (Label & { readonly time: number })[] = [];
	const put = (time: number, ...others: readonly string[]): void => {
		const before = labels.findLast((label) => label.time <= time);
		const isDayKnown = before !== undefined && dayOf(before.time) === dayOf(time);
		const cell = Math.min(scale.width - 1, Math.floor(cellAt(scale, time)));
		const forms = isDayKnown ? [wordsOf(time, step, now, false)] : [wordsOf(time, step, now, true), ...others];
		const text = forms.map((form) => TICK + form).find((form) => fits(free, cell, form.length));
		if (text === undefined) return;
		// With the blank behind it.
		for (let at = cell; at <= cell + text.length; at++) free[at] = false;
		const index = labels.findLastIndex((label) => label.time <= time);
		labels.splice(index + 1, 0, { cell, text, time });
	};
	for (const { startMs } of scale.pieces) put(startMs, formatDay(startMs, now));
	for (const { startMs, endMs } of scale.pieces) for (const time of timesIn(startMs, endMs, step)) put(time);
	return labels.map(({ cell, text }) => ({ cell, text }));
}

/** The shortest step whose times have room. */
function stepOf({ pieces }: TimeScale): Step {
	let [ms, cells] = [0, 0];
	for (const { startMs, endMs, left, right } of pieces) {
		ms += endMs - startMs;
		cells += right - left;
	}
	const wide = (step: Step): boolean => (step.ms / ms) * cells >= cellsFor(step);
	// A hundred years, or a few cells.
	return STEPS.find(wide) ?? { unit: "year", count: Math.ceil(ms / (365 * DAY)), ms };
}

function cellsFor({ ms }: Step): number {
	if (ms < MINUTE) return SECONDS_CELLS;
	return ms < DAY ? CLOCK_CELLS : DAY_CELLS;
}

/** The times after the beginning of a piece, in order, that are multiples of a step. */
function timesIn(startMs: number, endMs: number, step: Step): readonly number[] {
	const times: number[] = [];
	const first = new Date(startMs);
	const midnight = new Date(startMs).setHours(0, 0, 0, 0);
	const from = step.unit === "ms" ? Math.floor((startMs - midnight) / step.ms) : 0;
	for (let index = from; ; index++) {
		const time = timeAt(first, step, index);
		if (!(time <= endMs)) return times;
		// In the hour that is left out in spring, two of them are the same.
		if (time > startMs && time !== times.at(-1)) times.push(time);
	}
}

/** The time so many steps after the midnight, the month or the year in which a piece begins; clocks may change meanwhile. */
function timeAt(first: Date, step: Step, index: number): number {
	const [year, month, date] = [first.getFullYear(), first.getMonth(), first.getDate()];
	switch (step.unit) {
		case "ms":
			return new Date(year, month, date, 0, 0, (index * step.ms) / SECOND).getTime();
		case "day":
			return new Date(year, month, date + index * step.count).getTime();
		case "month":
			return new Date(year, month - (month % step.count) + index * step.count, 1).getTime();
		case "year":
			return new Date(year - (year % step.count) + index * step.count, 0, 1).getTime();
	}
}

/** "9:05", "9:05:10", "Mon", "21 Nov"; `hasDay`: with the day, unless that is today. */
function wordsOf(time: number, step: Step, now: number, hasDay: boolean): string {
	if (step.ms >= DAY || time === dayOf(time)) return formatDay(time, now);
	const clock = step.ms < MINUTE ? `:${String(new Date(time).getSeconds()).padStart(2, "0")}` : "";
	return (hasDay ? formatDayTime(time, now) : formatClock(time)) + clock;
}

/** The midnight before a time. */
function dayOf(time: number): number {
	return new Date(time).setHours(0, 0, 0, 0);
}

function freeCells({ pieces, width }: TimeScale): boolean[] {
	const free = Array.from({ length: width }, () => true);
	for (const { right } of pieces.slice(0, -1)) {
		for (let at = right; at < right + GAP_CELLS; at++) free[at] = false;
	}
	return free;
}

function fits(free: readonly boolean[], cell: number, length: number): boolean {
	for (let at = cell; at < cell + length; at++) if (free[at] !== true) return false;
	return true;
}
