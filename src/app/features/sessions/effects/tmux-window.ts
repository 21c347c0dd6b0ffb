import { execFile } from "node:child_process";
import { findProgram } from "../../../world/effects/find-program.ts";
import type { PiRun } from "../../../world/state/effect.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** tmux answers at once; after this time, in milliseconds, something is wrong. */
const LIMIT_MS = 3000;
/** A new window has the environment of tmux's server, which is older than ours. Possible secrets are not passed on. */
const PASSED_ON = /^(PATH|PI_\w+)$/;
const SECRET = /KEY|TOKEN|SECRET|PASSWORD/;

/** Whether this terminal is a pane of tmux. */
export function isInTmux({ TMUX }: Env): boolean {
	return TMUX !== undefined && TMUX !== "";
}

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
