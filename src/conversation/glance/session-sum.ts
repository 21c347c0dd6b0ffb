import { widenColumns } from "../../shared/columns.ts";
import { ENTRIES_PER_STEP, runToEnd, type Steps } from "../../shared/steps.ts";
import { BOOKKEEPING } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { type Outline, outlineOf, outlineSteps } from "../entries/outline.ts";
import { indexAt, type OutlineColumns } from "../entries/outline-columns.ts";
import { type Place, placeOf } from "../entries/place.ts";
import { addEntry, emptySum, type Sum } from "../entries/turn-sum.ts";
import { type ModelName, modelIn, modelKey } from "./usage.ts";

/** What a session comes to. It grows with its session: keep what it says. */
export interface SessionSum {
	/** Of the path from the root to the leaf. */
	readonly path: Readonly<Sum>;
	/** Of all other entries. */
	readonly rest: Readonly<Sum>;
	/** Ends of the conversation: 1 where it never forked. The leaf is one, also where others went on from there. */
	readonly branches: number;
	/** The models that are named in the session, the first ones. */
	readonly models: readonly ModelName[];
}

/** More models than that are not looked up. */
const MAX_MODELS = 20;
/** As many entries as can be counted between two frames. */
const AT_ONCE = 500;

/** By the list of a session's entries, which stays the same list when the session grows. */
const counts = new WeakMap<readonly SessionEntry[], Count>();

/** The sum of a session, remembered, as far as it takes no longer than a frame; undefined: `sumSteps` must count it. */
export function sessionSum(session: Session, home: string): SessionSum | undefined {
	const { entries } = session;
	if (entries.length - (counts.get(entries)?.counted ?? 0) > AT_ONCE) return undefined;
	const count = countOf(outlineOf(session), home);
	if (entries.length - count.counted > AT_ONCE) return undefined;
	return runToEnd(sumSteps(session, home));
}

/**
 * The same in steps. What is appended meanwhile, or later, costs only the time that its entries take; once the leaf is on
 * another path, all is counted anew.
 */
export function* sumSteps(session: Session, home: string): Steps<SessionSum> {
	for (;;) {
		const count = countOf(yield* outlineSteps(session), home);
		if (count.addSome()) return count.result();
		yield;
	}
}

function countOf({ columns }: Outline, home: string): Count {
	const { session } = columns;
	const earlier = counts.get(session.entries);
	if (earlier?.place.home === home && earlier.outline === columns) return earlier;
	const count = new Count(columns, placeOf(session, home));
	counts.set(session.entries, count);
	return count;
}

const COLUMNS = ["goneOn", "saidAbove"] as const;
const NONE = -1;

class Count {
	/** Grows as long as each appended entry continues from the leaf. Otherwise the session has another one. */
	readonly outline: OutlineColumns;
	readonly place: Place;
	/** How many of the session's entries are in it. */
	counted = 0;
	readonly #path = emptySum();
	readonly #rest = emptySum();
	readonly #models = new Map<string, ModelName>();
	#ends = 0;
	/** By the index of an entry. */
	readonly #columns = {
		/** 1 for entries of the conversation after which something else was said. */
		goneOn: new Uint8Array(0),
		/** The nearest entry at or above it that says something in the conversation, and 2 more, for: not looked for yet. */
		saidAbove: new Int32Array(0),
	};

	constructor(outline: OutlineColumns, place: Place) {
		this.outline = outline;
		this.place = place;
	}

	/** Adds as many entries as a step takes; whether these were the last ones. */
	addSome(): boolean {
		const { count } = this.outline;
		widenColumns(this.#columns, COLUMNS, count);
		const end = Math.min(count, this.counted + ENTRIES_PER_STEP);
		while (this.counted < end) this.#add(this.counted++);
		return end === count;
	}

	result(): SessionSum {
		return {
			path: this.#path,
			rest: this.#rest,
			branches: this.#ends + (this.#endsWithin() ? 1 : 0),
			models: [...this.#models.values()],
		};
	}

	#add(index: number): void {
		const { session, active } = this.outline;
		const entry = session.entries[index];
		if (entry === undefined) return;
		addEntry(active[index] === 1 ? this.#path : this.#rest, entry, session, this.place);
		this.#addEnd(entry, index);
		const model = modelIn(entry);
		if (model !== undefined && this.#models.size < MAX_MODELS) this.#models.set(modelKey(model), model);
	}

	/** A branch ends where nothing is said any more: what only keeps books does not begin or end one. */
	#addEnd({ type }: SessionEntry, index: number): void {
		if (BOOKKEEPING.has(type)) return;
		this.#ends++;
		const above = this.#nearestSaid(this.outline.table.parent[index] ?? NONE);
		if (above === NONE || this.#columns.goneOn[above] === 1) return;
		this.#columns.goneOn[above] = 1;
		this.#ends--;
	}

	/** Whether the leaf is an end that is not counted yet: nothing is said at it, or something was said after it. */
	#endsWithin(): boolean {
		const { leafId } = this.outline.session.tree;
		const leaf = leafId === null ? NONE : indexAt(this.outline, leafId);
		if (leaf === NONE) return false;
		const nearest = this.#nearestSaid(leaf);
		return nearest === NONE || this.#columns.goneOn[nearest] === 1;
	}

	#nearestSaid(from: number): number {
		const { table, session } = this.outline;
		const { saidAbove } = this.#columns;
		const passed: number[] = [];
		let at = from;
		while (at !== NONE) {
			const type = session.entries[at]?.type;
			if (type !== undefined && !BOOKKEEPING.has(type)) break;
			const stored = saidAbove[at] ?? 0;
			if (stored !== 0) {
				at = stored - 2;
				break;
			}
			passed.push(at);
			at = table.parent[at] ?? NONE;
		}
		for (const index of passed) saidAbove[index] = at + 2;
		return at;
	}
}
