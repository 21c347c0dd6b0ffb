/** How many calls run at the same time. */
const CONCURRENCY = 8;

/** Maps in batches: a disk may be slow, and other work needs it too. */
export async function mapInTurn<In, Out>(all: readonly In[], map: (one: In) => Promise<Out>): Promise<Out[]> {
	const results: Out[] = [];
	for (let from = 0; from < all.length; from += CONCURRENCY) {
		results.push(...(await Promise.all(all.slice(from, from + CONCURRENCY).map(map))));
	}
	return results;
}
