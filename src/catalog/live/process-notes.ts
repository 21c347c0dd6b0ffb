import { readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isObject } from "../../shared/is-object.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { processMark } from "./process-mark.ts";

/** The fields of a note about a process, besides its own facts. It counts while that process lives. */
interface ProcessNote {
	readonly pid: number;
	/** When the process was started, Unix ms. */
	readonly startedMs: number;
	readonly host: string;
	/** From `processMark`. */
	readonly mark: string;
}

/** The notes, JSON files, in a directory whose processes live. What cannot be read is not a note. */
export function readNotes(directory: string): (ProcessNote & Readonly<Record<string, unknown>>)[] {
	return namesIn(directory).flatMap((name) => {
		const note = readNote(join(directory, name));
		return note !== undefined && lives(note) ? [note] : [];
	});
}

/** Removes the notes of processes of this machine that have ended. */
export function removeEnded(directory: string): void {
	for (const name of namesIn(directory)) {
		const note = readNote(join(directory, name));
		if (note?.host === hostname() && !lives(note)) rmSync(join(directory, name), { force: true });
	}
}

function namesIn(directory: string): string[] {
	try {
		return readdirSync(directory).filter((name) => name.endsWith(".json"));
	} catch {
		// Nothing was noted yet.
		return [];
	}
}

function readNote(path: string): (ProcessNote & Readonly<Record<string, unknown>>) | undefined {
	try {
		const value: unknown = JSON.parse(readTextFile(path));
		return isNote(value) ? value : undefined;
	} catch {
		// Removed meanwhile, or being written.
		return undefined;
	}
}

function isNote(value: unknown): value is ProcessNote & Readonly<Record<string, unknown>> {
	return (
		isObject(value) &&
		[value.host, value.mark].every((text) => typeof text === "string") &&
		[value.pid, value.startedMs].every((number) => Number.isSafeInteger(number))
	);
}

/** Whether the process of a note lives: on this machine, with the same pid and start. */
function lives({ pid, host, mark }: ProcessNote): boolean {
	return host === hostname() && mark !== "" && processMark(pid) === mark;
}

/** What the extension in a running pi reports about it (`extensions/note-session.ts`). */
export interface PiNote {
	readonly pid: number;
	/** When the pi was started, Unix ms. */
	readonly startedMs: number;
	/** Path of the session that it has open, whether or not the file exists yet; undefined if it keeps none. */
	readonly path: string | undefined;
}

/** The notes of running pis, in `<stateDir>/open-in-pi`. */
export function readPiNotes(stateDir: string): PiNote[] {
	return readNotes(join(stateDir, "open-in-pi")).flatMap(({ pid, startedMs, path }) =>
		typeof path === "string" || path === null ? [{ pid, startedMs, path: path ?? undefined }] : [],
	);
}
