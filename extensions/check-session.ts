import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from "node:fs";

/** Bytes that are searched for the header, which is the first entry. */
const MAX_SEARCHED = 32 * 1024 * 1024;

const CHUNK = 64 * 1024;

/**
 * Why pi cannot open this session; undefined if it can. pi exits if it cannot (0.87.1 to 1.5.2, `handleFatalRuntimeError`),
 * even for a file that it may not write: it completes a torn last line and rewrites old versions.
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
		if (code === "ENOENT" || code === "ENOTDIR") return "it no longer exists";
		if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "pi may not read and write it";
		return error instanceof Error ? error.message : String(error);
	}
}

/** Whether two paths lead to the same file. */
export function isSameFile(one: string, other: string): boolean {
	try {
		return realpathSync(one) === realpathSync(other);
	} catch {
		return one === other;
	}
}

/** Whether the first line that pi can parse is a header with an id, which pi requires. */
function hasHeader(path: string): boolean {
	const file = openSync(path, "r");
	try {
		// pi does not strip a byte order mark, so the line is not JSON.
		const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
		const chunk = Buffer.alloc(CHUNK);
		let pending = "";
		for (let read = 0; read < MAX_SEARCHED; ) {
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

/** The entry of a line; undefined for lines that pi skips: blank ones, and those that are not JSON. */
function parseLine(line: string): { readonly type?: unknown; readonly id?: unknown } | undefined {
	try {
		const value: unknown = JSON.parse(line);
		if (!value) return undefined;
		return typeof value === "object" ? value : {};
	} catch {
		return undefined;
	}
}
