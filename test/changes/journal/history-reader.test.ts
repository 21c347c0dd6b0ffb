import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHistoryReader } from "../../../src/changes/journal/history-reader.ts";
import { madeSteps } from "../../../src/changes/journal/step.ts";
import type { Change } from "../../../src/changes/kinds/change.ts";
import { caseCount } from "../../support/cases.ts";
import { leastCpuMsOf } from "../../support/cpu-ms.ts";
import { tempDir } from "../../support/temp-dir.ts";

const ROOT = "/home/ada/.pi/agent/sessions";
const SESSION = `${ROOT}/--x--/a.jsonl`;
const RUN = { pid: 1, start: 1 };
const ALL = Number.MAX_SAFE_INTEGER;

function historyIn(): { path: string; open: () => ReturnType<typeof createHistoryReader> } {
	const path = join(tempDir(), "journal.jsonl");
	mkdirSync(dirname(path), { recursive: true });
	return { path, open: () => createHistoryReader(path, ROOT, RUN) };
}

/** The lines of a change that was made and, if wanted, undone. */
function linesOf(id: string, { run = RUN, over = false, what = id, root = ROOT } = {}): string[] {
	const begin = { step: "begin", id, at: "2026-11-21T10:00:00.000Z", what, root, run, plan: planOf(id) };
	const undo = { type: "rename", path: SESSION, name: "", set: id };
	const lines: object[] = [begin, { step: "done", id, undo, entryId: `entry-${id}` }];
	if (over) lines.push({ step: "over", id, at: "2026-11-21T11:00:00.000Z", how: "undone", entryId: `undo-${id}` });
	return lines.map((line) => `${JSON.stringify(line)}\n`);
}

const planOf = (id: string) => ({ type: "rename", path: SESSION, set: id });
const told = (changes: readonly Change[]) => changes.map(({ id, fate, isMine }) => `${id} ${fate} ${isMine}`);

test("no journal is an empty history", async () => {
	expect(await historyIn().open().read(10)).toEqual({ changes: [], complete: true });
});

test("has every change, newest first, with what became of it, also of other windows, but of this list alone", async () => {
	const { path, open } = historyIn();
	const other = { pid: 2, start: 2 };
	writeFileSync(
		path,
		[
			...linesOf("a", { over: true }),
			...linesOf("b", { run: other }),
			...linesOf("elsewhere", { root: "/other" }),
			linesOf("begun")[0],
			'{"step":"torn\n',
			`${JSON.stringify({ step: "begin", id: "not", at: "x", what: "not", root: ROOT, run: RUN, plan: planOf("n") })}\n`,
			`${JSON.stringify({ step: "over", id: "not" })}\n`,
			'{"step":"begin","id":"half',
		].join(""),
	);
	const history = open();
	const { changes, complete } = await history.read(ALL);
	expect(complete).toBe(true);
	expect(told(changes)).toEqual(["not not-made true", "begun unclear true", "b made false", "a undone true"]);
	expect(history.get("a")?.undoneAt).toBe("2026-11-21T11:00:00.000Z");
	expect([...history.ownEntries()].toSorted()).toEqual(["entry-a", "entry-b", "entry-elsewhere", "undo-a"]);
});

test("what is added, undone, and begun anew in another file is seen by the next reading", async () => {
	const { path, open } = historyIn();
	const history = open();
	expect((await history.read(10)).changes).toEqual([]);
	writeFileSync(path, linesOf("a").join(""));
	expect(told((await history.read(10)).changes)).toEqual(["a made true"]);
	const [begin = "", done = ""] = linesOf("b");
	appendFileSync(path, begin + done.slice(0, 10));
	expect(told((await history.read(10)).changes)).toEqual(["b unclear true", "a made true"]);
	appendFileSync(path, done.slice(10) + (linesOf("a", { over: true })[2] ?? ""));
	expect(told((await history.read(10)).changes)).toEqual(["b made true", "a undone true"]);
	const text = readFileSync(path, "utf8");
	writeFileSync(`${path}.new`, text.slice(text.indexOf("\n") + 1));
	renameSync(`${path}.new`, path);
	expect(told((await history.read(10)).changes)).toEqual(["b made true"]);
});

test("a file that has the inode of the one that was read is begun anew", async () => {
	const { path, open } = historyIn();
	writeFileSync(path, [...linesOf("a"), ...linesOf("b")].join(""));
	const history = open();
	expect(told((await history.read(10)).changes)).toEqual(["b made true", "a made true"]);
	// Cut twice between two readings: the second time the file may get the inode of the first one.
	writeFileSync(path, [...linesOf("b"), ...linesOf("c"), ...linesOf("d")].join(""));
	expect(told((await history.read(10)).changes)).toEqual(["d made true", "c made true", "b made true"]);
});

