/** The largest of any number of values, at least `least`. `Math.max(...values)` fails with very many. */
export function largest(values: Iterable<number>, least = 0): number {
	let most = least;
	for (const value of values) if (value > most) most = value;
	return most;
}
