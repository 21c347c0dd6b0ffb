import type { SentenceList } from "./sentences.ts";
import type { SourceLine } from "./sessions-in-file.ts";

/**
 * Gives every entry a parent that exists: an entry with a missing parent, and the first entry of a cycle, continue from the
 * entry before them in the file, or become a root where that would close a cycle again.
 */
export function connectEntries(entries: readonly SourceLine[], changes: SentenceList): void {
	const indexOf = new Map(entries.map(({ value }, index) => [value.id, index]));
	const trees = new Trees(entries.length);
	const isCut = new Map<number, "lost" | "cycle">();
	// Backward, so that the edge which closes a cycle is that of its first entry.
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
		const had = why === "lost" ? "had a parent that is missing" : "was among its own ancestors";
		const now = before === undefined ? "now begins the session" : `now continues from line ${before.number}`;
		changes.add(number, `Line ${number} ${had}; it ${now}.`);
	}
}

/** Which entries are already connected (disjoint sets). */
class Trees {
	readonly #above: Int32Array;

	constructor(size: number) {
		this.#above = Int32Array.from({ length: size }, (_, index) => index);
	}

	/** Joins two sets; false if they were already one. */
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
