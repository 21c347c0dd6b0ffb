import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import { basename, join, resolvePath } from "../../shared/paths.ts";
import { isRunning, type System, thisSystem } from "../../shared/system.ts";
import { agentDir } from "../../store/read/session-dir.ts";
import type { ProcessId } from "../model/live.ts";

/** A running pi, as `/proc` shows it. */
export interface PiProcess extends ProcessId {
	readonly cwd: string;
	/** The value of its `--session` option: a path or an id. Most pis hide their arguments: they set `process.title`. */
	readonly sessionArgument: string | undefined;
	/** Whether it was started to continue the last session of its directory. */
	readonly continues: boolean;
	/** Path of the session for which it is running a command. */
	readonly commandSession: string | undefined;
	/** pi's own directory, by its environment: it lists no sessions of another one. Undefined if that cannot be read. */
	readonly agentDir: string | undefined;
}

interface Status {
	readonly pid: number;
	readonly name: string;
	readonly parent: number;
	/** Start time since the system was started, in ticks. */
	readonly ticks: number;
}

/** `/proc` counts in ticks of a hundredth of a second on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;
/** Names of processes that may be a pi: its own, and those of the programs that run it, before it has named itself. */
const POSSIBLE_NAMES = new Set(["pi", "pi-rpc", "node", "node-MainThread", "MainThread", "bun"]);
/** The variable that pi sets for the commands that it runs. */
const SESSION_VARIABLE = "PI_SESSION_FILE";

/** The running pi processes of this user, from `/proc`; empty on systems without it. */
export function runningPis(proc = "/proc"): PiProcess[] {
	const booted = bootTime(proc);
	if (booted === undefined) return [];
	const all = processIds(proc).flatMap((pid) => statusOf(proc, pid) ?? []);
	return all
		.filter(({ name }) => POSSIBLE_NAMES.has(name))
		.flatMap((status) => piProcess(proc, status, booted, all) ?? []);
}

