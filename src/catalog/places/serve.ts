import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import { attempt } from "../../shared/attempt.ts";
import { lineSplitter } from "../../shared/line-splitter.ts";
import { splitPlaced } from "./place.ts";

/* The server of `pi-grove serve --stdio`: docs/machines.md has its lines. */

export const PROTOCOL = 2;
/** Longest request, in bytes: it may name all sessions that are to be summed up. */
const MAX_REQUEST_BYTES = 32 * 1024 * 1024;
/** Bytes of output in one line of an answer, at most. */
const PIECE_BYTES = 64 * 1024;
/** While a command runs, something is sent at least this often, in milliseconds. */
const BUSY_MS = 2000;
/** The unit of work in such a line: processor time, in microseconds, which saying so alone does not take. */
const WORK_MICROS = 20_000;

/** The commands that may be run, which only read, with the options that each may have. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
	list: ["--json", "--raw", "--counted"],
	search: ["--json", "--raw", "--limit"],
	show: ["--raw", "--offset"],
	stats: ["--json", "--on"],
	files: ["--json"],
};

const REQUEST = z.union([
	z.object({ id: z.int(), run: z.array(z.string()) }),
	/** Ends what runs for a request. */
	z.object({ cancel: z.int() }),
]);

interface Greeting {
	readonly version: string;
	readonly home: string;
	readonly sessions: string;
}

/** A command that runs: a thread of this process (`node:worker_threads`). */
interface RunningCommand {
	readonly stdout: Readable;
	readonly stderr: Readable;
	terminate(): Promise<unknown>;
	once(event: "exit", listener: (code: number) => void): unknown;
}

/**
 * Runs the commands that are requested, and answers with their output, until the input ends or the output is closed. Only
 * commands that read the sessions of this machine are run. Resolves when all commands have ended. `start`: runs pi-grove with these arguments.
 */
export async function serve(
	input: Readable,
	output: Writable,
	greeting: Greeting,
	start: (args: readonly string[]) => RunningCommand,
): Promise<void> {
	const running = new Map<number, RunningCommand>();
	const send = (line: object): void => {
		if (output.writable) output.write(`${JSON.stringify(line)}\n`);
	};
	const copy = async (id: number, stream: Readable, field: "out" | "err"): Promise<void> => {
		for await (const chunk of stream) {
			// A canceled command sends nothing more.
			for (let at = 0; at < chunk.length && running.has(id); at += PIECE_BYTES)
				// Each byte is a character, since output may contain any bytes.
				send({ id, [field]: chunk.toString("latin1", at, at + PIECE_BYTES) });
			if (output.writableNeedDrain) await Promise.race([once(output, "drain"), once(output, "close")]);
		}
	};
	const run = async (id: number, args: readonly string[]): Promise<void> => {
		const mistake = running.has(id) ? `there is a request ${id} already` : refusal(args);
		if (mistake !== undefined) {
			send({ id, err: `${mistake}\n` });
			send({ id, code: 2 });
			return;
		}
		const command = start(args);
		running.set(id, command);
		const exit = new Promise<number>((resolve) => command.once("exit", resolve));
		await Promise.allSettled([copy(id, command.stdout, "out"), copy(id, command.stderr, "err"), exit]);
		if (running.get(id) !== command) return;
		running.delete(id);
		send({ id, code: await exit });
	};
	const take = (line: string): void => {
		const request = parsed(REQUEST, line);
		if (request === undefined) return;
		if ("run" in request) {
			void run(request.id, request.run);
			return;
		}
		void running.get(request.cancel)?.terminate();
		running.delete(request.cancel);
	};
	const heartbeat = setInterval(() => {
		const { user, system } = process.cpuUsage();
		const busy = Math.floor((user + system) / WORK_MICROS);
		// Also while no command runs: only a write shows that the output was closed.
		for (const id of running.size === 0 ? [0] : running.keys()) send({ id, busy });
	}, BUSY_MS);
	send({ hello: PROTOCOL, oldest: PROTOCOL, ...greeting, now: Date.now() });
	const ended = Promise.withResolvers<void>();
	input.on("data", lineSplitter(MAX_REQUEST_BYTES, take, ended.resolve));
	for (const event of ["end", "close", "error"]) input.once(event, () => ended.resolve());
	for (const event of ["close", "error"]) output.once(event, () => ended.resolve());
	await ended.promise;
	clearInterval(heartbeat);
	await Promise.all(running.values().map((command) => command.terminate()));
}

/** Why a command is not run, as a sentence; undefined if it is. Words follow `--`, so that none of them is an option. */
function refusal([command = "", ...args]: readonly string[]): string | undefined {
	const allowed = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
	if (allowed === undefined) return `${command} is not run for other machines, or pi-grove is older here than there`;
	const end = args.includes("--") ? args.indexOf("--") : args.length;
	const odd = args.slice(0, end).find((option) => !allowed.includes(option) && !/^\d+$/.test(option));
	if (odd !== undefined) return `${command} takes no ${odd} from other machines; words follow --`;
	const words = args.slice(end + 1);
	// Other forms would read a session that is not listed.
	if ((command === "show" && args[0] !== "--raw") || (command === "files" && words.length > 0))
		return "other machines read a session by show --raw";
	// A machine that is asked does not ask others in turn.
	const placed = command === "search" ? undefined : words.find((word) => splitPlaced(word));
	return placed === undefined ? undefined : `${placed} is not a session of this machine`;
}

/** Reads a line of JSON; undefined if it does not have the shape. */
export function parsed<Schema extends z.ZodType>(schema: Schema, line: string): z.infer<Schema> | undefined {
	return attempt(() => schema.safeParse(JSON.parse(line)).data);
}
