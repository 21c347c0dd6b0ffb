import { spawn } from "node:child_process";

/** A program with its own window, or one that hands the file to such a program. */
interface ApartProgram {
	/** Absolute path. */
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string | undefined>>;
}

/** A program that cannot open the file fails within this time, in ms. */
const LIMIT_MS = 1500;

/**
 * Starts a program detached from our terminal, which outlives us. Resolves to why it failed, if it fails soon; to undefined if
 * it runs or has succeeded.
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
