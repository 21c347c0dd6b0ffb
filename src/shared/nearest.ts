/** The name that was probably meant by a misspelled word: the one at the smallest edit distance, at most `most`. */
export function nearest(word: string, names: readonly string[], most = 2): string | undefined {
	// No name is that long, and computing the distance would take long.
	if (word.length > MAX_LENGTH) return undefined;
	const [best] = names
		.map((name) => ({ name, distance: editDistance(word.toLowerCase(), name) }))
		.filter(({ distance, name }) => distance <= most && distance < name.length)
		.sort((a, b) => a.distance - b.distance);
	return best?.name;
}

const MAX_LENGTH = 40;

/** The letters of a word as a set, for `mayBeWithin`: a bit for all letters that have the same last five bits. */
export function letterSet(word: string): number {
	let letters = 0;
	for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
	return letters;
}

/** False for words that are more than `most` edits apart, by their sets of letters; a small part of the time of `editDistance`. */
export function mayBeWithin(most: number, from: number, to: number): boolean {
	// An edit adds one letter at most, and takes one.
	return countBits(from & ~to) <= most && countBits(to & ~from) <= most;
}

function countBits(bits: number): number {
	let count = 0;
	for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
	return count;
}

/** Edits (insert, delete, replace, swap neighbors) that turn one word into the other. */
export function editDistance(from: string, to: string): number {
	let before: number[] = [];
	let row = Array.from({ length: to.length + 1 }, (_, column) => column);
	for (let line = 1; line <= from.length; line++) {
		const next = [line];
		for (let column = 1; column <= to.length; column++) {
			const replaced = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
			const isSwap = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
			const swapped = isSwap && line > 1 ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
			next.push(Math.min(replaced, swapped, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
		}
		before = row;
		row = next;
	}
	return row[to.length] ?? 0;
}
