import { accentedLetters } from "../query/fold.ts";
import type { Term } from "../query/parse-query.ts";
import { NOT_ASCII, rawCharacter } from "./raw-needle.ts";

/** Matches a Latin letter with accents, raw or escaped, on bytes; also some other characters. */
const LATIN = String.raw`[\xc3-\xc9].|\xe1[\xb8-\xbb].|\xe2\x84.|\\u(?:00[c-f]|0[12].|1e.|21.).`;
/** A combining accent after its letter. */
const ACCENT = String.raw`\xcc.|\xcd.|\\u03[0-6].`;

/** Only the first letters get a pattern each for having the first accent; see `rawAccented`. */
const EXACT = 4;
/** Letters of a word in the pattern; the line is compared with the whole word later. */
const MOST = 16;

/** Whether a term may occur in a text with accents that were not typed. */
export function mayHaveAccents({ needle, accents }: Term): boolean {
	return needle !== undefined && !accents && LETTERS.test(needle);
}

/** Letters from which `bare` removes accents. */
const LETTERS = /[a-z\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff]/;

/**
 * A pattern for a word in a line of JSON in which some letter has an accent that was not typed; for long words, may have.
 * `rawNeedle` finds the word as it was typed, many times faster.
 */
export function rawAccented(needle: string): string {
	const letters = [...needle].slice(0, MOST);
	const exact = letters.map((letter) => (isKnown(letter) ? rawCharacter(letter) : NOT_ASCII));
	const accented = letters.map(withAccents);
	const loose = exact.map((letter, at) => `(?:${[letter, accented[at] ?? []].flat().join("|")})(?:${ACCENT})*`);
	const patterns: string[] = [];
	for (const [at, letter] of exact.slice(0, EXACT).entries()) {
		const here = `(?:${[`(?:${letter})(?:${ACCENT})`, accented[at] ?? []].flat().join("|")})(?:${ACCENT})*`;
		patterns.push([...exact.slice(0, at), here, ...loose.slice(at + 1)].join(""));
	}
	if (letters.length > EXACT) patterns.push([...exact.slice(0, EXACT), ...loose.slice(EXACT)].join(""));
	return `(?:${patterns.join("|")})`;
}

/** Whether a character has few written forms: beyond these scripts it may be several characters, in some order. */
function isKnown(letter: string): boolean {
	return letter.length === 1 && letter <= "\u{52f}" && !/\p{M}/u.test(letter);
}

/** The accented forms of a letter. */
function withAccents(letter: string): string | undefined {
	if (/[a-z]/.test(letter)) return LATIN;
	const characters = accentedLetters(letter);
	if (characters.length === 0) return undefined;
	return [...byLeadingBytes(characters), String.raw`\\u(?:0[0-5].|1f.).`].join("|");
}

/** The characters in UTF-8, grouped by all bytes but the last. */
function byLeadingBytes(characters: readonly string[]): string[] {
	const groups = new Map<string, string>();
	for (const character of characters) {
		const bytes = [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16)}`);
		const lead = bytes.slice(0, -1).join("");
		groups.set(lead, (groups.get(lead) ?? "") + bytes.at(-1));
	}
	return [...groups].map(([lead, last]) => `${lead}[${last}]`);
}
