import { memoEach } from "../../shared/memo.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { entryKind } from "./entry-kind.ts";

/** Indexes of the prompts in a path, which stays the same list as long as it is unchanged; each begins a turn. */
export const turnStarts = memoEach((path: readonly SessionEntry[]): readonly number[] => {
	const starts: number[] = [];
	for (const [index, entry] of path.entries()) {
		// The type is checked first, since there may be very many entries.
		if (entry.type === "message" && entryKind(entry) === "prompt") starts.push(index);
	}
	return starts;
});

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

/** A prompt and what came of it; the first turn of a part of a path may have no prompt. */
export interface Turn {
	/** Index of its first entry in the path. */
	readonly from: number;
	readonly prompt: SessionEntry | undefined;
	/** What follows the prompt. */
	readonly rest: readonly SessionEntry[];
}

export function* turnsOf(path: readonly SessionEntry[]): Generator<Turn, void> {
	let from = 0;
	for (let at = 1; at <= path.length; at++) {
		const entry = path[at];
		if (entry !== undefined && entryKind(entry) !== "prompt") continue;
		const first = path[from];
		const prompt = first !== undefined && entryKind(first) === "prompt" ? first : undefined;
		yield { from, prompt, rest: path.slice(prompt === undefined ? from : from + 1, at) };
		from = at;
	}
}
