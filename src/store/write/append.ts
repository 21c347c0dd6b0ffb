import { constants } from "node:fs";
import { type FileSystem, realFileSystem } from "../files/file-system.ts";
import { requireRegular } from "../files/open-file.ts";
import { StoreError, storeError } from "../files/store-error.ts";

const NEWLINE = 0x0a;

/**
 * Appends whole lines to a session file with one write, after a `\n` if the file does not end in one. Existing bytes
 * are never overwritten. When the write fails halfway, the part that was written is removed again.
 * Throws a `StoreError`; the file is then as it was. `minimumSize`: a shorter file was replaced by another program.
 * Returns the file's size in bytes after the write, without what other programs append meanwhile.
 */
export function appendLines(
	path: string,
	lines: readonly string[],
	minimumSize = 0,
	fs: FileSystem = realFileSystem,
): number {
	if (lines.length === 0) throw new Error(`Nothing to append to ${path}.`);
	try {
		// Without O_CREAT: if the file was deleted meanwhile, a new one with only these lines would not be a session.
		const fd = fs.open(path, constants.O_RDWR | constants.O_APPEND | (constants.O_NONBLOCK ?? 0));
		try {
			const { size, mode } = fs.stat(fd);
			requireRegular(path, mode, "append to the session");
			if (size < minimumSize) throw new StoreError(path, "changed", changedMessage(path));
			const text = `${lines.join("\n")}\n`;
			const bytes = Buffer.from(endsInNewline(fd, size, fs) ? text : `\n${text}`);
			appendWhole(fd, bytes, size, path, fs);
			return size + bytes.length;
		} finally {
			fs.close(fd);
		}
	} catch (error) {
		throw storeError(path, "append to the session", error);
	}
}

function endsInNewline(fd: number, size: number, fs: FileSystem): boolean {
	if (size === 0) return true;
	const last = Buffer.alloc(1);
	return fs.read(fd, last, size - 1) === 1 && last[0] === NEWLINE;
}

function appendWhole(fd: number, bytes: Buffer, sizeBefore: number, path: string, fs: FileSystem): void {
	let written = 0;
	try {
		// Usually one write; if it was short, the next one fails with the reason.
		while (written < bytes.length) written += fs.write(fd, bytes.subarray(written));
	} catch (error) {
		if (written > 0) undoPartialWrite(fd, sizeBefore, written, path, fs);
		throw error;
	}
}

function undoPartialWrite(fd: number, sizeBefore: number, written: number, path: string, fs: FileSystem): void {
	// Only our own bytes: if another program has appended meanwhile, the partial line stays, and readers skip it.
	if (fs.stat(fd).size !== sizeBefore + written) {
		const message = `Cannot append to the session: the disk is full, and another program wrote to it at the same time; a partial line was left at its end, which readers skip. Path: ${path}`;
		throw new StoreError(path, "half-line", message);
	}
	fs.truncate(fd, sizeBefore);
}

/** The message for a file that was replaced since it was read. */
export function changedMessage(path: string): string {
	return `Cannot append to the session: another program has replaced it since it was read; open it again. Path: ${path}`;
}
