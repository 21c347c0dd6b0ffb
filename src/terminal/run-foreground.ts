import { spawn } from "node:child_process";
import { constants } from "node:os";

/** A program to give the terminal to. */
export interface ForegroundProgram {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
}

/** Exit code of a shell for a program that cannot be started. */
const CANNOT_START = 127;

/**
 * Runs a program with our terminal until it ends. Ctrl+C and Ctrl+\ are for it alone; a request to end that only we
 * get is passed on to it. Returns its exit code, 128 + signal number when a signal ended it, 127 when it does not start.
 */
export function runForeground({ command, args, cwd }: ForegroundProgram): Promise<number> {
	return new Promise((resolve) => {
		const child = spawn(command, args, { cwd, stdio: "inherit" });
		const ignore = (): void => {};
		const pass = (signal: NodeJS.Signals): void => {
			child.kill(signal);
		};
		const finish = (code: number): void => {
			for (const signal of ["SIGINT", "SIGQUIT"]) process.off(signal, ignore);
			for (const signal of ["SIGTERM", "SIGHUP"]) process.off(signal, pass);
			resolve(code);
		};
		for (const signal of ["SIGINT", "SIGQUIT"]) process.on(signal, ignore);
		for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, pass);
		child.once("error", (error) => {
			process.stderr.write(
				`pi-grove: cannot start ${command} in ${cwd}: ${error.message}. Check that it is installed, or name another with --pi.\n`,
			);
			finish(CANNOT_START);
		});
		child.once("exit", (code, signal) => finish(code ?? 128 + (signal ? constants.signals[signal] : 0)));
	});
}
