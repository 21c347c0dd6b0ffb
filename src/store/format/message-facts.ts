import { isObject } from "../../shared/json.ts";
import { ascii, type LineHead, matches } from "./line-head.ts";
import { dollarsIn } from "./usage.ts";

/** The facts about a message that are known without parsing it. */
export interface MessageFacts {
	readonly role: "user" | "assistant" | "toolResult";
	/** Whether an answer has text that is not blank, or an image: not only thinking and calls. False for other roles. */
	readonly says: boolean;
	/** Whether a tool's result is an error. False for other roles. */
	readonly isError: boolean;
	/** In dollars; 0 if unknown. */
	readonly cost: number;
}

/** Stop reasons of answers that ended normally. For others the text says what happened. */
const ENDINGS: ReadonlySet<unknown> = new Set(["stop", "toolUse"]);

/** The facts of a message; undefined for an answer that did not end normally, and for other roles. */
export function messageFacts(message: unknown): MessageFacts | undefined {
	if (!isObject(message)) return undefined;
	const { role } = message;
	if (role !== "user" && role !== "assistant" && role !== "toolResult") return undefined;
	if (role === "assistant" && (!ENDINGS.has(message.stopReason) || message.errorMessage !== undefined))
		return undefined;
	return {
		role,
		says: role === "assistant" && saysSomething(message.content),
		isError: role === "toolResult" && message.isError === true,
		cost: dollarsIn(message.usage) ?? 0,
	};
}

/** Whether a message's content has text that is not blank, or an image. */
export function saysSomething(content: unknown): boolean {
	if (typeof content === "string") return /\S/.test(content);
	if (!Array.isArray(content)) return false;
	return content.some((block: unknown) => {
		if (!isObject(block)) return false;
		return block.type === "image" || (block.type === "text" && typeof block.text === "string" && /\S/.test(block.text));
	});
}

const CONTENT = ascii('"content":');
const CONTENT_LIST = ascii('"content":[');
const TEXT_BLOCK = ascii('{"type":"text","text":"');
const LATER_TEXT = ascii('"type":"text","text":"');
const LATER_IMAGE = ascii('"type":"image"');

/** Trailing fields of a message that are neither lists nor objects. */
const SIMPLE_FIELDS = String.raw`(?:,"[a-zA-Z]+":(?:"(?:[^"\\]|\\.)*"|-?[\d.]+|true|false|null))*\}\}$`;
const ANSWER_END = new RegExp(
	String.raw`"total":(-?[\d.eE+-]+)(?:,"totalFromProvider":(?:true|false))?\}[^{}]*\},"stopReason":"(?:stop|toolUse)","timestamp":\d+${SIMPLE_FIELDS}`,
);
const RESULT_END = new RegExp(
	String.raw`,"isError":(true|false)(?:,"durationMs":[\d.]+)?,"timestamp":\d+${SIMPLE_FIELDS}`,
);
const USER_END = new RegExp(String.raw`,"timestamp":\d+${SIMPLE_FIELDS}`);

/** Bytes at the end of a line that suffice to recognize it, by role. */
const ANSWER_TAIL = 240;
const RESULT_TAIL = 128;
const USER_TAIL = 64;
/** The usage of a result stands within this many bytes before its end. */
const USAGE_BYTES = 512;

/**
 * The facts of the message with this head, whose line ends at `end`, from its first and last bytes, if pi wrote it; undefined for
 * anything else. The bytes in between are not checked, so the line may be damaged; only parsing shows that.
 */
export function sniffFacts(bytes: Buffer, head: LineHead, end: number): MessageFacts | undefined {
	const start = head.end;
	if (head.idEnd === 0) return undefined;
	switch (head.role) {
		case "user":
			return matches(bytes, start, CONTENT) && USER_END.test(tailOf(bytes, start, end, USER_TAIL))
				? USER_FACTS
				: undefined;
		case "assistant":
			return matches(bytes, start, CONTENT_LIST) ? sniffAnswer(bytes, start + CONTENT_LIST.length, end) : undefined;
		case "toolResult":
			return sniffResult(bytes, start, end);
		default:
			return undefined;
	}
}

function tailOf(bytes: Buffer, start: number, end: number, length: number): string {
	return bytes.toString("latin1", Math.max(start, end - length), end);
}

const USER_FACTS: MessageFacts = { role: "user", says: false, isError: false, cost: 0 };
const RESULT_FACTS: MessageFacts = { ...USER_FACTS, role: "toolResult" };
const FAILED_RESULT: MessageFacts = { ...RESULT_FACTS, isError: true };

function sniffResult(bytes: Buffer, start: number, end: number): MessageFacts | undefined {
	const ending = RESULT_END.exec(tailOf(bytes, start, end, RESULT_TAIL));
	if (ending === null) return undefined;
	const last = end - ending[0].length - 1;
	// The usage stands after the content, among the other fields.
	if (bytes[last] !== BRACKET && tailOf(bytes, start, last, USAGE_BYTES).includes('"usage":')) return undefined;
	return ending[1] === "true" ? FAILED_RESULT : RESULT_FACTS;
}

function sniffAnswer(bytes: Buffer, content: number, end: number): MessageFacts | undefined {
	const ending = ANSWER_END.exec(tailOf(bytes, content, end, ANSWER_TAIL));
	if (ending === null || ending[0].includes('"errorMessage":')) return undefined;
	const says = matches(bytes, content, TEXT_BLOCK) && isLetter(bytes[content + TEXT_BLOCK.length]);
	const saysLater = says || findText(bytes.subarray(content, end));
	return saysLater === undefined
		? undefined
		: { role: "assistant", says: saysLater, isError: false, cost: dollarsIn({ cost: Number(ending[1]) }) ?? 0 };
}

/** Whether any block is an image or has text; undefined if a text begins with blanks, so that the line must be parsed. */
function findText(content: Buffer): boolean | undefined {
	if (content.includes(LATER_IMAGE)) return true;
	let hasText: boolean | undefined = false;
	for (let at = content.indexOf(LATER_TEXT); at !== -1; at = content.indexOf(LATER_TEXT, at + 1)) {
		const byte = content[at + LATER_TEXT.length];
		if (isLetter(byte)) return true;
		if (byte !== QUOTE) hasText = undefined;
	}
	return hasText;
}

const BRACKET = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether a byte of a JSON string is an ASCII character that is not blank. Characters above ASCII may be blank. */
function isLetter(byte: number | undefined): boolean {
	return byte !== undefined && byte > 0x20 && byte < 0x7f && byte !== QUOTE && byte !== BACKSLASH;
}