test("however the reading is divided, it tells the same", async () => {
	const change = fc.record({ over: fc.boolean(), length: fc.integer({ min: 0, max: 3000 }) });
	await fc.assert(
		fc.asyncProperty(
			fc.array(change, { maxLength: 200 }),
			fc.array(fc.nat(60), { maxLength: 5 }),
			async (plans, wanted) => {
				const { path, open } = historyIn();
				writeFileSync(
					path,
					plans.flatMap(({ over, length }, index) => linesOf(`n${index}`, { over, what: "w".repeat(length) })).join(""),
				);
				const history = open();
				let last = 0;
				for (const count of wanted) {
					const part = await history.read(count);
					expect(part.changes.length).toBeGreaterThanOrEqual(Math.min(count, plans.length));
					expect(part.changes.length).toBeGreaterThanOrEqual(last);
					last = part.changes.length;
				}
				const { changes, complete } = await history.read(ALL);
				expect(complete).toBe(true);
				const expected = plans.map(({ over }, index) => `n${index} ${over ? "undone" : "made"} true`).toReversed();
				expect(told(changes)).toEqual(expected);
			},
		),
		{ numRuns: caseCount(30) },
	);
});

describe("a journal of 100,000 lines", () => {
	test("opens at once, and is read on as far as wanted", async () => {
		const { path, open } = historyIn();
		const lines = Array.from({ length: 50_000 }, (_, index) => linesOf(`n${index}`).join(""));
		writeFileSync(path, lines.join(""));
		expect(await leastCpuMsOf(() => open().read(40))).toBeLessThan(200);
		const history = open();
		const part = await history.read(40);
		expect(part.complete).toBe(false);
		expect(part.changes[0]?.id).toBe("n49999");
		expect(part.changes.length).toBeLessThan(1000);
		const all = await history.read(ALL);
		expect(all.changes).toHaveLength(50_000);
		expect(all.changes.at(-1)?.id).toBe("n0");
	});

	test("does not keep an undo of the last change waiting", async () => {
		const { path, open } = historyIn();
		writeFileSync(path, Array.from({ length: 50_000 }, (_, index) => linesOf(`n${index}`).join("")).join(""));
		const history = open();
		const { value: step } = await madeSteps(history).next();
		expect(step?.changes.map(({ id }) => id)).toEqual(["n49999"]);
		expect((await history.read(0)).changes.length).toBeLessThan(1000);
	});
});

describe("a group", () => {
	const linesOfGroup = (id: string, count: number, of = count): string =>
		Array.from({ length: count }, (_, index) => {
			const [begin = "", ...rest] = linesOf(`${id}-${index}`);
			const group = { id, what: `rename ${of} sessions`, count: of };
			return [`${JSON.stringify({ ...JSON.parse(begin), group })}\n`, ...rest].join("");
		}).join("");
	const others = (count: number): string =>
		Array.from({ length: count }, (_, index) => linesOf(`other${index}`).join("")).join("");

	test.each([
		["all of it", 3000, 3000],
		["what was made of it", 3000, 5000],
	])("is read as a whole, however much of it was read before: %s", async (_, made, of) => {
		const { path, open } = historyIn();
		writeFileSync(path, others(5000) + linesOfGroup("g", made, of));
		const history = open();
		expect((await history.read(1)).changes.length).toBeLessThan(1000);
		const [newest] = (await history.read(1)).changes;
		expect(await history.group(newest?.group ?? { id: "", what: "", count: 0 })).toHaveLength(made);
		// Not much further than it reaches.
		expect((await history.read(1)).complete).toBe(false);
	});

	test("that is still being changed has what was added meanwhile", async () => {
		const { path, open } = historyIn();
		const lines = linesOfGroup("g", 5);
		const half = lines.indexOf("\n", lines.length / 2) + 1;
		writeFileSync(path, lines.slice(0, half));
		const history = open();
		expect((await history.read(1)).changes).toHaveLength(3);
		appendFileSync(path, lines.slice(half));
		expect(await history.group({ id: "g", what: "", count: 5 })).toHaveLength(5);
	});

	test("whose journal is gone is what was read of it", async () => {
		const { path, open } = historyIn();
		writeFileSync(path, linesOfGroup("g", 3000, 5000));
		const history = open();
		const { length } = (await history.read(1)).changes;
		rmSync(path);
		expect(await history.group({ id: "g", what: "", count: 5000 })).toHaveLength(length);
	});
});
