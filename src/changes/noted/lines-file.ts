import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { readTextFile } from "../../store/files/open-file.ts";
import { errorCode, explain } from "../../store/files/store-error.ts";
import { appendWholeLine } from "../journal/journal-file.ts";

/**
 * A file of lines in our state directory that all windows of a person share. A change is one line that is appended in one
 * write, so no window can lose what another one has noted.
 */
export interface LinesFile {
	/** All of it, "" where there is none. Throws an `Error` that says why it cannot be read. */
	text(): string;
	/** Appends one line. Throws an `Error`; nothing is noted then. */
	append(line: string): void;
	/** Calls `listener` after each change, of any window. */
	watch(listener: () => void): void;
	close(): void;
}

/** Where the system does not report changes they are noticed within this time, in ms. */
const LOOK_MS = 2000;

/** Opens the file of `what`; nothing is made on the disk before the first line. */
export function openLinesFile(path: string, what: string): LinesFile {
	const listeners: (() => void)[] = [];
	let watcher: FSWatcher | undefined;
	let timer: ReturnType<typeof setInterval> | undefined;
	let seen = stampOf(path);

	function look(): void {
		const stamp = stampOf(path);
		if (stamp === seen) return;
		seen = stamp;
		for (const listener of listeners) listener();
	}

	/** The directory may be made later, and what watches it may fail; then it is looked at every now and then. */
	function startWatcher(): void {
		if (watcher !== undefined) return;
		try {
			watcher = watch(dirname(path), { persistent: false }, (_, name) => {
				if (name === null || name === basename(path)) look();
			});
			watcher.on("error", () => {
				watcher?.close();
				watcher = undefined;
			});
		} catch {
			watcher = undefined;
		}
	}

	return {
		text: () => textOf(path, what),
		append(line) {
			try {
				appendWholeLine(path, line);
			} catch (error) {
				throw new Error(`${what} cannot be written: ${explain(error)}. Path: ${path}`, { cause: error });
			}
			look();
		},
		watch(listener) {
			listeners.push(listener);
			startWatcher();
			timer ??= setInterval(() => {
				startWatcher();
				look();
			}, LOOK_MS).unref();
		},
		close() {
			clearInterval(timer);
			watcher?.close();
			watcher = undefined;
		},
	};
}

function textOf(path: string, what: string): string {
	try {
		return readTextFile(path);
	} catch (error) {
		if (errorCode(error) === "ENOENT") return "";
		const why = errorCode(error) === "not-a-file" ? "it is not a regular file; move it away" : explain(error);
		throw new Error(`${what} cannot be read: ${why}. Path: ${path}`, { cause: error });
	}
}

/** Tells one state of the file from another; "" while there is none. */
function stampOf(path: string): string {
	try {
		const { ino, size, mtimeMs } = statSync(path);
		return `${ino} ${size} ${mtimeMs}`;
	} catch {
		return "";
	}
}
