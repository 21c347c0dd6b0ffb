/** The day, in the person's time zone, that was looked at last: from its midnight to the next, Unix ms. */
let day = { from: 0, to: 0 };

/** Whether a later time is on another day than an earlier one. To ask for the day costs much more than to compare times. */
export function isNewDay(before: number, now: number): boolean {
	if (now >= day.from && now < day.to) return before < day.from;
	const at = new Date(now);
	const from = new Date(at.getFullYear(), at.getMonth(), at.getDate());
	const to = new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1);
	day = { from: from.getTime(), to: to.getTime() };
	return before < day.from;
}
