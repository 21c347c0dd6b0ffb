import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FileSystem, realFileSystem } from "../files/file-system.ts";
import { StoreError, storeError } from "../files/store-error.ts";
import { sessionFileName } from "../format/ids.ts";
import { timeOf } from "../format/time.ts";
import { lineOf } from "../write/entry-text.ts";
import { modeOfCopy, writeNewFile } from "../write/new-file.ts";
import { type Part, readParts } from "./read-parts.ts";
import { type RepairedPart, repairPart } from "./repair-part.ts";
import type { Told } from "./told.ts";

/** What a repaired copy of a session has. */
export interface PlannedCopy {
	/** How many it has. */
	readonly entries: number;
	/** Lines of the damaged file that are not in it. */
	readonly dropped: Told;
	/** What is not as it was. */
	readonly changes: Told;
}

/** A repaired copy that was written. */
export interface RepairedCopy extends PlannedCopy {
	/** Of the new file. */
	readonly path: string;
}

/** What the damaged file says may be anything, and must not become a part of a path as it is. */
function timeInName(timestamp: unknown, now: Date): string {
	const time = timeOf(timestamp);
	return new Date(Number.isNaN(time) ? now : time).toISOString();
}

/** What `repairSession` would write now: a copy for each session in the file. Nothing is written. Throws a `StoreError`. */
export function planRepair(path: string, now = new Date()): readonly PlannedCopy[] {
	return readParts(path)
		.filter(hasEntries)
		.map((part) => planned(repairPart(part, path, now)));
}

/**
 * Writes a repaired copy of each session in a damaged file into `dir`, which is made if need be: never over a file, and each
 * under an id of its own. The damaged file is only read. A part without entries gets no copy.
 * Throws a `StoreError`; copies that were made before stay, whole.
 */
export function repairSession(
	path: string,
	dir: string,
	now = new Date(),
	fs: FileSystem = realFileSystem,
): readonly RepairedCopy[] {
	const mode = modeOfCopy(path);
	const parts = readParts(path).filter(hasEntries);
	if (parts.length === 0) return [];
	try {
		// For this person alone, as the sessions are.
		mkdirSync(dir, { recursive: true, mode: 0o700 });
	} catch (error) {
		throw storeError(dir, "make the directory for the copies", error);
	}
	return parts.map((part) => writeCopy(repairPart(part, path, now), dir, { now, mode, fs }));
}

/**
 * Writes a repaired copy of one of the sessions in a damaged file beside it, as `planRepair` has them, from 0. Its header says
 * that it was made now, by which it is found after a crash. Throws a `StoreError`; then nothing was made.
 */
export function repairBeside(
	path: string,
	index: number,
	now = new Date(),
	fs: FileSystem = realFileSystem,
): RepairedCopy {
	const part = readParts(path).filter(hasEntries)[index];
	if (part === undefined)
		throw new StoreError(path, "changed", `Cannot repair the session: it was changed meanwhile. Path: ${path}`);
	const repaired = repairPart(part, path, now);
	const [header] = repaired.lines;
	if (header !== undefined) header.timestamp = now.toISOString();
	return writeCopy(repaired, dirname(path), { now, mode: modeOfCopy(path), fs });
}

function writeCopy(
	repaired: RepairedPart,
	dir: string,
	{ now, mode, fs }: { readonly now: Date; readonly mode: ReturnType<typeof modeOfCopy>; readonly fs: FileSystem },
): RepairedCopy {
	const [header] = repaired.lines;
	const path = join(dir, sessionFileName(timeInName(header?.timestamp, now), String(header?.id)));
	writeNewFile(path, repaired.lines.values().map(lineOf), "write the repaired copy", { mode, fs });
	return { path, ...planned(repaired) };
}

function hasEntries({ entries }: Part): boolean {
	return entries.length > 0;
}

function planned({ lines, dropped, changes }: RepairedPart): PlannedCopy {
	return { entries: lines.length - 1, dropped, changes };
}
