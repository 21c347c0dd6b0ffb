import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../support/temp-dir.ts";

test("the store never waits for a pipe in place of a file", () => {
	const dir = tempDir();
	mkdirSync(join(dir, ".pi"));
	for (const name of ["pipe.jsonl", ".pi/settings.json"]) {
		expect(spawnSync("mkfifo", [join(dir, name)]).status).toBe(0);
	}
	// In a separate process: a process blocked in a system call cannot be stopped from inside.
	const child = spawnSync(process.execPath, [join(import.meta.dirname, "pipe-child.ts"), dir], {
		encoding: "utf8",
		killSignal: "SIGKILL",
	});
	expect(child.signal, child.stderr).toBeNull();
	const { findMostRecentSession, findSessionById, list, continueRecent, ...refused } = JSON.parse(child.stdout);
	expect([findMostRecentSession, findSessionById, list, continueRecent]).toEqual([null, null, 0, false]);
	expect(Object.keys(refused)).toHaveLength(12);
	for (const [name, message] of Object.entries(refused))
		expect([message].flat()[0], name).toMatch(/is not a regular file/);
});
