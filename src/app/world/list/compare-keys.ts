export type SortKey = number | string;

/** The smaller key first, texts from a to z, empty texts last. */
export function compareKeys(one: SortKey, other: SortKey): number {
	if (typeof one === "number" && typeof other === "number") return one - other;
	if (one === "" || other === "") return Number(one === "") - Number(other === "");
	return one < other ? -1 : one > other ? 1 : 0;
}

/** By UTF-16 units, which takes a tenth of the time of a locale's rules. */
export function compareText(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
