import { type Matched, relevanceOf } from "../query/relevance.ts";

/**
 * What a term's rank grows by for each level of the form in which it was found, so that any match in a nearer form is better than
 * all in others: more than the rank of any kind of text, and than that of a session.
 */
export const LEVEL_RANK = 16;

/** The level of the form in which a term of this rank was found: 0 as typed. */
export function levelOfRank(rank: number): number {
	return Math.floor(rank / LEVEL_RANK);
}

/**
 * The rank of a session: fewer words in other forms come first, then nearer forms, then what is more relevant.
 */
export function sessionRank({ ranks, ...others }: Matched): number {
	const levels = ranks.map(levelOfRank);
	const changed = levels.filter((level) => level > 0).length;
	const relevance = relevanceOf({ ranks: ranks.map((rank) => rank % LEVEL_RANK), ...others });
	return changed * LEVEL_RANK ** 2 + Math.max(0, ...levels) * LEVEL_RANK + relevance;
}
