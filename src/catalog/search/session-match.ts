import type { Tier } from "./kinds.ts";
import { KINDS, kindOf } from "./kinds.ts";
import type { Match } from "./match-block.ts";

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
	readonly session: number;
	/** For each term. */
	readonly best: (BestMatch | undefined)[];
	count = 0;
	/** Whether there may be more places than counted. */
	more = false;
	readonly #done = new Set<string>();

	constructor(session: number, terms: number) {
		this.session = session;
		this.best = new Array(terms).fill(undefined);
	}

	get complete(): boolean {
		return !this.best.includes(undefined);
	}

	/** Whether the block has been searched for the term; marks it so. */
	begin(tier: Tier, seq: number, term: number): boolean {
		const key = `${tier}/${seq}/${term}`;
		if (this.#done.has(key)) return false;
		this.#done.add(key);
		return true;
	}

	/** Takes a place where the term was found. */
	take(term: number, tier: Tier, seq: number, match: Match): void {
		this.count += 1;
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
