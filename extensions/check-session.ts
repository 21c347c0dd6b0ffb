import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from "node:fs";

/** A header is the first entry; where none is found in so many bytes, there is none. */
const LONGEST_SEARCH = 32 * 1024 * 1024;

const CHUNK = 64 * 1024;

/**
 * Why pi cannot open this session; undefined where it can. pi ends itself when it cannot (pi 0.87.1 to 1.5.2,
 * `handleFatalRuntimeError`), also for a file that it may not write: it completes a torn last line and rewrites old versions.
 */
export function whyNotOpened(path: string): string | undefined {
	try {
		const stats = statSync(path);
		if (!stats.isFile()) return "it is not a regular file";
		if (stats.size === 0) return "it is empty";
		accessSync(path, constants.R_OK | constants.W_OK);
		return hasHeader(path) ? undefined : "it does not begin with the header of a session";
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOENT" || code === "ENOTDIR") return "it is not there any more";
		if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "pi may not read and write it";
		return error instanceof Error ? error.message : String(error);
	}
}

/** Whether both are the same file, under whatever names. */
export function isSameFile(one: string, other: string): boolean {
	try {
		return realpathSync(one) === realpathSync(other);
	} catch {
		return one === other;
	}
}

/** Whether the first line that pi can read is a header with an id, as pi asks for. */
function hasHeader(path: string): boolean {
	const file = openSync(path, "r");
	try {
		// pi takes a byte order mark for a part of the line, which is no JSON then.
		const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
		const chunk = Buffer.alloc(CHUNK);
		let pending = "";
		for (let read = 0; read < LONGEST_SEARCH; ) {
			const count = readSync(file, chunk, 0, CHUNK, null);
			read += count;
			pending += decoder.decode(chunk.subarray(0, count), { stream: count > 0 });
			const lines = pending.split("\n");
			if (count > 0) pending = lines.pop() ?? "";
			for (const line of lines) {
				const entry = parseLine(line);
				if (entry !== undefined) return entry.type === "session" && typeof entry.id === "string";
			}
			if (count === 0) return false;
		}
		return false;
	} finally {
		closeSync(file);
	}
}

/** The entry of a line; undefined for a blank one, and one that is not JSON, which pi skips. */
function parseLine(line: string): { readonly type?: unknown; readonly id?: unknown } | undefined {
	try {
		const value: unknown = JSON.parse(line);
		if (!value) return undefined;
		return typeof value === "object" ? value : {};
	} catch {
		return undefined;
	}
}
