/** Names that are tried, for those that are taken: "pi-sessions-2026-11-21", "pi-sessions-2026-11-21-2", … */
export const MOST_NAMES = 10_000;

/** The name, or with a number above 1, the name with that. */
export function numbered(name: string, number: number): string {
	return number === 1 ? name : `${name}-${number}`;
}

/** "2026-11-21", local time; a date that is none is left out. */
export function dayOf(date: Date): string {
	if (Number.isNaN(date.getTime())) return "undated";
	const two = (part: number): string => String(part).padStart(2, "0");
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
