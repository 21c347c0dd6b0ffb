import { runToEnd } from "../../shared/steps.ts";
import type { RawEntry } from "../../store/format/parse.ts";
import { readLinesSteps } from "../../store/read/line-reader.ts";
import { parseObject } from "./parse-object.ts";

/** Where the last name of a session stands, and the last label of each entry: those before are not its texts any more. */
export interface LastTexts {
	/** The line from which on the file was read. */
	readonly from: number;
	/** Offset of the last line that names the session or takes its name. */
	readonly name: number | undefined;
	/** Offset of the last line that sets or takes a label, by the id that it names. */
	readonly labels: ReadonlyMap<unknown, number>;
}

/** Reads what names and labels a file sets from the line at `from` on. */
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

/** Whether the text of a line at or after `from` is one that the session still has. Always so but for names and labels. */
export function isLast(last: LastTexts, entry: RawEntry, offset: number): boolean {
	if (entry.type === "session_info") return last.name === offset;
	return entry.type !== "label" || last.labels.get(entry.targetId) === offset;
}

/** Kept from file to file; files that are searched for names or labels are read to their end. */
let buffer: Buffer | undefined;
const BUFFER_BYTES = 256 * 1024;

/** How nearly all lines begin, in pi's own key order. */
const MESSAGE = Buffer.from('{"type":"message"');

function mayBeText(line: Buffer): boolean {
	if (line.subarray(0, MESSAGE.length).equals(MESSAGE)) return false;
	return line.includes('"label"') || line.includes('"session_info"');
}
