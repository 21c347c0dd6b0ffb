import { type ChildProcess, execFile, spawn } from "node:child_process";
import { constants } from "node:os";
import { findOutsideProgram, findProgram, type OutsideProgram } from "../../app/world/effects/find-program.ts";
import { SIGNAL_CODES } from "../../terminal/exit-signals.ts";
import { spawnForm } from "../../terminal/run-foreground.ts";
import { isDumb } from "../../terminal/terminal.ts";
import { EXIT, isRunByAgent, note, redirect, remark } from "./output.ts";

/**
 * Runs `print`, whose output goes through a pager if stdin and stdout are a terminal; the pager is started with the first output, so that a
 * mistake is printed as usual. What is printed on stderr while the pager is open appears once it has ended. Returns the exit
 * code of `print`; ending the pager early ends `print` and is not an error. `find`: finds the pager.
 */
export async function withPager(
	print: () => Promise<number>,
	isWanted: boolean,
	find: (env: NodeJS.ProcessEnv) => Promise<OutsideProgram | string | undefined> = findPager,
): Promise<number> {
	// The keys of the pager come from the terminal, too, and it must know how to draw on it.
	const hasTerminal = process.stdin.isTTY && process.stdout.isTTY && process.env.TERM !== undefined && !isDumb();
	const isPossible = isWanted && hasTerminal && !isRunByAgent();
	const program = isPossible ? await find(process.env) : undefined;
	if (program === undefined) return print();
	if (typeof program === "string") {
		note(program);
		return print();
	}
	const pager = new Pager(program);
	let code: number = EXIT.ok;
	redirect(pager);
	try {
		code = await print();
	} catch (error) {
		if (!(error instanceof PagerClosed)) throw error;
	} finally {
		redirect(undefined);
		// Also after a bug: two programs would read from the terminal.
		const failure = await pager.end();
		for (const line of pager.remarks) remark(line);
		code = failure ?? code;
	}
	return code;
}

/** The pager for a patch: what Git would use, else delta, else as for any other text. */
export async function findPatchPager(env: NodeJS.ProcessEnv): Promise<OutsideProgram | string | undefined> {
	const configured = env.GIT_PAGER ?? (await configuredPager());
	if (configured !== undefined) return findPager({ ...env, PAGER: configured });
	const delta = await findProgram("delta", env);
	return delta === undefined ? findPager(env) : { command: delta, args: [], name: "delta" };
}

/** Git's `core.pager`, as the person has set it: what a repository names is not run by looking. Undefined if it is not set. */
function configuredPager(): Promise<string | undefined> {
	const env = { ...process.env, GIT_DIR: "/dev/null" };
	return new Promise((resolve) => {
		execFile("git", ["config", "--get", "core.pager"], { env }, (error, stdout) => {
			resolve(error === null && stdout.trim() !== "" ? stdout.trim() : undefined);
		});
	});
}

/** `$PAGER`, else less; undefined for none, a string says why the one that `$PAGER` names cannot be used. */
async function findPager(env: NodeJS.ProcessEnv): Promise<OutsideProgram | string | undefined> {
	const { PAGER } = env;
	if (PAGER === undefined) {
		const less = await findProgram("less", env);
		return less === undefined ? undefined : { command: less, args: ["-R"], name: "less" };
	}
	// As for git.
	return PAGER.trim() === "" || PAGER.trim() === "cat" ? undefined : findOutsideProgram("pager", env);
}

/** The pager was ended before everything was printed. */
class PagerClosed extends Error {}

/** The exit codes of a shell that could not run a program. */
const NOT_RUN: readonly (number | null)[] = [126, 127];

/** A pager, started with the first text. */
class Pager {
	/** What was printed on stderr meanwhile. */
	readonly remarks: string[] = [];
	readonly #program: OutsideProgram;
	#child: ChildProcess | undefined;
	readonly #ended = Promise.withResolvers<number | undefined>();
	/** The exit code of the signal that ends this process as soon as the pager has ended. */
	#signaled: number | undefined;

	constructor(program: OutsideProgram) {
		this.#program = program;
	}

	/** Resolves once the pager has read the text; rejects with `PagerClosed` if it has ended. */
	write(text: string): Promise<void> {
		this.#child ??= this.#start();
		const { stdin } = this.#child;
		return new Promise((resolve, reject) => {
			if (stdin === null) reject(new PagerClosed());
			else stdin.write(text, (error) => (error ? reject(new PagerClosed()) : resolve()));
		});
	}

	/** Keeps a line until the pager has ended, if it is open. */
	hold(line: string): boolean {
		if (this.#child === undefined) return false;
		this.remarks.push(line);
		return true;
	}

	/** Waits until the person has ended the pager; resolves to an exit code that replaces that of `print`, if there is one. */
	async end(): Promise<number | undefined> {
		if (this.#child === undefined) return undefined;
		this.#child.stdin?.end();
		const code = await this.#ended.promise;
		for (const signal of KEYS) process.off(signal, ignore);
		for (const signal of SIGNALS) process.off(signal, this.#forward);
		return this.#signaled ?? code;
	}

	#start(): ChildProcess {
		const { command, args, name } = this.#program;
		// Ctrl+c is for the pager: the terminal sends it to both. It must not outlive us, or it would read what is for the shell.
		for (const signal of KEYS) process.on(signal, ignore);
		for (const signal of SIGNALS) process.on(signal, this.#forward);
		const { windowsVerbatimArguments, ...form } = spawnForm(command, args);
		const child = spawn(form.command, form.args, {
			stdio: ["pipe", "inherit", "inherit"],
			windowsVerbatimArguments,
			// As for git: colors are drawn, and what fits on the screen needs no key.
			env: { ...process.env, LESS: process.env.LESS ?? "FRX", LV: process.env.LV ?? "-c" },
		});
		// The next `write` reports it.
		child.stdin.on("error", ignore);
		child.once("error", (error) => this.#fail(name, error.message));
		child.once("close", (code, signal) => {
			if (NOT_RUN.includes(code)) this.#fail(name, `it ended with exit code ${code}`);
			else this.#ended.resolve(signal === null ? undefined : 128 + constants.signals[signal]);
		});
		return child;
	}

	#fail(name: string, why: string): void {
		this.remarks.push(`pi-grove: cannot show it in ${name}: ${why}. Without a pager: --no-pager`);
		this.#child?.stdin?.destroy();
		this.#ended.resolve(EXIT.failed);
	}

	readonly #forward = (signal: NodeJS.Signals): void => {
		this.#signaled = SIGNAL_CODES.get(signal);
		this.#child?.kill(signal);
		this.#child?.stdin?.destroy();
	};
}

/** Signals that the terminal's keys send. */
const KEYS = ["SIGINT", "SIGQUIT"] as const;
/** Signals that only this process may get. */
const SIGNALS = ["SIGTERM", "SIGHUP"] as const;

function ignore(): void {}
