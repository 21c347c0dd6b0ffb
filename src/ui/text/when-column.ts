import { formatLabelTime } from "./format.ts";

/** From this width on, a row has times with any date, in cells; from the next one on, times of this year. */
const FULL_FROM_WIDTH = 100;
const YEAR_FROM_WIDTH = 56;
/** The widest time of any year, of this year, and of today: "25/11/21 14:05". */
const FULL_WIDTH = 14;
const YEAR_WIDTH = 11;
const TODAY_WIDTH = 5;

/** Cells of the column of times in a row of this width. */
function whenWidth(width: number): number {
	if (width >= FULL_FROM_WIDTH) return FULL_WIDTH;
	return width >= YEAR_FROM_WIDTH ? YEAR_WIDTH : TODAY_WIDTH;
}

/** When something was (Unix ms), at the right of that column: what does not fit loses its time of day, then its year. */
export function whenText(ms: number, now: number, width: number): string {
	const room = whenWidth(width);
	if (Number.isNaN(ms)) return " ".repeat(room);
	const time = formatLabelTime(new Date(ms).toISOString(), now);
	const [date = ""] = time.split(" ");
	const forms = [time, date, date.slice(date.indexOf("/") + 1)];
	return (forms.find(({ length }) => length <= room) ?? "").padStart(room);
}
