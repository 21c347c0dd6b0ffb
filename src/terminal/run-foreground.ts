import { spawn } from "node:child_process";
import { constants } from "node:os";
import { type Env, type System, thisSystem } from "../shared/system.ts";
import type { TerminalStdio } from "./terminal.ts";

interface ForegroundProgram {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
	/** @default that of this process */
	readonly env?: Env;
	/** Called when it has started; the function that this returns is called when it has ended. */
	readonly onStart?: (pid: number) => () => void;
	/** Called with the reason if it cannot be started. */
	readonly onFailure: (reason: string) => void;
}

/** The exit code that shells use for a program that cannot be started. */
const CANNOT_START = 127;

/**
 * Runs a program in a terminal until it ends. Ctrl+C and Ctrl+\ affect only that program; SIGTERM and SIGHUP, which only we
 * get, are forwarded to it. Resolves to its exit code: 128 + signal number if a signal ended it, 127 if it could not be
 * started.
 */
export function runForeground(
	{ command, args, cwd, env = process.env, onStart, onFailure }: ForegroundProgram,
	stdio: TerminalStdio,
): Promise<number> {
	return new Promise((resolve) => {
		const ignore = (): void => {};
		// Before it is started: a key pressed as soon as it runs must not end us.
		for (const signal of ["SIGINT", "SIGQUIT"]) process.on(signal, ignore);
		const { windowsVerbatimArguments, ...form } = spawnForm(command, args);
		const child = spawn(form.command, form.args, { cwd, env: { ...env }, stdio, windowsVerbatimArguments });
		const forward = (signal: NodeJS.Signals): void => {
			child.kill(signal);
		};
		const finish = (code: number): void => {
			for (const signal of ["SIGINT", "SIGQUIT"]) process.off(signal, ignore);
			for (const signal of ["SIGTERM", "SIGHUP"]) process.off(signal, forward);
			onEnd?.();
			resolve(code);
		};
		for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, forward);
		const onEnd = child.pid === undefined ? undefined : onStart?.(child.pid);
		child.once("error", (error) => {
			onFailure(error.message);
			finish(CANNOT_START);
		});
		child.once("exit", (code, signal) => finish(code ?? 128 + (signal ? constants.signals[signal] : 0)));
	});
}

interface SpawnForm {
	readonly command: string;
	readonly args: readonly string[];
	/** The arguments are quoted already. */
	readonly windowsVerbatimArguments: boolean;
}

/** Characters that are special in cmd.exe. */
const SPECIAL = /[()\][%!^"`<>&|;, *?]/g;
/** A launcher that npm puts into a project: it passes its arguments through cmd.exe once more. */
const SHIM = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i;

/**
 * How to start a program. On Windows npm installs programs, such as pi, as `.cmd` files, which Node runs only through cmd.exe
 * (else EINVAL). So that no argument becomes a command there, arguments are quoted as the package cross-spawn does.
 */
export function spawnForm(
	command: string,
	args: readonly string[],
	env: NodeJS.ProcessEnv = process.env,
	{ isUnix }: System = thisSystem,
): SpawnForm {
	if (isUnix || !/\.(?:cmd|bat)$/i.test(command)) return { command, args, windowsVerbatimArguments: false };
	const line = [escaped(command), ...args.map((arg) => quoted(arg, SHIM.test(command)))].join(" ");
	return { command: env.ComSpec || "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], windowsVerbatimArguments: true };
}

/** Quotes an argument for the program itself, and the result for cmd.exe. */
function quoted(argument: string, isTwice: boolean): string {
	const once = escaped(`"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`);
	return isTwice ? escaped(once) : once;
}

function escaped(text: string): string {
	return text.replace(SPECIAL, "^$&");
}
