import { execFileSync } from "node:child_process";
import { isRunning } from "../../shared/is-running.ts";
import { startMark } from "./processes.ts";

/**
 * A text that distinguishes a process from a later one with its pid. "" if it has ended, even if its parent has not collected
 * its status. `extensions/note-session.ts` writes the same text for its own process.
 * `proc`: the directory of the proc file system.
 */
export function processMark(pid: number, proc?: string): string {
	return startMark(pid, proc) ?? (process.platform === "linux" ? "" : markByPs(pid));
}

function markByPs(pid: number): string {
	if (!isRunning(pid)) return "";
	// Windows has no `ps`; there the pid has to suffice.
	if (process.platform === "win32") return "alive";
	try {
		// The user's language and time zone would change the text.
		const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
		const said = execFileSync("ps", ["-o", "stat=", "-o", "lstart=", "-p", String(pid)], { encoding: "utf8", env });
		const [, state = "", started = ""] = /^\s*(\S+)\s+(.*?)\s*$/.exec(said) ?? [];
		return state.startsWith("Z") ? "" : started;
	} catch {
		return "";
	}
}
