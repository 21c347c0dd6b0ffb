import { stripVTControlCharacters } from "node:util";
import { fieldsOf, textOf } from "../../store/format/fields.ts";
import { contentText } from "../../store/format/message.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { systemPlainText } from "../entries/system-text.ts";
import { partsOf } from "../render/wrap-rows.ts";

/** The text that "copy" copies: a message without headings, the output of a tool. */
export function entryPlainText(entry: SessionEntry): string {
	const fields = fieldsOf(entry);
	if (entry.type === "message") {
		const message = fieldsOf(fields.message);
		if (message.role === "bashExecution") return textOf(message.command);
		if (message.role === "system") return systemPlainText(message);
		return contentText(message.content, "\n") || textOf(message.errorMessage);
	}
	if (entry.type === "custom_message") return contentText(fields.content, "\n");
	return textOf(fields.summary);
}

/** UTF-16 units of a chunk, which takes a millisecond or two to process. */
const CHUNK = 32_000;

/** A text in chunks to be processed one at a time, so that a text of any length blocks nothing; no character is split. */
export function chunksOf(text: string): Generator<string> {
	return partsOf(text, CHUNK);
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Line ends that would end a quotation, a heading or a table cell. */
const OTHER_LINE_ENDS = /[\u2028\u2029]/g;
/** Characters that are invisible or reorder text, so that a text may look like another one. Joiners stay, for emoji and letters. */
const UNSEEN =
	/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/**
 * Makes a text safe for a file that may be read in a terminal: without escape sequences, controls other than tabs and line
 * ends, and characters that reorder or hide text.
 */
export function withoutControls(text: string): string {
	const plain = stripVTControlCharacters(text.replace(/\r\n?/g, "\n")).replace(CONTROLS, "");
	return plain.replace(OTHER_LINE_ENDS, " ").replace(UNSEEN, "");
}

export function plainLine(text: string): string {
	return withoutControls(text).replace(/\s+/g, " ").trim();
}

export function* plainChunks(text: string): Generator<string> {
	for (const chunk of chunksOf(text)) yield withoutControls(chunk);
}
