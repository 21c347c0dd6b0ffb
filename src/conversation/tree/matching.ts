import { type EntryTexts, holdsAll, implies, type SearchText } from "../../catalog/query/match.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import type { Steps } from "../../shared/steps.ts";
import type { EntryColumns } from "./entry-columns.ts";
import { meetsConditions, textsOf } from "./match-entry.ts";
import type { Shows } from "./shown-entries.ts";

const UNKNOWN = 0;
const NO = 1;
const YES = 2;
/** To be compared in another thread. */
const ASKED = 3;

/** Entries that are compared between two looks at the clock. */
const ENTRIES_PER_COMPARISON = 8;
/** Entries below the cursor, and then above it, that are compared in turn. */
const CHUNK = 256;

/** What is compared. */
export interface Comparison {
	readonly columns: EntryColumns;
	readonly shows: Shows;
	/** The place in the drawing around which it begins. */
	readonly near: number;
	readonly home: string;
	/** Whether another thread is there for long entries. */
	readonly elsewhere: boolean;
}

/** Which entries of a session hold the words of a filter, as far as they have been compared. */
export class Matching {
	readonly query: Query;
	/** Whether all that the filter shows has been compared. */
	isComplete = false;
	/** Entries that hold the words, of those that the filter shows. */
	found = 0;
	readonly #states: Uint8Array;

	constructor(query: Query, states: Uint8Array) {
		this.query = query;
		this.#states = states;
	}

	holds(index: number): boolean {
		return this.#states[index] === YES;
	}

	/** The states to begin with for a query, as far as what is known of this one helps. */
	statesFor(query: Query, count: number): Uint8Array {
		const states = new Uint8Array(count);
		const before = this.#states.subarray(0, count);
		if (this.query.text === query.text) states.set(before);
		else if (implies(query, this.query)) {
			for (const [index, state] of before.entries()) if (state === NO) states[index] = NO;
		}
		return states;
	}

	/** Compares all entries that a filter shows; returns those that another thread has to compare. */
	*compare({ columns, shows, near, home, elsewhere }: Comparison): Steps<LongEntry[]> {
		const { session, order } = columns.outline;
		const long: LongEntry[] = [];
		let step = 0;
		this.found = 0;
		for (const place of placesAround(near, this.#states.length)) {
			const index = order[place] ?? 0;
			const entry = session.entries[index];
			if (entry === undefined || !shows(index)) continue;
			const state = this.#states[index] ?? UNKNOWN;
			if (state === UNKNOWN || state === ASKED) {
				if (++step % ENTRIES_PER_COMPARISON === 0) yield;
				if (!meetsConditions(entry, session, this.query)) {
					this.#states[index] = NO;
					continue;
				}
				const texts = textsOf(entry, session, home);
				if (elsewhere && isLong(texts)) {
					this.#states[index] = ASKED;
					long.push({ index, texts: texts.map(({ kind, text, tool }) => [kind, text, tool] as const) });
				} else this.#states[index] = holdsAll(texts, this.query) ? YES : NO;
			}
			if (this.#states[index] === YES) this.found += 1;
		}
		this.isComplete = long.length === 0;
		return long;
	}

	/** Takes the answers of the other thread. */
	answer(long: readonly LongEntry[], held: readonly boolean[] | undefined): void {
		for (const [number, { index }] of long.entries()) {
			this.#states[index] = held?.[number] === true ? YES : NO;
			if (held?.[number] === true) this.found += 1;
		}
		this.isComplete = true;
	}
}

/** All places, outward from one. */
function* placesAround(near: number, count: number): Generator<number> {
	let below = Math.max(0, Math.min(near, count));
	let above = below - 1;
	while (below < count || above >= 0) {
		for (const end = Math.min(count, below + CHUNK); below < end; below++) yield below;
		for (const end = Math.max(-1, above - CHUNK); above > end; above--) yield above;
	}
}

/** An entry with more text than this, in characters, is compared in another thread: a frame could not wait for it. */
const MAX_CHARACTERS = 100_000;
/** The same for the number of its texts. */
const MAX_TEXTS = 1000;

/** Whether an entry with these texts is compared in another thread. */
function isLong(texts: readonly SearchText[]): boolean {
	if (texts.length > MAX_TEXTS) return true;
	let length = 0;
	for (const { text } of texts) length += text.length;
	return length > MAX_CHARACTERS;
}

/** An entry, by its index, that is compared in another thread. */
export interface LongEntry {
	readonly index: number;
	readonly texts: EntryTexts;
}
