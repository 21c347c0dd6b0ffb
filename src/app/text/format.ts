const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SIZE_UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

const grouped = new Intl.NumberFormat("en-US");

/** A whole number with thousands separators. */
export function formatCount(count: number): string {
	return grouped.format(count);
}

/** "1 session", "2 sessions": the count with its noun, which takes an "s" for the plural. */
export function formatCounted(count: number, noun: string): string {
	return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Age of a time in at most four cells, by the steps of pi's picker (now, m, h, d, w, mo, y); the future is "now". */
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

/** A size in bytes as people read it: "812 B", "4.2 MB". Units are powers of 1,000. */
export function formatSize(bytes: number): string {
	const [value, unit] = scale(bytes, SIZE_UNITS);
	return `${value} ${unit}`;
}

/** US dollars: "$0.0042", "$1.20", "$1,204". */
export function formatCost(dollars: number): string {
	if (dollars === 0 || dollars >= 999.5) return `$${formatCount(Math.round(dollars))}`;
	return `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;
}

const TOKEN_UNITS = ["", "k", "M", "B"] as const;

/** A number of tokens: "812 tokens", "1.2M tokens". */
export function formatTokens(tokens: number): string {
	const [value, unit] = scale(tokens, TOKEN_UNITS);
	return `${value}${unit} tokens`;
}

/** A count in the largest of the units, each 1,000 times the one before, in which it is at least 1. */
function scale(count: number, units: readonly string[]): readonly [value: string, unit: string] {
	let value = count;
	let unit = 0;
	while (value >= 999.5 && unit < units.length - 1) {
		value /= 1000;
		unit++;
	}
	const digits = unit === 0 || value >= 99.5 ? 0 : 1;
	return [value.toFixed(digits), units[unit] ?? ""];
}

/** A path with the home directory shortened to "~". */
export function shortenHome(path: string, home: string): string {
	if (home === "" || home === "/") return path;
	if (path === home) return "~";
	return path.startsWith(`${home}/`) || path.startsWith(`${home}\\`) ? `~${path.slice(home.length)}` : path;
}

/** Local time of a label as pi's tree writes it: "14:05" today, "3/7 14:05" this year, else "25/3/7 14:05". */
export function formatLabelTime(timestamp: string, now: number): string {
	const time = new Date(timestamp);
	if (Number.isNaN(time.getTime())) return "";
	const today = new Date(now);
	const clock = `${String(time.getHours()).padStart(2, "0")}:${String(time.getMinutes()).padStart(2, "0")}`;
	if (time.toDateString() === today.toDateString()) return clock;
	const day = `${time.getMonth() + 1}/${time.getDate()} ${clock}`;
	return time.getFullYear() === today.getFullYear() ? day : `${String(time.getFullYear()).slice(-2)}/${day}`;
}
