import { ascii, type HeadRole, headTool, type LineHead, lineHead, matches } from "../../store/format/line-head.ts";
import { EARLIEST_MS, LATEST_MS } from "../../store/format/raw-entry.ts";
import { TAIL_BYTES } from "../../store/read/line-reader.ts";
import { type TitleFacts, type TitleLine, wantsTitle } from "../../store/read/title-facts.ts";
import { isReportSource } from "../families/report-reader.ts";

/**
 * Recognizes lines by their first and last bytes, without parsing them: most of a session's bytes are tool results, which only
 * count in a row.
 *
 * The bytes in between are not checked: a line that is damaged in its middle counts until the session's numbers are
 * counted, which parses every line (src/catalog/stats).
 */

/** What a line means for a row. */
type Sniffed =
	/** Not recognized, or its content is needed: parse it. */
	| { readonly kind: "parse" }
	/** An entry that does not affect the row. */
	| { readonly kind: "skip" }
	/** A message that only counts. */
	| { readonly kind: "message" }
	/** A user or assistant message with its time in milliseconds. */
	| { readonly kind: "activity"; readonly time: number };

const PARSE: Sniffed = { kind: "parse" };
const SKIP: Sniffed = { kind: "skip" };
const MESSAGE: Sniffed = { kind: "message" };

/** What a line is, by its first bytes. */
type Beginning = "parse" | "skip" | "message" | TitleLine;

/** By the type of an entry that is no message. */
const TYPES: ReadonlyMap<string, Beginning> = new Map([
	["model_change", "skip"],
	["thinking_level_change", "skip"],
	["compaction", "summary"],
	["branch_summary", "summary"],
	["custom", "skip"],
	["custom_message", "extension"],
	["label", "skip"],
	["usage", "skip"],
	["context_edit", "skip"],
]);
const ROLES: Readonly<Record<HeadRole, Beginning>> = {
	user: "user",
	assistant: "assistant",
	toolResult: "message",
	bashExecution: "command",
	custom: "extension",
	system: "message",
	hookMessage: "extension",
};
const CONTENT = ascii('"content":');
const CONTENT_BLOCKS = ascii('"content":[{');

/** `…,"stopReason":"stop","timestamp":1763691237236,"responseId":"…"}}`: simple fields may follow the time. */
const ASSISTANT_END =
	/,"stopReason":"[a-zA-Z]+","timestamp":(\d{1,16})(?:,"[a-zA-Z]+":(?:"(?:[^"\\]|\\.)*"|\d+|true|false|null))*\}\}$/;
/** `…}],"timestamp":1763691237236}}`: the content's last block, then the time. */
const USER_END = /\}\],"timestamp":(\d{1,16})\}\}$/;

const BRACE = 0x7d;

/**
 * Sniffs the line in `bytes[start, end)` (no `\n`, no `\r`). Of a line longer than the buffer, its first HEAD_BYTES and
 * last TAIL_BYTES suffice. `title`: of the lines before, which says whether the text of this one is needed.
 */
export function sniff(bytes: Buffer, start: number, end: number, title: TitleFacts): Sniffed {
	const head = lineHead(bytes, start);
	if (head === undefined || bytes[end - 1] !== BRACE) return PARSE;
	const beginning = beginningOf(bytes, head);
	if (beginning === "skip") return SKIP;
	if (beginning === "parse" || (beginning !== "message" && wantsTitle(title, beginning))) return PARSE;
	if (head.role === undefined) return SKIP;
	if (bytes[end - 2] !== BRACE) return PARSE;
	if (beginning !== "user" && beginning !== "assistant") return MESSAGE;
	const time = beginning === "user" ? timeAt(bytes, start, end, 48, USER_END) : assistantTime(bytes, start, end);
	return time === undefined || time < EARLIEST_MS || time > LATEST_MS ? PARSE : { kind: "activity", time };
}

function assistantTime(bytes: Buffer, start: number, end: number): number | undefined {
	// Nearly always nothing follows the time, and searching two kilobytes is the expensive part here.
	return timeAt(bytes, start, end, 96, ASSISTANT_END) ?? timeAt(bytes, start, end, TAIL_BYTES, ASSISTANT_END);
}

function timeAt(bytes: Buffer, start: number, end: number, length: number, pattern: RegExp): number | undefined {
	const match = pattern.exec(bytes.toString("latin1", Math.max(start, end - length), end));
	return match ? Number(match[1]) : undefined;
}

/** Whether all of a long line is needed, by its first bytes. */
export function isNeededWhole(bytes: Buffer): boolean {
	const head = lineHead(bytes, 0);
	const beginning = head === undefined ? "parse" : beginningOf(bytes, head);
	return beginning === "parse" || beginning === "user";
}

function beginningOf(bytes: Buffer, head: LineHead): Beginning {
	const { type, role, end } = head;
	if (role === "user") return matches(bytes, end, CONTENT_BLOCKS) ? "user" : "parse";
	if (role === "assistant") return matches(bytes, end, CONTENT) ? "assistant" : "parse";
	if (isReportSource(headTool(bytes, head))) return "parse";
	return (role === undefined ? TYPES.get(type) : ROLES[role]) ?? "parse";
}
