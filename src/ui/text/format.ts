import { fileKey, systemOf } from "../../shared/system.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SIZE_UNITS = ["B", "KB", "MB", "GB", "TB"] as const;
const TOKEN_UNITS = ["", "k", "M", "B"] as const;

/** Where a number with at most two decimals gets its separators. `Intl.NumberFormat` takes 18 ms of every start. */
const THOUSANDS = /\B(?=(?:\d{3})+(?!\d))/g;

/** A whole number with thousands separators. */
export function formatCount(count: number): string {
	return String(count).replace(THOUSANDS, ",");
}

/** "1 session", "2 sessions"; `nouns`: the plural, by default with an "s". */
export function formatCounted(count: number, noun: string, nouns = `${noun}s`): string {
	return `${formatCount(count)} ${count === 1 ? noun : nouns}`;
}

/** Age in at most four cells, with the units of pi's picker (now, m, h, d, w, mo, y); a time that is still to come is "+55d". */
export function formatAge(time: number, now: number): string {
	const age = now - time;
	if (age <= -MINUTE) return `+${untilWords(-age)}`;
	if (age < MINUTE) return "now";
	if (age < HOUR) return `${Math.floor(age / MINUTE)}m`;
	if (age < DAY) return `${Math.floor(age / HOUR)}h`;
	const days = Math.floor(age / DAY);
	if (days < 7) return `${days}d`;
	if (days < 30) return `${Math.floor(days / 7)}w`;
	if (days < 365) return `${Math.floor(days / 30)}mo`;
	return `${Math.floor(days / 365)}y`;
}

