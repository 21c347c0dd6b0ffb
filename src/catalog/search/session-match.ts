import type { Tier } from "../query/kinds.ts";
import { KINDS, kindOf } from "../query/kinds.ts";
import type { FoundPlaces } from "./found-places.ts";
import type { Match } from "./match-block.ts";
import type { SearchableSession } from "./text-reader.ts";

/** The best place of a term so far. */
export interface BestMatch extends Match {
	readonly tier: Tier;
	readonly seq: number;
	/** Lower is better: rank of the kind, then whole words before parts. */
	readonly score: number;
}

/** More places of one term in one block are not counted: nobody reads them one by one. */
export const COUNTED_PER_BLOCK = 1000;

/** What has been found in one session. */
export class SessionMatch {
	readonly session: SearchableSession;
	/** For each term. */
	readonly best: (BestMatch | undefined)[];
	/** For each term the first places in the block of its best one, as far as they are known. */
	readonly places: (FoundPlaces | undefined)[];
	/** Whether there may be more places than counted. */
	more = false;
	/** Places by tier, block and term; undefined while they have been looked at only briefly. */
	readonly #counts = new Map<string, number | undefined>();
	#brief = 0;

	constructor(session: SearchableSession, terms: number) {
		this.session = session;
		this.best = new Array(terms).fill(undefined);
		this.places = new Array(terms).fill(undefined);
	}

	get complete(): boolean {
		return !this.best.includes(undefined);
	}

	/** The terms that have been found, as a bit mask. */
	get found(): number {
		return this.best.reduce((mask, best, index) => (best ? mask | (1 << index) : mask), 0);
	}

	/** How many places have been found so far. */
	get count(): number {
		let count = 0;
		for (const places of this.#counts.values()) count += places ?? 0;
		return Math.max(count, this.#brief);
	}

	/** Whether the block must still be searched for the term; a brief search may be followed by a full one. */
	begin(tier: Tier, seq: number, term: number, briefly: boolean): boolean {
		const key = `${tier}/${seq}/${term}`;
		if (this.#counts.has(key) && (briefly || this.#counts.get(key) !== undefined)) return false;
		this.#counts.set(key, briefly ? undefined : 0);
		return true;
	}

	/** Takes a place where the term was found. */
	take(term: number, tier: Tier, seq: number, match: Match): void {
		const key = `${tier}/${seq}/${term}`;
		const places = this.#counts.get(key);
		if (places !== undefined || tier === 0) this.#counts.set(key, (places ?? 0) + 1);
		else this.#brief += 1;
		const score = KINDS[kindOf(match.code)].rank * 2 + (match.word ? 0 : 1);
		const best = this.best[term];
		if (!best || score < best.score) this.best[term] = { ...match, tier, seq, score };
	}

	/** The worst of the terms' scores: all terms in good places before one in a good and one in a bad place. */
	get rank(): number {
		return Math.max(...this.best.map((best) => best?.score ?? 99));
	}

	/** The place to show: the best of all terms. */
	get shown(): BestMatch | undefined {
		return this.best.reduce((a, b) => (b && (!a || b.score < a.score) ? b : a), undefined);
	}
}
