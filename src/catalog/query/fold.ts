/**
 * Text in the form for comparing: composed (NFC), in lower case, with the final sigma like any other, so that texts that
 * look the same are equal however they were typed.
 */
export function fold(text: string): string {
	const composed = compose(text);
	// The only character whose lower case has two characters; ripgrep does not match it with "i" either.
	const lower = composed.includes("İ")
		? composed
				.split("İ")
				.map((part) => part.toLowerCase())
				.join("İ")
		: composed.toLowerCase();
	return lower.includes("ς") ? lower.replaceAll("ς", "σ") : lower;
}

/** Text in composed form (NFC). Most text is ASCII, for which composing would only cost time. */
export function compose(text: string): string {
	return ASCII.test(text) ? text : text.normalize("NFC");
}

// Printable characters, tab, newline and return.
const ASCII = /^[\t\n\r\x20-\x7e]*$/;

/**
 * A folded text without the accents of Latin, Greek and Cyrillic letters, for comparing with words typed without accents. In
 * other scripts such marks are letters. Whatever occurs in a text also occurs, in this form, in this form of the text.
 */
export function bare(folded: string): string {
	return MAY_BE_ACCENTED.test(folded) ? folded.replace(ACCENTED, bareLetter) : folded;
}

/** Every accented letter has one of these. Much text is not ASCII only because of its quotes and dashes. */
// biome-ignore lint/suspicious/noMisleadingCharacterClass: single characters are looked for, in half the time of two classes.
const MAY_BE_ACCENTED = /[\u00c0-\u024f\u0300-\u052f\u1e00-\u1fff]/;
/** Matches the accented letters of a folded text, also with accents as separate characters. */
export const ACCENTED =
	/[a-z\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff][\u0300-\u036f]+|[\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff]/g;
const ACCENTS = /[\u0300-\u036f]/g;
const bareLetters = new Map<string, string>();
/** There are fewer letters, but a letter may have any number of accents. */
const MAX_KNOWN = 5000;

/** A letter matched by `ACCENTED`, without its accents. */
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

/** The beginning of a text, at most `length` UTF-16 units; omits a letter at the cut, which may have lost its accents. */
export function beginningOf(text: string, length: number): string {
	return text.length > length ? text.slice(0, length).replace(/\P{M}\p{M}*$/u, "") : text;
}

let accentedForms: ReadonlyMap<string, readonly string[]> | undefined;

/** The accented forms of a letter (folded, bare), in both cases. */
export function accentedLetters(letter: string): readonly string[] {
	accentedForms ??= byBareLetter();
	return accentedForms.get(letter) ?? [];
}

function byBareLetter(): Map<string, string[]> {
	const letters = new Map<string, string[]>();
	for (let code = 0x80; code < 0x2000; code++) {
		const folded = fold(String.fromCharCode(code));
		const letter = bare(folded);
		if (letter === folded) continue;
		const others = letters.get(letter);
		if (others) others.push(String.fromCharCode(code));
		else letters.set(letter, [String.fromCharCode(code)]);
	}
	return letters;
}
