import { existsSync } from "node:fs";
import { dirname, join } from "../../shared/paths.ts";
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
	const sessionId = id ?? newSessionId();
	const timestamp = new Date().toISOString();
	const target = join(dir, sessionFileName(timestamp, sessionId));
	const header = { id: sessionId, timestamp, cwd, parentSession: sourcePath };
	copySession({ path: sourcePath, loaded }, target, header, "fork the session");
	return target;
}

/** A session whose entries are copied: the path of its file, and what was loaded from that. */
interface LoadedSource {
	readonly path: string;
	readonly loaded: LoadedFile;
}

/** Makes a new session of all entries of another one, and its directory; returns its size in bytes. Throws a `StoreError`. */
export function copySession(
	{ path, loaded }: LoadedSource,
	target: string,
	fields: Omit<SessionHeader, "type" | "version">,
	what: string,
): number {
	const { entries, spans, migration, ids, isOutline } = loaded;
	// Entries of a newer version are copied as they are, so the new file has that version too.
	const version = Math.max(CURRENT_SESSION_VERSION, migration.from);
	const copies = entries.flatMap((entry: FileEntry) => (entry.type === "session" ? [] : [{ entry, original: entry }]));
	const source = { path, spans, ids, isOutdated: migration.isOutdated, isOutline };
	function* lines(): Generator<string | Uint8Array> {
		yield lineOf({ type: "session", version, ...fields });
		yield* copiedLines(source, copies);
	}
	makeDirectory(dirname(target));
	return writeNewFile(target, lines(), what, { mode: modeOfCopy(path) });
}
