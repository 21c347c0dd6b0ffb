import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { attempt } from "../../shared/attempt.ts";
import { isObject } from "../../shared/json.ts";
import { join } from "../../shared/paths.ts";
import { removeStaleTemporaries, temporaryName } from "../../store/files/move-file.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { removePathSync, renamePathSync } from "../../store/files/while-busy.ts";
import type { ProcessId } from "../model/live.ts";
import { type MarkedProcess, processMark, runningOnes } from "./processes.ts";

/** The fields of a note about a process, besides its own facts. It counts while that process lives. */
type ProcessNote = ProcessId & MarkedProcess & { readonly host: string } & Readonly<Record<string, unknown>>;

/**
 * The notes, JSON files, in a directory whose processes run on this machine; those of processes that have ended here are removed. What
 * cannot be read is not a note.
 */
function readNotes(directory: string): readonly ProcessNote[] {
	const notes = namesIn(directory).flatMap((name) => readNote(directory, name) ?? []);
	const ours = notes.filter(({ host }) => host === hostname());
	const running = new Set(runningOnes(ours));
	const ended = ours.filter((note) => !running.has(note));
	for (const { name } of ended) attempt(() => removePathSync(join(directory, name), { force: true }));
	if (ended.length > 0) removeStaleTemporaries(directory);
	return [...running];
}

function namesIn(directory: string): string[] {
	// Before anything was noted, there is no directory.
	return (attempt(() => readdirSync(directory)) ?? []).filter((name) => name.endsWith(".json"));
}

function readNote(directory: string, name: string): (ProcessNote & { readonly name: string }) | undefined {
	// Fails if it was removed meanwhile, or is being written.
	const value = attempt((): unknown => JSON.parse(readTextFile(join(directory, name))));
	return isNote(value) ? { ...value, name } : undefined;
}

function isNote(value: unknown): value is ProcessNote {
	return (
		isObject(value) &&
		[value.host, value.mark].every((text) => typeof text === "string") &&
		[value.pid, value.startedMs].every((number) => Number.isSafeInteger(number))
	);
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
	const note = join(directory, `${hostname()}-${pid}.json`);
	const text = JSON.stringify({ path, pid, startedMs, host: hostname(), mark: processMark(pid, startedMs) });
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
