import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { attempt } from "../../shared/attempt.ts";
import { isObject } from "../../shared/json.ts";
import { removeStaleTemporaries, temporaryName } from "../../store/files/move-file.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { removePathSync, renamePathSync } from "../../store/files/while-busy.ts";
import type { ProcessId } from "../model/live.ts";
import { processMark } from "./processes.ts";

/** The fields of a note about a process, besides its own facts. It counts while that process lives. */
interface ProcessNote extends ProcessId {
	readonly host: string;
	/** From `processMark`. */
	readonly mark: string;
}

/** The notes, JSON files, in a directory whose processes live. What cannot be read is not a note. */
function readNotes(directory: string): (ProcessNote & Readonly<Record<string, unknown>>)[] {
	return namesIn(directory).flatMap((name) => {
		const note = readNote(join(directory, name));
		return note !== undefined && lives(note) ? [note] : [];
	});
}

/** Removes the notes of processes of this machine that have ended. */
function removeEnded(directory: string): void {
	for (const name of namesIn(directory)) {
		const note = readNote(join(directory, name));
		if (note?.host === hostname() && !lives(note)) removePathSync(join(directory, name), { force: true });
	}
}

function namesIn(directory: string): string[] {
	// Before anything was noted, there is no directory.
	return (attempt(() => readdirSync(directory)) ?? []).filter((name) => name.endsWith(".json"));
}

function readNote(path: string): (ProcessNote & Readonly<Record<string, unknown>>) | undefined {
	// Fails if it was removed meanwhile, or is being written.
	const value = attempt((): unknown => JSON.parse(readTextFile(path)));
	return isNote(value) ? value : undefined;
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
export interface PiNote extends ProcessId {
	/** Path of the session that it has open, whether or not the file exists yet; undefined if it keeps none. */
	readonly path: string | undefined;
}

/** The notes of running pis, in `<stateDir>/open-in-pi`. */
export function readPiNotes(stateDir: string): PiNote[] {
	return readNotes(join(stateDir, "open-in-pi")).flatMap(({ pid, startedMs, path }) =>
		typeof path === "string" || path === null ? [{ pid, startedMs, path: path ?? undefined }] : [],
	);
}

/** A pi that pi-grove has started with a session. */
export interface HandOver extends ProcessId {
	readonly path: string;
}

/**
 * Notes that a pi was started with a session, so that every browser knows. Each note is a file in `<stateDir>/running`
 * named by the process, so that no two programs write to the same one. Returns a function that
 * removes it. If this program is killed the note stays, and so does the pi: a note counts while its process lives.
 * Throws the error of a failed write.
 */
export function noteHandOver(stateDir: string, { path, pid, startedMs }: HandOver): () => void {
	const directory = directoryOf(stateDir);
	mkdirSync(directory, { recursive: true, mode: 0o700 });
	removeEnded(directory);
	const note = join(directory, `${hostname()}-${pid}.json`);
	const text = JSON.stringify({ path, pid, startedMs, host: hostname(), mark: processMark(pid) });
	const temporary = temporaryName(note);
	writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
	// Renamed, so that no reader sees half of it. A file of that name belongs to an earlier process.
	renamePathSync(temporary, note);
	removeStaleTemporaries(directory);
	return () => removePathSync(note, { force: true });
}

/** The noted pis that are still running. */
export function readHandOvers(stateDir: string): HandOver[] {
	return readNotes(directoryOf(stateDir)).flatMap(({ path, pid, startedMs }) =>
		typeof path === "string" ? [{ path, pid, startedMs }] : [],
	);
}

function directoryOf(stateDir: string): string {
	return join(stateDir, "running");
}
