import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { z } from "zod";
import { lineSplitter } from "../../shared/line-splitter.ts";
import type { Env } from "../../shared/system.ts";
import { type HostPlace, PlaceError } from "./place.ts";
import { PROTOCOL, parsed } from "./serve.ts";

export interface HostLimits {
	/** The environment of ssh. @default process.env */
	readonly env?: Env;
	/** Milliseconds until the first line must be there; ssh itself gives up on a connection after five seconds. @default 15000 */
	readonly helloMs?: number;
	/** Milliseconds without output or work while a command runs. @default 15000 */
	readonly silenceMs?: number;
	/** Milliseconds that one command may take in all. @default 600000 */
	readonly commandMs?: number;
}

/** The first line of a server. */
export const HELLO = z.object({
	/** The version of the protocol; the first one does not say it. */
	hello: z.int().default(1),
	/** The oldest version that it speaks, too. */
	oldest: z.int().default(1),
	/** Version of pi-grove there. */
	version: z.string(),
	home: z.string(),
	sessions: z.string(),
	/** Its clock, in Unix ms. */
	now: z.number().min(-8.64e15).max(8.64e15),
});

export type Hello = z.infer<typeof HELLO>;

const ANSWER = z.object({
	id: z.int(),
	out: z.string().optional(),
	err: z.string().optional(),
	busy: z.number().optional(),
	code: z.int().optional(),
});

/** Longest line of a server, in bytes. A piece of output has at most 64 KiB, each of which may take six in JSON. */
const MAX_LINE_BYTES = 1024 * 1024;
/** Bytes that a shell may print before the first line: a greeting. */
const MAX_GREETING = 64 * 1024;
/** Characters of what ssh or a command has printed on stderr, the last ones, that are kept. */
const MAX_SAID = 4000;
/** Milliseconds between asking ssh to end and killing it. */
const KILL_MS = 1000;
/** The exit code of a shell that did not find a command. */
const NOT_FOUND = 127;

interface Running {
	/** The most work that was reported. */
	busy: number;
	said: string;
	/** Takes output; a promise is waited for before more is read. */
	readonly onOutput: (bytes: Buffer) => unknown;
	readonly end: (code: number) => void;
	readonly fail: (error: unknown) => void;
}

/** A connection to the pi-grove of another machine, by ssh, which never asks for a password here. */
export class HostConnection {
	/** The greeting of the machine. Rejects with a `PlaceError`. */
	readonly hello: Promise<Hello>;
	/** Resolves when ssh has ended. */
	readonly ended: Promise<void>;
	readonly #place: HostPlace;
	readonly #limits: HostLimits;
	readonly #child: ChildProcessWithoutNullStreams;
	readonly #running = new Map<number, Running>();
	readonly #greeted = Promise.withResolvers<Hello>();
	readonly #ended = Promise.withResolvers<void>();
	#hasGreeted = false;
	#greeting = 0;
	#said = "";
	#requests = 0;
	#failure: PlaceError | undefined;
	#timer: NodeJS.Timeout;

