import { spawn } from "node:child_process";

/** A program that has a window of its own, or hands the file to one that has. */
interface ApartProgram {
	/** Absolute path. */
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string | undefined>>;
}

/** Who cannot open a file says so within this time, in ms. */
const LIMIT_MS = 1500;

/**
 * Starts a program away from our terminal, which outlives us. Resolves to why it failed as far as that is known soon;
 * undefined: it runs, or has ended well.
 */
export function startApart({ command, args, env }: ApartProgram): Promise<string | undefined> {
	return new Promise((resolve) => {
		const child = spawn(command, [...args], {
			env: { ...env },
			stdio: "ignore",
			detached: process.platform !== "win32",
			windowsHide: true,
		});
		child.unref();
		const timer = setTimeout(() => resolve(undefined), LIMIT_MS);
		timer.unref();
		const finish = (failure: string | undefined): void => {
			clearTimeout(timer);
			resolve(failure);
		};
		child.once("error", ({ message }) => finish(`it cannot be started: ${message}`));
		child.once("exit", (code, signal) => finish(code === 0 ? undefined : `it ended with ${endOf(code, signal)}`));
	});
}

function endOf(code: number | null, signal: string | null): string {
	return code === null ? (signal ?? "a signal") : `exit code ${code}`;
}