/** How long it is until then, in at most three cells. */
function untilWords(ms: number): string {
	if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`;
	if (ms < DAY) return `${Math.floor(ms / HOUR)}h`;
	const days = Math.floor(ms / DAY);
	return days < 100 ? `${days}d` : `${Math.min(99, Math.ceil(days / 365))}y`;
}

/** "just now", "5m ago", "2d ago", "in 55d"; "at an unknown time" for NaN. */
export function formatAgo(time: number, now: number): string {
	if (Number.isNaN(time)) return "at an unknown time";
	const age = formatAge(time, now);
	if (age.startsWith("+")) return `in ${age.slice(1)}`;
	return age === "now" ? "just now" : `${age} ago`;
}

/** A size in bytes: "812 B", "4.2 MB". Units are powers of 1,000. */
export function formatSize(bytes: number): string {
	const [number, unit] = scale(bytes, SIZE_UNITS);
	return `${number} ${unit}`;
}

/** What was spent beside a sum that is shown, so that both add up to the whole as it is shown. */
export function formatCostBeside(shownDollars: number, dollars: number): string {
	const cents = centsOf(shownDollars + dollars) - centsOf(shownDollars);
	return formatCost(cents > 0 ? cents / 100 : dollars);
}

function centsOf(dollars: number): number {
	// As written: 0.075 is a little less than that in binary, and still $0.08.
	return Math.round(Number((dollars * 100).toPrecision(15)));
}

/** US dollars, in cents everywhere, so that in a column the longer text is the larger sum: "$0.00", "<$0.01", "$0.14", "$1,204.50". */
export function formatCost(dollars: number): string {
	if (dollars > 0 && dollars < 0.01) return "<$0.01";
	return `$${(centsOf(dollars) / 100).toFixed(2).replace(THOUSANDS, ",")}`;
}

/** A number of tokens: "1 token", "812 tokens", "1.2M tokens". */
export function formatTokens(tokens: number): string {
	return `${formatLength(tokens)} ${tokens === 1 ? "token" : "tokens"}`;
}

/** The same in fewer cells: "1 token", "18k tokens". */
export function formatShortTokens(tokens: number): string {
	return `${formatShort(tokens)} ${tokens === 1 ? "token" : "tokens"}`;
}

/** A number of characters: "812", "1.2k". */
export function formatLength(characters: number): string {
	return scale(characters, TOKEN_UNITS).join("");
}

/** A number of tokens or characters in at most five cells: "812", "1.2k", "18k". */
export function formatShort(count: number): string {
	const text = scale(count, TOKEN_UNITS).join("");
	return text.replace(/^(\d{2,})\.\d/, (_all, whole: string) => whole);
}

/** A duration: "31ms", "0.4s", "4.1s", "42s", "2m 10s", "1h 5m", "3d 4h". */
export function formatDuration(ms: number): string {
	if (ms < 100) return `${Math.round(ms)}ms`;
	if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`;
	const seconds = Math.round(ms / 1000);
	if (seconds < 60) return `${seconds}s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return inTwo(minutes, "m", seconds % 60, "s");
	const hours = Math.floor(minutes / 60);
	return hours < 24 ? inTwo(hours, "h", minutes % 60, "m") : inTwo(Math.floor(hours / 24), "d", hours % 24, "h");
}

function inTwo(large: number, largeUnit: string, small: number, smallUnit: string): string {
	return small === 0 ? `${formatCount(large)}${largeUnit}` : `${formatCount(large)}${largeUnit} ${small}${smallUnit}`;
}

/**
 * A number below 1,000 in the largest unit that fits, and the unit. Below 100 it has one decimal, so that columns line up;
 * `Intl`'s compact notation drops that if it is 0.
 */
function scale(count: number, units: readonly string[]): [number: string, unit: string] {
	let value = count;
	let power = 0;
	while (value >= 999.5 && power < units.length - 1) {
		value /= 1000;
		power++;
	}
	return [value.toFixed(power === 0 || value >= 99.5 ? 0 : 1), units[power] ?? ""];
}

/** Shortens the home directory in a path to "~". */
export function shortenHome(path: string, home: string): string {
	if (home === "" || home === "/") return path;
	const [start, rest] = [path.slice(0, home.length), path.slice(home.length)];
	if (!/^(?:[/\\]|$)/.test(rest)) return path;
	const system = systemOf(home);
	return start === home || fileKey(start, system) === fileKey(home, system) ? `~${rest}` : path;
}

export const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
export const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
/** Cells of the longest time, "21 Nov 2025". */
export const TIME_WIDTH = 11;

/**
 * Local time as it is shown everywhere: "9:29" today, "Mon 9:29" in the six days before, "21 Nov" this year, else "21 Nov 2025".
 * Times in Unix ms; "" for NaN.
 */
export function formatTime(time: number, now: number): string {
	if (Number.isNaN(time)) return "";
	const day = dayWords(time, now);
	return isNear(time, now) ? joinWords(day, formatClock(time)) : day;
}

/**
 * The same where both the day and the time of day are needed (dividers of the tree, headings of the reader): "9:29", "Mon 9:29",
 * "21 Nov 9:29", "21 Nov 2025 9:29". Without `now`, for what is kept and read at another time, the day always has its year.
 */
export function formatDayTime(time: number, now?: number): string {
	return Number.isNaN(time) ? "" : joinWords(dayWords(time, now), formatClock(time));
}

/** The same of a whole day: "today", "Mon", "21 Nov", "21 Nov 2025"; without `now` always with the year. */
export function formatDay(time: number, now?: number): string {
	return Number.isNaN(time) ? "" : dayWords(time, now) || "today";
}

/** A day of which the year is known: "Sat 21 Nov". */
export function formatDate(time: number): string {
	const at = new Date(time);
	return `${DAYS[at.getDay()]} ${at.getDate()} ${MONTHS[at.getMonth()]}`;
}

/** A local time as a part of a sentence: "today at 9:29", "yesterday at 14:05", "on Mon at 9:29", "on 21 Nov at 9:29"; "" for NaN. */
export function formatWhen(time: number, now: number): string {
	if (Number.isNaN(time)) return "";
	const ago = daysAgo(time, now);
	const day = ago === 0 ? "today" : ago === 1 ? "yesterday" : `on ${dayWords(time, now)}`;
	return `${day} at ${formatClock(time)}`;
}

/** Local time of day, where the day is known: "9:29"; "" for NaN. */
export function formatClock(time: number): string {
	const at = new Date(time);
	return Number.isNaN(time) ? "" : `${at.getHours()}:${String(at.getMinutes()).padStart(2, "0")}`;
}

/** Local time for another program: "2026-11-19 05:28", which sorts as text; "" for NaN. `toLocaleString` takes 26 ms to start. */
export function sortableTime(time: number): string {
	if (Number.isNaN(time)) return "";
	const at = new Date(time);
	const [month, day, hour, minute] = [at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes()].map((part) =>
		String(part).padStart(2, "0"),
	);
	return `${String(at.getFullYear()).padStart(4, "0")}-${month}-${day} ${hour}:${minute}`;
}

/** The day of a time; "" if that is today. */
function dayWords(time: number, now: number | undefined): string {
	const at = new Date(time);
	const date = `${at.getDate()} ${MONTHS[at.getMonth()]}`;
	if (now === undefined) return `${date} ${at.getFullYear()}`;
	const ago = daysAgo(time, now);
	if (ago === 0) return "";
	if (isNear(time, now)) return DAYS[at.getDay()] ?? "";
	return at.getFullYear() === new Date(now).getFullYear() ? date : `${date} ${at.getFullYear()}`;
}

/** Whether a time is today or so few days ago that the name of the weekday says which. */
function isNear(time: number, now: number): boolean {
	const ago = daysAgo(time, now);
	return ago >= 0 && ago < DAYS.length;
}

/** The number of midnights between two times; a day in which the clocks change has 23 or 25 hours. */
function daysAgo(time: number, now: number): number {
	return Math.round((midnight(now) - midnight(time)) / DAY);
}

function midnight(time: number): number {
	return new Date(time).setHours(0, 0, 0, 0);
}

function joinWords(...words: readonly string[]): string {
	return words.filter((word) => word !== "").join(" ");
}

/** Width of rows, in cells, from which their column of times has room for a time of any year. */
const TIME_FROM_WIDTH = 56;
const AGE_WIDTH = 4;

/** A time, or in a narrow row its age, aligned right in the column that all rows of `width` cells have; blank for NaN. */
export function timeCell(time: number, now: number, width: number): string {
	if (width >= TIME_FROM_WIDTH) return formatTime(time, now).padStart(TIME_WIDTH);
	return (Number.isNaN(time) ? "" : formatAge(time, now)).padStart(AGE_WIDTH);
}

export function capital(text: string): string {
	return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The first and the last of some items, and between them one that stands for `count` others, of which it gets the first. */
export function shortened<Item, Rest>(
	items: readonly Item[],
	most: number,
	restOf: (first: Item, count: number) => Rest,
): readonly (Item | Rest)[] {
	const start = Math.floor(most / 2);
	const end = items.length - (most - start - 1);
	const first = items[start];
	if (items.length <= most || first === undefined) return items;
	return [...items.slice(0, start), restOf(first, end - start), ...items.slice(end)];
}

/** Rows without those in the middle, if there are more than `most`, which a row says. */
export function withoutMiddle<Row>(rows: readonly Row[], most: number, note: (words: string) => Row): readonly Row[] {
	return shortened(rows, most + 1, (_, count) => note(`… ${formatCounted(count, "line")} left out …`));
}
