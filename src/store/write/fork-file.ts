import { existsSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../files/store-error.ts";
import { assertValidSessionId, newSessionId, sessionFileName } from "../format/new-entry.ts";
import { CURRENT_SESSION_VERSION } from "../format/raw-entry.ts";
import type { FileEntry, SessionHeader } from "../format/schema.ts";
import { type LoadedFile, loadOutline } from "../read/load-file.ts";
import { copiedLines, lineOf } from "./entry-text.ts";
import { makeDirectory, modeOfCopy, writeNewFile } from "./new-file.ts";

/**
 * Copies a session with all its branches into a new file in `dir` for the project `cwd` (all paths absolute), and
 * returns the new file's path. Entries keep their text; those of an old version are migrated on the way; lines without an
 * entry are left out. The source is never written to. Throws a `StoreError`; nothing is left behind then. `id`: of the new
 * session.
 */
export function forkFile(
	sourcePath: string,
	cwd: string,
	dir: string,
	{ id }: { readonly id?: string | undefined } = {},
): string {
	if (id !== undefined) assertValidSessionId(id);
	const loaded = existsSync(sourcePath) ? loadOutline(sourcePath) : undefined;
	if (loaded === undefined) {
		const message = `Cannot fork: source session file is empty or does not exist: ${sourcePath}.`;
		throw new StoreError(sourcePath, "not-a-session", message);
	}
	const header: SessionHeader = {
		type: "session",
		// Entries of a newer version are copied as they are, so the new file has that version too.
		version: Math.max(CURRENT_SESSION_VERSION, loaded.migration.from),
		id: id ?? newSessionId(),
		timestamp: new Date().toISOString(),
		cwd,
		parentSession: sourcePath,
	};
	const target = join(dir, sessionFileName(header.timestamp, header.id));
	makeDirectory(dir);
	const mode = modeOfCopy(sourcePath);
	writeNewFile(target, forkedLines(sourcePath, header, loaded), "fork the session", { mode });
	return target;
}

export function* forkedLines(
	sourcePath: string,
	header: SessionHeader,
	{ entries, spans, migration, ids, isOutline }: LoadedFile,
): Generator<string | Uint8Array> {
	yield lineOf(header);
	const copies = entries.flatMap((entry: FileEntry) => (entry.type === "session" ? [] : [{ entry, original: entry }]));
	yield* copiedLines({ path: sourcePath, spans, ids, isOutdated: migration.isOutdated, isOutline }, copies);
}
