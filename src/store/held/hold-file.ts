import { TimeSlice } from "../../shared/steps.ts";
import { DiagnosticList } from "../format/diagnostic.ts";
import { parseLine } from "../format/parse.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import type { SessionEntry, SessionHeader } from "../format/schema.ts";
import { noteEnd } from "../read/extend-session.ts";
import { interpretSteps, type ParsedLine } from "../read/interpret.ts";
import { type FileLine, rawLine } from "../read/line-reader.ts";
import { sniffLine } from "../read/outline.ts";
import { readLines } from "../read/read-lines.ts";
import type { Session } from "../read/read-session.ts";
import { EntryTable } from "../tree/entry-table.ts";
import { bytesOnDisk } from "./file-bytes.ts";
import { HeldLines } from "./held-lines.ts";
import { type HeldMessage, isAsTaken } from "./held-message.ts";
import { heldSession, noteHeld } from "./held-sessions.ts";
import { entryIn, headerIn, heldMessage, objectIn } from "./line-holder.ts";

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
	const take = ({ bytes, start, end, offset, whole, terminated, utf8 }: FileLine): boolean => {
		count += 1;
		if (!whole || !terminated || !utf8) return false;
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
		return entry !== undefined && table.add(entry);
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
