import { formatDayName } from "../../ui/text/format.ts";

/** The day, in the person's time zone, that was looked at last: from its midnight to the next, Unix ms. */
let day = { from: 0, to: 0 };

/** Whether a later time is on another day than an earlier one. To ask for the day costs much more than to compare times. */
export function isNewDay(before: number, now: number): boolean {
	if (now >= day.from && now < day.to) return before < day.from;
	const at = new Date(now);
	const from = new Date(at.getFullYear(), at.getMonth(), at.getDate());
	const to = new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1);
	day = { from: from.getTime(), to: to.getTime() };
	return before < day.from;
}

/** "Thu 19 Nov", in another year than the present "Thu 19 Nov 2026"; "" for a time that is none. */
export function formatDay(time: number, now: number): string {
	const at = new Date(time);
	if (Number.isNaN(at.getTime())) return "";
	const year = at.getFullYear() === new Date(now).getFullYear() ? "" : ` ${at.getFullYear()}`;
	return `${formatDayName(at)}${year}`;
}

/** "5:23", local time; "" for a time that is none. */
export function formatClock(time: number): string {
	const at = new Date(time);
	return Number.isNaN(at.getTime()) ? "" : `${at.getHours()}:${String(at.getMinutes()).padStart(2, "0")}`;
}
