const NONE = -1;

/**
 * Number of ends of a conversation: entries after which nothing was said, and the leaf even if something was. Bookkeeping neither
 * begins nor ends a branch. `parents`: by the index of an entry, that of its parent, or -1; without cycles. `leaf`: -1 for none.
 */
export function countEnds(
	parents: Int32Array,
	count: number,
	isBookkeeping: (index: number) => boolean,
	leaf: number,
): number {
	/** The nearest entry at or above each that says something, or -1, and 2 more; 0: not looked for yet. */
	const nearest = new Int32Array(count);
	const nearestTo = (from: number): number => {
		const passed: number[] = [];
		let at = from;
		while (at !== NONE && isBookkeeping(at) && nearest[at] === 0) {
			passed.push(at);
			at = parents[at] ?? NONE;
		}
		if (at !== NONE && isBookkeeping(at)) at = (nearest[at] ?? 0) - 2;
		for (const index of passed) nearest[index] = at + 2;
		return at;
	};
	const isContinued = new Uint8Array(count);
	let ends = 0;
	for (let index = 0; index < count; index++) {
		if (isBookkeeping(index)) continue;
		const above = nearestTo(parents[index] ?? NONE);
		if (above === NONE || isContinued[above] === 1) ends += 1;
		else isContinued[above] = 1;
	}
	if (leaf === NONE) return ends;
	const last = nearestTo(leaf);
	return last === NONE || isContinued[last] === 1 ? ends + 1 : ends;
}
