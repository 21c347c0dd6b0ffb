import { formatDayName, formatTime } from "../../ui/text/format.ts";

/** The local time of day of an entry, as "05:29"; "" for a time that is none. */
export function clockOf(timestamp: unknown): string {
	const time = dateOf(timestamp);
	return time === undefined ? "" : formatTime(time);
}

/** The local day of an entry, as "Thu 19 Nov". */
export function dayOf(timestamp: unknown): string {
	const time = dateOf(timestamp);
	return time === undefined ? "" : formatDayName(time);
}

function dateOf(timestamp: unknown): Date | undefined {
	if (typeof timestamp !== "string" && typeof timestamp !== "number") return undefined;
	const time = new Date(timestamp);
	return Number.isNaN(time.getTime()) ? undefined : time;
}
