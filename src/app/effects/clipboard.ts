/** Terminals drop longer sequences; 74,994 bytes of text is what xterm takes. */
const LONGEST = 74_994;

/** The escape sequence (OSC 52) that has the terminal, local or over SSH, put text on the clipboard; undefined: too long. */
export function clipboardSequence(text: string): string | undefined {
	const bytes = Buffer.from(text, "utf8");
	return bytes.length > LONGEST ? undefined : `\u001b]52;c;${bytes.toString("base64")}\u0007`;
}
