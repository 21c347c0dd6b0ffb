/** A time in a file, ISO text or Unix milliseconds, as Unix milliseconds; NaN for anything else. */
export function timeOf(value: unknown): number {
	if (typeof value === "string") return Date.parse(value);
	const time = typeof value === "number" ? value : Number.NaN;
	// Not every number is a valid Date.
	return new Date(time).getTime();
}
