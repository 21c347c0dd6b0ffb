import { DiagnosticList } from "../format/diagnostic.ts";
import { emptyEnvelope } from "../format/envelope.ts";
import { hasTextIds } from "../format/file-ids.ts";
import { CURRENT_SESSION_VERSION } from "../format/known-types.ts";
import { sniffMessage } from "../format/message-facts.ts";
import { MAX_LINE_BYTES, parseLine } from "../format/parse.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import { repairEntry } from "../format/repair-entry.ts";
import type { SessionEntry, SessionHeader } from "../format/schema.ts";
import { checkedHeader } from "../read/interpret.ts";
import type { HeldLines, Span } from "./held-lines.ts";
import { HeldMessage } from "./held-message.ts";

/** Reused for every line. */
const envelope = emptyEnvelope();

/** Where a line stands in its file, and how it is read. */
interface LinePlace {
	/** Of its first byte. */
	readonly offset: number;
	/** Of the entry in the session. */
	readonly index: number;
	/** Id of the entry before it; "" for none. */
	readonly before: string;
	/** Whether its time is stored as a number, because reading it again would take a system call. */
	readonly keepsTime: boolean;
}

/** Holds the message in the line `bytes[start, end)`; undefined if the line must be parsed. */
export function heldMessage(
	held: HeldLines,
	bytes: Buffer,
	[start, end]: Span,
	{ offset, index, before, keepsTime }: LinePlace,
): HeldMessage | undefined {
	const facts = sniffMessage(bytes, start, end, envelope);
	if (facts === undefined) return undefined;
	const { idStart, idEnd, parentStart, parentEnd, timeStart, timeEnd } = envelope;
	const timeMs = keepsTime ? timeIn(bytes.toString("latin1", timeStart, timeEnd)) : Number.NaN;
	if (keepsTime && Number.isNaN(timeMs)) return undefined;
	const id = bytes.toString("latin1", idStart, idEnd);
	const parentId = parentEnd === 0 ? null : parentIn(bytes, [parentStart, parentEnd], before);
	const span: Span = [offset, offset + end - start];
	return new HeldMessage(id, parentId, held, held.add(index, span, { timeAt: timeStart - start, timeMs }, facts));
}

/** Unix ms; NaN for any other format. */
function timeIn(text: string): number {
	const timeMs = Date.parse(text);
	return !Number.isNaN(timeMs) && new Date(timeMs).toISOString() === text ? timeMs : Number.NaN;
}

/** Usually the parent is the entry before: reusing its id saves a string, and comparing the same object is faster. */
function parentIn(bytes: Buffer, [start, end]: Span, before: string): string {
	let at = start;
	while (at < end && bytes[at] === before.charCodeAt(at - start)) at++;
	return at === end && before.length === end - start ? before : bytes.toString("latin1", start, end);
}

/** The object in a line, if nothing about it is odd. */
export function objectIn(bytes: Buffer, [start, end]: Span): RawEntry | undefined {
	const diagnostics = new DiagnosticList();
	const length = end - start;
	const line = length > MAX_LINE_BYTES ? undefined : bytes.subarray(start, end);
	// The number is never shown: if anything is odd, the session is read again, with diagnostics.
	const value = parseLine({ number: 1, offset: start, bytes: line, length, terminated: true }, diagnostics);
	return diagnostics.toArray().length === 0 ? value : undefined;
}

/** The header in a line, if nothing about it is odd. */
export function headerIn(value: RawEntry | undefined): SessionHeader | undefined {
	if (value?.type !== "session" || value.version !== CURRENT_SESSION_VERSION) return undefined;
	const diagnostics = new DiagnosticList();
	const header = checkedHeader(value, 1, diagnostics);
	return diagnostics.toArray().length === 0 ? header : undefined;
}

/** The entry in a line, if nothing about it is odd. */
export function entryIn(value: RawEntry | undefined): SessionEntry | undefined {
	if (value === undefined || value.type === "session" || !hasTextIds(value)) return undefined;
	const { entry, problems } = repairEntry(value);
	return problems.length === 0 ? entry : undefined;
}
