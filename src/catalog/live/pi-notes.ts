import { join } from "node:path";
import { readNotes } from "./process-notes.ts";

/** What the extension in a running pi says of it (`extensions/note-session.ts`). */
export interface PiNote {
	readonly pid: number;
	/** When the pi was started, Unix ms. */
	readonly startedMs: number;
	/** Path of the session that it has open, whether or not the file is there yet; undefined where it keeps none. */
	readonly path: string | undefined;
}

/** What running pis say of themselves, in `<stateDir>/open-in-pi`. */
export function readPiNotes(stateDir: string): PiNote[] {
	return readNotes(join(stateDir, "open-in-pi")).flatMap(({ pid, startedMs, path }) =>
		typeof path === "string" || path === null ? [{ pid, startedMs, path: path ?? undefined }] : [],
	);
}
