import { execFile } from "node:child_process";

/** How a command of pi-grove ended, and what it printed. */
export interface Run {
	/** 0: done; 1: nothing found; 2: failed. */
	readonly code: number;
	readonly out: string;
	readonly err: string;
}

/** More than any bounded command prints. */
const MAX_BYTES = 16_000_000;

/**
 * Runs a command of pi-grove to its end, without a terminal. `command`: the program and its arguments. Rejects if it cannot
 * be started, is aborted or is killed.
 */
export function runGrove(command: readonly string[], cwd: string, signal: AbortSignal | undefined): Promise<Run> {
	const [program = "", ...args] = command;
	const { PI_GROVE_HOST, FORCE_COLOR, ...env } = process.env;
	return new Promise((resolve, reject) => {
		const options = { cwd, env, maxBuffer: MAX_BYTES, windowsHide: true, ...(signal && { signal }) };
		const child = execFile(program, args, options, (error, out, err) => {
			const code = error === null ? 0 : error.code;
			if (typeof code === "number") resolve({ code, out, err });
			else if (signal?.aborted) reject(new Error("aborted"));
			else reject(new Error(`pi-grove could not be run: ${error?.message ?? "it was killed"}`));
		});
		// It must not wait for input.
		child.stdin?.end();
	});
}
