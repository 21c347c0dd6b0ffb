import { type CleanText, cleanText } from "../../ui/text/sanitize.ts";

const SIGNS: Readonly<Record<string, string>> = { "\u001b": "\u241b", "\u009b": "\ufffd" };

/** Cleans a text in which an escape begins no sequence: it is shown, and takes nothing of the text with it. */
export function cleanLiteral(text: string): CleanText {
	return cleanText(text.replace(/[\u001b\u009b]/g, (character) => SIGNS[character] ?? character));
}
