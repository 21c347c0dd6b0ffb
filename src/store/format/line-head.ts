/**
 * What the first bytes of a line say about its entry, without parsing it, if pi wrote it: nearly all lines begin with
 * `{"type":"message","id":"…","parentId":…,"timestamp":"…","message":{"role":"…",`. (Key order: pi 0.12 to 1.5, versions 1 to 3.)
 * The bytes behind these are not checked, so the line may be damaged; only parsing shows that.
 */
export interface LineHead {
	/** Never "session". */
	readonly type: string;
	/** Of a message; undefined for other entries, and for other roles. */
	readonly role: HeadRole | undefined;
	/** Where the values stand, without their quotes: indexes into the bytes. */
	readonly idStart: number;
	/** 0 if there is no id, as in version 1. */
	readonly idEnd: number;
	readonly parentStart: number;
	/** 0 if the parent is null. */
	readonly parentEnd: number;
	readonly timeStart: number;
	readonly timeEnd: number;
	/** Index of what follows: behind the role and its comma, or, without a role, behind the time and its comma. */
	readonly end: number;
}

const ROLES = ["user", "assistant", "toolResult", "bashExecution", "custom", "system", "hookMessage"] as const;
export type HeadRole = (typeof ROLES)[number];

export const ascii = (text: string): Buffer => Buffer.from(text, "latin1");

const TYPE = ascii('{"type":"');
const MESSAGE = ascii('message",');
const ID = ascii('"id":"');
const PARENT_ID = ascii('"parentId":');
const NULL = ascii("null,");
const TIMESTAMP = ascii('"timestamp":"');
const ROLE = ascii('"message":{"role":"');
const ROLE_NAMES = ROLES.map((role) => [role, ascii(`${role}",`)] as const);
const CALL_ID = ascii('"toolCallId":"');
const TOOL_NAME = ascii('","toolName":"');
const CUSTOM_TYPE = ascii('"customType":"');

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Longer types, ids and times are not pi's. */
const MAX_HEAD_TEXT = 80;

/** For ripgrep: what stands before the role of a message, and all of a line up to it. */
export const ROLE_PATTERN = String.raw`"message":\{"role":"`;
export const MESSAGE_PATTERN = String.raw`\{"type":"message","id":"[^"]*","parentId":[^,]*,"timestamp":"[^"]*",${ROLE_PATTERN}`;

/** Filled for each line: a new object for each would be a third of the garbage of a first listing. */
const head: { -readonly [Field in keyof LineHead]: LineHead[Field] } = {
	type: "",
	role: undefined,
	idStart: 0,
	idEnd: 0,
	parentStart: 0,
	parentEnd: 0,
	timeStart: 0,
	timeEnd: 0,
	end: 0,
};

/**
 * The head of the line that begins at `start`; undefined if it is not in this form. Always the same object: read it before the next
 * call.
 */
export function lineHead(bytes: Buffer, start: number): LineHead | undefined {
	if (!matches(bytes, start, TYPE)) return undefined;
	const typeStart = start + TYPE.length;
	const isMessage = matches(bytes, typeStart, MESSAGE);
	let at = isMessage ? typeStart + MESSAGE.length : afterString(bytes, typeStart);
	if (at === 0) return undefined;
	head.type = isMessage ? "message" : bytes.toString("latin1", typeStart, at - 2);
	at = head.type === "session" ? 0 : afterLinks(bytes, at);
	if (at === 0) return undefined;
	head.role = isMessage && matches(bytes, at, ROLE) ? roleAt(bytes, at + ROLE.length) : undefined;
	head.end = head.role === undefined ? at : at + ROLE.length + head.role.length + 2;
	return head;
}

/** The index after the id, the parent and the time that begin at `start`; 0 for anything else. */
function afterLinks(bytes: Buffer, start: number): number {
	let at = start;
	head.idEnd = 0;
	head.parentEnd = 0;
	if (matches(bytes, at, ID)) {
		head.idStart = at + ID.length;
		at = afterString(bytes, head.idStart);
		head.idEnd = at - 2;
		if (at === 0 || !matches(bytes, at, PARENT_ID)) return 0;
		at += PARENT_ID.length;
		if (matches(bytes, at, NULL)) at += NULL.length;
		else if (bytes[at] === QUOTE) {
			head.parentStart = at + 1;
			at = afterString(bytes, head.parentStart);
			head.parentEnd = at - 2;
		} else return 0;
		if (at === 0) return 0;
	}
	if (!matches(bytes, at, TIMESTAMP)) return 0;
	head.timeStart = at + TIMESTAMP.length;
	at = afterString(bytes, head.timeStart);
	head.timeEnd = at - 2;
	return at;
}

function roleAt(bytes: Buffer, at: number): HeadRole | undefined {
	return ROLE_NAMES.find(([, name]) => matches(bytes, at, name))?.[0];
}

export function matches(bytes: Buffer, at: number, expected: Buffer): boolean {
	for (let index = 0; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false;
	return true;
}

/** The index after the plain string at `start` and its comma; 0 if it is too long, has escapes or lacks the comma. */
function afterString(bytes: Buffer, start: number): number {
	const limit = start + MAX_HEAD_TEXT;
	for (let at = start; at < limit; at++) {
		const byte = bytes[at];
		if (byte === QUOTE) return at > start && bytes[at + 1] === COMMA ? at + 2 : 0;
		if (byte === BACKSLASH || byte === undefined || byte < 0x20 || byte > 0x7e) return 0;
	}
	return 0;
}

/** The id, the parent and the time of an entry; the id is undefined in version 1. */
export function headFields(
	bytes: Buffer,
	{ idStart, idEnd, parentStart, parentEnd, timeStart, timeEnd }: LineHead,
): { readonly id: string | undefined; readonly parentId: string | null; readonly timestamp: string } {
	return {
		id: idEnd === 0 ? undefined : bytes.toString("latin1", idStart, idEnd),
		parentId: parentEnd === 0 ? null : bytes.toString("latin1", parentStart, parentEnd),
		timestamp: bytes.toString("latin1", timeStart, timeEnd),
	};
}

/** The tool of a result, or the `customType` of an extension's entry or message; undefined for anything else. */
export function headTool(bytes: Buffer, { end }: LineHead): string | undefined {
	if (matches(bytes, end, CUSTOM_TYPE)) return stringAt(bytes, end + CUSTOM_TYPE.length);
	if (!matches(bytes, end, CALL_ID)) return undefined;
	const idEnd = bytes.indexOf(QUOTE, end + CALL_ID.length);
	return idEnd !== -1 && matches(bytes, idEnd, TOOL_NAME) ? stringAt(bytes, idEnd + TOOL_NAME.length) : undefined;
}

function stringAt(bytes: Buffer, start: number): string | undefined {
	const end = bytes.indexOf(QUOTE, start);
	return end === -1 ? undefined : bytes.toString("latin1", start, end);
}
