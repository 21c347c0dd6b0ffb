/** A period of time, Unix ms; it does not end before it begins. */
export interface Period {
	readonly startMs: number;
	readonly endMs: number;
}

/** All moments that are in one of the periods, as periods that do not touch, in order. */
export function unionOf(periods: readonly Period[]): readonly Period[] {
	const union: Period[] = [];
	for (const period of periods.toSorted((one, other) => one.startMs - other.startMs)) {
		const last = union.at(-1);
		if (last === undefined || period.startMs > last.endMs) union.push(period);
		else if (period.endMs > last.endMs) union[union.length - 1] = { ...last, endMs: period.endMs };
	}
	return union;
}

/** What two unions have in common; both as `unionOf` returns them. */
export function commonOf(one: readonly Period[], other: readonly Period[]): readonly Period[] {
	const common: Period[] = [];
	let [left, right] = [0, 0];
	for (let a = one[left], b = other[right]; a !== undefined && b !== undefined; a = one[left], b = other[right]) {
		const startMs = Math.max(a.startMs, b.startMs);
		const endMs = Math.min(a.endMs, b.endMs);
		if (startMs < endMs) common.push({ startMs, endMs });
		if (a.endMs < b.endMs) left++;
		else right++;
	}
	return common;
}

/** What of a union is not in another; both as `unionOf` returns them. */
export function without(union: readonly Period[], other: readonly Period[]): readonly Period[] {
	const rest: Period[] = [];
	let at = 0;
	for (const { startMs, endMs } of union) {
		let from = startMs;
		while ((other[at]?.endMs ?? Number.POSITIVE_INFINITY) <= from) at++;
		for (let next = at, taken = other[next]; taken !== undefined && taken.startMs < endMs; taken = other[++next]) {
			if (taken.startMs > from) rest.push({ startMs: from, endMs: taken.startMs });
			from = Math.max(from, taken.endMs);
		}
		// A moment is none of a period in which it is.
		if (from < endMs || (from === endMs && startMs === endMs)) rest.push({ startMs: from, endMs });
	}
	return rest;
}

/** Sum of the lengths, in ms. */
export function lengthOf(periods: readonly Period[]): number {
	return periods.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}

/** Times before pi existed are those of a broken clock, and so are those of tomorrow. */
const FIRST_TIME = Date.UTC(2000, 0, 1);
const SKEW_MS = 24 * 60 * 60_000;

/** A time that can be true, Unix ms; undefined for any other. `now`: Unix ms. */
export function possibleTime(time: number | undefined, now: number): number | undefined {
	return time !== undefined && time >= FIRST_TIME && time <= now + SKEW_MS ? time : undefined;
}
