import { isAbsolute, join } from "node:path";

/** The variables of an environment, as in `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The variables of the XDG Base Directory Specification that we use, with their defaults in the home directory. */
const DEFAULTS = {
	XDG_CACHE_HOME: [".cache"],
	XDG_CONFIG_HOME: [".config"],
	XDG_DATA_HOME: [".local", "share"],
	XDG_STATE_HOME: [".local", "state"],
} as const;

/**
 * One of the user's base directories. A variable with a relative path is ignored, as the specification says: it would name
 * another directory wherever the program is started.
 */
export function xdgDir(variable: keyof typeof DEFAULTS, env: Env, home: string): string {
	const chosen = env[variable];
	return chosen !== undefined && isAbsolute(chosen) ? chosen : join(home, ...DEFAULTS[variable]);
}

/** Whether a process with this id is running, another user's included. */
export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// EPERM: it is another user's.
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
