import type { SessionEntry } from "../../store/format/schema.ts";
import { entryKind } from "./entry-kind.ts";

/** By path, which stays the same list as long as it is unchanged. */
const known = new WeakMap<readonly SessionEntry[], readonly number[]>();

/** Indexes of the prompts in a path; each begins a turn. */
export function turnStarts(path: readonly SessionEntry[]): readonly number[] {
	const found = known.get(path);
	if (found !== undefined) return found;
	const starts: number[] = [];
	for (const [index, entry] of path.entries()) {
		// The type is checked first, since there may be very many entries.
		if (entry.type === "message" && entryKind(entry) === "prompt") starts.push(index);
	}
	known.set(path, starts);
	return starts;
}

/** Number of the turn that an entry belongs to, from 1; 0 before the first prompt. */
export function turnAt(path: readonly SessionEntry[], index: number): number {
	const starts = turnStarts(path);
	let [low, high] = [0, starts.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((starts[middle] ?? 0) <= index) low = middle + 1;
		else high = middle;
	}
	return low;
}
