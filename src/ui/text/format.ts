const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SIZE_UNITS = ["B", "KB", "MB", "GB", "TB"] as const;
const TOKEN_UNITS = ["", "k", "M", "B"] as const;

const grouped = new Intl.NumberFormat("en-US");

/** A whole number with thousands separators. */
export function formatCount(count: number): string {
	return grouped.format(count);
}

/** "1 session", "2 sessions"; `nouns`: the plural, by default with an "s". */
export function formatCounted(count: number, noun: string, nouns = `${noun}s`): string {
	return `${formatCount(count)} ${count === 1 ? noun : nouns}`;
}

/** Age in at most four cells, with the units of pi's picker (now, m, h, d, w, mo, y); the future is "now". */
export function formatAge(time: number, now: number): string {
	const age = now - time;
	if (age < MINUTE) return "now";
	if (age < HOUR) return `${Math.floor(age / MINUTE)}m`;
	if (age < DAY) return `${Math.floor(age / HOUR)}h`;
	const days = Math.floor(age / DAY);
	if (days < 7) return `${days}d`;
	if (days < 30) return `${Math.floor(days / 7)}w`;
	if (days < 365) return `${Math.floor(days / 30)}mo`;
	return `${Math.floor(days / 365)}y`;
}

/** A size in bytes: "812 B", "4.2 MB". Units are powers of 1,000. */
export function formatSize(bytes: number): string {
	const [number, unit] = scale(bytes, SIZE_UNITS);
	return `${number} ${unit}`;
}

/** US dollars: "$0.0042", "$1.20", "$1,204". */
export function formatCost(dollars: number): string {
	if (dollars === 0 || dollars >= 999.5) return `$${formatCount(Math.round(dollars))}`;
	return `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;
}

/** The same without fractions of a cent from one cent on: "$0.0042", "$0.03". */
export function formatCents(dollars: number): string {
	return dollars >= 0.01 && dollars < 0.1 ? `$${dollars.toFixed(2)}` : formatCost(dollars);
}

/** A number of tokens: "812 tokens", "1.2M tokens". */
export function formatTokens(tokens: number): string {
	return `${scale(tokens, TOKEN_UNITS).join("")} tokens`;
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
	if (path === home) return "~";
	return path.startsWith(`${home}/`) || path.startsWith(`${home}\\`) ? `~${path.slice(home.length)}` : path;
}

/** Local time as pi's tree shows it: "14:05" today, "3/7 14:05" this year, else "25/3/7 14:05". */
export function formatLabelTime(timestamp: string, now: number): string {
	const time = new Date(timestamp);
	if (Number.isNaN(time.getTime())) return "";
	const today = new Date(now);
	const clock = formatTime(time);
	if (time.toDateString() === today.toDateString()) return clock;
	const day = `${time.getMonth() + 1}/${time.getDate()} ${clock}`;
	return time.getFullYear() === today.getFullYear() ? day : `${String(time.getFullYear()).slice(-2)}/${day}`;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** Local day, "Thu 19 Nov". */
export function formatDayName(time: Date): string {
	return `${DAYS[time.getDay()]} ${time.getDate()} ${MONTHS[time.getMonth()]}`;
}

/** Local time of day, "05:28". */
export function formatTime(time: Date): string {
	return `${String(time.getHours()).padStart(2, "0")}:${String(time.getMinutes()).padStart(2, "0")}`;
}

/** Local date and time, "2026-11-19 05:28"; "" for NaN. */
export function formatDateTime(time: number): string {
	return Number.isNaN(time) ? "" : new Date(time).toLocaleString("sv-SE").slice(0, 16);
}

/** The text with its first letter in upper case. */
export function capital(text: string): string {
	return text.slice(0, 1).toUpperCase() + text.slice(1);
}
