import { ONE_HIDDEN } from "../query/hidden.ts";
import { ACCENT, withAccents } from "./raw-accented.ts";
import { NOT_ASCII, rawCharacter } from "./raw-needle.ts";

/** Characters of a word in the pattern; the line is compared with the whole word later. */
const MOST = 24;

/**
 * A pattern on bytes for a word with anything between its characters that does not show (src/catalog/query/hidden.ts), and with any
 * accents on letters. Ten times as slow as that for the word: for files that may have it so (`HiddenFiles`).
 */
export function rawLoose(needle: string): string {
	const clusters = needle.match(/\P{M}\p{M}*|\p{M}+/gsu) ?? [];
	return clusters.slice(0, MOST).map(rawLooseCluster).join("");
}

function rawLooseCluster(cluster: string): string {
	const decomposed = cluster.normalize("NFD");
	const [base = ""] = decomposed;
	if ([...decomposed].length > 1 || /^\p{M}/u.test(cluster))
		return `(?:${rawCharacter(base)}|${NOT_ASCII})${NOT_ASCII}?`;
	const letter = [rawCharacter(base), withAccents(base) ?? []].flat().join("|");
	return `(?:${letter})(?:${ACCENT}|${ONE_HIDDEN})*`;
}
