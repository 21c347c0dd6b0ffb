/** The lines of a text, one at a time: without their ends, and without an empty one behind the last end. */
export function* eachLine(text: string): Generator<string, void> {
	for (let from = 0; from < text.length; ) {
		const found = text.indexOf("\n", from);
		const end = found === -1 ? text.length : found;
		yield text.slice(from, end > from && text[end - 1] === "\r" ? end - 1 : end);
		from = end + 1;
	}
}

/** UTF-16 units of a text in which its lines are counted. */
const COUNTED = 8_000_000;

/** How many lines a text has, and whether that is all: of a very long one only the first are counted. */
export function countLines(text: string): { readonly count: number; readonly isAll: boolean } {
	let count = 0;
	for (let from = 0; from < text.length; count++) {
		if (from > COUNTED) return { count, isAll: false };
		const found = text.indexOf("\n", from);
		from = found === -1 ? text.length : found + 1;
	}
	return { count, isAll: true };
}
