import { DATE_WORDS, monthNamed, periodOf } from "./dates.ts";

/** A date of several words, as the value of a field. */
interface SpokenDate {
	readonly value: string;
	/** How many words it takes. */
	readonly length: number;
}

const UNITS: Readonly<Record<string, string>> = { day: "d", week: "w", month: "mo", year: "y" };

/** The date that words begin with, as people say it and as the screen shows it: "last week", "17 Nov", "Mon 16:28", "3 days ago", "november". */
export function spokenDate(words: readonly string[], now: number): SpokenDate | undefined {
	const [first = "", second = "", third = ""] = words.map((word) => word.toLowerCase());
	const ago = /^\d+$/.test(first) && third === "ago" ? UNITS[second.replace(/s$/, "")] : undefined;
	if (ago !== undefined) return { value: `${first}${ago}`, length: 3 };
	const isNamed = (name: string): boolean => DATE_WORDS.some((word) => word === name);
	if (isNamed(`${first}-${second}`)) return { value: `${first}-${second}`, length: 2 };
	const day = dayOf(first, second, now) ?? dayOf(second, first, now);
	if (day !== undefined) return { value: day, length: 2 };
	const month = monthOf(first);
	if (month !== undefined && first !== "may") return { value: lastOf(`-${month}`, now), length: 1 };
	const isDay =
		isNamed(first) || /^\d{1,4}(d|w|mo|y)$/.test(first) || (first.length === 3 && DATE_WORDS.some(begins(first)));
	return isDay ? { value: first, length: /^\d\d?:\d\d$/.test(second) ? 2 : 1 } : undefined;
}

function begins(start: string): (name: string) => boolean {
	return (name) => name.endsWith("day") && name.startsWith(start);
}

/** "2026-11-17" for 17 and "nov". */
function dayOf(number: string, name: string, now: number): string | undefined {
	const month = monthOf(name);
	if (month === undefined || !/^\d\d?$/.test(number)) return undefined;
	const value = lastOf(`-${month}-${number.padStart(2, "0")}`, now);
	return periodOf(value, now) === undefined ? undefined : value;
}

/** "11" for "nov" and "november". */
function monthOf(name: string): string | undefined {
	const index = monthNamed(name);
	return index === -1 ? undefined : String(index + 1).padStart(2, "0");
}

/** The last day or month of the calendar that ends so, and has begun. */
function lastOf(end: string, now: number): string {
	const year = new Date(now).getFullYear();
	const period = periodOf(`${year}${end}`, now);
	return `${period === undefined || period.from <= now ? year : year - 1}${end}`;
}
