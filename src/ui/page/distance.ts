/** How far a key moves a cursor or scrolls: rows, pages (fractions too), or to an end. */
export type Distance = { readonly rows: number } | { readonly pages: number } | { readonly end: "first" | "last" };

/** The index that a distance leads to from `index`, in `count` rows of which `height` are visible. */
export function target(index: number, distance: Distance, height: number, count: number): number {
	if ("end" in distance) return distance.end === "first" ? 0 : count - 1;
	const rows = "rows" in distance ? distance.rows : distance.pages * Math.max(1, height - 1);
	return Math.max(0, Math.min(index + rows, count - 1));
}

/** Rows shown above and below a cursor if there is room. */
const MARGIN = 2;

/** The first visible row that shows `index` with a margin and scrolls as little as possible. */
export function scrollTo(top: number, index: number, height: number, count: number): number {
	const margin = Math.min(MARGIN, Math.floor((height - 1) / 2));
	const lowest = index - height + 1 + margin;
	const highest = index - margin;
	return Math.max(0, Math.min(Math.max(lowest, Math.min(top, highest)), count - height));
}
