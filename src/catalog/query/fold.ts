/**
 * Text in the form used for comparing: composed (NFC), in lower case, with the final sigma like any other, so that what
 * looks the same is found however it was typed.
 */
export function fold(text: string): string {
	const composed = compose(text);
	// The only character whose lower case is two characters; ripgrep does not match it with "i" either.
	const lower = composed.includes("İ")
		? composed
				.split("İ")
				.map((part) => part.toLowerCase())
				.join("İ")
		: composed.toLowerCase();
	return lower.includes("ς") ? lower.replaceAll("ς", "σ") : lower;
}

/** Text in which accents are part of their letters (NFC). Most text is ASCII, where that would only cost time. */
export function compose(text: string): string {
	return ASCII.test(text) ? text : text.normalize("NFC");
}

// Printable characters, tab, newline and return.
const ASCII = /^[\t\n\r\x20-\x7e]*$/;

/**
 * A folded text without the accents of Latin, Greek and Cyrillic letters: what words that were typed without accents are
 * compared with. In other scripts such marks are letters. What is in a text is also in this form of it.
 */
export function bare(folded: string): string {
	return ASCII.test(folded) ? folded : folded.replace(ACCENTED, bareLetter);
}

/** The accented letters of a folded text, with accents that are characters of their own. */
export const ACCENTED =
	/[a-z\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff][\u0300-\u036f]+|[\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff]/g;
const ACCENTS = /[\u0300-\u036f]/g;
const bareLetters = new Map<string, string>();
/** More than there are letters, but a letter may have any number of accents. */
const MAX_KNOWN = 5000;

/** One of the letters that `ACCENTED` finds, without its accents. */
export function bareLetter(letter: string): string {
	let known = bareLetters.get(letter);
	if (known === undefined) {
		// "İ" is the only one that is not in lower case yet.
		known = letter.normalize("NFD").replace(ACCENTS, "").normalize("NFC").toLowerCase();
		if (bareLetters.size >= MAX_KNOWN) bareLetters.clear();
		bareLetters.set(letter, known);
	}
	return known;
}

/** The beginning of a text, at most `length` UTF-16 units; a letter at the cut may have lost its accents, so it is left out. */
export function beginningOf(text: string, length: number): string {
	return text.length > length ? text.slice(0, length).replace(/\P{M}\p{M}*$/u, "") : text;
}
