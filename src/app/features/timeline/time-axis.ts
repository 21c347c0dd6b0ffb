import { formatClock, formatDay } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { cellAt, cellMs, GAP_CELLS, type TimeScale } from "./time-scale.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Steps between times that are easy to read, in ms, and cells for "╷23:05:10", "╷23:05" or "╷21 Nov 2025" with a blank. */
const STEPS: readonly (readonly [step: number, cells: number])[] = [
	...[1, 2, 5, 10, 15, 30].map((count) => [count * 1000, 10] as const),
	...[1, 2, 5, 10, 15, 30].map((count) => [count * MINUTE, 9] as const),
	...[1, 2, 3, 6, 12].map((count) => [count * HOUR, 9] as const),
	...[1, 2, 7, 14, 30, 90, 180, 365, 730, 3650].map((count) => [count * DAY, 13] as const),
];

/** The times above the bars, in local time, and where time is left out. `now`: Unix ms. */
export function drawAxis(scale: TimeScale, now: number): Line {
	const [step] = STEPS.find(([ms, cells]) => ms >= cellMs(scale) * cells) ?? [3650 * DAY];
	const cells = Array.from({ length: scale.width }, () => " ");
	const put = (text: string, cell: number): void => void cells.splice(cell, text.length, ...text);
	for (const { startMs } of scale.gaps) put("≈".repeat(GAP_CELLS), Math.floor(cellAt(scale, startMs)));
	const starts = [scale.startMs, ...scale.gaps.map(({ endMs }) => endMs)];
	let dayBefore = formatDay(now);
	for (const time of [...starts, ...timesIn(scale, step)].sort((one, other) => one - other)) {
		const cell = Math.floor(cellAt(scale, time));
		const text = `╷${wordsOf(time, step, now, dayBefore)}`;
		const isFree =
			cells.slice(cell, cell + text.length).every((char) => char === " ") && !/\w/.test(cells[cell - 1] ?? "");
		if (cell + text.length > scale.width || !isFree) continue;
		put(text, cell);
		dayBefore = formatDay(time);
	}
	return [span(cells.join(""), "muted")];
}

/** "9:05", "9:05:10", "Fri 9:05" if the time before it was of another day, or "Fri" where a day is a step. */
function wordsOf(time: number, step: number, now: number, dayBefore: string): string {
	if (step >= DAY) return formatDay(time, now);
	const seconds = step < MINUTE ? `:${String(new Date(time).getSeconds()).padStart(2, "0")}` : "";
	const isSameDay = formatDay(time) === dayBefore;
	return (isSameDay ? formatClock(time) : `${formatDay(time, now)} ${formatClock(time)}`) + seconds;
}

/** The multiples of a step in local time, as its clock is at the beginning, that are not left out. */
function timesIn({ startMs, endMs, gaps }: TimeScale, step: number): readonly number[] {
	const offset = new Date(startMs).getTimezoneOffset() * MINUTE;
	const times: number[] = [];
	for (let time = Math.ceil((startMs - offset) / step) * step + offset; time <= endMs; time += step) {
		const gap = gaps.find((each) => time > each.startMs && time < each.endMs);
		if (gap === undefined) times.push(time);
		else time += Math.floor((gap.endMs - time) / step) * step;
	}
	return times;
}
