/**
 * Text in the form that is compared: composed (NFC), lower-cased, with the final sigma as any other, so that what looks
 * alike is found whichever way it was typed. Not folded further: code and paths match exactly as written.
 */
export function fold(text: string): string {
	const composed = compose(text);
	// The only character whose lower case is two; ripgrep does not take it for an "i" either.
	const lower = composed.includes("İ")
		? composed
				.split("İ")
				.map((part) => part.toLowerCase())
				.join("İ")
		: composed.toLowerCase();
	return lower.includes("ς") ? lower.replaceAll("ς", "σ") : lower;
}

/** Text in which accents are part of their letters (NFC). Most text is ASCII, for which that would only cost time. */
export function compose(text: string): string {
	return ASCII.test(text) ? text : text.normalize("NFC");
}

// Printable characters, tab, newline and return.
const ASCII = /^[\t\n\r\x20-\x7e]*$/;
