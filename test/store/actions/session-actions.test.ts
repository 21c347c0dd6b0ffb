import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
	branchSession,
	forkSession,
	labelEntry,
	renameSession,
	restoreLeaf,
	resumePoint,
} from "../../../src/store/actions/session-actions.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { inLong } from "../../support/cases.ts";
import { copyOfFixture, fixture } from "../../support/fixture.ts";
import { largeSession } from "../../support/large-session.ts";
import { tempDir } from "../../support/temp-dir.ts";

test("renames, clears the name, and returns the previous name", async () => {
	const path = copyOfFixture("names");
	const original = readFileSync(path, "utf8");
	expect(renameSession(path, "  new\nname ")).toMatchObject({ before: "Last name", leafId: "e1000003" });
	expect((await readSession(path)).tree.name).toBe("new name");
	expect(renameSession(path, "")).toMatchObject({ before: "new name" });
	expect((await readSession(path)).tree.name).toBeUndefined();
	expect(readFileSync(path, "utf8").startsWith(original)).toBe(true);
});

test("writes nothing for a name or a label that is already set, nor for clearing what is clear", () => {
	const path = copyOfFixture("branches");
	const before = readFileSync(path, "utf8");
	expect(renameSession(path, "")).toMatchObject({ entryId: undefined, before: "" });
	expect(renameSession(path, " \n ")).toMatchObject({ entryId: undefined, before: "" });
	expect(labelEntry(path, "c1000003", "rejected")).toMatchObject({ entryId: undefined, before: "rejected" });
	expect(labelEntry(path, "c1000001", undefined)).toMatchObject({ entryId: undefined, before: undefined });
	expect(readFileSync(path, "utf8")).toBe(before);
	renameSession(path, "A name");
	const named = readFileSync(path, "utf8");
	expect(renameSession(path, " A\rname ").entryId).toBeUndefined();
	expect(readFileSync(path, "utf8")).toBe(named);
});

test("stores a name and a label as they were typed, invisible characters included", () => {
	const path = copyOfFixture("branches");
	const typed = "dev 👩‍💻 👍🏽 🏳️‍🌈 ❤️ soft\u00adhyphen zero\u200bwidth e\u0301";
	renameSession(path, typed);
	labelEntry(path, "c1000001", typed);
	const [name, label] = readFileSync(path, "utf8")
		.trimEnd()
		.split("\n")
		.slice(-2)
		.map((line) => JSON.parse(line));
	expect([name.name, label.label]).toEqual([typed, typed]);
});

test("says why an entry cannot be labeled whose id a later one has too", async () => {
	const path = copyOfFixture("duplicate-ids");
	const shadowed = (await readSession(path)).entries.find(({ id }) => id.includes("~"));
	const before = readFileSync(path, "utf8");
	expect(() => labelEntry(path, shadowed?.id ?? "", "x")).toThrow(/a later entry of the session has the same id/);
	expect(readFileSync(path, "utf8")).toBe(before);
});

test("labels an entry, removes the label, and returns the previous label", async () => {
	const path = copyOfFixture("branches");
	expect(labelEntry(path, "c1000003", "dead end")).toMatchObject({ before: "rejected" });
	expect((await readSession(path)).tree.labels.get("c1000003")?.text).toBe("dead end");
	expect(labelEntry(path, "c1000003", "")).toMatchObject({ before: "dead end" });
	expect((await readSession(path)).tree.labels.has("c1000003")).toBe(false);
});

test("labels an entry of a version 1 file under the id that reading gave it", async () => {
	const path = copyOfFixture("v1");
	const { entries } = await readSession(path);
	const id = entries[1]?.id ?? "";
	labelEntry(path, id, "here");
	const after = await readSession(path);
	expect(after.version).toBe(3);
	expect(after.tree.labels.get(id)?.text).toBe("here");
	expect(after.entries.slice(0, -1)).toEqual(entries);
});

