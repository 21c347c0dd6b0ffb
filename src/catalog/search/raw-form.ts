import { rawCharacter } from "./raw-needle.ts";
import { rawRegex } from "./raw-regex.ts";

/** A Kelvin sign, and what JSON may write for the characters that join names. */
const ALSO = String.raw`\xe2\x84\xaa|\\u(?:212a|00(?:20|2d|5f))`;

/**
 * A pattern on bytes for another form of a word (src/catalog/query/other-forms.ts). It matches wherever the form is, and also
 * within longer words. Shorter than `rawRegex` makes it: the pattern for a typing error has each letter several times.
 */
export function rawForm(source: string): string {
	if (!/^[\x20-\x7e]*$/.test(source)) return rawRegex(source);
	return source.replace(/\[[^\]]*\]|k/g, (one) => (one === "k" ? rawCharacter(one) : `(?:${one}|${ALSO})`));
}
