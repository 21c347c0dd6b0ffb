import { accentedLetters } from "../query/fold.ts";
import { NOT_ASCII, rawCharacter } from "./raw-needle.ts";

/*
 * Patterns for a word in a line of JSON in which some letter has an accent that was not typed. ripgrep is as fast as for the word
 * itself if every match begins with one of at most 64 short texts that are rare: it then looks for these texts, and for the rest of
 * the pattern only there. So each alternative is such a beginning, closed by a large class of characters, and what follows.
 */

/** What may begin a letter with accents, or an accent, behind a letter: raw or escaped. */
const ACCENTED = String.raw`[\xc3-\xc9\xcc\xcd\xe1]|\xe2\x84|\\(?-i:u)`;
/** An accent behind its letter; what else is behind the last letter of a word is not its own. */
const ACCENT_BEHIND = String.raw`[\xcc\xcd]|\\(?-i:u)03`;
/** The other bytes of a letter, or none. */
const END = String.raw`[\x80-\xbf]?`;
/** The other bytes of a letter that is not ASCII. */
const TRAIL = String.raw`[\x80-\xbf]{1,2}`;
/** The rest of an escape. */
const DIGITS = "[0-9a-f]{4}";

/** Letters of a word in the pattern; the line is compared with the whole word later. */
const MOST = 16;
/** Plain letters in the pattern behind the first with an accent: enough for few lines but those with the word. */
const BEHIND = 4;
/** More beginnings are not looked for at once: a few less than ripgrep does, to be sure. */
const MOST_BEGINNINGS = 60;

/** The patterns that together match what `rawNeedle` does not: the word with accents on some of its letters. */
export function rawAccented(needle: string): readonly string[] {
	const all = [...needle];
	const letters = all.slice(0, MOST);
	if (!isFastAccented(needle)) return [rawBeyondAscii(letters)];
	const [first, later] = [firstAccented(letters), laterAccented(letters, all.length > MOST)];
	const [ascii, raw] = partition([...first, ...later], ({ isAscii = false }) => isAscii);
	const beginnings = raw.reduce((sum, { count }) => sum + count, 0);
	const some = beginnings <= MOST_BEGINNINGS ? [raw] : partition(raw, (one) => first.includes(one));
	return [...some, ascii].filter(({ length }) => length > 0).map((one) => one.map(({ source }) => source).join("|"));
}

/** Whether ripgrep is as fast for these patterns as for the word itself: if it is written with the letters from a to z. */
export function isFastAccented(needle: string): boolean {
	return [...needle].slice(0, MOST).every((letter) => letter <= "\x7f");
}

