import { accentedLetters } from "../query/accented-letters.ts";
import type { Term } from "../query/parse-query.ts";
import { NOT_ASCII, rawCharacter } from "./raw-needle.ts";

/** A Latin letter with accents as a pattern on bytes, as it is or escaped; some others, too. */
const LATIN = String.raw`[\xc3-\xc9].|\xe1[\xb8-\xbb].|\xe2\x84.|\\u(?:00[c-f]|0[12].|1e.|21.).`;
/** An accent behind its letter. */
const ACCENT = String.raw`\xcc.|\xcd.|\\u03[0-6].`;

/** Letters of a word before which no accent may have been for the rest to be looked for. */
const EXACT = 4;
/** Letters of a word that are looked for: the line is compared with all of it. */
const MOST = 16;

/** Whether a term may be in a text with accents that it was typed without. */
export function mayHaveAccents({ needle, accents }: Term): boolean {
	return needle !== undefined && !accents && LETTERS.test(needle);
}

/** Letters that `bare` takes accents from. */
const LETTERS = /[a-z\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff]/;

/**
 * How a word may be written in a line of JSON where some letter has an accent that was not typed; in long words, where it may
 * have. What is written as it was typed, `rawNeedle` finds, many times faster.
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

/** Whether a character is written in few ways: beyond these scripts it may be several, in some order. */
function isKnown(letter: string): boolean {
	return letter.length === 1 && letter <= "\u{52f}" && !/\p{M}/u.test(letter);
}

/** How a letter is written with accents. */
function withAccents(letter: string): string | undefined {
	if (/[a-z]/.test(letter)) return LATIN;
	const characters = accentedLetters(letter);
	if (characters.length === 0) return undefined;
	return [...byLeadingBytes(characters), String.raw`\\u(?:0[0-5].|1f.).`].join("|");
}

/** The characters in UTF-8, those that differ only in the last byte together. */
function byLeadingBytes(characters: readonly string[]): string[] {
	const groups = new Map<string, string>();
	for (const character of characters) {
		const bytes = [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16)}`);
		const lead = bytes.slice(0, -1).join("");
		groups.set(lead, (groups.get(lead) ?? "") + bytes.at(-1));
	}
	return [...groups].map(([lead, last]) => `${lead}[${last}]`);
}
