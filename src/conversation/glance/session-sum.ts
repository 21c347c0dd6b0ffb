import { widen } from "../../shared/columns.ts";
import { ENTRIES_PER_STEP, runToEnd, type Steps } from "../../shared/steps.ts";
import { BOOKKEEPING } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { countEnds } from "../../store/tree/ends.ts";
import { DigestCollector } from "../digest/collect-digest.ts";
import type { Digest } from "../digest/digest.ts";
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
	/** Made when it is first asked for. */
	readonly digest: () => Digest;
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
	if (Math.max(entries.length - count.counted, count.digest.behind) > AT_ONCE) return undefined;
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

class Count {
	/** Grows as long as each appended entry continues from the leaf. Otherwise the session has another one. */
	readonly outline: OutlineColumns;
	readonly place: Place;
	/** How many of the session's entries are in it. */
	counted = 0;
	readonly digest: DigestCollector;
	readonly #path = emptySum();
	readonly #rest = emptySum();
	readonly #models = new Map<string, ModelName>();
	/** 1 by the index of an entry. */
	#isBookkeeping = new Uint8Array(0);
	/** Of the session up to a number of entries. */
	#branches = { count: 0, ends: 0 };

	constructor(outline: OutlineColumns, place: Place) {
		this.outline = outline;
		this.place = place;
		this.digest = new DigestCollector(outline, place);
	}

	/** Adds as many entries as a step takes; whether these were the last ones. */
	addSome(): boolean {
		const { count } = this.outline;
		this.#isBookkeeping = widen(this.#isBookkeeping, count);
		const end = Math.min(count, this.counted + ENTRIES_PER_STEP);
		while (this.counted < end) this.#add(this.counted++);
		return end === count && this.digest.compareSome();
	}

	result(): SessionSum {
		const { table, count, session } = this.outline;
		// Asked for with every key, and in a million entries the ends take some milliseconds.
		if (this.#branches.count !== count) {
			const { leafId } = session.tree;
			const leaf = leafId === null ? -1 : indexAt(this.outline, leafId);
			const ends = countEnds(table.parent, count, (index) => this.#isBookkeeping[index] === 1, leaf);
			this.#branches = { count, ends };
		}
		return {
			path: this.#path,
			rest: this.#rest,
			branches: this.#branches.ends,
			models: [...this.#models.values()],
			digest: () => this.digest.digest(this.#path, this.#rest),
		};
	}

	#add(index: number): void {
		const { session, active } = this.outline;
		const entry = session.entries[index];
		if (entry === undefined) return;
		addEntry(active[index] === 1 ? this.#path : this.#rest, entry, session, this.place);
		this.digest.add(index);
		this.#isBookkeeping[index] = BOOKKEEPING.has(entry.type) ? 1 : 0;
		const model = modelIn(entry);
		if (model !== undefined && this.#models.size < MAX_MODELS) this.#models.set(modelKey(model), model);
	}
}