function partition<One>(all: readonly One[], isFirst: (one: One) => boolean): readonly [One[], One[]] {
	return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** An alternative of a pattern. */
interface Alternative {
	readonly source: string;
	/** How many texts ripgrep looks for because of it. */
	readonly count: number;
	/**
	 * Whether these are ASCII, of three characters or more. The others have two bytes, one of them rare: among them the first two of
	 * three frequent letters would have to be looked at everywhere.
	 */
	readonly isAscii?: true;
}

/** The word with an accent on its first letter. */
function firstAccented(letters: readonly string[]): Alternative[] {
	const [letter = ""] = letters;
	if (!isLetter(letter)) return [];
	const rest = restFrom(letters, 1);
	const cases = casesOf(letter);
	const written = rawCharacter(letter);
	return [
		...rawForms(letter).map(({ source, count }) => ({ source: `${source}${END}${rest}`, count })),
		...escapedForms(letter).map(({ source, count }) => ({ source: `${source}${rest}`, count, isAscii: true as const })),
		{ source: String.raw`${written}[\xcc\xcd].${rest}`, count: 2 * cases },
		{ source: String.raw`${written}\\(?-i:u)03[0-9a-f]{2}${rest}`, count: cases, isAscii: true },
	];
}

/** The word with its first accent on a later letter; `isCut`: the word has more letters. */
function laterAccented(letters: readonly string[], isCut: boolean): Alternative[] {
	const [first = "", second, third] = letters;
	if (second === undefined) return [];
	const alternatives = [...accentedAt(letters, 1)];
	if (third === undefined) return [...alternatives, ...withAccentBehind(second, "")];
	const head = [first, second, third];
	const count = head.reduce((product, letter) => product * casesOf(letter), 1);
	const tail = accentedFrom(letters, 3, isCut);
	alternatives.push(...withAccentBehind(second, restFrom(letters, 2)), ...accentedAt(letters, 2));
	if (tail !== undefined)
		alternatives.push({ source: `${head.map(rawCharacter).join("")}${END}(?:${tail})`, count, isAscii: true });
	return alternatives;
}

/** A letter that has an accent itself, with the one before it. */
function accentedAt(letters: readonly string[], at: number): Alternative[] {
	const [before = "", letter = ""] = letters.slice(at - 1);
	if (!isLetter(letter)) return [];
	const rest = restFrom(letters, at + 1);
	const leads = leadsOf(letter);
	const [written, cases] = [rawCharacter(before), casesOf(before)];
	return [
		{ source: `${written}[${leads.join("")}]${TRAIL}${rest}`, count: cases * leads.length },
		{ source: String.raw`${written}\\(?-i:u)${DIGITS}${rest}`, count: cases, isAscii: true },
	];
}

/** A letter with an accent as a character behind it. */
function withAccentBehind(letter: string, rest: string): Alternative[] {
	if (!isLetter(letter)) return [];
	const [written, cases] = [rawCharacter(letter), casesOf(letter)];
	return [
		{ source: String.raw`${written}[\xcc\xcd].${rest}`, count: 2 * cases },
		{ source: String.raw`${written}\\(?-i:u)03[0-9a-f]{2}${rest}`, count: cases, isAscii: true },
	];
}

/** What follows the plain letters before `at`, if a letter from the last of these on has an accent; undefined if none can have one. */
function accentedFrom(letters: readonly string[], at: number, isCut: boolean): string | undefined {
	const letter = letters[at];
	// What is behind the letters of the pattern may have one.
	if (letter === undefined) return isCut ? "" : isLetter(letters[at - 1] ?? "") ? ACCENT_BEHIND : undefined;
	const later = accentedFrom(letters, at + 1, isCut);
	const alternatives = later === undefined ? [] : [`${rawCharacter(letter)}(?:${later})`];
	if (isLetter(letter) || isLetter(letters[at - 1] ?? "")) alternatives.unshift(ACCENTED);
	return alternatives.length === 0 ? undefined : alternatives.join("|");
}

/** What follows a letter with accents: more of them, or some letters. */
function restFrom(letters: readonly string[], from: number): string {
	let rest = "";
	for (const letter of letters.slice(from, from + BEHIND).reverse())
		rest = `(?:${ACCENTED}|${rawCharacter(letter)}${rest})`;
	return rest;
}

/** Whether `bare` takes accents from a character of ASCII. */
function isLetter(letter: string): boolean {
	return /^[a-z]$/.test(letter);
}

/** In how many ways a character of ASCII is written: in both cases, and what Unicode has twice. */
function casesOf(letter: string): number {
	if (letter === "k") return 5;
	return isLetter(letter) ? 2 : rawCharacter(letter).split("|").length;
}

/** The characters that are a letter with accents. */
function formsOf(letter: string): readonly string[] {
	// The sign for the unit is the only one beyond those.
	return [...accentedLetters(letter), ...(letter === "a" ? ["\u212b"] : [])];
}

/** The first bytes of these characters. */
function leadsOf(letter: string): readonly string[] {
	return [...new Set(formsOf(letter).map((form) => byte(Buffer.from(form)[0] ?? 0)))];
}

/** The characters as their first two bytes: enough for those of three. */
function rawForms(letter: string): Alternative[] {
	const byLead = Map.groupBy(formsOf(letter), (form) => byte(Buffer.from(form)[0] ?? 0));
	return [...byLead].flatMap(([lead, forms]) => {
		const seconds = [...new Set(forms.map((form) => byte(Buffer.from(form)[1] ?? 0)))];
		// A larger class would close the beginning, and without the groups ripgrep would join them.
		const classes = Array.from({ length: Math.ceil(seconds.length / 8) }, (_, at) => seconds.slice(8 * at, 8 * at + 8));
		return classes.map((some) => ({ source: `(${lead}[${some.join("")}])`, count: some.length }));
	});
}

/**
 * The characters as escapes, by all digits but the last. From the letter `u` on: a backslash before it begins each color in the output
 * of a shell.
 */
function escapedForms(letter: string): Alternative[] {
	const codes = formsOf(letter).map((form) => form.charCodeAt(0).toString(16).padStart(4, "0"));
	return [...new Set(codes.map((code) => code.slice(0, 3)))].map((digits) => ({
		source: `(?-i:u)${digits}[0-9a-f]`,
		count: /[a-f]/.test(digits) ? 2 : 1,
	}));
}

function byte(code: number): string {
	return `\\x${code.toString(16).padStart(2, "0")}`;
}

/** A Latin letter with accents, raw or escaped; also some other characters. */
const LATIN = String.raw`[\xc3-\xc9].|\xe1[\xb8-\xbb].|\xe2\x84.|\\u(?:00[c-f]|0[12].|1e.|21.).`;
/** A combining accent after its letter. */
export const ACCENT = String.raw`\xcc.|\xcd.|\\u03[0-6].`;
/** Only the first letters get a pattern each for having the first accent. */
const EXACT = 4;

/** For a word with characters beyond ASCII: slow, but these are only in files that have such characters. */
function rawBeyondAscii(letters: readonly string[]): string {
	const exact = letters.map((letter) => (isKnown(letter) ? rawCharacter(letter) : NOT_ASCII));
	const accented = letters.map(withAccents);
	const loose = exact.map((letter, at) => `(?:${[letter, accented[at] ?? []].flat().join("|")})(?:${ACCENT})*`);
	const patterns: string[] = [];
	for (const [at, letter] of exact.slice(0, EXACT).entries()) {
		const here = `(?:${[`(?:${letter})(?:${ACCENT})`, accented[at] ?? []].flat().join("|")})(?:${ACCENT})*`;
		patterns.push([...exact.slice(0, at), here, ...loose.slice(at + 1)].join(""));
	}
	if (letters.length > EXACT) patterns.push([...exact.slice(0, EXACT), ...loose.slice(EXACT)].join(""));
	return patterns.join("|");
}

/** Whether a character has few written forms: beyond these scripts it may be several characters, in some order. */
function isKnown(letter: string): boolean {
	return letter.length === 1 && letter <= "\u{52f}" && !/\p{M}/u.test(letter);
}

/** Patterns for the accented forms of a letter; they match some others, too. */
export function withAccents(letter: string): string | undefined {
	if (/[a-z]/.test(letter)) return LATIN;
	const characters = accentedLetters(letter);
	if (characters.length === 0) return undefined;
	return [...byLeadingBytes(characters), String.raw`\\u(?:0[0-5].|1[ef].).`].join("|");
}

/** The characters in UTF-8, grouped by all bytes but the last. */
function byLeadingBytes(characters: readonly string[]): string[] {
	const groups = new Map<string, string>();
	for (const character of characters) {
		const bytes = [...Buffer.from(character)].map(byte);
		const lead = bytes.slice(0, -1).join("");
		groups.set(lead, (groups.get(lead) ?? "") + bytes.at(-1));
	}
	return [...groups].map(([lead, last]) => `${lead}[${last}]`);
}
