/** A removed and an added line side by side; the one need not have become the other. */
export interface LinePair<Each> {
	readonly removed: Each | undefined;
	readonly added: Each | undefined;
	/** Whether they have enough in common to show which words changed. */
	readonly isSimilar: boolean;
}

/** UTF-16 units of a line whose words are compared; changed words of longer lines are not marked. */
export const MAX_PAIRED = 300;
/** Added lines that are tried for a removed one. */
const TRIED = 12;
/** Share of the words of both lines that must be the same. */
const SIMILAR = 0.4;
const WORD = /[\p{L}\p{N}_]+/gu;

/** Pairs the lines of a change, in order; a line may be in a pair without the other. */
export function pairLines<Each extends { readonly text: string }>(
	removed: readonly Each[],
	added: readonly Each[],
): LinePair<Each>[] {
	if (removed.length === 0 || added.length === 0) return sideBySide(removed, added);
	const pairs: LinePair<Each>[] = [];
	const removedWords = removed.map(({ text }) => wordsOf(text));
	const addedWords = added.map(({ text }) => wordsOf(text));
	let [nextRemoved, nextAdded] = [0, 0];
	for (const [index, words] of removedWords.entries()) {
		const other = mostSimilar(words, addedWords, nextAdded);
		if (other === undefined) continue;
		pairs.push(...sideBySide(removed.slice(nextRemoved, index), added.slice(nextAdded, other)));
		pairs.push({ removed: removed[index], added: added[other], isSimilar: true });
		nextRemoved = index + 1;
		nextAdded = other + 1;
	}
	return [...pairs, ...sideBySide(removed.slice(nextRemoved), added.slice(nextAdded))];
}

function sideBySide<Each>(removed: readonly Each[], added: readonly Each[]): LinePair<Each>[] {
	const length = Math.max(removed.length, added.length);
	return Array.from({ length }, (_, index) => ({ removed: removed[index], added: added[index], isSimilar: false }));
}

/** How often a line has each word, and how many words it has. */
interface Words {
	readonly counts: ReadonlyMap<string, number>;
	readonly total: number;
}

function wordsOf(text: string): Words {
	const counts = new Map<string, number>();
	let total = 0;
	if (text.length > MAX_PAIRED) return { counts, total };
	for (const [word] of text.matchAll(WORD)) {
		counts.set(word, (counts.get(word) ?? 0) + 1);
		total++;
	}
	return { counts, total };
}

/** Index of the line from `start` on that has most in common with a line; undefined if none has enough. */
function mostSimilar(words: Words, others: readonly Words[], start: number): number | undefined {
	let best: number | undefined;
	let highest = SIMILAR;
	for (const [index, other] of others.slice(start, start + TRIED).entries()) {
		const similarity = similarityOf(words, other);
		if (similarity < highest || (best !== undefined && similarity === highest)) continue;
		best = start + index;
		highest = similarity;
	}
	return best;
}

function similarityOf(one: Words, other: Words): number {
	let common = 0;
	for (const [word, count] of one.counts) common += Math.min(count, other.counts.get(word) ?? 0);
	return common === 0 ? 0 : (2 * common) / (one.total + other.total);
}
