/**
 * What a term's rank grows by for each level of the form in which it was found, so that any match in a nearer form is better than
 * all in others: more than the rank of any kind of text.
 */
export const LEVEL_RANK = 10;

/** The level of the form in which a term of this rank was found: 0 as typed. */
export function levelOfRank(rank: number): number {
	return Math.floor(rank / LEVEL_RANK);
}

/**
 * The rank of a session by those of its terms: fewer words in other forms come first, then nearer forms, then better kinds of
 * text. Two good matches rank before one good and one bad match.
 */
export function sessionRank(ranks: readonly number[]): number {
	const levels = ranks.map(levelOfRank);
	const changed = levels.filter((level) => level > 0).length;
	const kinds = ranks.map((rank) => rank % LEVEL_RANK);
	return changed * LEVEL_RANK ** 2 + Math.max(0, ...levels) * LEVEL_RANK + Math.max(0, ...kinds);
}
