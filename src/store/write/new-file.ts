import { constants, mkdirSync, statSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import { dirname } from "../../shared/paths.ts";
import { type FileSystem, READ_FLAGS, realFileSystem } from "../files/file-system.ts";
import { NO_LINKS, removeStaleTemporaries, temporaryName } from "../files/move-file.ts";
import { cannot, errorCode, explain, StoreError, storeError } from "../files/store-error.ts";

/** Bytes collected per write. */
const BATCH_BYTES = 256 * 1024;

/**
 * Makes a new file of whole lines (each with its `\n`) atomically: it is written and synced under a temporary name in
 * the same directory and then gets its own. Never replaces a file. `what` is for error messages: "create the session".
 * `mode`: of the file that it is made from; by default the process's umask decides, as in pi.
 * Returns the size in bytes. Throws a `StoreError`; nothing is left behind then.
 */
export function writeNewFile(
	path: string,
	lines: Iterable<string | Uint8Array>,
	what: string,
	{ mode, fs = realFileSystem }: { readonly mode?: number | undefined; readonly fs?: FileSystem } = {},
): number {
	return writeInPlace(path, lines, mode, what, (temporary) => giveName(temporary, path, fs), fs);
}

/**
 * Replaces the content of a file atomically; its mode stays. `check` runs just before and throws if the file must not
 * be replaced. Returns the new size in bytes. Throws a `StoreError`; the file is then as it was.
 */
export function replaceFile(
	path: string,
	lines: Iterable<string | Uint8Array>,
	mode: number,
	what: string,
	check: () => void,
	fs: FileSystem = realFileSystem,
): number {
	const replace = (temporary: string): void => {
		check();
		fs.rename(temporary, path);
	};
	return writeInPlace(path, lines, mode, what, replace, fs);
}

/** The mode of a copy of a session: who may read it stays the same, and its owner may write to it. */
export function modeOfCopy(source: string): number {
	try {
		return statSync(source).mode | 0o600;
	} catch (error) {
		throw storeError(source, "copy from the session", error);
	}
}

/**
 * Makes a directory for sessions, and those above it. Throws a `StoreError`, whose reason names the directory: the sentence that it
 * becomes a part of names another path, that of the session.
 */
export function makeDirectory(dir: string, what = "make the session directory", mode?: number): void {
	try {
		mkdirSync(dir, { recursive: true, ...(mode !== undefined && { mode }) });
	} catch (error) {
		const code = errorCode(error);
		const hint = code === "ENAMETOOLONG" ? `; ${SHORTER}` : "";
		const { message } = cannot(what, dir, code, `${explain(error)}${hint}`);
		const reason = `the directory for it cannot be made: ${explain(error)}${hint}. Path: ${dir}`;
		throw new StoreError(dir, code, message, error, reason);
	}
}

/** pi names a directory of sessions after the path of their project: up to 255 bytes on nearly all file systems. */
const SHORTER =
	"it is made from the path of the project: use a directory with a shorter path, or another --session-dir";

/** Writes a temporary file and has `putInPlace` rename it; on failure, nothing is left behind. */
function writeInPlace(
	path: string,
	lines: Iterable<string | Uint8Array>,
	mode: number | undefined,
	what: string,
	putInPlace: (temporary: string) => void,
	fs: FileSystem,
): number {
	const temporary = temporaryName(path);
	try {
		const size = writeTemporary(temporary, lines, mode, fs);
		try {
			putInPlace(temporary);
		} catch (error) {
			fs.unlink(temporary);
			throw error;
		}
		syncDirectory(dirname(path), fs);
		removeStaleTemporaries(dirname(path));
		return size;
	} catch (error) {
		throw storeError(path, what, error);
	}
}

function writeTemporary(
	temporary: string,
	lines: Iterable<string | Uint8Array>,
	mode: number | undefined,
	fs: FileSystem,
): number {
	// Never more open than the final mode, not even while empty: a process that has it open can read it later.
	const fd = fs.open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, (mode ?? 0o666) & 0o777);
	try {
		if (mode !== undefined) fs.chmod(fd, mode & 0o777);
		let size = 0;
		for (const batch of batches(lines)) {
			for (let written = 0; written < batch.length; ) written += fs.write(fd, batch.subarray(written));
			size += batch.length;
		}
		fs.sync(fd);
		fs.close(fd);
		return size;
	} catch (error) {
		closeAndRemove(fd, temporary, fs);
		throw error;
	}
}

function closeAndRemove(fd: number, path: string, fs: FileSystem): void {
	try {
		fs.close(fd);
	} catch (error) {
		// EBADF: the close itself had failed.
		if (errorCode(error) !== "EBADF") throw error;
	} finally {
		fs.unlink(path);
	}
}

function giveName(temporary: string, path: string, fs: FileSystem): void {
	try {
		fs.link(temporary, path);
	} catch (error) {
		const code = errorCode(error);
		if ((!NO_LINKS.has(code) && code !== "EXDEV") || fs.exists(path)) throw error;
		// The name contains a new UUID: nobody makes that file between the check and the rename.
		fs.rename(temporary, path);
		return;
	}
	// The file is complete and has its name; a hidden second name that remains is not a failure.
	attempt(() => fs.unlink(temporary));
}

function syncDirectory(dir: string, fs: FileSystem): void {
	// Windows cannot open directories, and some file systems cannot sync them. The content is synced; only the new
	// name could be lost, in a power failure within the next seconds.
	attempt(() => {
		const fd = fs.open(dir, READ_FLAGS);
		try {
			fs.sync(fd);
		} finally {
			fs.close(fd);
		}
	});
}

function* batches(lines: Iterable<string | Uint8Array>): Generator<Uint8Array> {
	let parts: Uint8Array[] = [];
	let length = 0;
	for (const line of lines) {
		const bytes = typeof line === "string" ? Buffer.from(line) : line;
		parts.push(bytes);
		length += bytes.length;
		if (length < BATCH_BYTES) continue;
		yield Buffer.concat(parts, length);
		parts = [];
		length = 0;
	}
	if (length > 0) yield Buffer.concat(parts, length);
}
