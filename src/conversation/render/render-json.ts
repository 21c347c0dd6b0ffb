import type { Line, Span, Tone } from "../../ui/text/line.ts";
import { type CleanText, sliceText } from "../../ui/text/sanitize.ts";
import { CODE_TAB_STOP } from "./code-lines.ts";
import { type OpenLine, plainLines, type RowParts, rowsOfLines } from "./wrap-rows.ts";

/** A string with the colon that makes it a name; a number; or a keyword. */
const TOKEN = /(?<string>"(?:[^"\\]|\\.)*(?<end>"?))(?<colon>\s*:)?|(?<number>-?\d[\d.eE+-]*)|true|false|null/g;
/** The rest of a string that began in the part before. */
const STRING_REST = /^(?:[^"\\]|\\.)*("?)/;

/** JSON in rows of `width` cells. */
export function jsonRows(json: string, width: number): RowParts {
	return rowsOfLines(jsonLines(json), width);
}

function* jsonLines(json: string): Generator<OpenLine, void> {
	let isInString = false;
	for (const { spans, isEnd } of plainLines(json, CODE_TAB_STOP)) {
		const drawn: Span[] = [];
		for (const { text } of spans) {
			const colored = colorJson(text, isInString);
			drawn.push(...colored.line);
			isInString = colored.isInString && !isEnd;
		}
		yield { spans: drawn, isEnd };
	}
}

function colorJson(text: CleanText, isInString: boolean): { readonly line: Line; readonly isInString: boolean } {
	const line: Span[] = [];
	let from = 0;
	let isOpen = isInString;
	const add = (to: number, tone?: Tone) => {
		if (to > from) line.push({ text: sliceText(text, from, to), ...(tone === undefined ? {} : { tone }) });
		from = to;
	};
	if (isInString) {
		const [rest = "", end] = STRING_REST.exec(text) ?? [];
		add(rest.length, "string");
		isOpen = end === "";
	}
	TOKEN.lastIndex = from;
	for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
		const { string, end, colon, number } = match.groups ?? {};
		add(match.index);
		if (string === undefined) add(match.index + match[0].length, number === undefined ? "keyword" : "number");
		else add(match.index + string.length, colon === undefined ? "string" : "name");
		isOpen = string !== undefined && end === "";
	}
	add(text.length);
	return { line, isInString: isOpen };
}
