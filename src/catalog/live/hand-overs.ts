import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isRunning } from "../../shared/is-running.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { isObject } from "../../store/format/parse.ts";
import { startMark } from "./processes.ts";

/** A pi that was started with a session by pi-grove. */
export interface HandOver {
	/** Path of the session. */
	readonly path: string;
	readonly pid: number;
	/** When the pi was started, Unix ms. */
	readonly startedMs: number;
}

/**
 * Notes that a pi has been started with a session, so that every browser knows. There is a file for each of them in
 * `<stateDir>/running`, named by the process, so that no two programs write to the same one. Returns a function that
 * removes it. When this program is killed the note stays, and so does the pi: a note counts while its process lives.
 * Throws what writing throws.
 */
export function noteHandOver(stateDir: string, { path, pid, startedMs }: HandOver): () => void {
	const directory = directoryOf(stateDir);
	mkdirSync(directory, { recursive: true, mode: 0o700 });
	removeEnded(directory);
	const note = join(directory, `${hostname()}-${pid}.json`);
	const text = JSON.stringify({ path, pid, startedMs, host: hostname(), mark: processMark(pid) });
	// What is there under this name is of an earlier process.
	rmSync(note, { force: true });
	writeFileSync(note, text, { mode: 0o600, flag: "wx" });
	return () => rmSync(note, { force: true });
}

/** The noted pis that still run. Notes that cannot be read are none. */
export function readHandOvers(stateDir: string): HandOver[] {
	const directory = directoryOf(stateDir);
	return notesIn(directory).flatMap((name) => {
		const note = readNote(join(directory, name));
		return note !== undefined && runs(note) ? [{ path: note.path, pid: note.pid, startedMs: note.startedMs }] : [];
	});
}

interface Note extends HandOver {
	readonly host: string;
	/** Of `processMark`. */
	readonly mark: string;
}

function directoryOf(stateDir: string): string {
	return join(stateDir, "running");
}

function notesIn(directory: string): string[] {
	try {
		return readdirSync(directory).filter((name) => name.endsWith(".json"));
	} catch {
		// No pi has been started yet.
		return [];
	}
}

function readNote(path: string): Note | undefined {
	try {
		const value: unknown = JSON.parse(readTextFile(path));
		return isNote(value) ? value : undefined;
	} catch {
		// Removed meanwhile, or being written.
		return undefined;
	}
}

function isNote(value: unknown): value is Note {
	return (
		isObject(value) &&
		[value.path, value.host, value.mark].every((text) => typeof text === "string") &&
		[value.pid, value.startedMs].every((number) => Number.isSafeInteger(number))
	);
}

/** Whether the process of a note lives: on this machine, with the pid, and started when it was. */
function runs({ pid, host, mark }: Note): boolean {
	return host === hostname() && processMark(pid) === mark && mark !== "";
}

/** Removes the notes of processes of this machine that have ended: their browser was killed. */
function removeEnded(directory: string): void {
	for (const name of notesIn(directory)) {
		const note = readNote(join(directory, name));
		if (note?.host === hostname() && !runs(note)) rmSync(join(directory, name), { force: true });
	}
}

/** Tells a process from a later one with its pid; "" when it has ended. */
function processMark(pid: number): string {
	return startMark(pid) ?? (process.platform === "linux" ? "" : markByPs(pid));
}

function markByPs(pid: number): string {
	if (!isRunning(pid)) return "";
	// Windows has no `ps`; there the pid has to do.
	if (process.platform === "win32") return "alive";
	try {
		return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
	} catch {
		return "";
	}
}
