import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { storeError } from "../files/store-error.ts";
import { sessionFileName } from "../format/ids.ts";
import { timeOf } from "../format/time.ts";
import { lineOf } from "../write/entry-text.ts";
import { modeOfCopy, writeNewFile } from "../write/new-file.ts";
import { type DroppedLine, readParts } from "./read-parts.ts";
import { repairPart } from "./repair-part.ts";

/** A repaired copy of a session. */
export interface RepairedCopy {
	/** Of the new file. */
	readonly path: string;
	/** How many it has. */
	readonly entries: number;
	/** Lines of the damaged file that are not in it. */
	readonly dropped: readonly DroppedLine[];
	/** What is not as it was, a sentence each. */
	readonly changes: readonly string[];
}

/** What the damaged file says may be anything, and must not become a part of a path as it is. */
function timeInName(timestamp: unknown, now: Date): string {
	const time = timeOf(timestamp);
	return new Date(Number.isNaN(time) ? now : time).toISOString();
}

/**
 * Writes a repaired copy of each session in a damaged file into `dir`, which is made if need be: never over a file, and each
 * under an id of its own. The damaged file is only read. A part without entries gets no copy.
 * Throws a `StoreError`; copies that were made before stay, whole.
 */
export function repairSession(path: string, dir: string, now = new Date()): readonly RepairedCopy[] {
	const mode = modeOfCopy(path);
	const parts = readParts(path).filter(({ entries }) => entries.length > 0);
	try {
		mkdirSync(dir, { recursive: true });
	} catch (error) {
		throw storeError(dir, "make the directory for the copies", error);
	}
	return parts.map((part) => {
		const { lines, dropped, changes } = repairPart(part, path, now);
		const [header] = lines;
		const copy = join(dir, sessionFileName(timeInName(header?.timestamp, now), String(header?.id)));
		writeNewFile(copy, lines.values().map(lineOf), "write the repaired copy", { mode });
		return { path: copy, entries: lines.length - 1, dropped, changes };
	});
}
