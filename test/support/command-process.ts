import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createTempDir } from "./temp-dir.ts";

/** A command line, and what is around it. */
export interface CommandRequest {
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	readonly cwd: string;
}

/** How a command line ended, and what it wrote. */
interface CommandResult {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

/** What the process says of a command line that ended. */
interface Reply {
	readonly code: number;
	/** Bytes of its output files until then. */
	readonly out: number;
	readonly err: number;
	/** Whether the process ended with it. */
	readonly isLast: boolean;
}

/** Much longer than any command takes on a busy machine. */
const HANGS_MS = 120_000;

/** The outputs of all are kept, and the modules that are loaded anew each time. */
const MOST_RUNS = 200;

/**
 * A process that runs command lines of the built program one after the other: what costs most, to load the program, is
 * done once. What the modules of the program remember stays.
 */
export class CommandProcess {
	readonly #dir = createTempDir();
	readonly #child: ChildProcess;
	readonly #requests: number;
	readonly #replies: number;
	readonly #outputs: readonly [out: number, err: number];
	readonly #read: [out: number, err: number] = [0, 0];
	#isGone = false;
	#runs = 0;

	/** `nodeOptions`: what is loaded before the program, in each of its threads, too. */
	constructor(program: string, nodeOptions?: string) {
		const path = (name: string): string => join(this.#dir.path, name);
		spawnSync("mkfifo", [path("requests"), path("replies")]);
		// Both directions: it is open before somebody reads.
		this.#requests = openSync(path("requests"), constants.O_RDWR);
		this.#replies = openSync(path("replies"), constants.O_RDONLY | constants.O_NONBLOCK);
		this.#outputs = [openSync(path("out"), "a+"), openSync(path("err"), "a+")];
		const script = join(import.meta.dirname, "command-process-child.mjs");
		this.#child = spawn(process.execPath, [script, program, path("requests"), path("replies")], {
			stdio: ["ignore", ...this.#outputs],
			env: { ...process.env, NODE_OPTIONS: nodeOptions },
		});
		this.#child.unref();
	}

	/** Whether another one should take its place. */
	get isOver(): boolean {
		return this.#isGone || this.#runs >= MOST_RUNS;
	}

	/** Runs a command line to its end. One that does not end has the code null. */
	run(request: CommandRequest): CommandResult {
		this.#runs++;
		writeSync(this.#requests, `${JSON.stringify(request)}\n`);
		const line = this.#nextReply();
		const reply = line === undefined ? undefined : (JSON.parse(line) as Reply);
		this.#isGone = reply?.isLast ?? true;
		// All is open now: nothing is left behind, however this process ends, and the other one ends with it.
		this.#dir.remove();
		const [out, err] = [this.#newText(0, reply?.out), this.#newText(1, reply?.err)];
		return { code: reply?.code ?? null, out, err };
	}

	/** A line, waited for without events, as `spawnSync` does; undefined when none comes. */
	#nextReply(): string | undefined {
		const buffer = Buffer.alloc(1 << 10);
		const until = performance.now() + HANGS_MS;
		let hasBegun = false;
		for (let line = ""; performance.now() < until; ) {
			const length = this.#readReply(buffer);
			// Nobody has opened it for writing: not yet, or not any more.
			if (length === 0 && hasBegun) return undefined;
			if (length !== 0) hasBegun = true;
			if (length !== undefined) line += buffer.toString("utf8", 0, length);
			if (line.endsWith("\n")) return line;
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
		}
		return undefined;
	}

	/** How many bytes came; undefined: none yet. */
	#readReply(buffer: Buffer): number | undefined {
		try {
			return readSync(this.#replies, buffer);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
			throw error;
		}
	}

	/** What was written since the last time, up to a position. */
	#newText(stream: 0 | 1, end = this.#read[stream]): string {
		const buffer = Buffer.alloc(end - this.#read[stream]);
		readSync(this.#outputs[stream], buffer, 0, buffer.length, this.#read[stream]);
		this.#read[stream] = end;
		return buffer.toString();
	}

	/** Ends the process. */
	close(): void {
		this.#isGone = true;
		this.#child.kill("SIGKILL");
		for (const file of [this.#requests, this.#replies, ...this.#outputs]) closeSync(file);
		this.#dir.remove();
	}
}
