import { runToEnd } from "../../shared/steps.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { readLinesSteps } from "../../store/read/line-reader.ts";
import { parseObject } from "./parse-object.ts";

/** The positions of a session's last name, and of the last label of each entry: earlier ones are no longer its texts. */
export interface LastTexts {
	/** Offset of the line from which the file was read. */
	readonly from: number;
	/** Offset of the last line that sets or clears the name. */
	readonly name: number | undefined;
	/** Offset of the last line that sets or removes a label, by the id of the labeled entry. */
	readonly labels: ReadonlyMap<unknown, number>;
}

/** Reads the names and labels that a file sets from the line at `from` on. */
export function readLastTexts(fd: number, from: number): LastTexts {
	let name: number | undefined;
	const labels = new Map<unknown, number>();
	buffer ??= Buffer.allocUnsafe(BUFFER_BYTES);
	runToEnd(
		readLinesSteps(fd, {
			from,
			buffer,
			wanted: mayBeText,
			onLine(line) {
				const bytes = line.bytes.subarray(line.start, line.end);
				const entry = mayBeText(bytes) ? parseObject(line) : undefined;
				if (entry?.type === "session_info") name = line.offset;
				else if (entry?.type === "label") labels.set(entry.targetId, line.offset);
				return true;
			},
		}),
	);
	return { from, name, labels };
}

/** Whether the session still has the text of a line at or after `from`: always, except for replaced names and labels. */
export function isLast(last: LastTexts, entry: RawEntry, offset: number): boolean {
	if (entry.type === "session_info") return last.name === offset;
	return entry.type !== "label" || last.labels.get(entry.targetId) === offset;
}

/** Reused for all files; those that are searched for names or labels are read to their end. */
let buffer: Buffer | undefined;
const BUFFER_BYTES = 256 * 1024;

/** The beginning of nearly all lines, in pi's own key order. */
const MESSAGE = Buffer.from('{"type":"message"');

function mayBeText(line: Buffer): boolean {
	if (line.subarray(0, MESSAGE.length).equals(MESSAGE)) return false;
	return line.includes('"label"') || line.includes('"session_info"');
}
