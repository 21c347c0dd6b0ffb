import { randomUUID } from "node:crypto";
import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { defaultStateDir } from "../../catalog/model/state-dir.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { errorCode, explain } from "../../store/files/store-error.ts";
import { appendWholeLine } from "../journal/journal-file.ts";
import { inverted, type MarkChange, NO_MARKS, withEffect } from "../marks/marks.ts";
import { marksLines, printMarksLine, type ReadMarks, readMarksText } from "../marks/marks-lines.ts";
import { capital } from "./undo-questions.ts";

/**
 * The pins and tags of a person, in one file of JSON lines that all windows share. A change is one line that is appended
 * in one write, so no window can lose what another one has noted; lines that are damaged or of a newer version stay.
 */
export interface MarksFile {
	/** What is noted now. Never throws: what cannot be read is among its problems. */
	read(): ReadMarks;
	/** Which of the changes would make a difference now. Throws an `Error` when the file cannot be read. */
	withEffect(changes: readonly MarkChange[]): readonly MarkChange[];
	/** Notes changes under a name of their own (`newToken`). Throws an `Error`; nothing is noted then. */
	append(token: string, changes: readonly MarkChange[]): void;
	/** What was noted under this name. Throws an `Error` when the file cannot be read. */
	notedAs(token: string): readonly MarkChange[];
	/** Whether changes were noted under this name. Throws an `Error` when the file cannot be read. */
	has(token: string): boolean;
	/** Takes back what was noted under a name, except for what others have changed since; false: that is all of it. */
	takeBack(token: string): boolean;
	/** Calls `listener` after each change, of any window. */
	watch(listener: (now: ReadMarks) => void): void;
	close(): void;
}

/** Where the system does not report changes they are noticed within this time, in ms. */
const LOOK_MS = 2000;

export function marksPath(env: Readonly<Record<string, string | undefined>>, home: string): string {
	return join(defaultStateDir(env, home), "marks.jsonl");
}

export function newToken(): string {
	return randomUUID();
}

/** Reads the pins and tags once, for programs without a screen. */
export function readMarks(path: string): ReadMarks {
	try {
		return readMarksText(textOf(path), path);
	} catch (error) {
		return { marks: NO_MARKS, problems: [`${capital(error instanceof Error ? error.message : String(error))}.`] };
	}
}

/** Opens the file; nothing is made on the disk before the first change. */
export function openMarksFile(path: string): MarksFile {
	const listeners: ((now: ReadMarks) => void)[] = [];
	let watcher: FSWatcher | undefined;
	let timer: ReturnType<typeof setInterval> | undefined;
	let seen = stampOf(path);

	function look(): void {
		const stamp = stampOf(path);
		if (stamp === seen) return;
		seen = stamp;
		const now = readMarks(path);
		for (const listener of listeners) listener(now);
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

	function append(token: string, changes: readonly MarkChange[]): void {
		try {
			appendWholeLine(path, printMarksLine({ token, changes }));
		} catch (error) {
			throw new Error(`the pins and tags cannot be written: ${explain(error)}. Path: ${path}`, { cause: error });
		}
		look();
	}

	return {
		read: () => readMarks(path),
		withEffect: (changes) => withEffect(changes, readMarksText(textOf(path), path).marks),
		append,
		notedAs: (token) => changesIn(textOf(path), token),
		has: (token) => marksLines(textOf(path)).some((line) => line.token === token),
		takeBack(token) {
			const text = textOf(path);
			const changes = inverted(changesIn(text, token), readMarksText(text, path).marks);
			if (changes.length === 0) return false;
			append(newToken(), changes);
			return true;
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

function changesIn(text: string, token: string): readonly MarkChange[] {
	return marksLines(text).flatMap((line) => (line.token === token ? line.changes : []));
}

/** The text of the file, "" where there is none. Throws an `Error` that says why it cannot be read. */
function textOf(path: string): string {
	try {
		return readTextFile(path);
	} catch (error) {
		if (errorCode(error) === "ENOENT") return "";
		const why = errorCode(error) === "not-a-file" ? "it is not a regular file; move it away" : explain(error);
		throw new Error(`the pins and tags cannot be read: ${why}. Path: ${path}`, { cause: error });
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