test("resumes at an entry", async () => {
	const path = copyOfFixture("branches");
	const done = resumePoint(path, "c1000004");
	const { tree } = await readSession(path);
	expect(tree.leafId).toBe(done.entryId);
	expect(tree.parentOf.get(done.entryId)).toBe("c1000004");
	expect(done).not.toHaveProperty("text");

	restoreLeaf(path, done.leafId);
	const after = await readSession(path);
	expect(after.tree.parentOf.get(after.tree.leafId ?? "")).toBe("c100000a");
});

test("resumes before a user message, and returns its text", async () => {
	const path = copyOfFixture("branches");
	const done = resumePoint(path, "c1000006");
	expect(done.text).toBe("stream it");
	expect((await readSession(path)).tree.parentOf.get(done.entryId)).toBe("c1000002");

	const first = resumePoint(path, "c1000001");
	expect(first.text).toBe("Make the parser faster.");
	const { tree } = await readSession(path);
	expect(tree.parentOf.has(first.entryId)).toBe(false);
	expect(tree.roots).toHaveLength(2);

	const all = copyOfFixture("every-entry-type");
	expect(resumePoint(all, "b1000004").text).toBe("What is in this picture and in notes.md?");
	expect(resumePoint(all, "b100000b").text).toBe("Remember the tests.");
});

test("branches and forks into new files, even a session without messages", async () => {
	const path = copyOfFixture("every-entry-type");
	const before = readFileSync(path, "utf8");
	const branched = branchSession(path, "b1000002");
	expect(dirname(branched)).toBe(dirname(path));
	expect((await readSession(branched)).entries.map(({ id }) => id)).toEqual(["b1000001", "b1000002"]);

	const dir = join(tempDir(), "sessions");
	const forked = forkSession(path, "/home/ada/elsewhere", dir);
	const session = await readSession(forked);
	expect(dirname(forked)).toBe(dir);
	expect(session.header).toMatchObject({ cwd: "/home/ada/elsewhere", parentSession: path });
	expect(session.entries).toEqual((await readSession(path)).entries);
	expect((await readSession(forkSession(fixture("header-only").path, "/home/ada", dir))).entries).toEqual([]);
	expect(readFileSync(path, "utf8")).toBe(before);
	expect(readdirSync(dirname(path)).filter((name) => !name.endsWith(".jsonl"))).toEqual([]);
});

test("says what is wrong, and changes nothing", async () => {
	const path = copyOfFixture("linear-v3");
	const before = readFileSync(path, "utf8");
	const missing = `there is no entry deadbeef in the session; the file may have been rewritten since it was read. Path: ${path}`;
	expect(() => labelEntry(path, "deadbeef", "x")).toThrow(missing);
	expect(() => branchSession(path, "deadbeef")).toThrow(missing);
	expect(() => resumePoint(path, "deadbeef")).toThrow(missing);
	expect(readFileSync(path, "utf8")).toBe(before);

	const nowhere = join(dirname(path), "nowhere.jsonl");
	expect(() => renameSession(nowhere, "x")).toThrow("it does not exist");
	expect(existsSync(nowhere)).toBe(false);
	const empty = copyOfFixture("empty");
	expect(() => renameSession(empty, "x")).toThrow("There is no session in");
	expect(readFileSync(empty, "utf8")).toBe("");
	const occupied = join(dirname(path), "occupied");
	writeFileSync(occupied, "");
	expect(() => forkSession(path, "/home/ada", join(occupied, "sub"))).toThrow(/Cannot make the session directory/);
});

const ENTRIES = inLong(30_000, 10_000);

test("changes and copies a large session", async () => {
	const { path, last } = largeSession(ENTRIES);
	const other = tempDir();
	renameSession(path, "named");
	labelEntry(path, last, "here");
	resumePoint(path, last);
	expect((await readSession(branchSession(path, last))).tree.labels.get(last)?.text).toBe("here");
	const fork = await readSession(forkSession(path, "/home/ada", other));
	expect(fork.tree.name).toBe("named");
	expect(fork.entries).toHaveLength(ENTRIES + 3);
});
