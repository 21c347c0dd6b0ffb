/** How far a key moves a cursor or scrolls: rows, pages (parts of one, too), or to an end. */
export type Distance = { readonly rows: number } | { readonly pages: number } | { readonly end: "first" | "last" };

/** Index that a distance leads to from `index`, in `count` rows of which `height` are visible. */
export function target(index: number, distance: Distance, height: number, count: number): number {
	if ("end" in distance) return distance.end === "first" ? 0 : count - 1;
	const rows = "rows" in distance ? distance.rows : distance.pages * Math.max(1, height - 1);
	return Math.max(0, Math.min(index + rows, count - 1));
}
