/** A time in a file, which is ISO text or Unix milliseconds, as Unix milliseconds; NaN for anything else. */
export function timeOf(value: unknown): number {
	if (typeof value === "string") return Date.parse(value);
	const time = typeof value === "number" ? value : Number.NaN;
	// A file may hold any number; a Date holds only some.
	return new Date(time).getTime();
}
