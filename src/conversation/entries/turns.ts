import type { SessionEntry } from "../../store/format/schema.ts";
import { entryKind } from "./entry-kind.ts";

/** By path, which stays the same list while it is read. */
const known = new WeakMap<readonly SessionEntry[], readonly number[]>();

/** The indexes of the prompts in a path: each begins a turn. */
export function turnStarts(path: readonly SessionEntry[]): readonly number[] {
	const found = known.get(path);
	if (found !== undefined) return found;
	const starts: number[] = [];
	for (const [index, entry] of path.entries()) {
		// Nothing else can be a prompt, and there may be very many.
		if (entry.type === "message" && entryKind(entry) === "prompt") starts.push(index);
	}
	known.set(path, starts);
	return starts;
}

/** Which turn an entry belongs to, from 1; 0 before the first. */
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
