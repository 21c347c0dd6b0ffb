import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { appendWholeLine } from "../../store/files/append-line.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { errorCode, explain } from "../../store/files/store-error.ts";

/**
 * A file of lines in our state directory that all windows share. A change is one line, appended in one write, so that no
 * window can lose what another one has written.
 */
interface LinesFile {
	/** The whole text; "" if there is no file. Throws an `Error` that says why it cannot be read. */
	text(): string;
	/** Appends one line. Throws an `Error` that says why nothing was written. */
	append(line: string): void;
	/** Calls `listener` after each change by any window. */
	watch(listener: () => void): void;
	close(): void;
}

/** If the system does not report changes, they are noticed within this time. */
const POLL_MS = 2000;

/** Opens the file; nothing is created on disk before the first line. `what` names it in errors: "the saved queries". */
export function openLinesFile(path: string, what: string): LinesFile {
	const listeners: (() => void)[] = [];
	let watcher: FSWatcher | undefined;
	let timer: ReturnType<typeof setInterval> | undefined;
	let seen = stampOf(path);

	function check(): void {
		const stamp = stampOf(path);
		if (stamp === seen) return;
		seen = stamp;
		for (const listener of listeners) listener();
	}

	/** The directory may not exist yet, and the watcher may fail: then the timer tries again. */
	function startWatcher(): void {
		if (watcher !== undefined) return;
		try {
			watcher = watch(dirname(path), { persistent: false }, (_, name) => {
				if (name === null || name === basename(path)) check();
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
			check();
		},
		watch(listener) {
			listeners.push(listener);
			startWatcher();
			timer ??= setInterval(() => {
				startWatcher();
				check();
			}, POLL_MS).unref();
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

/** Differs whenever the file does; "" if there is none. */
function stampOf(path: string): string {
	try {
		const { ino, size, mtimeMs } = statSync(path);
		return `${ino} ${size} ${mtimeMs}`;
	} catch {
		return "";
	}
}
