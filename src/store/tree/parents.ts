import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import { timeOf } from "../format/raw-entry.ts";

const NONE = -1;

/**
 * Makes roots of the first entries (in file order) of each cycle of parents: a parent is written before its children. Returns
 * their indexes. `parents`: by the index of an entry, that of its parent, or -1.
 */
export function* cutCycles(parents: Int32Array, count: number): Steps<readonly number[]> {
	const cut: number[] = [];
	/** The start of the walk on which an entry was passed. */
	const walks = new Int32Array(count).fill(NONE);
	for (let start = 0; start < count; start++) {
		if (start % ENTRIES_PER_STEP === 0) yield;
		let at = start;
		while (at !== NONE && walks[at] === NONE) {
			walks[at] = start;
			at = parents[at] ?? NONE;
		}
		// Meeting an entry of the same walk again means a cycle. A walk may enter it anywhere, not only at its first entry.
		if (at === NONE || walks[at] !== start) continue;
		let first = at;
		for (let next = parents[at] ?? NONE; next !== at; next = parents[next] ?? NONE) first = Math.min(first, next);
		parents[first] = NONE;
		cut.push(first);
	}
	return cut;
}

/** Stable; what has no usable time stays after what precedes it. `timestampOf`: ISO 8601. */
export function sortByTime<Item>(items: Item[], timestampOf: (item: Item) => string | undefined): void {
	let last = Number.NEGATIVE_INFINITY;
	let sorted = true;
	const timed = items.map((item) => {
		const parsed = timeOf(timestampOf(item));
		const time = Number.isNaN(parsed) ? last : parsed;
		if (time < last) sorted = false;
		last = time;
		return { item, time };
	});
	if (sorted) return;
	timed.sort((a, b) => (a.time === b.time ? 0 : a.time - b.time));
	for (const [index, { item }] of timed.entries()) items[index] = item;
}
