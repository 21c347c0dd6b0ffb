import type { Term } from "../query/parse-query.ts";
import { plainWordOf } from "../query/said-words.ts";

/**
 * The beginning of a message in pi's own key order, up to its first text. Behind it all is text up to the next quote that is not
 * escaped: of the person, of an answer or a thought, or the output of a tool.
 */
const BEGINNING =
	/^\{"type":"message","id":"[^"\\]*","parentId":(?:null|"[^"\\]*"),"timestamp":"[^"\\]*","message":\{"role":"(?:user|assistant|toolResult","toolCallId":"[^"\\]*","toolName":"[^"\\]*)","content":(?:\[\{"type":"(?:text","text|thinking","thinking)":)?"/;

/**
 * A test whether a line that is known to be JSON has the word in its first text, so that it need not be parsed, which for lines of 7 KB
 * takes five times as long. The line is a string with a character for each byte, and may be cut. False proves nothing. A name that an
 * object has twice, which no program writes, could take the text away.
 */
export function beginningProof(term: Term): (bytes: string) => boolean {
	// JSON writes such a word in one way, and it is in the folded text wherever it is in the text.
	const plain = plainWordOf(term);
	if (plain === undefined) return () => false;
	const word = new RegExp(plain, "gi");
	return (bytes) => {
		const beginning = BEGINNING.exec(bytes);
		if (beginning === null) return false;
		let quote = beginning[0].length;
		word.lastIndex = quote;
		for (let found = word.exec(bytes); found !== null; found = word.exec(bytes)) {
			for (
				quote = bytes.indexOf('"', quote);
				quote !== -1 && quote < found.index;
				quote = bytes.indexOf('"', quote + 1)
			)
				if (!isEscaped(bytes, quote)) return false;
			// The "n" of "\\n" begins no word.
			if (!isEscaped(bytes, found.index)) return true;
			if (quote === -1) quote = bytes.length;
		}
		return false;
	};
}

/** Whether there is an odd number of backslashes before a character. */
function isEscaped(text: string, index: number): boolean {
	let before = index;
	while (text[before - 1] === "\\") before -= 1;
	return (index - before) % 2 === 1;
}
