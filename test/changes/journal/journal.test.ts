import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createHistoryReader } from "../../../src/changes/journal/history-reader.ts";
import { type Journal, openJournal } from "../../../src/changes/journal/journal.ts";
import { madeSteps } from "../../../src/changes/journal/step.ts";
import { childProgram } from "../../support/bundled-programs.ts";
import { inLong } from "../../support/cases.ts";
import { madeChanges } from "../../support/made-changes.ts";
import { tempDir } from "../../support/temp-dir.ts";

const ROOT = "/home/ada/.pi/agent/sessions";
const SESSION = `${ROOT}/--x--/a.jsonl`;

/** Small, so that it is cut soon. */
const MAX_BYTES = 1024 * 1024;

function journalIn(directory = tempDir()) {
	const path = join(directory, "state", "pi-grove", "journal.jsonl");
	const journal = openJournal({ path, root: ROOT, maxBytes: MAX_BYTES });
	return { path, journal, history: createHistoryReader(path, ROOT, journal.run) };
}

async function note(journal: Journal, name: string): Promise<string> {
	const id = await journal.begin(`rename to ${name}`, { type: "rename", path: SESSION, set: name });
	await journal.done(id, { type: "rename", path: SESSION, name: "", set: name }, `entry-${name}`);
	return id;
}

const namesIn = async (path: string) => (await madeChanges(path, ROOT)).map(({ what }) => what.slice(10));

test("has the changes that are not over, oldest first, and the entries that they and their undoing appended", async () => {
	const { path, journal, history } = journalIn();
	expect(await namesIn(path)).toEqual([]);
	await note(journal, "one");
	const two = await note(journal, "two");
	await note(journal, "three");
	await journal.undone(two, { entryId: "undone-two" });
	expect(await namesIn(path)).toEqual(["one", "three"]);
	await history.read(Number.MAX_SAFE_INTEGER);
	expect([...history.ownEntries()]).toEqual(["undone-two", "entry-three", "entry-two", "entry-one"]);
});

test("a line that was cut off does not swallow the next one", async () => {
	const { path, journal } = journalIn();
	await note(journal, "one");
	appendFileSync(path, '{"step":"begin","id":"torn');
	await note(journal, "two");
	expect(await namesIn(path)).toEqual(["one", "two"]);
});

test("what is over stays over when a line is written twice", async () => {
	const { path, journal } = journalIn();
	const id = await note(journal, "one");
	const text = readFileSync(path, "utf8");
	await journal.discard(id);
	appendFileSync(path, text);
	expect(await namesIn(path)).toEqual([]);
});

