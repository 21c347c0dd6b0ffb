import type { SessionEntry } from "../../store/format/schema.ts";
import { fieldsOf, textOf } from "../entries/fields.ts";
import { contentHead, joinWords } from "../entries/row-text.ts";
import { stopMark } from "../entries/stop-reason.ts";

/** UTF-16 units at the end of an answer in which its last words are looked for. */
const LOOKED_AT = 600;
/** A last line that is no longer than this is taken whole, else only its last sentence. */
const SHORT = 60;
/** Blocks of an answer that are looked at, from its end. */
const BLOCKS = 50;
/** What Markdown puts around a line. */
const MARKS = /^(?:[\s>#*+_`-]|\d+[.)]\s)+|[\s*_`]+$/g;

/** How a branch ended, by its last answer: that it was cut off or failed, and its last sentence. Not yet cleaned. */
export function lastWordsOf(answer: SessionEntry): string {
	const message = fieldsOf(fieldsOf(answer).message);
	const stop = stopMark(message);
	const failure = stop?.short === "failed" ? textOf(message.errorMessage).slice(0, LOOKED_AT) : "";
	return joinWords(stop === undefined ? "" : `${stop.short}:`, failure || lastSentence(endOf(message.content))).replace(
		/:$/,
		"",
	);
}

/** The end of the last text in a message's content. */
function endOf(content: unknown): string {
	if (!Array.isArray(content)) return textOf(content).slice(-LOOKED_AT);
	for (const block of content.slice(-BLOCKS).toReversed()) {
		const { type, text } = fieldsOf(block);
		if (type === "text" && /\S/.test(textOf(text).slice(-LOOKED_AT))) return textOf(text).slice(-LOOKED_AT);
	}
	return contentHead(content);
}

function lastSentence(text: string): string {
	const lines = text.split("\n").map((line) => line.replace(MARKS, ""));
	const line = lines.findLast((each) => /[\p{L}\p{N}]/u.test(each)) ?? "";
	if (line.length <= SHORT) return line;
	return line.split(/(?<=[.!?;。！？])\s+/u).findLast((sentence) => /[\p{L}\p{N}]/u.test(sentence)) ?? line;
}
