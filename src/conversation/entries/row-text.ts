import { printJson } from "../../shared/json.ts";
import { fieldsOf, textOf } from "../../store/format/fields.ts";
import { contentText } from "../../store/format/message.ts";
import { typedMessage } from "../../store/format/typed-message.ts";
import type { Tone } from "../../ui/text/line.ts";

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

export function contentHead(content: unknown): string {
	return head(contentText(Array.isArray(content) ? rowBlocks(content) : content));
}

/** How a message begins around which programs have put something; what they put behind it is in sight of a short one only. */
const WRAPPED = /^\s*(?:[<[]|[A-Z][\w ]{1,80} \(untrusted)/;

/** The beginning of a prompt as it was typed: "/skill:review the parser" instead of the text of that skill. */
export function promptHead(content: unknown): string {
	const start = contentHead(content);
	const text = typedMessage(WRAPPED.test(start) ? contentText(content) : start);
	return head(text || start).trim();
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

export function joinWords(...parts: readonly string[]): string {
	return parts.filter((part) => part !== "").join(" ");
}

/** Characters of a text that are read: more than a row shows, since the markup is removed. */
const MAX_READ = 1200;

/** The beginning of a Markdown text without the markup of emphasis, headings, lists, code and links. */
export function plainWords(markdown: string): string {
	const lines = markdown.slice(0, MAX_READ).split("\n").map(plainLine);
	return head(lines.filter((line) => line !== "").join("\n"));
}

function plainLine(line: string): string {
	const text = line.trim();
	if (/^(?:```|~~~|([-*_])(?: *\1){2,}$)/.test(text) || /^\|?[-:| ]{3,}\|?$/.test(text)) return "";
	return text
		.replace(/^(?:>\s?)+/, "")
		.replace(/^#{1,6}\s+/, "")
		.replace(/^[-*+]\s+/, "")
		.replace(/!?\[([^\]\n]{0,200})\]\([^()\s]{0,500}\)/g, "$1")
		.replace(/<((?:https?:\/\/|mailto:)[^<>\s]{1,500})>/g, "$1")
		.replace(/\*\*|__(?=\S)|(?<=\S)__|~~|`/g, "")
		.replace(/(?<![\w*])\*(?=\S)([^*\n]{1,300})(?<=\S)\*(?![\w*])/g, "$1")
		.replace(/^\|\s*|\s*\|$/g, "");
}
