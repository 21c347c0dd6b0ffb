import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { runSteps, type Steps } from "../../shared/steps.ts";
import { StoreError, storeError } from "../files/store-error.ts";
import { assertValidSessionId, newSessionId, sessionFileName } from "../format/ids.ts";
import { CURRENT_SESSION_VERSION } from "../format/known-types.ts";
import type { FileEntry, SessionHeader } from "../format/schema.ts";
import { type LoadedFile, loadFile } from "../read/load-file.ts";
import { copiedLines, lineOf } from "./entry-text.ts";
import { newFileSteps } from "./new-file.ts";

/**
 * Copies a session, all its branches, into a new file in `dir` for the project `cwd` (all paths absolute), and returns
 * the new file's path. Entries are copied as they are written; those of an old version are migrated on the way; lines
 * that hold no entry stay behind in the source, which is not touched.
 * Throws a `StoreError`; nothing is left behind then.
 */
export function forkFile(sourcePath: string, cwd: string, dir: string, id?: string): string {
	return runSteps(forkSteps(sourcePath, existsSync(sourcePath) ? loadFile(sourcePath) : undefined, cwd, dir, id));
}

/** The same in steps, for a source that was loaded already (undefined: it is empty or not there). */
export function* forkSteps(
	sourcePath: string,
	loaded: LoadedFile | undefined,
	cwd: string,
	dir: string,
	id?: string,
): Steps<string> {
	if (id !== undefined) assertValidSessionId(id);
	if (loaded === undefined) throw new StoreError(sourcePath, "not-a-session", nothingToFork(sourcePath));
	const header: SessionHeader = {
		type: "session",
		// Entries of a newer version are copied as they are, so the new file is of that version too.
		version: Math.max(CURRENT_SESSION_VERSION, loaded.migration.from),
		id: id ?? newSessionId(),
		timestamp: new Date().toISOString(),
		cwd,
		parentSession: sourcePath,
	};
	const copies = loaded.entries.flatMap((entry: FileEntry) =>
		entry.type === "session" ? [] : [{ entry, original: entry }],
	);
	const target = join(dir, sessionFileName(header.timestamp, header.id));
	try {
		mkdirSync(dir, { recursive: true });
	} catch (error) {
		throw storeError(dir, "make the session directory", error);
	}
	const lines = function* () {
		yield lineOf(header);
		yield* copiedLines(sourcePath, copies, loaded.spans, loaded.migration.changed);
	};
	yield* newFileSteps(target, lines(), `fork the session ${sourcePath} to`);
	return target;
}

function nothingToFork(path: string): string {
	return `Cannot fork: source session file is empty or does not exist: ${path}.`;
}
