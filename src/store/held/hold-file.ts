import { TimeSlice } from "../../shared/steps.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import type { FileLine } from "../read/line-reader.ts";
import { readLines } from "../read/read-lines.ts";
import { ParsedLines, type Session } from "../read/read-session.ts";
import { bytesOnDisk } from "./file-bytes.ts";
import { HeldLines } from "./held-lines.ts";
import { type HeldMessage, isAsTaken, noteHeld } from "./held-message.ts";
import { HeldReading, headerIn, heldMessage } from "./held-reading.ts";

interface HoldFileOptions {
	readonly signal?: AbortSignal | undefined;
	/** Whether every line is parsed once, so that all held messages are known to match what was assumed of them. */
	readonly isChecked: boolean;
}

/**
 * Reads a session of which messages stay in the file: memory grows only with the number of entries.
 * Undefined if something visibly odd was found; `readOddFile` reads such a file. Rejects as `readSession` does.
 */
export async function holdFile(path: string, { signal, isChecked }: HoldFileOptions): Promise<Session | undefined> {
	const reading = new HeldReading(bytesOnDisk(path), isChecked);
	const take = ({ bytes, start, end, offset, whole, terminated, utf8, isGlued, isRepeated }: FileLine): boolean =>
		whole && terminated && utf8 && !isGlued && !isRepeated && reading.add(bytes, [start, end], offset);
	const read = await readLines(path, new TimeSlice(signal), take, signal);
	return read && reading.finish(path, read);
}

/**
 * Reads a file in which something is odd: every line is parsed, what is odd becomes a diagnostic, and messages in pi's own
 * form are held.
 */
export async function readOddFile(path: string, signal?: AbortSignal): Promise<Session> {
	const held = new HeldLines(bytesOnDisk(path));
	const lines = new ParsedLines();
	let isPresent = false;
	let entries = 0;
	const hold = (line: FileLine, value: RawEntry): RawEntry | undefined => {
		if (lines.count === 1) isPresent = headerIn(value) !== undefined;
		const message = isPresent && line.whole && line.utf8 ? checkedMessage(held, line, value, entries) : undefined;
		if (value.type !== "session") entries += 1;
		// A held message has the fields of an entry, as getters.
		return message as RawEntry | undefined;
	};
	const timeSlice = new TimeSlice(signal);
	const read = await readLines(path, timeSlice, (line) => lines.add(line, hold), signal);
	const session = await timeSlice.run(lines.finish(path, read));
	noteHeld(session, held, true);
	return session;
}

function checkedMessage(held: HeldLines, line: FileLine, value: RawEntry, index: number): HeldMessage | undefined {
	const { bytes, start, end, offset } = line;
	const message = heldMessage(held, bytes, [start, end], { offset, index, before: "" });
	return message !== undefined && isAsTaken(message, value) ? message : undefined;
}
