import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { forkSession, renameSession } from "../../../src/store/actions/session-actions.ts";
import { temporaryName } from "../../../src/store/files/move-file.ts";
import { copyOfFixture } from "../../support/fixture.ts";
import { tempDir } from "../../support/temp-dir.ts";

const HOUR_S = 3600;

/** The number of a process that has ended. */
function deadPid(): number {
	return spawnSync(process.execPath, ["-e", ""]).pid;
}

function leftBehind(dir: string, pid: number, ageS: number): string {
	const path = temporaryName(join(dir, "session.jsonl")).replace(`-${process.pid}-`, `-${pid}-`);
	writeFileSync(path, "half a session");
	const time = Date.now() / 1000 - ageS;
	utimesSync(path, time, time);
	return path;
}

test("a name beside the file, hidden, that nothing takes for a session", () => {
	const name = temporaryName("/a/b/session.jsonl");
	expect(dirname(name)).toBe("/a/b");
	expect(basename(name)).toMatch(/^\.session\.jsonl\.pi-grove-\d+-[0-9a-f]{8}\.tmp$/);
	expect(temporaryName("/a/b/session.jsonl")).not.toBe(name);
});

test("what a killed process left behind is removed with the next new file or migration, and nothing else", () => {
	for (const write of [
		(dir: string) => forkSession(copyOfFixture("linear-v3"), "/home/ada", dir),
		(dir: string) => renameSession(copyOfFixture("v1", dir), "name"),
	]) {
		const dir = tempDir();
		const stale = [leftBehind(dir, deadPid(), 2 * HOUR_S), leftBehind(dir, deadPid(), 48 * HOUR_S)];
		const others = [
			leftBehind(dir, deadPid(), 60),
			leftBehind(dir, process.pid, 48 * HOUR_S),
			join(dir, ".other.tmp"),
			join(dir, `.s.jsonl.pi-grove-${deadPid()}-0123abcd.tmp.jsonl`),
		];
		for (const path of others.slice(2)) {
			writeFileSync(path, "not ours");
			utimesSync(path, 1000, 1000);
		}
		const directory = join(dir, `.d.pi-grove-${deadPid()}-0123abcd.tmp`);
		mkdirSync(directory);
		utimesSync(directory, 1000, 1000);
		write(dir);
		expect(stale.filter(existsSync)).toEqual([]);
		expect([...others, directory].filter(existsSync)).toEqual([...others, directory]);
	}
});

test("a link with such a name is not followed", () => {
	const dir = tempDir();
	const target = join(dir, "mine.txt");
	writeFileSync(target, "mine");
	utimesSync(target, 1000, 1000);
	const link = temporaryName(join(dir, "session.jsonl")).replace(`-${process.pid}-`, `-${deadPid()}-`);
	symlinkSync(target, link);
	forkSession(copyOfFixture("linear-v3"), "/home/ada", dir);
	expect(readFileSync(target, "utf8")).toBe("mine");
	expect(readdirSync(dir)).toContain(basename(link));
});
