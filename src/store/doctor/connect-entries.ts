import type { PartLine } from "./read-parts.ts";
import type { ToldList } from "./told.ts";

/**
 * Gives every entry a parent that is there: what has lost its parent, and the first entry of a cycle, goes on from the entry
 * before it in the file, or begins the session where that would be a cycle again.
 */
export function connectEntries(entries: readonly PartLine[], changes: ToldList): void {
	const indexOf = new Map(entries.map(({ value }, index) => [value.id, index]));
	const trees = new Trees(entries.length);
	const isCut = new Map<number, "lost" | "cycle">();
	// From the end: the edge that closes a cycle is then that of its first entry.
	for (let index = entries.length - 1; index >= 0; index--) {
		const value = entries[index]?.value;
		if (value === undefined) continue;
		value.parentId ??= null;
		if (value.parentId === null) continue;
		const parent = indexOf.get(value.parentId);
		if (parent === undefined) isCut.set(index, "lost");
		else if (!trees.join(index, parent)) isCut.set(index, "cycle");
	}
	for (const [index, { number, value }] of entries.entries()) {
		const why = isCut.get(index);
		if (why === undefined) continue;
		const before = index > 0 && trees.join(index, index - 1) ? entries[index - 1] : undefined;
		value.parentId = before?.value.id ?? null;
		const had = why === "lost" ? "had a parent that is not there" : "was among its own ancestors";
		const now = before === undefined ? "begins the session now" : `goes on from line ${before.number} now`;
		changes.add(number, `Line ${number} ${had}; it ${now}.`);
	}
}

/** Which entries are joined already (disjoint sets). */
class Trees {
	readonly #above: Int32Array;

	constructor(size: number) {
		this.#above = Int32Array.from({ length: size }, (_, index) => index);
	}

	/** Joins two; false where they were. */
	join(a: number, b: number): boolean {
		const [top, other] = [this.#top(a), this.#top(b)];
		this.#above[top] = other;
		return top !== other;
	}

	#top(index: number): number {
		let at = index;
		for (;;) {
			const above = this.#above[at] ?? at;
			if (above === at) return at;
			const next = this.#above[above] ?? above;
			this.#above[at] = next;
			at = next;
		}
	}
}
