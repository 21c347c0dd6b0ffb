import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Random, seededRandom } from "../../bench/random.ts";
import { entry, header, lines, message, name, user } from "./session-builder.ts";

/** What is true of a session and its runs, because they were made so. */
export interface FamilyTruth {
	readonly path: string;
	/** The runs below it, theirs included. */
	readonly count: number;
	/** Those that it has asked for itself. */
	readonly asked: number;
	readonly failed: number;
	/** Those whose session is reported and does not exist. */
	readonly gone: number;
	/** Dollars, each once: of its own entries, and with its runs. */
	readonly own: number;
	readonly total: number;
	/** The session that a person forked from it, and what that has cost: all its answers, and those that it has not copied. */
	readonly fork?: { readonly path: string; readonly cost: number; readonly added: number } | undefined;
}

/** A session that is being made up. */
interface Making {
	readonly path: string;
	readonly id: string;
	readonly begins: string;
	/** The lines so far, without the header, and the id of the last one. */
	readonly entries: string[];
	last: string | null;
	/** What its own answers have cost, without those that it has copied, and with them. */
	own: number;
	held: number;
}

/** What is true of a run and those below it. */
type RunTruth = Pick<FamilyTruth, "count" | "failed" | "gone" | "total">;

const NO_RUN: RunTruth = { count: 0, failed: 0, gone: 0, total: 0 };
const AGENTS = ["scout", "worker", "reviewer"];
/** Runs may have runs, and these no more. */
const DEEPEST = 2;

/**
 * Writes a family of random sessions below the project directory: runs of all kinds of record, with and without sessions, with
 * forked context in which the reports of the parent are replayed, at two levels, and perhaps a person's fork of it all. The same
 * seed always writes the same files.
 */
export function writeRandomFamily(directory: string, seed: number): FamilyTruth {
	const family = new RandomFamily(directory, seed);
	return family.write();
}

class RandomFamily {
	readonly #directory: string;
	readonly #random: Random;
	readonly #seed: number;
	#second = 0;
	#ids = 0;

	constructor(directory: string, seed: number) {
		this.#directory = directory;
		this.#seed = seed;
		this.#random = seededRandom(seed);
	}

	write(): FamilyTruth {
		const head = this.#begin((file) => join(this.#directory, file));
		this.#say(head);
		const truth = this.#addRuns(head, 1, 4);
		this.#finish(head);
		const fork = this.#random.next() < 0.4 ? this.#forkByPerson(head) : undefined;
		return {
			path: head.path,
			...truth.sums,
			asked: truth.asked,
			own: head.own,
			total: head.own + truth.sums.total,
			fork,
		};
	}

