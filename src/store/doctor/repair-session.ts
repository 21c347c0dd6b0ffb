import { dirname, join } from "../../shared/paths.ts";
import { type FileSystem, realFileSystem } from "../files/file-system.ts";
import { cannot } from "../files/store-error.ts";
import { sessionFileName } from "../format/new-entry.ts";
import { timeOf } from "../format/raw-entry.ts";
import { lineOf } from "../write/entry-text.ts";
import { makeDirectory, modeOfCopy, writeNewFile } from "../write/new-file.ts";
import { type RepairedSession, rebuildSession, type Sentences } from "./rebuild-session.ts";
import { type SessionInFile, sessionsInFile } from "./sessions-in-file.ts";

export interface PlannedCopy {
	readonly entries: number;
	/** Lines of the damaged file that were left out. */
	readonly dropped: Sentences;
	readonly changes: Sentences;
}

export interface RepairedCopy extends PlannedCopy {
	readonly path: string;
}

/** A valid time for the file name: the damaged header may say anything, and must not get into a path unchecked. */
function timeInName(timestamp: unknown, now: Date): string {
	const time = timeOf(timestamp);
	return new Date(Number.isNaN(time) ? now : time).toISOString();
}

/** What `repairSession` would write: a copy for each session in the file. Writes nothing. Throws a `StoreError`. */
export function planRepair(path: string, now = new Date()): readonly PlannedCopy[] {
	return sessionsInFile(path)
		.filter(hasEntries)
		.map((session) => planned(rebuildSession(session, path, now)));
}

/**
 * Writes a repaired copy of each session in a damaged file into `dir`, which is made if need be; never over a file, and each
 * with an id of its own. The damaged file is only read. A session without entries gets no copy.
 * Throws a `StoreError`; copies that were made before stay, whole.
 */
export function repairSession(
	path: string,
	dir: string,
	now = new Date(),
	fs: FileSystem = realFileSystem,
): readonly RepairedCopy[] {
	const mode = modeOfCopy(path);
	const sessions = sessionsInFile(path).filter(hasEntries);
	if (sessions.length === 0) return [];
	// For this user alone, as the sessions are.
	makeDirectory(dir, "make the directory for the copies", 0o700);
	return sessions.map((session) => writeCopy(rebuildSession(session, path, now), dir, { now, mode, fs }));
}

/**
 * Writes a repaired copy of one of the sessions in a damaged file beside it; `index`: as in `planRepair`. The copy's header has
 * the present time, by which it is found after a crash. Throws a `StoreError`; then nothing was made.
 */
export function repairBeside(
	path: string,
	index: number,
	now = new Date(),
	fs: FileSystem = realFileSystem,
): RepairedCopy {
	const session = sessionsInFile(path).filter(hasEntries)[index];
	if (session === undefined) throw cannot("repair the session", path, "changed", "the file has changed since");
	const repaired = rebuildSession(session, path, now);
	const [header] = repaired.lines;
	if (header !== undefined) header.timestamp = now.toISOString();
	return writeCopy(repaired, dirname(path), { now, mode: modeOfCopy(path), fs });
}

function writeCopy(
	repaired: RepairedSession,
	dir: string,
	{ now, mode, fs }: { readonly now: Date; readonly mode: ReturnType<typeof modeOfCopy>; readonly fs: FileSystem },
): RepairedCopy {
	const [header] = repaired.lines;
	const path = join(dir, sessionFileName(timeInName(header?.timestamp, now), String(header?.id)));
	writeNewFile(path, repaired.lines.values().map(lineOf), "write the repaired copy", { mode, fs });
	return { path, ...planned(repaired) };
}

function hasEntries({ entries }: SessionInFile): boolean {
	return entries.length > 0;
}

function planned({ lines, dropped, changes }: RepairedSession): PlannedCopy {
	return { entries: lines.length - 1, dropped, changes };
}
