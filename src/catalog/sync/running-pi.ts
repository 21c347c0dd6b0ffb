import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";

/** A running pi. */
export interface RunningPi {
	readonly cwd: string;
	/** When it was started, in milliseconds. */
	readonly started: number;
	/** The value of its `--session` option, where that can be seen. */
	readonly session: string | undefined;
}

/** `/proc` counts in ticks of a hundredth of a second on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** The running pi processes of this user, from `/proc`; none on systems without it. */
export function runningPi(proc = "/proc"): RunningPi[] {
	const booted = bootTime(proc);
	if (booted === undefined) return [];
	const running: RunningPi[] = [];
	for (const name of readdirSync(proc)) {
		if (!/^\d+$/.test(name)) continue;
		const one = piProcess(join(proc, name), booted);
		if (one) running.push(one);
	}
	return running;
}

function piProcess(directory: string, booted: number): RunningPi | undefined {
	try {
		const args = readFileSync(join(directory, "cmdline"), "utf8").split("\0");
		if (!isPi(args)) return undefined;
		// The process's name, the second field, may contain spaces and parentheses; the start time is the 22nd field.
		const status = readFileSync(join(directory, "stat"), "utf8");
		const ticks = Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[19]);
		const session = args[args.indexOf("--session") + 1];
		return {
			cwd: readlinkSync(join(directory, "cwd")),
			started: booted + (ticks / TICKS_PER_SECOND) * 1000,
			session: args.includes("--session") ? session : undefined,
		};
	} catch {
		// It has ended meanwhile, or belongs to another user.
		return undefined;
	}
}

/** pi names its process "pi"; before it has done so, it is Node with pi's program as its first argument. */
function isPi([program = "", script = ""]: readonly string[]): boolean {
	if (program === "pi" || basename(program) === "pi") return true;
	return /^node(\d+)?$/.test(basename(program)) && (basename(script) === "pi" || script.includes("/pi-coding-agent/"));
}

function bootTime(proc: string): number | undefined {
	try {
		const seconds = /^btime (\d+)$/m.exec(readFileSync(join(proc, "stat"), "utf8"))?.[1];
		return seconds === undefined ? undefined : Number(seconds) * 1000;
	} catch {
		// No /proc on this system: only growth shows what is live.
		return undefined;
	}
}
