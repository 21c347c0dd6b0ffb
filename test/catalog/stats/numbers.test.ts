import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ByteSpan } from "../../../src/catalog/branches/branch-tracker.ts";
import { scanFile } from "../../../src/catalog/scan/scan-file.ts";
import { abandonedSpans } from "../../../src/catalog/stats/numbers-table.ts";
import { endingOf } from "../../../src/conversation/entries/ending.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { pathTo } from "../../../src/store/tree/session-table.ts";
import { caseCount } from "../../support/cases.ts";
import { openCounting, spendingOn } from "../../support/counting.ts";
import { randomSession } from "../../support/random-session.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** The abandoned entries of the file according to the store: the spans of the lines off the path to the leaf. */
async function plainSpans(path: string): Promise<ByteSpan[]> {
	const session = await readSession(path);
	const active = new Set(session.tree.leafId === null ? [] : pathTo(session.tree, session.tree.leafId));
	const bytes = readFileSync(path);
	const spans: [number, number][] = [];
	const besides = new Set(session.entries.filter((one) => !active.has(one)).map((one) => session.lines.get(one.id)));
	let from = 0;
	for (let line = 1; from < bytes.length; line++) {
		const to = bytes.indexOf(0x0a, from) + 1;
		const last = spans.at(-1);
		if (besides.has(line) && last?.[1] === from) last[1] = to;
		else if (besides.has(line)) spans.push([from, to]);
		from = to;
	}
	return spans;
}

/** Ends with a complete line, or is empty. */
const wholeLines = (bytes: Buffer) => bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);

const usage = fc.option(
	fc.record({ input: fc.nat(50), output: fc.nat(50), cost: fc.record({ total: fc.double({ min: 0, max: 1 }) }) }),
	{ nil: undefined },
);
const stamp = fc.integer({ min: 1, max: 12 }).map((month) => `2026-${String(month).padStart(2, "0")}-01T00:00:00Z`);
const role = fc.constantFrom("user", "assistant", "constructor", "__proto__");
const model = fc.constantFrom("opus", "constructor", "__proto__");
const content = fc.record({ role, model, usage });

/** Entries linked in every wrong way: duplicate ids, parents that come later or are missing, cycles, no ids. */
const tangledEntry = fc
	.record({
		id: fc.constantFrom("a", "b", "c", "d", "0000000a", "0000000b", undefined, 5),
		parentId: fc.constantFrom("a", "b", "c", "d", "0000000a", "0000000b", "gone", null, undefined, 7, 5),
		timestamp: stamp,
		message: content,
	})
	.map((fields) => JSON.stringify({ type: "message", ...fields }));
const tangledSession = fc
	.record({
		version: fc.constantFrom(undefined, 1, 2, 3),
		entries: fc.array(fc.oneof({ weight: 9, arbitrary: tangledEntry }, { weight: 1, arbitrary: fc.constant("{") })),
		headerAt: fc.nat(3),
	})
	.map(({ version, entries, headerAt }) => {
		const all = [...entries];
		all.splice(headerAt === 3 ? 3 : 0, 0, header({ version }));
		return Buffer.from(lines(...all));
	});

/** Each entry has a parent; there may be no root. */
const circularSession = fc
	.integer({ min: 2, max: 6 })
	.chain((count) => fc.array(fc.nat(count - 1), { minLength: count, maxLength: count }))
	.map((parents) => {
		const all = parents.map((parent, index) => user(`e${index}`, `e${parent}`, index, "hi"));
		return Buffer.from(lines(header(), ...all));
	});

/** Sessions as pi writes them: the parent is usually the entry before, sometimes any other. */
const soundSession = fc
	.array(
		fc.record({
			back: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(20)),
			timestamp: stamp,
			message: content,
		}),
	)
	.map((entries) => {
		const idAt = (index: number) => (index < 0 ? null : index.toString(16).padStart(8, "0"));
		const all = entries.map(({ back, ...fields }, index) =>
			JSON.stringify({ type: "message", id: idAt(index), parentId: idAt(index - 1 - back), ...fields }),
		);
		return Buffer.from(lines(header(), ...all));
	});

