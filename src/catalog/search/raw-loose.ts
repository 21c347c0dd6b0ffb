import { NOT_ASCII, rawCharacter } from "./raw-needle.ts";

/** Characters of a word in the pattern; the line is compared with the whole word later. */
const MOST = 24;

/**
 * A pattern on bytes for a word with any accents on its letters, and with anything between its characters that does not show
 * (src/catalog/query/hidden.ts). Several times as slow as that for the word: for files that may have it so (`OddFiles`).
 */
export function rawLoose(needle: string): string {
	const clusters = needle.match(/\P{M}\p{M}*|\p{M}+/gsu) ?? [];
	return clusters.slice(0, MOST).map(rawLooseCluster).join("");
}

function rawLooseCluster(cluster: string): string {
	const [base = ""] = cluster.normalize("NFD");
	const letter = /^\p{M}/u.test(cluster) ? NOT_ASCII : `(?:${rawCharacter(base)}|${NOT_ASCII})`;
	return `${letter}${NOT_ASCII}?`;
}
