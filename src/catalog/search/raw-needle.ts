import { fold, TYPOGRAPHIC_FORMS } from "../query/fold.ts";
import { ONE_HIDDEN } from "../query/hidden.ts";

/**
 * A pattern on bytes for a word in a line of JSON: composed or decomposed, in either case, with JSON's escapes. ASCII letters
 * and digits are only matched unescaped: no program that writes sessions escapes them. What does not show may stand behind a character
 * that is neither ASCII nor Latin, Greek or Cyrillic; behind those it is rare, and looked for apart (`HIDDEN_LINE`).
 */
export function rawNeedle(needle: string): string {
	let pattern = "";
	// A letter with its combining accents.
	for (const [cluster] of needle.matchAll(/\P{M}\p{M}*|\p{M}+/gsu)) {
		const decomposed = cluster.normalize("NFD");
		if (/^\p{M}/u.test(cluster)) pattern += NOT_ASCII;
		else if ([...decomposed].length === 1) pattern += rawCharacter(cluster);
		else pattern += rawCluster(cluster, decomposed, pattern === "");
	}
	return pattern;
}

/** Between two JSON strings that form one text: "provider/model" (src/catalog/query/extract.ts). */
export const MODEL_JOINT = String.raw`"\s*,\s*"model(?:Id)?"\s*:\s*"`;

/** The forms of one character in JSON, in upper or lower case. */
export function rawCharacter(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	const special = SPECIAL[character];
	if (/[0-9a-z]/i.test(character)) return special === undefined ? character : `(?:${character}|${special})`;
	if (code < 0x80) {
		const plain = /["\\]/.test(character) || code < 0x20 ? [] : [byte(code)];
		const typographic = [...(TYPOGRAPHIC_FORMS.get(character) ?? "")].map(either);
		return anyOf([...plain, escaped(character), ...(special === undefined ? [] : [special]), ...typographic]);
	}
	// ASCII, or a Latin, Greek or Cyrillic letter of two bytes.
	const isCommon = character <= "\u{52f}";
	const written = [character, ...(othersFoldedTo().get(character) ?? [])];
	return `${anyOf(written.map(either))}${isCommon ? "" : `(?:${ONE_HIDDEN})*`}`;
}

/** ASCII characters that JSON can write in another way, or that Unicode has twice. */
const SPECIAL: Readonly<Record<string, string>> = {
	'"': String.raw`\\"`,
	"\\": String.raw`\\\\`,
	"/": String.raw`\\/|${MODEL_JOINT}`,
	"\b": String.raw`\\b`,
	"\f": String.raw`\\f`,
	"\n": String.raw`\\n`,
	"\r": String.raw`\\r`,
	"\t": String.raw`\\t`,
	k: either("\u212a"),
	";": either("\u037e"),
	"`": either("\u1fef"),
};

/** A letter with accents, or a Korean syllable: composed, or its parts, partly composed, in some order. */
function rawCluster(cluster: string, decomposed: string, isFirst: boolean): string {
	const [base = "", ...accents] = decomposed;
	// A pattern that begins with one of a few accents is several times faster than one that begins with anything.
	const start = isFirst ? "" : anyOf([rawCharacter(base), NOT_ASCII]);
	const apart = `${start}${anyOf(accents.map(rawCharacter))}+`;
	return anyOf([[...cluster].length === 1 ? rawCharacter(cluster) : NOT_ASCII, apart]);
}

/** Any characters beyond ASCII, raw or escaped. */
export const NOT_ASCII = String.raw`(?:(?:[\x80-\xff]|\\u[0-9a-fA-F]{4})+)`;

function anyOf(patterns: readonly string[]): string {
	return patterns.length === 1 && !patterns[0]?.includes("|") ? (patterns[0] ?? "") : `(?:${patterns.join("|")})`;
}

/** A character, raw or escaped. */
function either(character: string): string {
	return `${[...Buffer.from(character)].map(byte).join("")}|${escaped(character)}`;
}

function escaped(text: string): string {
	let pattern = "";
	for (let index = 0; index < text.length; index++)
		pattern += `\\\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`;
	return pattern;
}

function byte(code: number): string {
	return `\\x${code.toString(16).padStart(2, "0")}`;
}

let foldings: Map<string, string[]> | undefined;

/** For each character beyond ASCII, the others whose folded form contains it: capitals, and what Unicode has twice. */
function othersFoldedTo(): ReadonlyMap<string, readonly string[]> {
	if (foldings) return foldings;
	foldings = new Map();
	for (let code = 0x80; code < 0x30000; code++) {
		// Skips surrogates, which are not characters, and a range without foldings.
		if (code === 0xd800) code = 0xe000;
		if (code === 0x1f000) code = 0x2f800;
		const character = String.fromCodePoint(code);
		const folded = fold(character);
		if (folded === character) continue;
		for (const part of folded) foldings.set(part, [...(foldings.get(part) ?? []), character]);
	}
	return foldings;
}
