import { spawnSync } from "node:child_process";

/** Whether a process runs. One that has ended, but whose parent has not asked how, does not. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	// A zombie still accepts signals.
	const state = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
	return state !== "" && !state.startsWith("Z");
}
