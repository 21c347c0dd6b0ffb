import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { isAbsolute, join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { readText } from "./read-file.ts";

/** The name of an unfinished note, with the pid of its process. */
const HALF = /-(\d+)-[0-9a-f-]{36}\.tmp$/;

/**
 * Writes down for pi-grove which session this pi has open, since no other program can see it. There is one file for each
 * session that a process has open, in `$XDG_STATE_HOME/pi-grove/open-in-pi`, readable only by this user. It is removed when the
 * session is left, and ignored once the process is gone. `src/catalog/live/pi-notes.ts` reads it.
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
	const path = join(directory, `${hostname()}-${process.pid}-${randomUUID()}.json`);
	const temporary = path.replace(/json$/, "tmp");
	/** Removes the note, whose name is unique to this process. */
	const forget = (): void => {
		process.off("exit", forget);
		try {
			rmSync(path, { force: true });
		} catch {}
	};
	try {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		removeEnded(directory);
		const facts = {
			path: sessionManager.getSessionFile() ?? null,
			pid: process.pid,
			startedMs: Math.round(performance.timeOrigin),
			host: hostname(),
			mark: markOf(process.pid),
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

/** Removes the notes, and the unfinished ones, of processes of this machine that were killed. */
function removeEnded(directory: string): void {
	for (const name of readdirSync(directory)) {
		try {
			const [, pidOfHalf] = (name.startsWith(`${hostname()}-`) && HALF.exec(name)) || [];
			if (pidOfHalf !== undefined) {
				if (markOf(Number(pidOfHalf)) === "") rmSync(join(directory, name), { force: true });
				continue;
			}
			const { host, pid, mark } = JSON.parse(readText(join(directory, name)));
			if (host === hostname() && markOf(pid) !== mark) rmSync(join(directory, name), { force: true });
		} catch {
			// Not a complete note, or removed meanwhile.
		}
	}
}

/** Distinguishes a process from a later one with its pid; "" if it has ended. The same text as in `src/catalog/live/processes.ts`. */
function markOf(pid: number): string {
	try {
		if (process.platform === "linux") return markInProc(pid);
		process.kill(pid, 0);
		if (process.platform === "win32") return "alive";
		// The person's language and time zone would change the text.
		const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
		const line = execFileSync("ps", ["-o", "stat=", "-o", "lstart=", "-p", String(pid)], { encoding: "utf8", env });
		const [, state = "", started = ""] = /^\s*(\S+)\s+(.*?)\s*$/.exec(line) ?? [];
		return state.startsWith("Z") ? "" : started;
	} catch {
		return "";
	}
}

function markInProc(pid: number): string {
	const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
	// The name, the second field, may contain spaces and parentheses; see proc_pid_stat(5).
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return fields[0] === "Z" || fields[0] === "X" ? "" : `${bootId()}:${Number(fields[19])}`;
}

function bootId(): string {
	try {
		return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
	} catch {
		return "";
	}
}
