import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { TestTerminal } from "./terminal.ts";

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

/**
 * Resolves when a program in a terminal has had nothing to do for a while, as far as the system tells (Linux): no thread of it
 * or of its children works or waits for its turn, whatever else the machine does, and nothing was written.
 */
export async function resting(terminal: TestTerminal, forMs: number): Promise<void> {
	for (let before = ""; ; ) {
		const now = `${terminal.written.length} ${activity(terminal.pid)}`;
		if (now === before && !/[RD]/.test(now)) return;
		before = now;
		await delay(forMs);
	}
}

/** The processor time (in ticks of a hundredth of a second) of a process, of each of its threads and of its children, and their states. */
function activity(pid: number): string {
	const tasks = `/proc/${pid}/task`;
	return entriesOf(tasks)
		.map((task) => {
			const [, state = "", ...fields] = /\) (\S) (.*)/.exec(textOf(`${tasks}/${task}/stat`)) ?? [];
			const [user = "", system = ""] = fields.join(" ").split(" ").slice(10, 12);
			const children = textOf(`${tasks}/${task}/children`).split(" ").filter(Boolean);
			return [state, user, system, ...children.map((child) => activity(Number(child)))].join(" ");
		})
		.join(" ");
}

function entriesOf(path: string): string[] {
	try {
		return readdirSync(path);
	} catch {
		return [];
	}
}

/** Of a thread that has just ended: nothing. */
function textOf(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}
