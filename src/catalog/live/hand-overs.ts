import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { removeStaleTemporaries, temporaryName } from "../../store/files/temporary-name.ts";
import { processMark } from "./process-mark.ts";
import { readNotes, removeEnded } from "./process-notes.ts";

/** A pi that pi-grove has started with a session. */
export interface HandOver {
	/** Path of the session. */
	readonly path: string;
	readonly pid: number;
	/** When the pi was started, Unix ms. */
	readonly startedMs: number;
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
	renameSync(temporary, note);
	removeStaleTemporaries(directory);
	return () => rmSync(note, { force: true });
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
