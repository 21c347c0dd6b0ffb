import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SessionManager as OurManager } from "../../src/index.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";
import { fileOf, stateOf } from "./normal.ts";
import { type Operation, operations } from "./operations.ts";
import { SessionManager as PiManager } from "./pi.ts";
import { apply, noteIds, ourSide, piSide, reopen, type Side } from "./side.ts";

/** Sequences per property; set COMPAT_RUNS for a longer run. */
const RUNS = Number(process.env.COMPAT_RUNS ?? 1000);

const root = tempDirOfFile();
let counter = 0;

interface Pair {
	readonly pi: Side;
	readonly ours: Side;
	readonly piDir: string;
	readonly ourDir: string;
}

function pair(persist: boolean): Pair {
	counter += 1;
	const piDir = join(root, `pi-${counter}`);
	const ourDir = join(root, `us-${counter}`);
	mkdirSync(piDir);
	mkdirSync(ourDir);
	const cwd = "/home/ada/work";
	return {
		pi: piSide(cwd, persist ? piDir : undefined),
		ours: ourSide(cwd, persist ? ourDir : undefined),
		piDir,
		ourDir,
	};
}

function remove({ piDir, ourDir }: Pair): void {
	for (const dir of [piDir, ourDir]) rmSync(dir, { recursive: true });
}

/** pi 0.87 creates the file with the first answer; we, as pi since 0.99, with the first message. */
function piHasFile({ pi }: Pair): boolean {
	const path = pi.manager.getSessionFile();
	return path !== undefined && existsSync(path);
}

function run(both: Pair, steps: readonly Operation[]): void {
	for (const step of steps) {
		if (step.do === "reopen") {
			if (!piHasFile(both)) continue;
			reopen(both.pi);
			reopen(both.ours);
		}
		const theirs = apply(both.pi, step);
		const ours = apply(both.ours, step);
		expect([step, place(both.ours, ours)]).toEqual([step, place(both.pi, theirs)]);
	}
}

/** What a call returned; an id as the entry's index. */
function place(side: Side, result: unknown): unknown {
	return typeof result === "string" && result !== "refused" ? side.ids.indexOf(result) : result;
}

function expectSame(both: Pair): void {
	expect(stateOf(both.ours, both.ourDir)).toEqual(stateOf(both.pi, both.piDir));
	if (piHasFile(both)) expect(fileOf(both.ours, both.ourDir)).toEqual(fileOf(both.pi, both.piDir));
}

describe("any sequence of calls", () => {
	test("gives the same session and the same file", () => {
		fc.assert(
			fc.property(operations, (steps) => {
				const both = pair(true);
				run(both, steps);
				expectSame(both);
				remove(both);
			}),
			{ numRuns: RUNS },
		);
	});

	test("gives the same session in memory", () => {
		fc.assert(
			fc.property(operations, (steps) => {
				const both = pair(false);
				run(both, steps);
				expectSame(both);
				remove(both);
			}),
			{ numRuns: RUNS },
		);
	});

	test("writes files that the other one opens and continues", () => {
		fc.assert(
			fc.property(operations, operations, (steps, more) => {
				const both = pair(true);
				run(both, [...steps, { do: "message", message: answer }]);
				const theirFile = both.pi.manager.getSessionFile() ?? "";
				const ourFile = both.ours.manager.getSessionFile() ?? "";
				const crossed: Pair = {
					...both,
					pi: { ...both.ours, manager: PiManager.open(ourFile), open: both.pi.open },
					ours: { ...both.pi, manager: OurManager.open(theirFile), open: both.ours.open },
				};
				expect(stateOf(crossed.ours, both.piDir)).toEqual(stateOf(crossed.pi, both.ourDir));
				run(crossed, more);
				expect(stateOf(crossed.ours, both.piDir)).toEqual(stateOf(crossed.pi, both.ourDir));
				if (piHasFile(crossed)) expect(fileOf(crossed.ours, both.piDir)).toEqual(fileOf(crossed.pi, both.ourDir));
				remove(both);
			}),
			{ numRuns: Math.ceil(RUNS / 2) },
		);
	});
});

/** pi's listing loses messages with U+2028 and U+2029, see `differences.test.ts`. */
const listable = operations.filter((steps) => !/[\u2028\u2029]/.test(JSON.stringify(steps)));

describe("forks and listings", () => {
	test("forkFrom copies what pi copies", () => {
		fc.assert(
			fc.property(operations, (steps) => {
				const both = pair(true);
				run(both, [...steps, { do: "message", message: answer }]);
				const fork = (side: Side, from: typeof PiManager.forkFrom | typeof OurManager.forkFrom, dir: string) => {
					const path = side.manager.getSessionFile() ?? "";
					side.manager = from(path, "/home/ada/other", dir);
					noteIds(side);
				};
				fork(both.pi, PiManager.forkFrom.bind(PiManager), both.piDir);
				fork(both.ours, OurManager.forkFrom.bind(OurManager), both.ourDir);
				expectSame(both);
				remove(both);
			}),
			{ numRuns: Math.ceil(RUNS / 4) },
		);
	});

	test("lists, finds and continues the same sessions", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(listable, { minLength: 1, maxLength: 4 }), async (sessions) => {
				counter += 1;
				const dir = join(root, `list-${counter}`);
				const cwds = ["/home/ada/work", "/home/ada/other"];
				for (const [index, steps] of sessions.entries()) {
					const cwd = cwds[index % 2] ?? "";
					const side = index % 2 === 0 ? piSide(cwd, dir) : ourSide(cwd, dir);
					for (const step of steps) apply(side, step);
					apply(side, { do: "message", message: answer });
				}
				for (const cwd of cwds) {
					expect(await OurManager.list(cwd, dir)).toEqual(await PiManager.list(cwd, dir));
					for (const { id } of await PiManager.list(cwd, dir)) {
						expect(OurManager.findById(cwd, id, dir)).toBe(PiManager.findById(cwd, id, dir));
					}
					expect(OurManager.findById(cwd, "none", dir)).toBeUndefined();
				}
				expect(await OurManager.listAll(dir)).toEqual(await PiManager.listAll(dir));
				rmSync(dir, { recursive: true });
			}),
			{ numRuns: Math.ceil(RUNS / 15) },
		);
	});
});

const answer = {
	role: "assistant",
	content: [{ type: "text", text: "done" }],
	api: "anthropic-messages",
	provider: "anthropic",
	model: "claude",
	usage: {
		input: 0,
		output: 0,
		cacheRead: 0,
		cacheWrite: 0,
		totalTokens: 0,
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
	},
	stopReason: "stop",
	timestamp: 1_750_000_000_000,
};
