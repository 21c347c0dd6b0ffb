import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { parentsByPid } from "../../../../catalog/live/processes.ts";
import { messageOf } from "../../../../shared/attempt.ts";
import type { Env } from "../../../../shared/system.ts";
import type { PiRun } from "../../state/effect.ts";
import { findProgram } from "../find-program.ts";

/** tmux and ps answer at once; after this time, in milliseconds, something is wrong. */
const LIMIT_MS = 3000;
/** A new window has the environment of tmux's server, which is older than ours. Possible secrets are not passed on. */
const PASSED_ON = /^(PATH|PI_\w+)$/;
const SECRET = /KEY|TOKEN|SECRET|PASSWORD/;

/** Starts pi in a new window of the tmux that we run in; resolves to its pid, or to why that failed. */
export async function openTmuxWindow(
	run: PiRun,
	env: Env,
): Promise<{ readonly pid: number } | { readonly failure: string }> {
	const tmux = await findProgram("tmux", env);
	if (tmux === undefined) return { failure: 'there is no program "tmux" on the PATH' };
	return new Promise((resolve) => {
		execFile(tmux, windowArguments(run, env), { env: { ...env }, timeout: LIMIT_MS }, (error, stdout, stderr) => {
			// An old tmux cannot keep the window of a pi that fails, and says so after it has opened it.
			const pid = /^\d+$/m.exec(stdout)?.[0];
			if (pid !== undefined) resolve({ pid: Number(pid) });
			else resolve({ failure: stderr.trim() || (error?.message ?? "tmux did not open a window") });
		});
	});
}

/** Opens the window, which stays when pi fails, so that the person can read the error. */
export function windowArguments({ cwd, command, args }: PiRun, env: Env): string[] {
	const variables = Object.entries(env).flatMap(([name, value]) =>
		PASSED_ON.test(name) && !SECRET.test(name) && value !== undefined ? ["-e", `${name}=${value}`] : [],
	);
	const opened = ["new-window", "-P", "-F", "#{pane_pid}", "-c", cwd, ...variables, "--", command, ...args];
	return [...opened.map(escapeEnd), ";", "set-option", "-p", "remain-on-exit", "failed"];
}

/** tmux takes a semicolon at the end of an argument for the end of the command. */
function escapeEnd(argument: string): string {
	return argument.replace(/;$/, "\\;");
}

const run = promisify(execFile);

/** Switches tmux to the pane in which a process or its shell runs. Resolves to a sentence if that is impossible. */
export async function goToTmuxPane(pid: number, env: Env): Promise<string | undefined> {
	const tmux = await findProgram("tmux", env);
	if (tmux === undefined) return 'Cannot go to it: there is no program "tmux" on the PATH';
	const ask = async (...args: string[]): Promise<string> =>
		(await run(tmux, args, { env: { ...env }, timeout: LIMIT_MS })).stdout;
	try {
		const pane = paneOf(pid, await ask("list-panes", "-a", "-F", "#{pane_pid} #{pane_id} #{window_id}"));
		if (pane === undefined)
			return `Cannot go to it: the process ${pid} runs in no window of this tmux; look for it in another terminal`;
		await ask("select-window", "-t", pane.window, ";", "select-pane", "-t", pane.id);
		// Another session of tmux may have the window. Without a client there is none to switch.
		await ask("switch-client", "-t", pane.id).catch(() => undefined);
		return undefined;
	} catch (error) {
		const stderr = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
		return `Cannot go to it: ${stderr || messageOf(error)}`;
	}
}

interface Pane {
	readonly id: string;
	readonly window: string;
}

/** The pane whose first process is this one or an ancestor of it; undefined if there is none. `listed`: one pane a line. */
function paneOf(pid: number, listed: string): Pane | undefined {
	const panes = new Map<number, Pane>();
	for (const line of listed.split("\n")) {
		const [first, id, window] = line.split(" ");
		if (id !== undefined && window !== undefined) panes.set(Number(first), { id, window });
	}
	const parents = new Map(parentsByPid());
	for (let at: number | undefined = pid; at !== undefined; ) {
		const pane = panes.get(at);
		if (pane !== undefined) return pane;
		const parent = parents.get(at);
		// Each one is visited once: what was read while processes came and went may lead in a circle.
		parents.delete(at);
		at = parent;
	}
	return undefined;
}
