import { formatLabelTime } from "./format.ts";

/** Row widths, in cells, from which the column shows times of any year, and of this year. */
const FULL_FROM_WIDTH = 100;
const YEAR_FROM_WIDTH = 56;
/** The widest time of any year ("25/11/21 14:05"), of this year, and of today. */
const FULL_WIDTH = 14;
const YEAR_WIDTH = 11;
const TODAY_WIDTH = 5;

/** Cells of the time column in a row of this width. */
function whenWidth(width: number): number {
	if (width >= FULL_FROM_WIDTH) return FULL_WIDTH;
	return width >= YEAR_FROM_WIDTH ? YEAR_WIDTH : TODAY_WIDTH;
}

/** A time (Unix ms) aligned right in the column; if it does not fit, without its time of day, then without its year. */
export function whenText(ms: number, now: number, width: number): string {
	const room = whenWidth(width);
	if (Number.isNaN(ms)) return " ".repeat(room);
	const time = formatLabelTime(new Date(ms).toISOString(), now);
	const [date = ""] = time.split(" ");
	const forms = [time, date, date.slice(date.indexOf("/") + 1)];
	return (forms.find(({ length }) => length <= room) ?? "").padStart(room);
}
