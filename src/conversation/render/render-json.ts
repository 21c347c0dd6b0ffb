import { type CleanText, sliceText } from "../../ui/text/sanitize.ts";
import type { Line, Span, Tone } from "../../ui/view.ts";
import { CODE_TAB_STOP } from "./code-lines.ts";
import { type OpenLine, plainLines, wrapOpenLines } from "./open-line.ts";
import { inParts, type RowParts } from "./row-parts.ts";

/** A string with the colon that makes it a name, a number, or a word. */
const TOKEN = /(?<string>"(?:[^"\\]|\\.)*(?<end>"?))(?<colon>\s*:)?|(?<number>-?\d[\d.eE+-]*)|true|false|null/g;
/** The rest of a string that began in the part of the line before. */
const STRING_REST = /^(?:[^"\\]|\\.)*("?)/;

/** A text in JSON in rows of `width` cells. */
export function jsonRows(json: string, width: number): RowParts {
	return inParts(wrapOpenLines(jsonLines(json), width).flatMap(({ rows }) => rows));
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
