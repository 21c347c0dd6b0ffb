import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach } from "vitest";
import { defaultSessionDir } from "../../src/store/read/session-dir.ts";
import { fingerprints } from "./fingerprint.ts";
import { conversation, lines, type PlannedMessage } from "./session-builder.ts";
import { createTempDir } from "./temp-dir.ts";
import { type TerminalOptions, TestTerminal } from "./terminal.ts";

/** A session as a test wants it. */
export interface SessionPlan {
	/** Directory under the sandbox's home in which pi ran. */
	readonly project: string;
	/** Minutes since its last message. */
	readonly age: number;
	readonly name?: string;
	readonly messages: readonly PlannedMessage[];
	readonly parentSession?: string;
}

export interface StartOptions extends TerminalOptions {
	/** Node to run; default: this one. */
	readonly node?: string;
	/** The program; default: the one that was built. */
	readonly program?: string;
	/** Arguments for Node itself, before the program. */
	readonly nodeArgs?: readonly string[];
	/** A command that runs the command that follows it. */
	readonly within?: readonly string[];
}

/** The path of the built program. */
export const programPath: string = join(import.meta.dirname, "..", "..", "dist", "cli.js");

/** A home directory of its own for the built program: sessions, trash, cache, and maybe a pi. */
export class Sandbox {
	readonly #temporary: string | undefined;
	#dir: ReturnType<typeof createTempDir> | undefined;
	#terminals: TestTerminal[] = [];
	#sessions = 0;

	/** `temporary`: the directory for it; default: that of the process. */
	constructor(temporary?: string) {
		this.#temporary = temporary;
	}

	/** The home directory, made when it is first asked for. */
	get home(): string {
		this.#dir ??= createTempDir(this.#temporary);
		return this.#dir.path;
	}

	get agentDir(): string {
		return join(this.home, ".pi", "agent");
	}

	/** Environment of a program that must find nothing outside. */
	get env(): Record<string, string> {
		const bin = join(this.home, "bin");
		return {
			HOME: this.home,
			PI_CODING_AGENT_DIR: this.agentDir,
			XDG_DATA_HOME: join(this.home, "data"),
			XDG_CACHE_HOME: join(this.home, "cache"),
			XDG_STATE_HOME: join(this.home, "state"),
			TMPDIR: this.directory("tmp"),
			PATH: `${bin}:${process.env.PATH ?? ""}`,
		};
	}

	/** A directory under the home directory, made when it is not there. */
	directory(name: string): string {
		const path = join(this.home, name);
		mkdirSync(path, { recursive: true });
		return path;
	}

	/** Writes a session as pi would; returns its path. */
	session({ project, age, ...plan }: SessionPlan): string {
		const cwd = this.directory(project);
		const number = String(++this.#sessions).padStart(4, "0");
		const session = conversation({ ...plan, number, cwd, endMs: Date.now() - age * 60_000 });
		const directory = defaultSessionDir(cwd, this.agentDir);
		mkdirSync(directory, { recursive: true });
		const path = join(directory, `${session.began.replace(/[:.]/g, "-")}_${session.id}.jsonl`);
		writeFileSync(path, lines(...session.lines));
		return path;
	}

	/** Writes a session file of exactly these lines, of a project in /work unless its header says another; returns its path. */
	write(name: string, ...content: readonly string[]): string {
		const directory = join(this.agentDir, "sessions", "--work--");
		mkdirSync(directory, { recursive: true });
		const path = join(directory, name);
		writeFileSync(path, lines(...content));
		return path;
	}

	/** Puts a shell script named `pi` before all others in the PATH. */
	installPi(script: string): void {
		const path = join(this.directory("bin"), "pi");
		writeFileSync(path, `#!/bin/sh\n${script}\n`);
		chmodSync(path, 0o755);
	}

	/** Starts the built program in a pseudo-terminal. */
	start(args: readonly string[] = [], options: StartOptions = {}): TestTerminal {
		const { node = process.execPath, program = programPath, nodeArgs = [], within = [], env = {} } = options;
		const [command = node, ...more] = [...within, node, ...nodeArgs, program, ...args];
		const terminal = new TestTerminal(command, more, {
			cwd: this.home,
			...options,
			env: { ...this.env, ...env },
		});
		this.#terminals.push(terminal);
		return terminal;
	}

	/** The fingerprints of all session files, by path. */
	fingerprints(): Map<string, string> {
		return fingerprints(join(this.agentDir, "sessions"));
	}

	/** Ends what was started, and removes the directory. What is asked for afterwards is in a new one. */
	remove(): void {
		for (const terminal of this.#terminals) terminal.kill();
		this.#dir?.remove();
		this.#dir = undefined;
		this.#terminals = [];
		this.#sessions = 0;
	}
}

/** A sandbox that is another one in each test of a file. */
export function sandboxOfTest(): Sandbox {
	const sandbox = new Sandbox();
	afterEach(() => sandbox.remove());
	return sandbox;
}

/** Three sessions in two projects, one of them with a branch. */
export function threeSessions(sandbox: Sandbox): { parser: string; retry: string; site: string } {
	const parser = sandbox.session({
		project: "work/api",
		age: 60,
		name: "Refactor the parser",
		messages: [
			{ role: "user", text: "Why does the import drop the last record?" },
			{ role: "assistant", text: "The file does not end in a newline." },
			{ role: "user", text: "Use a regular expression" },
			{ role: "assistant", text: "It runs out of memory." },
			{ role: "user", text: "Stream it instead", after: 1 },
			{ role: "assistant", text: "All tests pass now." },
		],
	});
	const retry = sandbox.session({
		project: "work/api",
		age: 5,
		messages: [
			{ role: "user", text: "Find the retry loop" },
			{ role: "assistant", text: "It is in client.ts." },
		],
	});
	const site = sandbox.session({
		project: "work/site",
		age: 600,
		messages: [
			{ role: "user", text: "検索を日本語に対応させて" },
			{ role: "assistant", text: "対応しました。" },
		],
	});
	return { parser, retry, site };
}