describe.skipIf(process.platform === "win32")("modes", () => {
	test("nobody else may read it, also where they could before", async () => {
		const { path, journal } = journalIn();
		const mode = (file: string) => (statSync(file).mode & 0o777).toString(8);
		await note(journal, "one");
		expect([mode(dirname(path)), mode(path)]).toEqual(["700", "600"]);
		chmodSync(dirname(path), 0o755);
		chmodSync(path, 0o644);
		await note(journal, "two");
		expect([mode(dirname(path)), mode(path)]).toEqual(["700", "600"]);
	});

	test("a pipe or a directory in its place is an error, and nobody waits for it", async () => {
		const { path, journal, history } = journalIn();
		mkdirSync(dirname(path), { recursive: true });
		spawnSync("mkfifo", [path]);
		await expect(note(journal, "one")).rejects.toThrow(/^the undo journal cannot be written: .*\. Path: \//);
		await expect(history.read(1)).rejects.toThrow(/^the undo journal cannot be read: it is not a regular file/);
		rmSync(path);
		mkdirSync(path);
		await expect(note(journal, "one")).rejects.toThrow(/^the undo journal cannot be written: it is a directory/);
		await expect(history.read(1)).rejects.toThrow(/^the undo journal cannot be read: it is not a regular file/);
	});
});

test("is cut when it has grown long; the last changes stay", async () => {
	const { path, journal } = journalIn();
	await note(journal, "first");
	const old = readFileSync(path, "utf8");
	writeFileSync(path, old.repeat(Math.ceil((70 * 1024 * 1024) / old.length)));
	await note(journal, "last");
	expect(statSync(path).size).toBeLessThan(1024 * 1024);
	expect((await namesIn(path)).at(-1)).toBe("last");
	for (let count = 0; count < 1000; count++) await note(journal, `n${count}`);
	expect((await namesIn(path)).slice(-1000)).toEqual(Array.from({ length: 1000 }, (_, count) => `n${count}`));
});

test("several programs write to it at once, and cut it, and no line is lost", async () => {
	const { path, journal } = journalIn();
	await note(journal, "first");
	const each = inLong(120, 25);
	const children = ["a", "b", "c"].map((name) =>
		spawn(process.execPath, [childProgram("journal/append-child.ts"), path, ROOT, name, String(each)], {
			stdio: ["ignore", "inherit", "inherit"],
		}),
	);
	// Meanwhile the file is made long enough to be cut, again and again.
	const padding = `${JSON.stringify({ step: "over", id: "x".repeat(200) })}\n`.repeat(400);
	const ended = Promise.all(children.map((child) => once(child, "exit")));
	let running = true;
	ended.finally(() => {
		running = false;
	});
	while (running) {
		appendFileSync(path, padding);
		await note(journal, "padded");
		await setImmediate();
	}
	expect((await ended).map(([code]) => code)).toEqual([0, 0, 0]);
	const lost = readFileSync(`${path}.lost`, "utf8");
	expect(lost).toBe("");
});

describe("a group", () => {
	async function noteGroup(journal: Journal, id: string, count: number): Promise<void> {
		const group = { id, what: `rename ${count} sessions`, count };
		for (let at = 0; at < count; at++) {
			const change = await journal.begin(
				`rename to ${id}${at}`,
				{ type: "rename", path: SESSION, set: `${at}` },
				group,
			);
			await journal.done(change, { type: "rename", path: SESSION, name: "", set: `${at}` });
		}
	}
	/** The steps that can be undone, newest first. */
	const stepsIn = async (path: string) => {
		const steps: [string, number][] = [];
		for await (const { what, changes } of madeSteps(createHistoryReader(path, ROOT, { pid: 0, start: 0 })))
			steps.push([what, changes.length]);
		return steps;
	};

	test("is one step, where its last change is, and says what is left of it", async () => {
		const { path, journal } = journalIn();
		await note(journal, "one");
		const group = { id: "g", what: "rename 2 sessions", count: 2 };
		const plan = { type: "rename", path: SESSION, set: "x" } as const;
		const first = await journal.begin("rename to a", plan, group);
		await note(journal, "between");
		await journal.begin("rename to b", plan, group);
		expect(await stepsIn(path)).toEqual([
			["rename 2 sessions", 2],
			["rename to between", 1],
			["rename to one", 1],
		]);
		await journal.undone(first);
		expect((await stepsIn(path))[0]).toEqual(["rename 1 of 2 sessions", 1]);
	});

	test("of any size stays whole when the journal is cut, and the next lines do not cut it each time", async () => {
		const { path, journal } = journalIn();
		await noteGroup(journal, "before", 10);
		await noteGroup(journal, "large", 6000);
		const large = statSync(path).size;
		expect(large).toBeGreaterThan(2 * 1024 * 1024);
		expect(await stepsIn(path)).toEqual([["rename 6000 sessions", 6000]]);
		const files = new Set<number>();
		for (let at = 0; at < 100; at++) {
			await note(journal, `n${at}`);
			files.add(statSync(path).ino);
		}
		expect(files.size).toBeLessThanOrEqual(2);
		expect((await stepsIn(path)).slice(-2)).toEqual([
			["rename to n0", 1],
			["rename 6000 sessions", 6000],
		]);
		for (let at = 0; at < 3000; at++) await note(journal, `n${at}`);
		expect(statSync(path).size).toBeLessThan(large);
		expect((await stepsIn(path))[0]).toEqual(["rename to n2999", 1]);
	});
});
