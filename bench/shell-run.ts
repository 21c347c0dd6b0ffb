import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** What a command took. */
interface Run {
	readonly code: number | null;
	/** On a processor, with all its threads and what it has started, in ms; of its last 20 ms nothing is known. */
	readonly worked: number;
	/** By the clock, in ms. */
	readonly took: number;
	readonly peakMb: number;
}

/** Runs a command of the built program to its end. */
export function runShell(program: string, env: NodeJS.ProcessEnv, args: readonly string[]): Promise<Run> {
	return new Promise((resolve) => {
		const began = performance.now();
		const child = spawn(process.execPath, [program, ...args], { env, stdio: "ignore" });
		let [worked, peakKb] = [0, 0];
		const look = setInterval(() => {
			try {
				const [, kilobytes = "0"] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
				peakKb = Math.max(peakKb, Number(kilobytes));
				worked = Math.max(worked, ticksIn(readFileSync(`/proc/${child.pid}/stat`, "utf8")) * MS_PER_TICK);
			} catch {
				// It has ended, or the system does not report it.
			}
		}, 20);
		child.on("close", (code) => {
			clearInterval(look);
			resolve({ code, worked, took: performance.now() - began, peakMb: Math.round(peakKb / 1024) });
		});
	});
}

/** Of the kernel's clock. */
const MS_PER_TICK = 10;

/** Time on a processor in the text of `/proc/PID/stat`: its own and that of the children that have ended. */
function ticksIn(stat: string): number {
	// The name of the program, in brackets, may have blanks.
	const [utime = 0, stime = 0, cutime = 0, cstime = 0] = stat
		.slice(stat.lastIndexOf(")") + 2)
		.split(" ")
		.slice(11, 15)
		.map(Number);
	return utime + stime + cutime + cstime;
}
