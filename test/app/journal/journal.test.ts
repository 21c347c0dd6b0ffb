import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Journal, openJournal } from "../../../src/app/journal/journal.ts";
import { tempDir } from "../../support/temp-dir.ts";

const ROOT = "/home/ada/.pi/agent/sessions";
const SESSION = `${ROOT}/--x--/a.jsonl`;

function journalIn(directory = tempDir()): { readonly path: string; readonly journal: Journal } {
	const path = join(directory, "state", "pi-grove", "journal.jsonl");
	return { path, journal: openJournal({ path, root: ROOT }) };
}

async function note(journal: Journal, name: string): Promise<string> {
	const id = await journal.begin(`rename to ${name}`, { type: "rename", path: SESSION, set: name });
	await journal.done(id, { type: "rename", path: SESSION, name: "", set: name }, `entry-${name}`);
	return id;
}

const namesIn = async (journal: Journal) => (await journal.read()).changes.map(({ what }) => what.slice(10));

test("has the changes that are not over, oldest first, and the entries that they and their undoing appended", async () => {
	const { journal } = journalIn();
	expect(await namesIn(journal)).toEqual([]);
	await note(journal, "one");
	const two = await note(journal, "two");
	await note(journal, "three");
	await journal.undone(two, { entryId: "undone-two" });
	const { changes, ownEntries } = await journal.read();
	expect(changes.map(({ what }) => what)).toEqual(["rename to one", "rename to three"]);
	expect([...ownEntries]).toEqual(["entry-one", "entry-two", "entry-three", "undone-two"]);
});

test("a line that was cut off does not swallow the next one", async () => {
	const { path, journal } = journalIn();
	await note(journal, "one");
	appendFileSync(path, '{"step":"begin","id":"torn');
	await note(journal, "two");
	expect(await namesIn(journal)).toEqual(["one", "two"]);
});

test("what is over stays over when a line is written twice", async () => {
	const { path, journal } = journalIn();
	const id = await note(journal, "one");
	const text = readFileSync(path, "utf8");
	await journal.discard(id);
	appendFileSync(path, text);
	expect(await namesIn(journal)).toEqual([]);
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
		const { path, journal } = journalIn();
		mkdirSync(dirname(path), { recursive: true });
		spawnSync("mkfifo", [path]);
		await expect(note(journal, "one")).rejects.toThrow(/^the undo journal cannot be written: .*\. Path: \//);
		await expect(journal.read()).rejects.toThrow(/^the undo journal cannot be read: it is not a regular file/);
		rmSync(path);
		mkdirSync(path);
		await expect(note(journal, "one")).rejects.toThrow(/^the undo journal cannot be written: it is a directory/);
		await expect(journal.read()).rejects.toThrow(/^the undo journal cannot be read: it is not a regular file/);
	});
});

test("is cut when it has grown long; the last changes stay", async () => {
	const { path, journal } = journalIn();
	await note(journal, "first");
	const old = readFileSync(path, "utf8");
	writeFileSync(path, old.repeat(Math.ceil((70 * 1024 * 1024) / old.length)));
	await note(journal, "last");
	expect(statSync(path).size).toBeLessThan(1024 * 1024);
	expect((await namesIn(journal)).at(-1)).toBe("last");
	for (let count = 0; count < 1000; count++) await note(journal, `n${count}`);
	expect((await namesIn(journal)).slice(-1000)).toEqual(Array.from({ length: 1000 }, (_, count) => `n${count}`));
});

test("several programs write to it at once, and cut it, and no line is lost", { timeout: 120_000 }, async () => {
	const { path, journal } = journalIn();
	await note(journal, "first");
	const each = 120;
	const children = ["a", "b", "c"].map((name) =>
		spawn(process.execPath, [join(import.meta.dirname, "append-child.ts"), path, ROOT, name, String(each)], {
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
