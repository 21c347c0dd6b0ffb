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
