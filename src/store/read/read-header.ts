import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expandPath, resolvePath } from "../files/paths.ts";
import { DiagnosticList } from "../format/diagnostic-list.ts";
import { isObject, parseLine, type RawEntry } from "../format/parse.ts";
import { readLinesSync } from "./load-file.ts";

/** So far a header is looked for, in bytes; as in pi. */
const MAX_HEADER_BYTES = 1024 * 1024;

/** Bytes that are read at a time: a header fits in most cases. */
const CHUNK_BYTES = 4096;

/**
 * The header of a session file, read without the rest of it. Undefined when the file cannot be read, or its first
 * entry is no header with an `id`, or the header is not within the first MiB.
 */
export function readHeader(path: string): (RawEntry & { id: string }) | undefined {
	const diagnostics = new DiagnosticList();
	let first: RawEntry | undefined;
	const onLine = (line: Parameters<typeof parseLine>[0]): boolean => {
		first = parseLine(line, diagnostics);
		return first === undefined;
	};
	try {
		readLinesSync(path, onLine, { chunkBytes: CHUNK_BYTES, maxBytes: MAX_HEADER_BYTES });
	} catch {
		// Looking for a session among others: a file that cannot be read is not the one. Opening it tells why not.
		return undefined;
	}
	return isObject(first) && first.type === "session" && typeof first.id === "string"
		? { ...first, id: first.id }
		: undefined;
}

/** Whether the header's `cwd` is this (absolute) directory. */
export function cwdMatches(cwd: unknown, resolvedCwd: string): boolean {
	return typeof cwd === "string" && cwd !== "" && resolvePath(cwd) === resolvedCwd;
}

/**
 * The most recently written session file of a directory (with a `cwd`: of that project), or null. A file that cannot
 * be looked at does not hide the others.
 */
export function findMostRecentSession(sessionDir: string, cwd?: string): string | null {
	const resolvedCwd = cwd ? resolvePath(cwd) : undefined;
	const files = sessionFiles(expandPath(sessionDir)).map((path) => ({ path, modified: modifiedAt(path) }));
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

function modifiedAt(path: string): number {
	try {
		return statSync(path).mtimeMs;
	} catch {
		// A dangling or circular link, or deleted since: it comes last, and has no header that could be read.
		return 0;
	}
}

/** The `.jsonl` files directly in a directory; none when it cannot be read. */
function sessionFiles(dir: string): string[] {
	try {
		return readdirSync(dir)
			.filter((name) => name.endsWith(".jsonl"))
			.map((name) => join(dir, name));
	} catch {
		// As in pi, a directory that is not there (yet) has no sessions.
		return [];
	}
}
