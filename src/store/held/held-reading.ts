import { DiagnosticList } from "../format/diagnostic.ts";
import { hasTextIds } from "../format/file-ids.ts";
import { lineHead } from "../format/line-head.ts";
import { sniffFacts } from "../format/message-facts.ts";
import { MAX_LINE_BYTES, parseLine } from "../format/parse.ts";
import { CURRENT_SESSION_VERSION, type RawEntry } from "../format/raw-entry.ts";
import { repairEntry } from "../format/repair-entry.ts";
import type { SessionEntry, SessionHeader } from "../format/schema.ts";
import { checkedHeader } from "../read/interpret.ts";
import { noteEnd, type ReadingEnd, type Session } from "../read/read-session.ts";
import { SessionTable } from "../tree/session-table.ts";
import type { FileBytes } from "./file-bytes.ts";
import { type ByteRange, HeldLines } from "./held-lines.ts";
import { HeldMessage, isAsTaken, noteHeld } from "./held-message.ts";

/** Gathers a session in which nothing is odd from its lines, in order: messages are held, other entries parsed. */
export class HeldReading {
	readonly held: HeldLines;
	/** How many lines there were. */
	lines = 0;
	readonly #isChecked: boolean;
	readonly #table = new SessionTable();
	#header: SessionHeader | undefined;

	/** `isChecked`: whether every line is parsed once, so that all held messages are known to match what was assumed of them. */
	constructor(bytes: FileBytes, isChecked: boolean) {
		this.held = new HeldLines(bytes);
		this.#isChecked = isChecked;
	}

	/** Adds the next line, `bytes[start, end)`, which is at this offset of the file; false if something in it is odd. */
	add(bytes: Buffer, [start, end]: ByteRange, offset: number): boolean {
		this.lines += 1;
		if (this.lines === 1) {
			this.#header = headerIn(objectIn(bytes, [start, end]));
			return this.#header !== undefined;
		}
		const { entries } = this.#table;
		const place = { offset, index: entries.length, before: entries.at(-1)?.id ?? "" };
		const message = heldMessage(this.held, bytes, [start, end], place);
		const value = message === undefined || this.#isChecked ? objectIn(bytes, [start, end]) : undefined;
		if (message !== undefined && this.#isChecked && !isAsTaken(message, value)) return false;
		// It has the fields of a `SessionMessageEntry`; only the type, which allows any further field, differs.
		const entry = (message as SessionEntry | undefined) ?? entryIn(value);
		return entry !== undefined && this.#table.add(entry, this.lines);
	}

	/** The session; undefined if it has no header. */
	finish(path: string, { size, ...end }: Omit<ReadingEnd, "lines"> & Pick<Session, "size">): Session | undefined {
		const header = this.#header;
		if (header === undefined) return undefined;
		const { entries } = this.#table;
		const parts = { entries, lines: this.#table.lines(), tree: this.#table.tree(), size, diagnostics: [] };
		const session = { path, header, version: CURRENT_SESSION_VERSION, ...parts };
		noteEnd(session, { ...end, lines: this.lines });
		noteHeld(session, this.held, this.#isChecked);
		return session;
	}
}

interface LinePlace {
	/** Of its first byte. */
	readonly offset: number;
	/** Of the entry in the session. */
	readonly index: number;
	/** Id of the entry before it; "" for none. */
	readonly before: string;
}

/** Holds the message in the line `bytes[start, end)`; undefined if the line must be parsed. */
export function heldMessage(
	held: HeldLines,
	bytes: Buffer,
	[start, end]: ByteRange,
	{ offset, index, before }: LinePlace,
): HeldMessage | undefined {
	const head = lineHead(bytes, start);
	const facts = head && sniffFacts(bytes, head, end);
	if (head === undefined || facts === undefined) return undefined;
	const { idStart, idEnd, parentStart, parentEnd, timeStart, timeEnd } = head;
	const timeMs = timeIn(bytes.toString("latin1", timeStart, timeEnd));
	if (Number.isNaN(timeMs)) return undefined;
	const id = bytes.toString("latin1", idStart, idEnd);
	const parentId = parentEnd === 0 ? null : parentIn(bytes, [parentStart, parentEnd], before);
	const span: ByteRange = [offset, offset + end - start];
	return new HeldMessage(id, parentId, held, held.add(index, span, timeMs, facts));
}

/** Unix ms; NaN for any other format. */
function timeIn(text: string): number {
	const timeMs = Date.parse(text);
	return !Number.isNaN(timeMs) && new Date(timeMs).toISOString() === text ? timeMs : Number.NaN;
}

/** Usually the parent is the entry before: reusing its id saves a string, and comparing the same object is faster. */
function parentIn(bytes: Buffer, [start, end]: ByteRange, previousId: string): string {
	let at = start;
	while (at < end && bytes[at] === previousId.charCodeAt(at - start)) at++;
	return at === end && previousId.length === end - start ? previousId : bytes.toString("latin1", start, end);
}

/** The object in a line, if nothing about it is odd. */
function objectIn(bytes: Buffer, [start, end]: ByteRange): RawEntry | undefined {
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
function entryIn(value: RawEntry | undefined): SessionEntry | undefined {
	if (value === undefined || value.type === "session" || !hasTextIds(value)) return undefined;
	const { entry, problems } = repairEntry(value);
	return problems.length === 0 ? entry : undefined;
}
