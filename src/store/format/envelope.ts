/**
 * Reads the beginning of a line in pi's own key order, `"id":"…","parentId":…,"timestamp":"…",`, without parsing it. (Key
 * order: pi 0.12 to 1.5, versions 1 to 3.)
 */

/** Positions of the values of an envelope, as indexes into the bytes, without their quotes. */
export interface Envelope {
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

/** The bytes of an ASCII text. */
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

/** Whether the expected bytes stand at an index. */
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
