import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { attempt } from "../../shared/attempt.ts";
import { isRunning } from "../../shared/system.ts";
import { resolvePath } from "../../store/files/paths.ts";
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
	// The user's language and time zone would change the text.
	const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
	const args = ["-o", "stat=", "-o", "lstart=", "-p", String(pid)];
	const printed = attempt(() => execFileSync("ps", args, { encoding: "utf8", env })) ?? "";
	const [, state = "", started = ""] = /^\s*(\S+)\s+(.*?)\s*$/.exec(printed) ?? [];
	return state.startsWith("Z") ? "" : started;
}