	constructor(place: HostPlace, limits: HostLimits = {}) {
		const { env = process.env, helloMs = 15_000 } = limits;
		this.#place = place;
		this.#limits = limits;
		const child = spawn("ssh", sshArguments(place), { env, stdio: "pipe" });
		this.#child = child;
		this.#timer = setTimeout(() => this.#fail(`no answer within ${helloMs / 1000} s`), helloMs);
		[this.hello, this.ended] = [this.#greeted.promise, this.#ended.promise];
		this.hello.catch(() => undefined);
		child.stderr.on("data", (chunk: Buffer) => {
			this.#said = (this.#said + chunk.toString("utf8")).slice(-MAX_SAID);
		});
		child.on("error", (error) => this.#end(`ssh cannot be started: ${error.message}`));
		child.on("close", (code) => this.#end(this.#reasonOf(code)));
		// Writing to a process that has ended, or reading from it; `close` says why.
		child.stdin.on("error", () => undefined);
		this.#read().catch(() => undefined);
	}

	/**
	 * Runs a command of pi-grove there that only reads; `onOutput` gets what it prints, piece by piece. Resolves to its exit code, and what
	 * it has printed on stderr. Rejects with a `PlaceError` if the machine is silent, too slow, or gone, with the signal's reason, and with
	 * what `onOutput` throws; the command is ended then.
	 */
	async run(
		args: readonly string[],
		onOutput: (bytes: Buffer) => unknown,
		signal?: AbortSignal,
	): Promise<{ readonly code: number; readonly notes: string }> {
		await this.hello;
		signal?.throwIfAborted();
		if (this.#failure !== undefined) throw this.#failure;
		const { commandMs = 600_000 } = this.#limits;
		const id = ++this.#requests;
		const { promise, resolve: end, reject: fail } = Promise.withResolvers<number>();
		const running: Running = { busy: -1, said: "", onOutput, end, fail };
		this.#running.set(id, running);
		const abort = (): void => fail(signal?.reason);
		signal?.addEventListener("abort", abort, { once: true });
		const late = setTimeout(() => fail(this.#error(`it was not done within ${commandMs / 60_000} min`)), commandMs);
		this.#send({ id, run: args });
		this.#listen();
		try {
			return { code: await promise, notes: running.said };
		} catch (error) {
			this.#send({ cancel: id });
			throw error;
		} finally {
			clearTimeout(late);
			signal?.removeEventListener("abort", abort);
			this.#running.delete(id);
			this.#listen();
		}
	}

	/** Ends the connection; resolves when ssh has ended. */
	async close(): Promise<void> {
		this.#fail("the connection was closed");
		await this.ended;
	}

	/** Takes one line after the other; output that is not taken yet holds up the machine. */
	async #read(): Promise<void> {
		const lines: string[] = [];
		const split = lineSplitter(
			MAX_LINE_BYTES,
			(line) => lines.push(line),
			() => this.#fail("a line from there is longer than the protocol allows"),
		);
		for await (const chunk of this.#child.stdout) {
			split(chunk);
			for (const line of lines.splice(0))
				if (this.#hasGreeted) await this.#take(line);
				else this.#greet(line);
		}
	}

	async #take(line: string): Promise<void> {
		const { id = 0, out, err, busy = -1, code } = parsed(ANSWER, line) ?? {};
		const running = this.#running.get(id);
		// Unknown lines come from a newer version, or from a canceled command.
		if (running === undefined) return;
		const isWork = out !== undefined || err !== undefined || code !== undefined || busy > running.busy;
		running.busy = Math.max(running.busy, busy);
		if (isWork) this.#listen();
		if (err !== undefined) running.said = (running.said + Buffer.from(err, "latin1").toString("utf8")).slice(-MAX_SAID);
		try {
			if (out !== undefined) await running.onOutput(Buffer.from(out, "latin1"));
			if (code !== undefined) running.end(code);
		} catch (error) {
			running.fail(error);
		}
	}

	#greet(line: string): void {
		const hello = parsed(HELLO, line);
		this.#greeting += line.length;
		if (hello === undefined) {
			if (this.#greeting > MAX_GREETING) this.#fail("the program that answers there is not pi-grove");
			return;
		}
		const { version } = hello;
		if (hello.oldest > PROTOCOL)
			this.#fail(`pi-grove ${version} there is newer than this one understands; update it here`);
		else if (hello.hello < PROTOCOL) this.#fail(`pi-grove ${version} is too old there; update it on that machine`);
		else {
			this.#hasGreeted = true;
			clearTimeout(this.#timer);
			this.#greeted.resolve(hello);
		}
	}

	#send(message: object): void {
		if (this.#failure === undefined) this.#child.stdin.write(`${JSON.stringify(message)}\n`);
	}

	/** Waits for the next sign of work, if a command runs. */
	#listen(): void {
		if (!this.#hasGreeted) return;
		clearTimeout(this.#timer);
		if (this.#running.size === 0 || this.#failure !== undefined) return;
		const { silenceMs = 15_000 } = this.#limits;
		this.#timer = setTimeout(() => this.#fail(`no answer for ${silenceMs / 1000} s`), silenceMs);
	}

	#error(why: string): PlaceError {
		return new PlaceError(`${this.#place.name}: ${why}`);
	}

	/** Rejects what runs and whatever will be asked, and ends ssh. */
	#fail(why: string): void {
		const error = this.#failure ?? this.#error(why);
		this.#failure = error;
		clearTimeout(this.#timer);
		this.#greeted.reject(error);
		for (const { fail } of this.#running.values()) fail(error);
		const child = this.#child;
		// The rest of its output is not read: a process behind it, such as a ProxyCommand, might never end.
		child.stdout.destroy();
		child.stderr.destroy();
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.stdin.end();
		child.kill("SIGTERM");
		setTimeout(() => child.kill("SIGKILL"), KILL_MS).unref();
	}

	#end(why: string): void {
		this.#fail(why);
		this.#ended.resolve();
	}

	/** Why ssh has ended, in its own words if it said something. */
	#reasonOf(code: number | null): string {
		const { host, command = "pi-grove" } = this.#place;
		const words = this.#said.trim().replace(/\s*\n\s*/g, "; ");
		const why = words === "" ? `ssh ended with ${code ?? "a signal"}` : words;
		if (code !== NOT_FOUND) return why;
		const install = `\`ssh ${host} npm install --global pi-grove\` installs it`;
		return `${command} was not found there (${why}); ${install}, or give the place the command that starts it`;
	}
}

/** Gives up on a machine that cannot be reached, or is gone. */
function sshArguments({ host, command = "pi-grove" }: HostPlace): string[] {
	const options = ["BatchMode=yes", "ConnectTimeout=5", "ServerAliveInterval=5", "ServerAliveCountMax=3"];
	return ["-T", "-C", ...options.flatMap((option) => ["-o", option]), "--", host, `${command} serve --stdio`];
}
