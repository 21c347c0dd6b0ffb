import { execFileSync } from "node:child_process";
import { isRunning } from "../../shared/is-running.ts";
import { startMark } from "./processes.ts";

/**
 * Tells a process from a later one with its pid, as text: the pid and this name it for good. "" when it has ended, also
 * where its parent has not yet asked how. `extensions/note-session.ts` writes the same text of its own process.
 * `proc`: where the system says what it knows of processes.
 */
export function processMark(pid: number, proc?: string): string {
	return startMark(pid, proc) ?? (process.platform === "linux" ? "" : markByPs(pid));
}

function markByPs(pid: number): string {
	if (!isRunning(pid)) return "";
	// Windows has no `ps`; there the pid has to do.
	if (process.platform === "win32") return "alive";
	try {
		// The person's language and time zone would change the text.
		const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
		const said = execFileSync("ps", ["-o", "stat=", "-o", "lstart=", "-p", String(pid)], { encoding: "utf8", env });
		const [, state = "", started = ""] = /^\s*(\S+)\s+(.*?)\s*$/.exec(said) ?? [];
		return state.startsWith("Z") ? "" : started;
	} catch {
		return "";
	}
}
