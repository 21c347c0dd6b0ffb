/**
 * Text in the form that is stored and searched: composed (NFC), lower-cased, with the final sigma as any other, so that
 * what looks alike is found whichever way it was typed. Not folded further: code and paths match exactly as written.
 */
export function fold(text: string): string {
	// Most text is ASCII, for which composing does nothing but cost time.
	const composed = ASCII.test(text) ? text : text.normalize("NFC");
	const lower = composed.toLowerCase();
	return lower.includes("ς") ? lower.replaceAll("ς", "σ") : lower;
}

// Printable characters, tab, newline and return.
const ASCII = /^[\t\n\r\x20-\x7e]*$/;