describe("abandoned entries, and how the conversation ends,", () => {
	test.each([
		["sound", soundSession],
		["tangled", tangledSession],
		["circular", circularSession],
		["any", randomSession.map(wholeLines)],
	])("is what the store's own tree says (%s sessions)", async (_kind, sessions) => {
		const { root, cache, write } = tempAgentDir();
		const counting = await openCounting(root, cache);
		let time = 1;
		await fc.assert(
			fc.asyncProperty(sessions, async (bytes) => {
				const path = write("--p--/1.jsonl", bytes);
				// A new time, because the file may have the same size as before.
				utimesSync(path, time, time++);
				counting.remove(path);
				counting.list(path);
				await counting.count();
				expect(abandonedSpans(counting.db, root)(path, bytes.length)).toEqual(await plainSpans(path));
				const { counts } = counting.numbers(path).numbers;
				expect(counts.ending).toBe(endingOf(await readSession(path))?.kind ?? "");
			}),
			{ numRuns: caseCount(8, 60) },
		);
	});

	test("is unknown for a file that has grown since it was counted, or was never counted", async () => {
		const { root, cache, write } = tempAgentDir();
		const counting = await openCounting(root, cache);
		const branched = lines(header(), user("a1", null, 1, "hi"), user("a2", "a1", 2, "one"), user("a3", "a1", 3, "two"));
		const path = write("--p--/1.jsonl", branched);
		counting.list(path);
		expect(abandonedSpans(counting.db, root)(path, branched.length)).toBeUndefined();
		await counting.count();
		const from = branched.indexOf('{"type":"message","id":"a2"');
		const to = branched.indexOf('{"type":"message","id":"a3"');
		expect(abandonedSpans(counting.db, root)(path, branched.length)).toEqual([[from, to]]);
		expect(abandonedSpans(counting.db, root)(path, branched.length + 1)).toBeUndefined();
		expect(abandonedSpans(counting.db, "/elsewhere")(path, branched.length)).toBeUndefined();
	});
});

describe("counting step by step", () => {
	test.each([
		["sound", soundSession],
		["any", randomSession],
	])("gives the same as counting at once (%s sessions)", async (_kind, sessions) => {
		const { root, cache, write } = tempAgentDir();
		const counting = await openCounting(root, cache);
		let time = 1;
		await fc.assert(
			fc.asyncProperty(sessions, fc.array(fc.nat(), { maxLength: 4 }), async (bytes, cuts) => {
				const path = write("--p--/1.jsonl", "");
				const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
				counting.remove(path);
				for (const [index, end] of ends.entries()) {
					appendFileSync(path, bytes.subarray(ends[index - 1] ?? 0, end));
					utimesSync(path, time, time++);
					counting.list(path);
					await counting.count();
				}
				const stepwise = counting.numbers(path);
				counting.remove(path);
				counting.list(path);
				await counting.count();
				expect(stepwise).toEqual(counting.numbers(path));
			}),
			{ numRuns: caseCount(8, 60) },
		);
	});

	test("starts again if a file was changed other than by appending, also in its middle", async () => {
		const { root, cache, write } = tempAgentDir();
		const counting = await openCounting(root, cache);
		const middle = assistant("a2", "a1", 2, "x".repeat(20_000));
		const talk = lines(header(), user("a1", null, 1, "hi"), middle, assistant("a3", "a2", 3, "y".repeat(20_000)));
		const path = write("--p--/1.jsonl", talk);
		counting.list(path);
		await counting.count();
		const edited = talk.replace('"input":10,', '"input":55,');
		expect(edited.length).toBe(talk.length);
		for (const [text, input] of [
			[edited, 55 + 10],
			[talk + lines(assistant("a4", "a3", 4, "more")), 30],
		] as const) {
			writeFileSync(path, text);
			counting.list(path);
			await counting.count();
			expect(spendingOn(counting.numbers(path).numbers, "2026-01-01")?.input).toBe(input);
		}
	});

	test("waits while it is paused, reports its progress, and ends when it is closed", async () => {
		const { root, cache, write } = tempAgentDir();
		const counting = await openCounting(root, cache);
		const path = write("--p--/1.jsonl", lines(header(), user("a1", null, 1, "hi")));
		counting.list(path);
		const told: string[] = [];
		const options = {
			onProgress: (counted: number, total: number) => told.push(`${counted}/${total}`),
			onDone: () => told.push("done"),
		};
		const pass = counting.pass(options);
		pass.pause(true);
		const running = pass.run();
		// Enough turns of the event loop for anything it might do.
		for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
		expect(told).toEqual([]);
		expect(counting.pending()).toEqual([path]);
		pass.pause(false);
		await running;
		expect(told).toEqual(["0/1", "1/1", "done"]);
		pass.pause(true);
		const vain = pass.run();
		await pass.close();
		await vain;
		expect(told).toEqual(["0/1", "1/1", "done"]);
	});

	test("skips what cannot be read", async () => {
		const { root, cache, write } = tempAgentDir();
		const counting = await openCounting(root, cache);
		const [first, second] = ["1", "2"].map((name) =>
			write(`--p--/${name}.jsonl`, lines(header(), user("a1", null, 1, "hi"))),
		);
		counting.list(first ?? "", second ?? "");
		rmSync(first ?? "");
		// Nothing ever writes to it, so reading it would never end.
		execFileSync("mkfifo", [first ?? ""]);
		expect(scanFile(first ?? "").row.diagnostics).toMatchObject([{ code: "unreadable" }]);
		const told: string[] = [];
		await counting.pass({ onProgress: (counted, total) => told.push(`${counted}/${total}`) }).run();
		expect(counting.pending()).toEqual([first]);
		expect(told.at(-1)).toBe("2/2");
	});
});
