import { spawn } from "node:child_process";

/** More than a program needs that only passes on a text. */
const LIMIT_MS = 2000;
/** Slowest rate at which it reads. */
const BYTES_PER_MS = 20_000;

export interface BriefProgram {
	/** Absolute path. */
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Its standard input, in pieces. */
	readonly input: readonly Buffer[];
}

/**
 * Runs a program that only reads a text, detached from our terminal and its signals, so that a child that stays (xclip
 * keeps the clipboard until another program takes it) outlives us. Resolves to whether it succeeded; one that takes too
 * long is killed.
 */
export function runBriefly({ command, args, env, input }: BriefProgram, limitMs = limitFor(input)): Promise<boolean> {
	return new Promise((resolve) => {
		const child = spawn(command, [...args], {
			env: { ...env },
			stdio: ["pipe", "ignore", "ignore"],
			detached: process.platform !== "win32",
			windowsHide: true,
		});
		const timer = setTimeout(() => {
			end(child.pid);
			resolve(false);
		}, limitMs);
		const finish = (ok: boolean): void => {
			clearTimeout(timer);
			resolve(ok);
		};
		child.once("error", () => finish(false));
		child.once("exit", (code) => finish(code === 0));
		// A program that does not read all of its input reports that with its exit code.
		child.stdin?.on("error", () => undefined);
		for (const piece of input) child.stdin?.write(piece);
		child.stdin?.end();
	});
}

function limitFor(input: readonly Buffer[]): number {
	return LIMIT_MS + input.reduce((sum, { length }) => sum + length, 0) / BYTES_PER_MS;
}

/** Kills a program and its children; it leads their process group. */
function end(pid: number | undefined): void {
	if (pid === undefined) return;
	try {
		process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
	} catch {
		// It has ended already.
		return;
	}
}
