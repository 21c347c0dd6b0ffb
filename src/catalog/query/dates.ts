/** Some days, from the first moment up to but not including `to`, Unix ms, in local time. */
export interface Period {
	readonly from: number;
	readonly to: number;
}

/** The days of the week as they are typed, by `Date.getDay()`. */
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

const MONTHS = "january february march april may june july august september october november december".split(" ");

/** The month that a word names, counted from 0: "august", "aug"; -1 for none. */
export function monthNamed(word: string): number {
	return MONTHS.findIndex((month) => month === word || month.slice(0, 3) === word);
}

/** Dates that are words, for completion. */
export const DATE_WORDS = [
	"today",
	"yesterday",
	...WEEKDAYS.slice(1),
	WEEKDAYS[0],
	"this-week",
	"last-week",
	"this-month",
	"last-month",
] as const;

const ISO = /^(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?$/;
const AGO = /^(\d{1,4})(d|w|mo|y)$/;

/** Whether a value names a date: `2026-11-03`, `2026-11`, `2026`, `today`, `monday`, `august`, `last-week`, `7d`, `2w`, `3mo`, `1y`. */
export function isDate(value: string): boolean {
	return resolve(value.toLowerCase(), 0) !== undefined;
}

const resolved = new Map<string, { readonly now: number; readonly period: Period }>();
/** More values than a query has. */
const MAX_RESOLVED = 50;

/**
 * The days that a date means at a time (`now`, Unix ms). A day of the week or a month is the last one of that name, the present one included;
 * `7d` is the day that many days ago, `2w` the same with weeks, and `3mo` and `1y` the same day of an earlier month.
 * Undefined if it is not a date.
 */
export function periodOf(value: string, now: number): Period | undefined {
	// Cached, because a list asks once per row.
	const memo = resolved.get(value);
	if (memo?.now === now) return memo.period;
	const period = resolve(value.toLowerCase(), now);
	if (period === undefined) return undefined;
	if (resolved.size >= MAX_RESOLVED) resolved.clear();
	resolved.set(value, { now, period });
	return period;
}

function resolve(value: string, now: number): Period | undefined {
	const today = new Date(now);
	const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
	const iso = ISO.exec(value);
	if (iso) return isoPeriod(iso);
	const ago = AGO.exec(value);
	if (ago) return daysAgo(today, Number(ago[1]), ago[2] ?? "d");
	if (value === "today") return days(year, month, day, 1);
	if (value === "yesterday") return days(year, month, day - 1, 1);
	const monday = day - ((today.getDay() + 6) % 7);
	if (value === "this-week") return days(year, month, monday, 7);
	if (value === "last-week") return days(year, month, monday - 7, 7);
	if (value === "this-month") return months(year, month);
	if (value === "last-month") return months(year, month - 1);
	const named = monthNamed(value);
	if (named !== -1) return months(named > month ? year - 1 : year, named);
	const weekday = WEEKDAYS.findIndex((name) => name === value || (value.length === 3 && name.startsWith(value)));
	return weekday === -1 ? undefined : days(year, month, day - ((today.getDay() - weekday + 7) % 7), 1);
}

/** A year, a month or a day of the calendar; undefined if it does not exist, like February 30. */
function isoPeriod([, yearText = "", monthText, dayText]: RegExpExecArray): Period | undefined {
	const year = Number(yearText);
	if (year < 100) return undefined;
	if (monthText === undefined) return { from: midnight(year, 0, 1), to: midnight(year + 1, 0, 1) };
	const month = Number(monthText) - 1;
	if (month < 0 || month > 11) return undefined;
	if (dayText === undefined) return months(year, month);
	const day = Number(dayText);
	return new Date(year, month, day).getMonth() === month && day > 0 ? days(year, month, day, 1) : undefined;
}

function daysAgo(today: Date, count: number, unit: string): Period {
	const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
	if (unit === "d" || unit === "w") return days(year, month, day - count * (unit === "w" ? 7 : 1), 1);
	// `Date` reads years before 100 as years of the last century.
	const [then, monthThen] = unit === "y" ? [Math.max(100, year - count), month] : [year, month - count];
	// May 31, three months ago, is the last day of February.
	const last = new Date(then, monthThen + 1, 0).getDate();
	return days(then, monthThen, Math.min(day, last), 1);
}

function days(year: number, month: number, day: number, count: number): Period {
	return { from: midnight(year, month, day), to: midnight(year, month, day + count) };
}

function months(year: number, month: number): Period {
	return { from: midnight(year, month, 1), to: midnight(year, month + 1, 1) };
}

/** The beginning of a day, in local time, also if the day does not have 24 hours. */
function midnight(year: number, month: number, day: number): number {
	return new Date(year, month, day).getTime();
}

/** The beginning of the day of a time, both Unix ms. Dates are resolved against it, so that results stay valid for a day. */
export function startOfDay(time: number): number {
	const date = new Date(time);
	return midnight(date.getFullYear(), date.getMonth(), date.getDate());
}
