/** Things that are looked at side by side. */
const AT_ONCE = 8;

/** Some at a time: a disk may be slow, and other work needs it too. */
export async function mapInTurn<In, Out>(all: readonly In[], map: (one: In) => Promise<Out>): Promise<Out[]> {
	const results: Out[] = [];
	for (let from = 0; from < all.length; from += AT_ONCE) {
		results.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(map))));
	}
	return results;
}
