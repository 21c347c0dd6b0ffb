import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { isAbsolute, join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";

/**
 * Writes down for pi-grove which session this pi has open, since no other program can see it. There is one file for each
 * session that a process has open, in `$XDG_STATE_HOME/pi-grove/open-in-pi`, readable only by this user. It is removed when the
 * session is left; `src/catalog/live/process-notes.ts` reads it, and removes it if the process is gone.
 */
export function noteSessions(pi: Pick<ExtensionAPI, "on">): void {
	let forget = (): void => undefined;
	pi.on("session_start", (_event, ctx) => {
		forget();
		forget = note(ctx);
	});
	pi.on("session_shutdown", async () => forget());
}

/** Writes the note; returns a function that removes it. Errors are ignored, since pi works without it. */
function note({ sessionManager }: ExtensionContext): () => void {
	const directory = notesDirectory();
	const id = randomUUID();
	const path = join(directory, `${hostname()}-${process.pid}-${id}.json`);
	// Under this name pi-grove removes what a killed process has left.
	const temporary = join(directory, `.note.pi-grove-${process.pid}-${id.slice(0, 8)}.tmp`);
	/** Removes the note, whose name is unique to this process. */
	const forget = (): void => {
		process.off("exit", forget);
		try {
			rmSync(path, { force: true });
		} catch {}
	};
	try {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		const facts = {
			path: sessionManager.getSessionFile() ?? null,
			pid: process.pid,
			startedMs: Math.round(performance.timeOrigin),
			host: hostname(),
			mark: ownMark(),
		};
		writeFileSync(temporary, JSON.stringify(facts), { mode: 0o600, flag: "wx" });
		// Renamed once it is complete, so that no one reads half of it.
		renameSync(temporary, path);
		process.once("exit", forget);
	} catch {}
	return forget;
}

/** The same directory as in `src/catalog/model/session-roots.ts`. */
function notesDirectory(): string {
	const chosen = process.env.XDG_STATE_HOME;
	const state = chosen !== undefined && isAbsolute(chosen) ? chosen : join(homedir(), ".local", "state");
	return join(state, "pi-grove", "open-in-pi");
}

/** Distinguishes this process from a later one with its pid: the same text as in `src/catalog/live/processes.ts`. */
function ownMark(): string {
	// Termux, too.
	if (!["linux", "android"].includes(process.platform)) return String(Math.round(performance.timeOrigin));
	const stat = readFileSync("/proc/self/stat", "utf8");
	// The name, the second field, may contain spaces and parentheses; see proc_pid_stat(5).
	return `${bootId()}:${Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19])}`;
}

function bootId(): string {
	try {
		return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
	} catch {
		return "";
	}
}
