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
	// Three rows are enough, and to make none for each letter takes a quarter of the time.
	const length = to.length + 1;
	let [before, row, next] = [new Uint16Array(length), new Uint16Array(length), new Uint16Array(length)];
	for (let column = 0; column < length; column++) row[column] = column;
	for (let line = 1; line <= from.length; line++) {
		const letter = from.charCodeAt(line - 1);
		const earlier = line > 1 ? from.charCodeAt(line - 2) : NO_LETTER;
		let least = line;
		next[0] = line;
		for (let column = 1; column < length; column++) {
			const other = to.charCodeAt(column - 1);
			const replaced = (row[column - 1] ?? 0) + (letter === other ? 0 : 1);
			least = Math.min(replaced, (row[column] ?? 0) + 1, least + 1);
			const isSwap = column > 1 && earlier === other && letter === to.charCodeAt(column - 2);
			if (isSwap) least = Math.min(least, (before[column - 2] ?? 0) + 1);
			next[column] = least;
		}
		[before, row, next] = [row, next, before];
	}
	return row[to.length] ?? 0;
}

const NO_LETTER = -1;
