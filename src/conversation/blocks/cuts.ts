/** UTF-16 units of a text that are laid out at a time: several pages of it, in a fraction of a frame. */
const PIECE = 12 * 1024;
/** UTF-16 units in which an escape sequence that is worth keeping together ends. */
const LONGEST_ESCAPE = 64;

/** The text in parts of bounded size, cut behind a line where possible. All of it is in them, in order. */
export function cutLines(text: string): string[] {
	const parts: string[] = [];
	for (let from = 0; from < text.length; ) {
		const to = lineEnd(text, from, PIECE);
		parts.push(text.slice(from, to));
		from = to;
	}
	return parts;
}

/** Where a part that begins at `from` ends: behind a line or a word if possible, never within a character or an escape sequence. */
function lineEnd(text: string, from: number, most: number): number {
	const end = from + most;
	if (end >= text.length) return text.length;
	const part = text.slice(from, end);
	const line = part.lastIndexOf("\n") + 1;
	if (line > most / 2) return from + line;
	const sequence = part.lastIndexOf("\u001b");
	if (sequence > most - LONGEST_ESCAPE) return from + sequence;
	const blank = part.lastIndexOf(" ") + 1;
	if (blank > most / 2) return from + blank;
	return /[\udc00-\udfff\n]/.test(text[end] ?? "") ? end + 1 : end;
}

/** The text without the line end that a cut leaves at its end. */
export function withoutLineEnd(text: string): string {
	return text.endsWith("\n") ? text.slice(0, text.endsWith("\r\n") ? -2 : -1) : text;
}
