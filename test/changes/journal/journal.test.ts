import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
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

function journalIn(directory = tempDir()) {
	const path = join(directory, "state", "pi-grove", "journal.jsonl");
	const journal = openJournal({ path, root: ROOT });
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

test("a change that an earlier version no longer offered to undo still stands", async () => {
	const { path, journal } = journalIn();
	const id = await note(journal, "one");
	appendFileSync(path, `${JSON.stringify({ step: "over", id, at: "2026-11-21T11:00:00.000Z", how: "given-up" })}\n`);
	expect(await namesIn(path)).toEqual(["one"]);
});

test("a restore of which it is not known whether it was made takes no deletion back", async () => {
	const { journal, history } = journalIn();
	const trashed = { path: "/trash/files/a.jsonl", info: "/trash/info/a.jsonl.trashinfo" };
	const deletion = await journal.begin("delete a", { type: "trash", path: SESSION, size: 1, trashes: ["/trash"] });
	await journal.done(deletion, { type: "restore", receipt: { path: SESSION, size: 1, trashed } });
	await journal.begin("restore a", { type: "restore", path: SESSION, size: 1, trashed }, undefined, deletion);
	const { changes } = await history.read(10);
	expect(changes.map(({ what, fate }) => [what, fate])).toEqual([
		["restore a", "unclear"],
		["delete a", "made"],
	]);
});

describe("modes", () => {
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

test("several programs write to it at once, and no line is lost", async () => {
	const { path, journal } = journalIn();
	await note(journal, "first");
	const each = inLong(120, 25);
	const children = ["a", "b", "c"].map((name) =>
		spawn(process.execPath, [childProgram("journal/append-child.ts"), path, ROOT, name, String(each)], {
			stdio: ["ignore", "inherit", "inherit"],
		}),
	);
	const ended = await Promise.all(children.map((child) => once(child, "exit")));
	expect(ended.map(([code]) => code)).toEqual([0, 0, 0]);
	const lost = readFileSync(`${path}.lost`, "utf8");
	expect(lost).toBe("");
});

describe("a group", () => {
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
});
