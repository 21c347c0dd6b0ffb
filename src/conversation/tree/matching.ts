import { holdsAll, implies } from "../../catalog/query/match.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import type { Steps } from "../../shared/steps.ts";
import type { EntryColumns } from "./entry-columns.ts";
import { meetsConditions, textsOf } from "./match-entry.ts";
import type { Shows } from "./shown-entries.ts";

const UNKNOWN = 0;
const NO = 1;
const YES = 2;

/** Characters that are compared between two looks at the clock, and what an entry counts besides its own: a fraction of a millisecond. */
const CHARACTERS_PER_LOOK = 32_000;
const PER_ENTRY = 4000;
/** Entries below the cursor, and then above it, that are compared in turn. */
const CHUNK = 256;

interface MatchingInput {
	readonly columns: EntryColumns;
	readonly shows: Shows;
	/** The place in the drawing around which it begins. */
	readonly near: number;
	readonly home: string;
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
		const earlierStates = this.#states.subarray(0, count);
		if (this.query.text === query.text) states.set(earlierStates);
		else if (implies(query, this.query)) {
			for (const [index, state] of earlierStates.entries()) if (state === NO) states[index] = NO;
		}
		return states;
	}

	/** Compares all entries that a filter shows. */
	*compare({ columns, shows, near, home }: MatchingInput): Steps<void> {
		const { session, order } = columns.outline;
		let compared = 0;
		this.found = 0;
		for (const place of placesAround(near, this.#states.length)) {
			const index = order[place] ?? 0;
			const entry = session.entries[index];
			if (entry === undefined || !shows(index)) continue;
			if (this.#states[index] === UNKNOWN) {
				if (compared >= CHARACTERS_PER_LOOK) {
					compared = 0;
					yield;
				}
				const texts = meetsConditions(entry, session, this.query, home) ? textsOf(entry, session, home) : undefined;
				this.#states[index] = texts !== undefined && holdsAll(texts, this.query) ? YES : NO;
				compared += (texts ?? []).reduce((sum, { text }) => sum + text.length, PER_ENTRY);
			}
			if (this.#states[index] === YES) this.found += 1;
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
