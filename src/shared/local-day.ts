/** The day that was asked for last, from its midnight to the next: many times in a row are of the same day. */
let last = { from: 0, to: 0, day: "" };

/** The day of a time (Unix ms) in the person's time zone, "2026-01-31"; "" for a time that is none. */
export function localDay(time: number): string {
	if (time >= last.from && time < last.to) return last.day;
	const at = new Date(time);
	if (Number.isNaN(at.getTime())) return "";
	const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()];
	const two = (part: number): string => String(part).padStart(2, "0");
	last = {
		from: new Date(year, month, day).getTime(),
		to: new Date(year, month, day + 1).getTime(),
		day: `${String(year).padStart(4, "0")}-${two(month + 1)}-${two(day)}`,
	};
	return last.day;
}
