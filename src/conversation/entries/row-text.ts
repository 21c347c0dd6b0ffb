import { printJson } from "../../shared/print-json.ts";
import { contentText } from "../../store/format/message.ts";
import type { Tone } from "../../ui/text/line.ts";
import { fieldsOf, textOf } from "./fields.ts";

// Text for a row is cut before anything else is done with it: one value may be as large as memory allows.

/** A piece of text in a row, not sanitized, and its tone. */
export interface RowPart {
	readonly text: string;
	readonly tone: Tone;
}

/** Characters of a row's text: enough for the widest terminal, and cheap to clean. */
const MAX_ROW_TEXT = 600;
/** Fields of an object that a row can show. */
export const MAX_FIELDS = 100;
/** Blocks of a message that are read for a row. */
const MAX_ROW_BLOCKS = 200;

/** The beginning of a text, as much as a row can show. */
export function head(text: string): string {
	return text.slice(0, MAX_ROW_TEXT);
}

/** The beginning of a value that should be text; "" if it is not. */
export function rowText(value: unknown): string {
	return head(textOf(value));
}

/** The beginning of a message's text. */
export function contentHead(content: unknown): string {
	return head(contentText(Array.isArray(content) ? rowBlocks(content) : content));
}

/** The first blocks of a message's content, with their texts cut; none if the content is not a list. */
export function rowBlocks(content: unknown): unknown[] {
	if (!Array.isArray(content)) return [];
	return content.slice(0, MAX_ROW_BLOCKS).map((block) => {
		const { type, text } = fieldsOf(block);
		return type === "text" ? { type, text: rowText(text) } : block;
	});
}

/** A value as one line of JSON, as much as a row can show; "" for undefined. */
export function compactJson(value: unknown): string {
	return value === undefined ? "" : head(printJson(value, { limit: MAX_ROW_TEXT }));
}

/** Joins the parts that are not empty with spaces. */
export function joinWords(...parts: readonly string[]): string {
	return parts.filter((part) => part !== "").join(" ");
}
