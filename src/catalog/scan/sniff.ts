import { afterEnvelope, ascii, emptyEnvelope, matches, TYPE_MESSAGE } from "../../store/format/message-facts.ts";
import { EARLIEST_MS, LATEST_MS } from "../../store/format/raw-entry.ts";
import { TAIL_BYTES } from "../../store/read/line-reader.ts";
import { type TitleFacts, type TitleLine, wantsTitle } from "../../store/read/title-facts.ts";
import { REPORTING_TOOLS, REPORTING_TYPES } from "../families/run-report.ts";

/**
 * Recognizes lines in pi's own key order by their first and last bytes, without parsing them: most of a session's bytes
 * are tool results, which only count in a row. (Key order: pi 0.12 to 1.5, versions 1 to 3.)
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

const TYPE = ascii('{"type":"');
const MESSAGE_ROLE = ascii('"message":{"role":"');
/** The types besides messages. */
const TYPES = named<Head>({
	model_change: "skip",
	thinking_level_change: "skip",
	compaction: "summary",
	branch_summary: "summary",
	custom: "skip",
	custom_message: "extension",
	label: "skip",
	usage: "skip",
	context_edit: "skip",
});
const CALL_ID = ascii('"toolCallId":"');
const REPORTED_TOOLS = REPORTING_TOOLS.map((tool) => ascii(`","toolName":"${tool}"`));
const REPORTED_TYPES = REPORTING_TYPES.map((type) => ascii(`"customType":"${type}`));
const USER_CONTENT = ascii('user","content":[{');
const ASSISTANT_CONTENT = ascii('assistant","content":');
/** The other roles, with what is done with their messages. */
const ROLES = named<Head>({
	toolResult: "message",
	bashExecution: "command",
	custom: "extension",
	system: "message",
	hookMessage: "extension",
});

/** Names as they stand in a line, with the comma behind them. */
function named<Meaning>(meanings: Readonly<Record<string, Meaning>>): (readonly [Buffer, Meaning])[] {
	return Object.entries(meanings).map(([name, meaning]) => [ascii(`${name}",`), meaning]);
}

/** `…,"stopReason":"stop","timestamp":1763691237236,"responseId":"…"}}`: simple fields may follow the time. */
const ASSISTANT_END =
	/,"stopReason":"[a-zA-Z]+","timestamp":(\d{1,16})(?:,"[a-zA-Z]+":(?:"(?:[^"\\]|\\.)*"|\d+|true|false|null))*\}\}$/;
/** `…}],"timestamp":1763691237236}}`: the content's last block, then the time. */
const USER_END = /\}\],"timestamp":(\d{1,16})\}\}$/;

const BRACE = 0x7d;

/** What a line is, by its first bytes. */
type Head = "parse" | "skip" | "message" | TitleLine;

/**
 * Sniffs the line in `bytes[start, end)` (no `\n`, no `\r`). Of a line longer than the buffer, its first HEAD_BYTES and
 * last TAIL_BYTES suffice. `title`: of the lines before, which says whether the text of this one is needed.
 */
export function sniff(bytes: Buffer, start: number, end: number, title: TitleFacts): Sniffed {
	if (bytes[end - 1] !== BRACE) return PARSE;
	const head = sniffHead(bytes, start);
	if (head === "skip") return SKIP;
	if (head === "parse" || (head !== "message" && wantsTitle(title, head))) return PARSE;
	if (!matches(bytes, start, TYPE_MESSAGE)) return SKIP;
	if (bytes[end - 2] !== BRACE) return PARSE;
	if (head !== "user" && head !== "assistant") return MESSAGE;
	const time =
		plainTime(bytes, start, end, head) ??
		(head === "user" ? timeAt(bytes, start, end, 48, USER_END) : assistantTime(bytes, start, end));
	return time === undefined || time < EARLIEST_MS || time > LATEST_MS ? PARSE : { kind: "activity", time };
}