export function processIds(proc: string): number[] {
	return readdirSync(proc).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/**
 * The start of a process as text, which together with its pid identifies it for good. Undefined if there is no such process, or
 * no `/proc`.
 */
export function startMark(pid: number, proc = "/proc"): string | undefined {
	const status = statusOf(proc, pid);
	return status && `${bootId(proc)}:${status.ticks}`;
}

/** When a process was started, Unix ms; undefined if it has ended. */
export function startTime(pid: number, proc = "/proc"): number | undefined {
	const status = statusOf(proc, pid);
	const booted = bootTime(proc);
	return status && booted !== undefined ? startedMs(status, booted) : undefined;
}

function piProcess(proc: string, status: Status, booted: number, all: readonly Status[]): PiProcess | undefined {
	const { pid, name } = status;
	// Fails if it has ended, or belongs to another user.
	return attempt(() => {
		const args = readFileSync(join(proc, String(pid), "cmdline"), "utf8").split("\0");
		if (name !== "pi" && name !== "pi-rpc" && !isPi(args)) return undefined;
		const cwd = readlinkSync(join(proc, String(pid), "cwd"));
		return {
			pid,
			startedMs: startedMs(status, booted),
			cwd,
			sessionArgument: sessionArgument(args),
			continues: args.includes("--continue") || args.includes("-c"),
			commandSession: commandSession(proc, pid, all),
			agentDir: agentDirOf(proc, pid, cwd),
		};
	});
}

/** pi names its process "pi"; before that, it is Node with pi's program as its first argument. */
function isPi([program = "", script = ""]: readonly string[]): boolean {
	if (["pi", "pi-rpc"].includes(basename(program))) return true;
	return (
		/^(node(\d+)?|bun)$/.test(basename(program)) && (basename(script) === "pi" || script.includes("/pi-coding-agent/"))
	);
}

function sessionArgument(args: readonly string[]): string | undefined {
	const at = args.findIndex((argument) => argument === "--session" || argument === "--session-id");
	return at < 0 ? undefined : args[at + 1] || undefined;
}

/** From the environment of a child. A value that the pi itself inherited, from a pi that started it, does not count. */
function commandSession(proc: string, pid: number, all: readonly Status[]): string | undefined {
	const inherited = variableOf(proc, pid, SESSION_VARIABLE);
	return all
		.filter(({ parent }) => parent === pid)
		.map((child) => variableOf(proc, child.pid, SESSION_VARIABLE))
		.find((path) => path !== undefined && path !== inherited);
}

/** As `findSessionRoots` finds it for this program. */
function agentDirOf(proc: string, pid: number, cwd: string): string | undefined {
	const home = variableOf(proc, pid, "HOME");
	if (home === undefined) return undefined;
	const named = variableOf(proc, pid, "PI_CODING_AGENT_DIR");
	return resolvePath(agentDir({ PI_CODING_AGENT_DIR: named }, home), cwd, home);
}

/** A variable of the environment that a process was started with. */
function variableOf(proc: string, pid: number, name: string): string | undefined {
	// Fails if it is another user's, or has ended.
	const variables = attempt(() => readFileSync(join(proc, String(pid), "environ"), "utf8").split("\0"));
	return variables?.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Undefined if it has ended, even if its parent has not collected its status. */
function statusOf(proc: string, pid: number): Status | undefined {
	const text = attempt(() => readFileSync(join(proc, String(pid), "stat"), "utf8"));
	if (text === undefined) return undefined;
	// The name, the second field, may contain spaces and parentheses; see proc_pid_stat(5).
	const name = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
	const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
	if (fields[0] === "Z" || fields[0] === "X") return undefined;
	return { pid, name, parent: Number(fields[1]), ticks: Number(fields[19]) };
}

function startedMs({ ticks }: Status, booted: number): number {
	return booted + (ticks / TICKS_PER_SECOND) * 1000;
}

/** Unix ms; undefined on systems without `/proc`. */
function bootTime(proc: string): number | undefined {
	const seconds = attempt(() => /^btime (\d+)$/m.exec(readFileSync(join(proc, "stat"), "utf8"))?.[1]);
	return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function bootId(proc: string): string {
	// Hidden from some containers; the ticks alone are rarely the same.
	return attempt(() => readFileSync(join(proc, "sys", "kernel", "random", "boot_id"), "utf8").trim()) ?? "";
}

/** A process, to know it again: another one may get its pid. */
export interface MarkedProcess {
	readonly pid: number;
	/** From `processMark`. */
	readonly mark: string;
}

/**
 * A text that, together with its pid, identifies a running process for good; "" if it has ended. Without `/proc` it is when it was
 * started, Unix ms: this one knows it, of another one it is given. `extensions/note-session.ts` writes the same text for its own process.
 */
export function processMark(pid: number, startedMs = Number.NaN, { processes } = thisSystem): string {
	if (processes === "proc") return startMark(pid) ?? "";
	return String(Math.round(pid === process.pid ? performance.timeOrigin : startedMs));
}

/** How much later than the system a program may say that it was started; no pid is used again that soon. */
const START_MS = 10_000;

/** Those of the processes that are running, as far as the system tells. One program is asked about all, if there is no `/proc`. */
export function runningOnes<P extends MarkedProcess>(processes: readonly P[], system = thisSystem): readonly P[] {
	if (system.processes === "proc") return processes.filter(({ pid, mark }) => mark !== "" && startMark(pid) === mark);
	const present = processes.filter(({ pid }) => isRunning(pid));
	const startOf = startTimes([...new Set(present.map(({ pid }) => pid))], system);
	return present.filter(({ pid, mark }) => {
		// Earlier versions noted the words of `ps`, or nothing but that it lives.
		const notedMs = Number(mark) || Date.parse(`${mark} UTC`);
		// If one of both is not known, the pid has to suffice.
		return !(Math.abs(startOf(pid) - notedMs) > START_MS);
	});
}

export function isStillRunning(process: MarkedProcess): boolean {
	return runningOnes([process]).length > 0;
}

/** An answer is used again for so long: to start a PowerShell takes half a second, and those who ask do so every second. */
const ANSWER_MS = 30_000;
const answers = new Map<number, { readonly startedMs: number; readonly atMs: number }>();

/** When processes were started, Unix ms: infinite for one that has ended, NaN for one of which the system does not tell. */
function startTimes(pids: readonly number[], { processes }: System): (pid: number) => number {
	const atMs = Date.now();
	for (const [pid, answer] of answers) if (atMs - answer.atMs > ANSWER_MS || !isRunning(pid)) answers.delete(pid);
	const further = pids.filter((pid) => !answers.has(pid));
	for (const pid of further) answers.set(pid, { startedMs: Number.NaN, atMs });
	if (further.length > 0)
		for (const [pid, startedMs] of processes === "ps" ? startsByPs(further) : startsByPowerShell(further))
			answers.set(pid, { startedMs, atMs });
	return (pid) => answers.get(pid)?.startedMs ?? Number.NaN;
}

function startsByPs(pids: readonly number[]): [number, number][] {
	const lines = printed("ps", ["-o", "pid=", "-o", "stat=", "-o", "lstart=", "-p", pids.join()]);
	return [...lines.matchAll(/^ *(\d+) +(\S+) +(.+)$/gm)].map(([, pid, state = "", start]) => [
		Number(pid),
		// Its parent has not collected its status.
		state.startsWith("Z") ? Number.POSITIVE_INFINITY : Date.parse(`${start} UTC`),
	]);
}

function startsByPowerShell(pids: readonly number[]): [number, number][] {
	// By its path: a name would be looked for in the current directory first.
	const program = `${process.env.SystemRoot ?? "C:\\Windows"}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
	// It does not tell of processes with more rights than ours.
	const script = `$ErrorActionPreference = 'SilentlyContinue'; Get-Process -Id ${pids.join()} | ForEach-Object { "$($_.Id) $(([DateTimeOffset]$_.StartTime).ToUnixTimeMilliseconds())" }`;
	const lines = printed(program, ["-NoProfile", "-NonInteractive", "-Command", script]);
	return [...lines.matchAll(/^(\d+) (\d+)\r?$/gm)].map(([, pid, start]) => [Number(pid), Number(start)]);
}

/** What a program prints, in no language and time zone; "" if it cannot be run, or fails. */
function printed(program: string, args: readonly string[]): string {
	const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
	return spawnSync(program, args, { encoding: "utf8", env, timeout: 5000, windowsHide: true }).stdout ?? "";
}

export function parentsByPid({ processes } = thisSystem): ReadonlyMap<number, number> {
	if (processes === "proc") {
		const all = processIds("/proc").flatMap((pid) => statusOf("/proc", pid) ?? []);
		return new Map(all.map(({ pid, parent }) => [pid, parent]));
	}
	const lines = processes === "ps" ? printed("ps", ["-A", "-o", "pid=", "-o", "ppid="]) : "";
	return new Map([...lines.matchAll(/^ *(\d+) +(\d+) *$/gm)].map(([, pid, parent]) => [Number(pid), Number(parent)]));
}
