import { outlineOf } from "../../../conversation/entries/outline.ts";
import { indexAt } from "../../../conversation/entries/outline-columns.ts";
import { ENTRIES_PER_STEP, type Steps } from "../../../shared/steps.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { entryWeight } from "./entry-weight.ts";

/** Entries that are weighed while the screen waits. */
const AT_ONCE = 500;

/**
 * How much there is to read before each entry of a path. The first entries are weighed at once, the others of a long path in
 * steps; what two paths of a session have in common is weighed once.
 */
export class PathWeights {
	readonly path: readonly SessionEntry[];
	readonly #session: Session;
	/** By index in the path: the weight of all before it. */
	readonly #before: Float64Array;
	/** Entries that are weighed. */
	#count = 0;

	constructor(session: Session, path: readonly SessionEntry[], earlier?: PathWeights) {
		this.path = path;
		this.#session = session;
		this.#before = new Float64Array(path.length + 1);
		if (earlier !== undefined) {
			this.#count = Math.min(earlier.#count, sharedLength(earlier.path, path));
			this.#before.set(earlier.#before.subarray(0, this.#count + 1));
		}
		if (path.length - this.#count <= AT_ONCE) this.#weigh(path.length);
	}

	/** Whether all entries are weighed; before that, there are no weights to ask for. */
	get isComplete(): boolean {
		return this.#count === this.path.length;
	}

	/** Weighs the rest. */
	*steps(): Steps<void> {
		while (!this.isComplete) {
			this.#weigh(this.#count + ENTRIES_PER_STEP);
			yield;
		}
	}

	/** The weight of all entries. */
	get total(): number {
		return this.#before[this.path.length] ?? 0;
	}

	/** The weight of all entries before the one with this index. */
	before(entry: number): number {
		return this.#before[entry] ?? this.total;
	}

	/** Index of the entry that holds this much of the total. */
	entryAt(weight: number): number {
		return Math.max(0, firstIndex(this.path.length, (index) => this.before(index) > weight) - 1);
	}

	#weigh(to: number): void {
		const { columns } = outlineOf(this.#session);
		for (; this.#count < Math.min(to, this.path.length); this.#count++) {
			const index = indexAt(columns, this.path[this.#count]?.id ?? "");
			this.#before[this.#count + 1] = this.before(this.#count) + entryWeight(this.#session, index);
		}
	}
}

/** By the list of a session's entries, which stays the same list when the session grows: of the path that was asked for last. */
const known = new WeakMap<readonly SessionEntry[], PathWeights>();

/** The weights of a path of a session, remembered; what it has in common with the path before is not weighed again. */
export function weightsOf(session: Session, path: readonly SessionEntry[]): PathWeights {
	const last = known.get(session.entries);
	if (last?.path === path) return last;
	const weights = new PathWeights(session, path, last);
	known.set(session.entries, weights);
	return weights;
}

/** How many entries two paths have in common: an entry's path from its root is one, so they part once. */
function sharedLength(a: readonly SessionEntry[], b: readonly SessionEntry[]): number {
	return firstIndex(Math.min(a.length, b.length), (index) => a[index] !== b[index]);
}

/** The first index that holds, of those below `count`, where none holds before one that does not; else `count`. */
function firstIndex(count: number, holds: (index: number) => boolean): number {
	let [from, to] = [0, count];
	while (from < to) {
		const middle = (from + to) >> 1;
		if (holds(middle)) to = middle;
		else from = middle + 1;
	}
	return from;
}
