import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readChecked } from "../../../src/store/held/hold-session.ts";
import { SessionManager } from "../../../src/store/manager/session-manager.ts";
import { readSessionInfo } from "../../../src/store/read/list-sessions.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { buildTree, pathTo } from "../../../src/store/tree/session-table.ts";
import { inLong, inShort } from "../../support/cases.ts";
import { fixtureDir } from "../../support/fixture.ts";
import { largeSession } from "../../support/large-session.ts";
import { realSession } from "../../support/real-session.ts";
import { assistant, header, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

const ENTRIES = inLong(30_000, 10_000);

test("follows a branch of any length", () => {
	const { path, last } = largeSession(ENTRIES);
	expect(pathTo(buildTree(SessionManager.open(path).getEntries()), last)).toHaveLength(ENTRIES);
});

test("stops reading a large session soon after it is aborted", async () => {
	const { path } = largeSession(ENTRIES);
	const controller = new AbortController();
	const reading = readSession(path, { signal: controller.signal });
	setImmediate(() => controller.abort(new Error("another one was chosen")));
	await expect(reading).rejects.toThrow("another one was chosen");
});

test("does not parse a line that would block the screen, and reads all the others", async () => {
	const path = join(tempDir(), "long.jsonl");
	writeFileSync(path, readFileSync(join(fixtureDir, "linear-v3.jsonl")));
	appendFileSync(
		path,
		`{"type":"custom","id":"f0000001","parentId":"a1000004","data":"${"x".repeat(64 * 2 ** 20)}"}\n`,
	);
	appendFileSync(path, '{"type":"session_info","id":"f0000002","parentId":"a1000004","timestamp":"","name":"read"}\n');
	const session = await readSession(path);
	expect(session.entries).toHaveLength(5);
	expect(session.tree.name).toBe("read");
	expect(session.diagnostics.map(({ code, line }) => [code, line])).toEqual([["line-too-long", 6]]);
	// For a change it is read: a fork must not lose it.
	expect(SessionManager.open(path).getEntries()).toHaveLength(6);
});

const readInParts = (path: string) => readChecked(path, { maxBytes: 2 ** 20 });

test("a message that is too long to be shown keeps its position: the path goes through it, and its size is reported", async () => {
	const path = join(tempDir(), "path.jsonl");
	const long = assistant("b", "a", 2, "x".repeat(65 * 2 ** 20));
	writeFileSync(path, [header(), user("a", null, 1, "one"), long, user("c", "b", 3, "three"), ""].join("\n"));
	// The test command reads it as the browser does.
	for (const read of inShort([readSession, readInParts], (one) => one === readInParts)) {
		const session = await read(path);
		expect(pathTo(session.tree, "c").map(({ id }) => id)).toEqual(["a", "b", "c"]);
		expect(session.tree.byId.get("b")?.type).toBe("a message of 65 MiB, too long to be shown (line 3)");
		expect(session.diagnostics.map(({ code, line }) => [code, line])).toEqual([["line-too-long", 3]]);
	}
});

test("does not wait for a pipe", async () => {
	const path = join(tempDir(), "pipe.jsonl");
	expect(spawnSync("mkfifo", [path]).status).toBe(0);
	await expect(readSession(path)).rejects.toThrow("it is not a regular file");
	expect((await readSessionInfo(path)).diagnostics.map(({ code }) => code)).toEqual(["unreadable"]);
	expect(() => SessionManager.open(path)).toThrow("it is not a regular file");
});

test.skipIf(realSession === undefined)("reads a real session of version 1 whole", async () => {
	const path = realSession ?? "";
	const session = await readSession(path);
	expect(session.diagnostics.map(({ code }) => code)).toEqual(["old-version"]);
	expect(session.entries).toHaveLength(1018);
	expect(session.tree.roots).toHaveLength(1);
	const info = await readSessionInfo(path);
	expect(info.firstMessage).toBe("/mode");
	expect(info.messageCount).toBe(session.entries.filter(({ type }) => type === "message").length);
});
