import { formatTime } from "../../text/format.ts";

const weekdays = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });

/** The local time of day of an entry, as "05:29"; "" for a time that is none. */
export function clockOf(timestamp: unknown): string {
	const time = dateOf(timestamp);
	return time === undefined ? "" : formatTime(time);
}

/** The local day of an entry, as "Thu 19 Nov". */
export function dayOf(timestamp: unknown): string {
	const time = dateOf(timestamp);
	return time === undefined ? "" : weekdays.format(time).replace(",", "");
}

function dateOf(timestamp: unknown): Date | undefined {
	if (typeof timestamp !== "string" && typeof timestamp !== "number") return undefined;
	const time = new Date(timestamp);
	return Number.isNaN(time.getTime()) ? undefined : time;
}
