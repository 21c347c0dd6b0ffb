import { accentedLetters } from "../query/fold.ts";
import { rawLoose } from "./raw-loose.ts";
import { rawCharacter } from "./raw-needle.ts";

/** Letters of which each gets an alternative for having the first accent. */
const EXACT = 3;
/** Letters behind the first accent in the pattern: enough for few lines but those with the word. */
const BEHIND = 4;

/**
 * A pattern for a word in which some letter has an accent that was not typed. ripgrep is about as fast as for the word itself, if that is of
 * ASCII: each alternative begins with one of a few short texts that are rare, and only these are looked for. For other words `rawLoose`.
 */
export function rawAccented(needle: string): string {
	const letters = [...needle];
	if (letters.some((letter) => letter > "\x7f")) return rawLoose(needle);
	const written = letters.map(rawCharacter);
	const alternatives = letters.slice(0, EXACT).flatMap((letter, at) => {
		const head = written.slice(0, at).join("");
		const rest = rawLoose(letters.slice(at + 1, at + 1 + BEHIND).join(""));
		const behind = [`${head}${written[at]}[\\xcc\\xcd].`, String.raw`${head}${written[at]}\\(?-i:u)03..`];
		return [...(/[a-z]/.test(letter) ? formsOf(letter, head) : []), ...behind].map((start) => start + rest);
	});
	if (letters.length > EXACT)
		alternatives.push(written.slice(0, EXACT).join("") + rawLoose(letters.slice(EXACT, EXACT + BEHIND).join("")));
	return alternatives.join("|");
}

/** Patterns for a letter with an accent, raw and escaped, behind what is before it in the word. */
function formsOf(letter: string, head: string): readonly string[] {
	const forms = [...accentedLetters(letter), ...(letter === "a" ? ["\u212b"] : [])];
	const bytes = forms.map((form) => [...Buffer.from(form)].map((byte) => `\\x${byte.toString(16)}`));
	if (head !== "") {
		const leads = new Set(bytes.map(([lead = ""]) => lead));
		return [String.raw`${head}[${[...leads].join("")}][\x80-\xbf]{1,2}`, String.raw`${head}\\(?-i:u)....`];
	}
	const starts = new Set(bytes.map(([lead = "", second = ""]) => lead + second));
	const codes = forms.map((form) => form.charCodeAt(0).toString(16).padStart(4, "0").slice(0, 3));
	// Without the backslash: it begins each color in the output of a shell.
	return [`(?:${[...starts].join("|")})[\\x80-\\xbf]?`, `(?-i:u)(?:${[...new Set(codes)].join("|")}).`];
}
