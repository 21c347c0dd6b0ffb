import { isObject } from "../../shared/json.ts";
import { dollarsIn } from "./usage.ts";

/**
 * Reads the beginning of a line in pi's own key order, `"id":"…","parentId":…,"timestamp":"…",`, without parsing it. (Key
 * order: pi 0.12 to 1.5, versions 1 to 3.)
 */

/** Positions of the values of an envelope, as indexes into the bytes, without their quotes. */
interface Envelope {
	idStart: number;
	/** 0 if there is no id, as in version 1. */
	idEnd: number;
	parentStart: number;
	/** 0 if the parent is null. */
	parentEnd: number;
	timeStart: number;
	timeEnd: number;
}

/** An envelope to be filled by `afterEnvelope`; may be reused. */
export function emptyEnvelope(): Envelope {
	return { idStart: 0, idEnd: 0, parentStart: 0, parentEnd: 0, timeStart: 0, timeEnd: 0 };
}

export const ascii = (text: string): Buffer => Buffer.from(text, "latin1");

export const TYPE_MESSAGE = ascii('{"type":"message",');
const ID = ascii('"id":"');
const PARENT_ID = ascii('"parentId":');
const NULL = ascii("null");
const TIMESTAMP = ascii('"timestamp":"');

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Longer ids and times are not pi's. */
export const MAX_ENVELOPE_TEXT = 80;

/** Fills `found` and returns the index after the envelope at `start` (version 1: only a timestamp); 0 for anything else. */
export function afterEnvelope(bytes: Buffer, start: number, found: Envelope = emptyEnvelope()): number {
	let at = start;
	found.idEnd = 0;
	found.parentEnd = 0;
	if (matches(bytes, at, ID)) {
		found.idStart = at + ID.length;
		at = afterString(bytes, found.idStart);
		found.idEnd = at - 2;
		if (at === 0 || !matches(bytes, at, PARENT_ID)) return 0;
		at += PARENT_ID.length;
		if (matches(bytes, at, NULL) && bytes[at + NULL.length] === COMMA) at += NULL.length + 1;
		else if (bytes[at] === QUOTE) {
			found.parentStart = at + 1;
			at = afterString(bytes, found.parentStart);
			found.parentEnd = at - 2;
		} else return 0;
		if (at === 0) return 0;
	}
	if (!matches(bytes, at, TIMESTAMP)) return 0;
	found.timeStart = at + TIMESTAMP.length;
	at = afterString(bytes, found.timeStart);
	found.timeEnd = at - 2;
	return at;
}

/** The values of an envelope with an id. */
export function envelopeFields(bytes: Buffer, found: Envelope) {
	const { idStart, idEnd, parentStart, parentEnd, timeStart, timeEnd } = found;
	const text = (from: number, to: number): string => bytes.toString("latin1", from, to);
	return {
		id: text(idStart, idEnd),
		parentId: parentEnd === 0 ? null : text(parentStart, parentEnd),
		timestamp: text(timeStart, timeEnd),
	};
}

export function matches(bytes: Buffer, at: number, expected: Buffer): boolean {
	for (let index = 0; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false;
	return true;
}

/** The index after the plain string at `start` and its comma; 0 if it is too long, has escapes or lacks the comma. */
function afterString(bytes: Buffer, start: number): number {
	const limit = start + MAX_ENVELOPE_TEXT;
	for (let at = start; at < limit; at++) {
		const byte = bytes[at];
		if (byte === QUOTE) return at > start && bytes[at + 1] === COMMA ? at + 2 : 0;
		if (byte === BACKSLASH || byte === undefined || byte < 0x20 || byte > 0x7e) return 0;
	}
	return 0;
}

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
export function factsOf(message: unknown): MessageFacts | undefined {
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

const ROLE = ascii('"message":{"role":"');
const USER = ascii('user","content":');
const RESULT = ascii('toolResult","toolCallId":"');
const ANSWER = ascii('assistant","content":[');
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
 * The facts of the message in the line `bytes[start, end)`, from its first and last bytes, if pi wrote it; undefined for
 * anything else. Stores the positions of its id, parent and time in `envelope`. The bytes in between are not checked, so the
 * line may be damaged; only parsing shows that.
 */
export function sniffMessage(bytes: Buffer, start: number, end: number, envelope: Envelope): MessageFacts | undefined {
	if (!matches(bytes, start, TYPE_MESSAGE)) return undefined;
	const at = afterEnvelope(bytes, start + TYPE_MESSAGE.length, envelope);
	if (at === 0 || envelope.idEnd === 0 || !matches(bytes, at, ROLE)) return undefined;
	const role = at + ROLE.length;
	if (matches(bytes, role, ANSWER)) return sniffAnswer(bytes, role + ANSWER.length, end);
	if (matches(bytes, role, RESULT)) return sniffResult(bytes, role, end);
	if (!matches(bytes, role, USER)) return undefined;
	return USER_END.test(tailOf(bytes, role, end, USER_TAIL)) ? USER_FACTS : undefined;
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
	let found: boolean | undefined = false;
	for (let at = content.indexOf(LATER_TEXT); at !== -1; at = content.indexOf(LATER_TEXT, at + 1)) {
		const byte = content[at + LATER_TEXT.length];
		if (isLetter(byte)) return true;
		if (byte !== QUOTE) found = undefined;
	}
	return found;
}

const BRACKET = 0x5d;

/** Whether a byte of a JSON string is an ASCII character that is not blank. Characters above ASCII may be blank. */
function isLetter(byte: number | undefined): boolean {
	return byte !== undefined && byte > 0x20 && byte < 0x7f && byte !== QUOTE && byte !== BACKSLASH;
}
