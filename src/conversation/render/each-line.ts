/** The lines of a text, one at a time, without line ends and without an empty line behind the last one. */
export function* eachLine(text: string): Generator<string, void> {
	for (let from = 0; from < text.length; ) {
		const found = text.indexOf("\n", from);
		const end = found === -1 ? text.length : found;
		yield text.slice(from, end > from && text[end - 1] === "\r" ? end - 1 : end);
		from = end + 1;
	}
}