	/** Seconds after the beginning, of which no two entries have the same; families do not begin together. */
	#next(): number {
		this.#second += 1;
		return this.#seed * 10_000 + this.#second;
	}

	#id(): string {
		this.#ids += 1;
		return `${this.#seed.toString(16).padStart(4, "0")}${this.#ids.toString(16).padStart(4, "0")}`;
	}

	#timestamp(): string {
		return (JSON.parse(entry("x", "x", null, this.#next())) as { timestamp: string }).timestamp;
	}

	/** `place`: where a file with the name that pi gives it is put. */
	#begin(place: (file: string) => string, begins = this.#timestamp(), more: object = {}): Making {
		const id = `${this.#id()}-0000-7000-8000-000000000000`;
		const path = place(`${this.#timestamp().replace(/[:.]/g, "-")}_${id}.jsonl`);
		const first = header({ id, timestamp: begins, cwd: `/work/${this.#seed}`, ...more });
		return { path, id, begins: first, entries: [], last: null, own: 0, held: 0 };
	}

	#append(session: Making, make: (id: string, parent: string | null, second: number) => string): void {
		const id = this.#id();
		session.entries.push(make(id, session.last, this.#next()));
		session.last = id;
	}

	#answer(session: Making, calls: readonly object[] = []): void {
		const cost = this.#random.int(1, 100) / 100;
		session.own += cost;
		session.held += cost;
		const content = [{ type: "text", text: "so it is" }, ...calls];
		const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost: { total: cost } };
		const stopReason = calls.length > 0 ? "toolUse" : "stop";
		const answer = { role: "assistant", content, provider: "local", model: "small", usage, stopReason };
		this.#append(session, (id, parent, second) => message(id, parent, second, answer));
	}

	#say(session: Making): void {
		this.#append(session, (id, parent, second) => user(id, parent, second, `go on with ${id}`));
		this.#answer(session);
	}

	#result(session: Making, toolCallId: string, toolName: string, details: object, cost?: number): void {
		const usage = cost === undefined ? {} : { usage: { input: 1, output: 1, cost: { total: cost } } };
		const result = { role: "toolResult", toolCallId, toolName, content: [], details, isError: false, ...usage };
		this.#append(session, (id, parent, second) => message(id, parent, second, result));
	}

	#finish(session: Making): void {
		this.#answer(session);
		mkdirSync(dirname(session.path), { recursive: true });
		writeFileSync(session.path, lines(session.begins, ...session.entries));
	}

	#addRuns(session: Making, level: number, most: number): { readonly sums: RunTruth; readonly asked: number } {
		const found: RunTruth[] = [];
		const kinds = [this.#nested, this.#forked, this.#inMemory, this.#named, this.#inBackground, this.#ofWeb];
		if (level <= DEEPEST)
			for (let left = this.#random.int(0, most); left > 0; left -= 1)
				found.push(...this.#random.pick(kinds).call(this, session, level));
		const sums = found.reduce(
			(sum, run) => ({
				count: sum.count + run.count,
				failed: sum.failed + run.failed,
				gone: sum.gone + run.gone,
				total: sum.total + run.total,
			}),
			NO_RUN,
		);
		return { sums, asked: found.length };
	}

	/** Begins a call; returns its id. */
	#call(session: Making, tool: string, args: object): string {
		const callId = `call_${this.#id()}`;
		this.#answer(session, [{ type: "toolCall", id: callId, name: tool, arguments: args }]);
		return callId;
	}

	/** A run's own conversation, and its runs; written, unless its session is gone. */
	#work(run: Making, level: number, before: readonly string[] = []): RunTruth {
		for (const line of before) run.entries.push(line);
		this.#say(run);
		const { sums } = this.#addRuns(run, level + 1, 3);
		this.#finish(run);
		return { ...sums, count: sums.count + 1, total: run.own + sums.total };
	}

	/** What the parent says that a run has cost, which may be less, more, or nothing. */
	#reported(said: number): number | undefined {
		const kind = this.#random.int(0, 4);
		return [undefined, said, said / 2, said + 0.25][kind];
	}

	/** Runs of pi-subagents with sessions of their own below the parent; some are gone, some never had one. */
	#nested(session: Making, level: number): RunTruth[] {
		const runId = this.#id();
		const callId = this.#call(session, "subagent", { tasks: [{ agent: "scout", task: "look" }] });
		const runs = Array.from({ length: this.#random.int(1, 4) }, (_, index) => {
			const isFailed = this.#random.next() < 0.3;
			const kind = this.#random.pick(["there", "there", "there", "gone", "none"] as const);
			const path = join(session.path.slice(0, -".jsonl".length), runId, `run-${index}`, "session.jsonl");
			const said =
				kind === "there"
					? this.#work(
							this.#begin(() => path),
							level,
						)
					: { ...NO_RUN, count: 1 };
			const cost = this.#reported(said.total);
			const truth = {
				count: said.count,
				failed: said.failed + (isFailed ? 1 : 0),
				gone: said.gone + (kind === "gone" ? 1 : 0),
				total: Math.max(said.total, cost ?? 0),
			};
			const usage = cost === undefined ? {} : { usage: { input: 1, output: 1, cost, turns: 1 } };
			const facts = { agent: this.#random.pick(AGENTS), task: `task ${index}`, exitCode: isFailed ? 1 : 0 };
			return { truth, cost, result: { index, ...facts, ...usage, ...(kind === "none" ? {} : { sessionFile: path }) } };
		});
		const mode = runs.length === 1 ? "single" : "parallel";
		const together = runs.reduce((sum, { cost = 0 }) => sum + cost, 0);
		const details = { mode, runId, results: runs.map(({ result }) => result) };
		this.#result(session, callId, "subagent", details, this.#random.next() < 0.5 ? together : undefined);
		return runs.map(({ truth }) => truth);
	}

	/** A run whose session begins with all that its parent has said and reported so far. */
	#forked(session: Making, level: number): RunTruth[] {
		const callId = this.#call(session, "subagent", { agent: "worker", task: "go on", context: "fork" });
		const copied = [...session.entries];
		const { timestamp } = JSON.parse(session.begins) as { timestamp: string };
		// Some replay the conversation under the time of its header.
		const begins = this.#random.next() < 0.5 ? timestamp : this.#timestamp();
		const directory = join(session.path.slice(0, -".jsonl".length), "forks");
		const run = this.#begin((file) => join(directory, file), begins, { parentSession: session.path });
		run.last = session.last;
		run.held = session.held;
		const truth = this.#work(run, level, copied);
		const result = { agent: "worker", task: "go on", exitCode: 0, context: "fork", sessionFile: run.path };
		const details = { mode: "single", runId: this.#id(), context: "fork", results: [result] };
		if (this.#random.next() < 0.8) this.#result(session, callId, "subagent", details);
		return [truth];
	}

	/** An agent of tintinweb's package without a session; what it has cost is not written anywhere. */
	#inMemory(session: Making): RunTruth[] {
		const isFailed = this.#random.next() < 0.3;
		this.#reportAgent(session, this.#id(), isFailed ? "error" : "completed");
		return [{ ...NO_RUN, count: 1, failed: isFailed ? 1 : 0 }];
	}

	/** The same with a session beside the parent, which only its name identifies. */
	#named(session: Making, level: number): RunTruth[] {
		const agentId = this.#id();
		const run = this.#begin((file) => join(this.#directory, file));
		this.#reportAgent(session, agentId, "completed", () => {
			this.#append(run, (id, parent, second) => name(id, parent, second, `writer#${agentId}`));
		});
		return [this.#work(run, level)];
	}

	#reportAgent(session: Making, id: string, status: string, between?: () => void): void {
		const callId = this.#call(session, "Agent", { subagent_type: "writer", description: "write", prompt: "write" });
		between?.();
		const agentId = `${id}-0000-4000-8000-000000000000`;
		const record = { id: agentId, type: "writer", description: "write", status };
		const data = { customType: "subagents:record", data: record };
		this.#append(session, (own, parent, second) => entry("custom", own, parent, second, data));
		const details = { agentId, subagentType: "writer", description: "write", status, durationMs: 1000 };
		this.#result(session, callId, "Agent", details);
	}

	/** A run in the background: a wait has seen its end, or nothing has. */
	#inBackground(session: Making, level: number): RunTruth[] {
		const runId = this.#id();
		const callId = this.#call(session, "subagent", { agent: "worker", task: "wait", async: true });
		this.#result(session, callId, "subagent", { mode: "single", asyncId: runId, results: [] });
		const directory = join(session.path.slice(0, -".jsonl".length), this.#id(), "run-0");
		const run = this.#begin(() => join(directory, "session.jsonl"));
		this.#append(run, (id, parent, second) => name(id, parent, second, `subagent-worker-${runId}-1`));
		const said = this.#work(run, level);
		if (this.#random.next() < 0.3) return [said];
		const cost = this.#reported(said.total);
		const usage = cost === undefined ? {} : { usage: { input: 1, output: 1, cost } };
		const results = [{ agent: "worker", exitCode: 0, sessionFile: run.path, ...usage }];
		const completions = [{ runId, agent: "worker", state: "complete", success: true, results }];
		const waitId = this.#call(session, "bg_wait", { runId });
		this.#result(session, waitId, "bg_wait", { completions }, cost);
		return [{ ...said, total: Math.max(said.total, cost ?? 0) }];
	}

	/** A run of pi-web beside the parent, which names it itself; the parent has reported it, or has not yet. */
	#ofWeb(session: Making, level: number): RunTruth[] {
		const callId = this.#call(session, "Agent", { subagent_type: "explore", description: "look", prompt: "look" });
		const run = this.#begin((file) => join(this.#directory, file), undefined, { parentSession: session.path });
		const data = { version: 1, parentSessionId: session.id, parentSessionPath: session.path, profile: "explore" };
		const named = { customType: "pi-web:subagent", data: { ...data, description: "look", parentToolCallId: callId } };
		this.#append(run, (id, parent, second) => entry("custom", id, parent, second, named));
		const truth = this.#work(run, level);
		const details = { kind: "pi-web-subagent", sessionId: run.id, profile: "explore", status: "completed" };
		if (this.#random.next() < 0.6) this.#result(session, callId, "Agent", { ...details, parentToolCallId: callId });
		return [truth];
	}

	/** Everything in another file, and something more; its runs are those of the original. */
	#forkByPerson(head: Making): FamilyTruth["fork"] {
		const fork = this.#begin((file) => join(this.#directory, file), undefined, { parentSession: head.path });
		fork.entries.push(...head.entries);
		fork.last = head.last;
		fork.held = head.held;
		this.#say(fork);
		this.#finish(fork);
		return { path: fork.path, cost: fork.held, added: fork.own };
	}
}
