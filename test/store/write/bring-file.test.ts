import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSession } from "../../../src/store/read/read-session.ts";
import { bringFile } from "../../../src/store/write/bring-file.ts";
import { copyOfFixture } from "../../support/fixture.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** The new session that is made of a file. */
function broughtFrom(copy: string) {
	const path = join(tempDir(), "sessions", "--work--", "new.jsonl");
	const target = {
		path,
		id: "new",
		timestamp: "2026-11-24T10:00:00.000Z",
		cwd: "/work/here",
		from: "mini:/there/s.jsonl",
	};
	const { size, unusable } = bringFile(copy, target);
	const [first = "", ...entries] = readFileSync(path, "utf8").split("\n");
	expect(size).toBe(Buffer.byteLength([first, ...entries].join("\n")));
	return { path, unusable, header: JSON.parse(first) as Record<string, unknown>, entries };
}

test("the entries are byte for byte those of the original; the header is new and says where they are from", async () => {
	const copy = copyOfFixture("branches");
	const before = readFileSync(copy, "utf8");
	const [, ...entries] = before.split("\n");
	const brought = broughtFrom(copy);
	expect(brought.entries).toEqual(entries);
	expect(brought.unusable).toBe(0);
	const original = JSON.parse(before.split("\n")[0] ?? "") as Record<string, unknown>;
	expect(brought.header).toEqual({
		type: "session",
		version: 3,
		id: "new",
		timestamp: "2026-11-24T10:00:00.000Z",
		cwd: "/work/here",
		broughtFrom: { from: "mini:/there/s.jsonl", id: original.id, cwd: original.cwd },
	});
	const [old, now] = [await readSession(copy), await readSession(brought.path)];
	expect(now.tree.leafId).toBe(old.tree.leafId);
	expect([...now.tree.labels]).toEqual([...old.tree.labels]);
	expect(readFileSync(copy, "utf8")).toBe(before);
});

test("what the original was forked from is a note, and no parent here; texts that are too long are cut", () => {
	const copy = join(tempDir(), "copy.jsonl");
	const odd = { id: "x".repeat(9000), cwd: 5, parentSession: "/there/../../parent.jsonl" };
	writeFileSync(copy, lines(header(odd), user("a", null, 1, "Hello")));
	const { header: made } = broughtFrom(copy);
	expect(made.parentSession).toBeUndefined();
	expect(made.broughtFrom).toEqual({
		from: "mini:/there/s.jsonl",
		id: "x".repeat(4096),
		parentSession: "/there/../../parent.jsonl",
	});
});

test("an old session is migrated on the way", async () => {
	const { header: made, path } = broughtFrom(copyOfFixture("v1"));
	expect(made.version).toBe(3);
	const { diagnostics, entries } = await readSession(path);
	expect(diagnostics).toEqual([]);
	expect(entries.every(({ id }) => id !== "")).toBe(true);
});

test.each(["bad-lines", "torn-tail"])("lines without an entry are left out and counted: %s", async (name) => {
	const copy = copyOfFixture(name);
	const { unusable, path } = broughtFrom(copy);
	const [old, now] = [await readSession(copy), await readSession(path)];
	expect(unusable).toBe(old.diagnostics.filter(({ code }) => code === "bad-line" || code === "torn-tail").length);
	expect(unusable).toBeGreaterThan(0);
	expect(now.entries).toEqual(old.entries);
});

test("a file that is no session makes none", () => {
	for (const name of ["empty", "not-a-session", "header-without-id"]) {
		const dir = tempDir();
		const path = join(dir, "new.jsonl");
		const target = { path, id: "new", timestamp: "2026-11-24T10:00:00.000Z", cwd: "/", from: "mini:/s.jsonl" };
		expect(() => bringFile(copyOfFixture(name), target)).toThrow(/session/i);
		expect(existsSync(path)).toBe(false);
	}
});
