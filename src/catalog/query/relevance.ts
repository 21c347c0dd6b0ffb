import { ALIAS_RANK } from "./kinds.ts";

/**
 * The order of sessions by relevance, lower is better. What comes first is decided by the weakest of the words: by the kind of
 * text that it is in, and by whether it is a whole word there. All else only orders sessions that are equal in this: the other
 * words, whether all are in one entry, the branch, and the age.
 */

/** Weight of the other words. */
const OTHERS = 0.6;
/** For words that no single entry is known to have. */
const APART = 0.1;
/** For a hit on an abandoned branch. */
const ABANDONED = 0.15;
/** What a session of any age loses at most; less than a weaker kind of one word of two costs. */
const AGED = 0.08;
/** The age at which it has lost half of that. */
const HALF_AGED_MS = 365 * 86_400_000;
/** Sort keys are rounded to such parts of one: sessions of nearly the same age are equal, and stay in the order of the list. */
const STEPS = 4096;
/**
 * What a term's rank grows by for each level of the form in which it was found, so that any match in a nearer form is better than
 * all in others: more than the rank of any kind of text, and than that of a session.
 */
export const LEVEL_RANK = 16;

interface WordMatches {
	/** The sort key of each word's best match. */
	readonly ranks: readonly number[];
	/** Whether one entry has all words. */
	readonly isTogether: boolean;
	readonly isAbandoned?: boolean;
}

/** Sort key of a session, whatever its age. */
export function relevanceOf({ ranks, isTogether, isAbandoned = false }: WordMatches): number {
	if (ranks.length === 0) return 0;
	let [worst, sum] = [Number.NEGATIVE_INFINITY, 0];
	for (const rank of ranks) {
		worst = Math.max(worst, rank);
		sum += rank;
	}
	const otherWords = (OTHERS * sum) / ranks.length / (ALIAS_RANK + 1);
	return rounded(worst + otherWords + (isTogether || ranks.length === 1 ? 0 : APART) + (isAbandoned ? ABANDONED : 0));
}

/** What is added to a sort key for the age of a session at the time `now`, which must not change during a search. */
export function agedBy(modified: number, now: number): number {
	const age = Math.max(0, now - modified);
	return rounded((AGED * age) / (age + HALF_AGED_MS)) || 0;
}

function rounded(key: number): number {
	return Math.round(key * STEPS) / STEPS;
}

/** The level of the form in which a term of this rank was found: 0 as typed. */
export function levelOfRank(rank: number): number {
	return Math.max(0, Math.floor(rank / LEVEL_RANK));
}

/** Sort key of a session whose words may be in other forms: fewer such words come first, then nearer forms, then what is more relevant. */
export function sessionRank({ ranks, ...facts }: WordMatches): number {
	const levels = ranks.map(levelOfRank);
	const changed = levels.filter((level) => level > 0).length;
	const relevance = relevanceOf({ ranks: ranks.map((rank) => rank % LEVEL_RANK), ...facts });
	return changed * LEVEL_RANK ** 2 + Math.max(0, ...levels) * LEVEL_RANK + relevance;
}
