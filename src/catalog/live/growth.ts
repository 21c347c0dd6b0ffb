import { attempt } from "../../shared/attempt.ts";
import { isObject } from "../../shared/json.ts";
import type { FileStamp } from "../../store/files/file-system.ts";
import { readBytes, withFile } from "../../store/files/open-file.ts";
import { parseJson } from "../../store/format/parse.ts";
import { isOwnMark } from "../../store/format/raw-entry.ts";

export interface GrownFile {
	readonly path: string;
	readonly cwd: string;
	/** Its previous size, if it is unchanged or was only appended to; undefined if it is new or another file. */
	readonly from: number | undefined;
	readonly stamp: FileStamp;
}

/** Larger additions are not bookkeeping. In bytes. */
const MOST_BYTES = 64 * 1024;

/** What another window of pi-grove appends, besides its own marks. */
const OWN_TYPES = new Set(["session_info", "label"]);

/**
 * Whether the bytes that were appended to a session, from an offset to another, are more than names, labels and marks:
 * another window of this program writes those too, so they do not show that a pi has the session.
 */
export function isMoreThanMarks(path: string, from: number, to: number): boolean {
	if (to - from > MOST_BYTES) return true;
	// Nothing was appended to a file that was deleted or replaced meanwhile.
	const appended = attempt(() => withFile(path, (fd) => readBytes(fd, from, to - from).toString())) ?? "";
	// A line that is not JSON is still being written, which takes longer than for a line of bookkeeping.
	return appended.split("\n").some((line) => line.trim() !== "" && !isOwn(parseJson(line)));
}

function isOwn(entry: unknown): boolean {
	return isOwnMark(entry) || (isObject(entry) && typeof entry.type === "string" && OWN_TYPES.has(entry.type));
}
