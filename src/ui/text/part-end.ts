/** UTF-16 units of a text that are cleaned and wrapped at a time. */
export const PART = 8192;

/** Where a part that begins at `from` ends: behind a line if possible, never within a character or an escape sequence. */
export function partEnd(text: string, from: number): number {
	const end = from + PART;
	if (end >= text.length) return text.length;
	const part = text.slice(from, end);
	const lineEnd = part.lastIndexOf("\n") + 1;
	if (lineEnd > PART / 2) return from + lineEnd;
	const sequence = part.lastIndexOf("\u001b");
	if (sequence > PART - LONGEST_ESCAPE) return from + sequence;
	return /[\udc00-\udfff\n]/.test(text[end] ?? "") ? end + 1 : end;
}

/** UTF-16 units in which an escape sequence that is worth keeping together ends. */
const LONGEST_ESCAPE = 64;
