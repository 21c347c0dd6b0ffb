import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSessionDir } from "../../src/store/read/session-dir.ts";
import { type TerminalOptions, TestTerminal } from "./terminal.ts";

/** One message of a session that a test writes, with the place it branches off from, if not from the one before. */
export interface Said {
	readonly role: "user" | "assistant";
	readonly text: string;
	/** Index of the message that this one answers; default: the one before. */
	readonly after?: number;
}

export interface SessionPlan {
	/** Directory under the sandbox's home that it was held in. */
	readonly project: string;
	/** Minutes since its last message. */
	readonly age: number;
	readonly name?: string;
	readonly said: readonly Said[];
	readonly parentSession?: string;
}

export interface StartOptions extends TerminalOptions {
	/** Node to run; default: this one. */
	readonly node?: string;
	/** Arguments for Node itself, before the program. */
	readonly nodeArgs?: readonly string[];
	/** A command that runs the command that follows it. */
	readonly within?: readonly string[];
}

const program = join(import.meta.dirname, "..", "..", "dist", "cli.js");

/** A home directory of its own for the built program: sessions, trash, cache, and a stand-in for pi. */
export class Sandbox {
	readonly home: string = mkdtempSync(join(tmpdir(), "pi-grove-test-"));
	readonly agentDir: string = join(this.home, ".pi", "agent");
	readonly #terminals: TestTerminal[] = [];
	#sessions = 0;

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
	session({ project, age, name, said, parentSession }: SessionPlan): string {
		const cwd = this.directory(project);
		const number = String(++this.#sessions).padStart(4, "0");
		const end = Date.now() - age * 60_000;
		const time = (index: number): number => end - (said.length - index) * 1000;
		const iso = (index: number): string => new Date(time(index)).toISOString();
		const id = (index: number): string => `${number}${String(index).padStart(4, "0")}`;
		const lines: object[] = [
			{
				type: "session",
				version: 3,
				id: `session-${number}`,
				timestamp: iso(0),
				cwd,
				...(parentSession && { parentSession }),
			},
		];
		said.forEach((message, index) => {
			const { role, text, after = index - 1 } = message;
			lines.push({
				type: "message",
				id: id(index),
				parentId: after < 0 ? null : id(after),
				timestamp: iso(index),
				message: { role, content: [{ type: "text", text }], timestamp: time(index) },
			});
		});
		if (name !== undefined) {
			const last = said.length - 1;
			lines.push({ type: "session_info", id: id(9000), parentId: id(last), timestamp: iso(last), name });
		}
		const directory = defaultSessionDir(cwd, this.agentDir);
		mkdirSync(directory, { recursive: true });
		const path = join(directory, `${iso(0).replace(/[:.]/g, "-")}_session-${number}.jsonl`);
		writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
		return path;
	}

	/** Puts a program named `pi` in front of all others. */
	standIn(script: string): void {
		const path = join(this.directory("bin"), "pi");
		writeFileSync(path, `#!/bin/sh\n${script}\n`);
		chmodSync(path, 0o755);
	}

	/** Starts the built program in a pseudo-terminal. */
	start(args: readonly string[] = [], options: StartOptions = {}): TestTerminal {
		const { node = process.execPath, nodeArgs = [], within = [], env = {} } = options;
		const [command = node, ...more] = [...within, node, ...nodeArgs, program, ...args];
		const terminal = new TestTerminal(command, more, {
			cwd: this.home,
			...options,
			env: { ...this.env, ...env },
		});
		this.#terminals.push(terminal);
		return terminal;
	}

	/** All session files by path, each with a digest of its bytes and its modification time. */
	fingerprints(): Map<string, string> {
		const root = join(this.agentDir, "sessions");
		const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
		return new Map(
			names.map((name) => {
				const path = join(root, name);
				const digest = createHash("sha256").update(readFileSync(path)).digest("hex");
				return [path, `${digest} ${statSync(path, { bigint: true }).mtimeNs}`];
			}),
		);
	}

	remove(): void {
		for (const terminal of this.#terminals) terminal.kill();
		rmSync(this.home, { recursive: true, force: true });
	}
}

/** The path of the built program. */
export const programPath: string = program;

/** Three sessions in two projects, one of them with a branch. */
export function threeSessions(sandbox: Sandbox): { parser: string; retry: string; site: string } {
	const parser = sandbox.session({
		project: "work/api",
		age: 60,
		name: "Refactor the parser",
		said: [
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
		said: [
			{ role: "user", text: "Find the retry loop" },
			{ role: "assistant", text: "It is in client.ts." },
		],
	});
	const site = sandbox.session({
		project: "work/site",
		age: 600,
		said: [
			{ role: "user", text: "検索を日本語に対応させて" },
			{ role: "assistant", text: "対応しました。" },
		],
	});
	return { parser, retry, site };
}
