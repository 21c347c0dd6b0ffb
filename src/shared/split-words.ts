import { type System, thisSystem } from "./system.ts";

type Words = { readonly words: readonly string[] } | { readonly mistake: string };

/** The characters that a backslash escapes within double quotes; before any other it stays a backslash. */
const ESCAPED_IN_QUOTES = /["\\$`]/;

/**
 * Splits a command line into words as a POSIX shell does, with single quotes, double quotes and backslashes. No shell is
 * involved and nothing else is special: `$HOME`, `*` and `;` are text. On Windows a backslash separates the parts of a
 * path, and escapes only a double quote.
 */
export function splitWords(line: string, { isUnix }: System = thisSystem): Words {
	const words: string[] = [];
	/** Undefined between two words; "" after an opening quote. */
	let word: string | undefined;
	let quote = "";
	for (let at = 0; at < line.length; at++) {
		const character = line.charAt(at);
		const next = line.charAt(at + 1);
		if (character === "\\" && next !== "" && isEscaped(next, quote, isUnix)) {
			word = (word ?? "") + next;
			at += 1;
		} else if (quote !== "") {
			if (character === quote) quote = "";
			else word += character;
		} else if (character === "'" || character === '"') {
			quote = character;
			word ??= "";
		} else if (/\s/.test(character)) {
			if (word !== undefined) words.push(word);
			word = undefined;
		} else word = (word ?? "") + character;
	}
	if (quote !== "") return { mistake: `a ${quote === '"' ? "double" : "single"} quote in it is not closed` };
	if (word !== undefined) words.push(word);
	return { words };
}

/** Whether a backslash before the character, within this kind of quotes, escapes it. */
function isEscaped(character: string, quote: string, isUnix: boolean): boolean {
	if (!isUnix) return character === '"' && quote !== "'";
	return quote === "" || (quote === '"' && ESCAPED_IN_QUOTES.test(character));
}
