/** The name that a word was probably meant to be: the one with the fewest changed letters, two at most. */
export function nearest(word: string, names: readonly string[]): string | undefined {
	const [best] = names
		.map((name) => ({ name, distance: editDistance(word.toLowerCase(), name) }))
		.filter(({ distance, name }) => distance <= 2 && distance < name.length)
		.sort((a, b) => a.distance - b.distance);
	return best?.name;
}

/** How many letters must be added, removed or replaced to turn one word into the other. */
function editDistance(from: string, to: string): number {
	let row = Array.from({ length: to.length + 1 }, (_, column) => column);
	for (let line = 1; line <= from.length; line++) {
		const next = [line];
		for (let column = 1; column <= to.length; column++) {
			const replaced = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
			next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
		}
		row = next;
	}
	return row[to.length] ?? 0;
}
