/** Rows to show above and below a cursor, where there is room. */
const MARGIN = 2;

/** The first visible row that brings `index` in sight with a margin and moves as little as possible. */
export function scrollTo(top: number, index: number, height: number, count: number): number {
	const margin = Math.min(MARGIN, Math.floor((height - 1) / 2));
	const lowest = index - height + 1 + margin;
	const highest = index - margin;
	return Math.max(0, Math.min(Math.max(lowest, Math.min(top, highest)), count - height));
}
