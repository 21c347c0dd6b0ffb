/**
 * Text in the form used for comparing: composed (NFC), in lower case, with the final sigma like any other, so that what
 * looks the same is found however it was typed. Nothing else is folded: code and paths match as written.
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

/** The beginning of a text, at most `length` UTF-16 units; a letter at the cut may have lost its accents, so it is left out. */
export function beginningOf(text: string, length: number): string {
	return text.length > length ? text.slice(0, length).replace(/\P{M}\p{M}*$/u, "") : text;
}
