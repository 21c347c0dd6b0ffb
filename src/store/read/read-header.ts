import { readdirSync, statSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import { expandPath, join, projectKey, resolvePath } from "../../shared/paths.ts";
import { withFile } from "../files/open-file.ts";
import { DiagnosticList } from "../format/diagnostic.ts";
import { parseLine } from "../format/parse.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import { type FileLine, rawLine, readLinesUntil } from "./line-reader.ts";

/** A header is searched for within this many bytes, as in pi. */
const MAX_HEADER_BYTES = 1024 * 1024;

/** Bytes read at a time; most headers fit. */
const CHUNK_BYTES = 4096;

/**
 * The header of a session file, read without the rest of it. Undefined if the file cannot be read, its first
 * entry is not a header with an `id`, or the header is not within the first MiB.
 */
export function readHeader(path: string): (RawEntry & { id: string }) | undefined {
	// In a search for a session, a file that cannot be read does not match; opening it reports the reason.
	return attempt(() => withFile(path, headerIn));
}

function headerIn(fd: number): (RawEntry & { id: string }) | undefined {
	const diagnostics = new DiagnosticList();
	let first: RawEntry | undefined;
	let number = 0;
	const onLine = (line: FileLine): boolean => {
		number += 1;
		first = parseLine(rawLine(line, number), diagnostics);
		return first === undefined;
	};
	readLinesUntil(fd, { to: MAX_HEADER_BYTES, buffer: Buffer.allocUnsafe(CHUNK_BYTES), onLine });
	return first?.type === "session" && typeof first.id === "string" ? { ...first, id: first.id } : undefined;
}

/** Whether the header's `cwd` is this (absolute) directory. */
export function cwdMatches(cwd: unknown, resolvedCwd: string): boolean {
	return typeof cwd === "string" && cwd !== "" && projectKey(resolvePath(cwd)) === projectKey(resolvedCwd);
}

/**
 * The most recently written session file of a directory, with a `cwd` only of that project, or null. A file that
 * cannot be read does not hide the others.
 */
export function findMostRecentSession(sessionDir: string, cwd?: string): string | null {
	const resolvedCwd = cwd ? resolvePath(cwd) : undefined;
	const files = sessionFiles(expandPath(sessionDir)).map((path) => {
		// A broken or circular link, or one deleted since, comes last; its header cannot be read.
		return { path, modified: attempt(() => statSync(path).mtimeMs) ?? 0 };
	});
	files.sort((a, b) => b.modified - a.modified);
	for (const { path } of files) {
		const header = readHeader(path);
		if (header && (!resolvedCwd || cwdMatches(header.cwd, resolvedCwd))) return path;
	}
	return null;
}

/** The file of the session with exactly this id, or undefined; `cwd` as for `findMostRecentSession`. */
export function findSessionById(sessionDir: string, id: string, cwd?: string): string | undefined {
	const resolvedCwd = cwd ? resolvePath(cwd) : undefined;
	return sessionFiles(expandPath(sessionDir)).find((path) => {
		const header = readHeader(path);
		return header?.id === id && (!resolvedCwd || cwdMatches(header.cwd, resolvedCwd));
	});
}

/** The `.jsonl` files directly in a directory. As in pi, a directory that does not exist (yet) has no sessions. */
function sessionFiles(dir: string): string[] {
	const names = attempt(() => readdirSync(dir)) ?? [];
	return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(dir, name));
}
