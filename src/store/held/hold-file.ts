import { TimeSlice } from "../../shared/steps.ts";
import { DiagnosticList } from "../format/diagnostic.ts";
import { hasTextIds } from "../format/file-ids.ts";
import { lineHead } from "../format/line-head.ts";
import { sniffFacts } from "../format/message-facts.ts";
import { MAX_LINE_BYTES, parseLine } from "../format/parse.ts";
import { CURRENT_SESSION_VERSION, type RawEntry } from "../format/raw-entry.ts";
import { repairEntry } from "../format/repair-entry.ts";
import type { SessionEntry, SessionHeader } from "../format/schema.ts";
import { checkedHeader, interpretSteps, type ParsedLine } from "../read/interpret.ts";
import { type FileLine, rawLine } from "../read/line-reader.ts";
import { sniffLine } from "../read/outline.ts";
import { readLines } from "../read/read-lines.ts";
import { noteEnd, type Session } from "../read/read-session.ts";
import { EntryTable } from "../tree/entry-table.ts";
import { bytesOnDisk } from "./file-bytes.ts";
import { HeldLines, type Span } from "./held-lines.ts";
import { HeldMessage, heldSession, isAsTaken, noteHeld } from "./held-message.ts";

interface HoldFileOptions {
	readonly signal?: AbortSignal | undefined;
	/** Whether every line is parsed once, so that all held messages are known to match what was assumed of them. */
	readonly isChecked: boolean;
}

/**
 * Reads a session as `holdSession` does, but leaves its bytes in the file: memory grows only with the number of entries.
 * Undefined if something visibly odd was found; `readOddFile` reads such a file. Rejects as `readSession` does.
 */
export async function holdFile(path: string, { signal, isChecked }: HoldFileOptions): Promise<Session | undefined> {
	const held = new HeldLines(bytesOnDisk(path));
	const table = new EntryTable();
	let header: SessionHeader | undefined;
	let count = 0;
	const take = ({ bytes, start, end, offset, whole, terminated, utf8, isGlued, isRepeated }: FileLine): boolean => {
		count += 1;
		if (!whole || !terminated || !utf8 || isGlued || isRepeated) return false;
		if (count === 1) {
			header = headerIn(objectIn(bytes, [start, end]));
			return header !== undefined;
		}
		const { entries } = table;
		const place = { offset, index: entries.length, before: entries.at(-1)?.id ?? "", keepsTime: true };
		const message = heldMessage(held, bytes, [start, end], place);
		const value = message === undefined || isChecked ? objectIn(bytes, [start, end]) : undefined;
		if (message !== undefined && isChecked && !isAsTaken(message, value)) return false;
		const entry = (message as SessionEntry | undefined) ?? entryIn(value);
		return entry !== undefined && table.add(entry, count);
	};
	const read = await readLines(path, new TimeSlice(signal), take, signal);
	if (read === undefined || header === undefined) return undefined;
	return heldSession(path, header, table, held, { ...read, lines: count }, isChecked);
}

/**
 * Reads a file in which something is odd: every line is parsed, what is odd becomes a diagnostic, and messages in pi's own
 * form are held.
 */
export async function readOddFile(path: string, signal?: AbortSignal): Promise<Session> {
	const held = new HeldLines(bytesOnDisk(path));
	const diagnostics = new DiagnosticList();
	const lines: ParsedLine[] = [];
	let isPresent = false;
	let count = 0;
	let entries = 0;
	const take = (line: FileLine): void => {
		count += 1;
		const raw = rawLine(line, count);
		const value = parseLine(raw, diagnostics) ?? sniffLine(raw);
		if (value === undefined) return;
		if (count === 1) isPresent = headerIn(value) !== undefined;
		const message = isPresent && line.whole && line.utf8 ? checkedMessage(held, line, value, entries) : undefined;
		if (value.type !== "session") entries += 1;
		// A held message has the fields of an entry, as getters.
		if (message !== undefined) lines.push({ line: count, value: message as unknown as RawEntry, isHeld: true });
		else lines.push({ line: count, value });
	};
	const timeSlice = new TimeSlice(signal);
	const read = await readLines(path, timeSlice, take, signal);
	const interpretation = await timeSlice.run(interpretSteps(lines, read.size, diagnostics));
	const session: Session = { path, ...interpretation, size: read.size, diagnostics: diagnostics.toArray() };
	noteHeld(session, held, true);
	noteEnd(session, { ...read, lines: count });
	return session;
}

function checkedMessage(held: HeldLines, line: FileLine, value: RawEntry, index: number): HeldMessage | undefined {
	const { bytes, start, end, offset } = line;
	const message = heldMessage(held, bytes, [start, end], { offset, index, before: "", keepsTime: true });
	return message !== undefined && isAsTaken(message, value) ? message : undefined;
}

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
	const head = lineHead(bytes, start);
	const facts = head && sniffFacts(bytes, head, end);
	if (head === undefined || facts === undefined) return undefined;
	const { idStart, idEnd, parentStart, parentEnd, timeStart, timeEnd } = head;
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