const ZERO = 0x30;
const NINE = 0x39;
const QUOTE = 0x22;
const TIME_KEY = ascii(',"timestamp":');
const STOP_KEY = ascii(',"stopReason":"');
const BLOCK_END = ascii("}]");
/** Times of more than fifteen digits are left to the patterns. */
const MAX_POWER = 1e15;
/** Letters of a stop reason. */
const MAX_REASON = 40;

/** The same as the patterns below for lines that end with the time, nearly all of them: without a text and its matches. */
function plainTime(bytes: Buffer, start: number, end: number, head: "user" | "assistant"): number | undefined {
	let at = end - 3;
	let time = 0;
	for (let power = 1; isDigit(bytes[at]); power *= 10) {
		if (power >= MAX_POWER) return undefined;
		time += power * ((bytes[at] ?? ZERO) - ZERO);
		at -= 1;
	}
	const key = at + 1 - TIME_KEY.length;
	if (at === end - 3 || key <= start || !matches(bytes, key, TIME_KEY)) return undefined;
	if (head === "user") return matches(bytes, key - BLOCK_END.length, BLOCK_END) ? time : undefined;
	if (bytes[key - 1] !== QUOTE) return undefined;
	let reason = key - 2;
	while (isLetter(bytes[reason]) && key - reason < MAX_REASON) reason -= 1;
	const stop = reason + 1 - STOP_KEY.length;
	return reason < key - 2 && stop > start && matches(bytes, stop, STOP_KEY) ? time : undefined;
}

function isDigit(byte: number | undefined): boolean {
	return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isLetter(byte: number | undefined): boolean {
	// With the bit that distinguishes the cases.
	const lower = (byte ?? 0) | 0x20;
	return lower >= 0x61 && lower <= 0x7a;
}

function assistantTime(bytes: Buffer, start: number, end: number): number | undefined {
	// Nearly always nothing follows the time, and searching two kilobytes is the expensive part here.
	return timeAt(bytes, start, end, 96, ASSISTANT_END) ?? timeAt(bytes, start, end, TAIL_BYTES, ASSISTANT_END);
}

function timeAt(bytes: Buffer, start: number, end: number, length: number, pattern: RegExp): number | undefined {
	const found = pattern.exec(bytes.toString("latin1", Math.max(start, end - length), end));
	return found ? Number(found[1]) : undefined;
}

/** Filled for each line and never read: a new one for each is a third of the garbage. */
const envelope = emptyEnvelope();

/** Whether a line may be a report about runs: `at` is behind its role, or, if it is no message, behind its time. */
function mayReport(bytes: Buffer, at: number): boolean {
	if (REPORTED_TYPES.some((type) => matches(bytes, at, type))) return true;
	if (!matches(bytes, at, CALL_ID)) return false;
	let end = at + CALL_ID.length;
	// An id with an escaped quote is longer than this finds, and then no tool follows.
	while (end < bytes.length && bytes[end] !== QUOTE) end += 1;
	return REPORTED_TOOLS.some((tool) => matches(bytes, end, tool));
}

/** The type of a line by its first bytes; its end must confirm it. */
export function sniffHead(bytes: Buffer, start: number): Head {
	if (!matches(bytes, start, TYPE)) return "parse";
	if (!matches(bytes, start, TYPE_MESSAGE)) {
		const at = start + TYPE.length;
		const type = TYPES.find(([candidate]) => matches(bytes, at, candidate));
		const end = type === undefined ? 0 : afterEnvelope(bytes, at + type[0].length, envelope);
		return type === undefined || end === 0 || mayReport(bytes, end) ? "parse" : type[1];
	}
	const at = afterEnvelope(bytes, start + TYPE_MESSAGE.length, envelope);
	if (at === 0 || !matches(bytes, at, MESSAGE_ROLE)) return "parse";
	const role = at + MESSAGE_ROLE.length;
	if (matches(bytes, role, ASSISTANT_CONTENT)) return "assistant";
	if (matches(bytes, role, USER_CONTENT)) return "user";
	const found = ROLES.find(([name]) => matches(bytes, role, name));
	return found === undefined || mayReport(bytes, role + found[0].length) ? "parse" : found[1];
}
