import { accentedLetters } from "../query/fold.ts";
import { NOT_ASCII, rawCharacter } from "./raw-needle.ts";

/** Letters behind the first accent in the pattern: enough for few lines but those with the word. */
const BEHIND = 6;

/**
 * A pattern for a word in which some letter has an accent that was not typed. If the word is of ASCII, ripgrep is nearly as fast as for the
 * word itself: each alternative begins with one of a few short texts, and only these are looked for. For other words `rawLoose`.
 */
export function rawAccented(needle: string): string {
	const letters = [...needle];
	if (letters.some((letter) => letter > "\x7f")) return rawLoose(needle);
	const [first = "", second = ""] = letters;
	const start = rawCharacter(first);
	const behind = (count: number) => rawLoose(letters.slice(count, count + BEHIND).join(""));
	// The second letter with an accent, or an accent of the first.
	const leads = [...new Set(formsOf(second).map((form) => bytesOf(form, 1))), String.raw`[\xcc\xcd]`].join("|");
	const escaped = String.raw`${start}\\(?-i:u)....`;
	const alternatives = [
		...rawForms(first).map((form) => form + behind(1)),
		...[`${start}(?:${leads})[\\x80-\\xff]*`, escaped].flatMap((one) => [one + behind(1), one + behind(2)]),
		...(second === "" ? [] : [`${start}${rawCharacter(second)}${NOT_ASCII}?${behind(2)}`]),
	];
	return alternatives.join("|");
}

/** The forms of a letter with an accent, with the sign of the angstrom, which is an A with a ring. */
function formsOf(letter: string): readonly string[] {
	return [...accentedLetters(letter), ...(letter === "a" ? ["\u212b"] : [])];
}

/** The beginnings of a letter with an accent, raw and escaped; none if it has no such forms. */
function rawForms(letter: string): readonly string[] {
	const forms = formsOf(letter);
	if (forms.length === 0) return [];
	const starts = new Set(forms.map((form) => bytesOf(form, 2)));
	const codes = new Set(forms.map((form) => form.charCodeAt(0).toString(16).padStart(4, "0").slice(0, 3)));
	// Without the backslash: it begins each color in the output of a shell.
	return [`(?:${[...starts].join("|")})[\\x80-\\xbf]?`, `(?-i:u)(?:${[...codes].join("|")}).`];
}

function bytesOf(character: string, count: number): string {
	return [...Buffer.from(character).subarray(0, count)].map((byte) => `\\x${byte.toString(16)}`).join("");
}

/** Characters of a word in the pattern; the line is compared with the whole word later. */
const MOST = 24;

/**
 * A pattern on bytes for a word with any accents on its letters, and with anything between its characters that does not show
 * (src/catalog/query/hidden.ts). Several times as slow as that for the word.
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
