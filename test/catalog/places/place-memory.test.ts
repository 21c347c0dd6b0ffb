import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionCounts } from "../../../src/catalog/model/counts.ts";
import { PlaceSessions } from "../../../src/catalog/places/listed-sessions.ts";
import type { Place } from "../../../src/catalog/places/place.ts";
import { forgetKept, keepSessions, readKept } from "../../../src/catalog/places/place-memory.ts";
import { ROW } from "../../support/fake-ssh.ts";
import { tempDir } from "../../support/temp-dir.ts";

const MINI: Place = { kind: "ssh", name: "mini", host: "mini.local" };
const COUNTS = {
	turns: 1,
	branches: 0,
	errors: 0,
	tokens: 5,
	cost: 0.5,
	labels: 0,
	model: "m",
	ending: "asks",
	endedMs: 7,
} satisfies Partial<SessionCounts>;

/** A list of so many sessions, each counted. */
function listOf(size: number): PlaceSessions {
	const sessions = new PlaceSessions("mini");
	const paths = Array.from({ length: size }, (_, index) => `/s/${index}.jsonl`);
	sessions.apply({
		id: 1,
		type: "rows",
		rows: paths.map((path) => ({ ...ROW, path, firstMessage: "hi ".repeat(50) })),
	});
	sessions.apply({ id: 1, type: "counts", counts: paths.map((path) => [path, COUNTS]) });
	return sessions;
}

const KEPT = { home: "/home/bo", stamp: "1-2:3", listedMs: 1000 };
const fileIn = (cacheDir: string): string => join(cacheDir, "places", "mini.jsonl");

test("what a place has listed is there again; only this person can read it", async () => {
	const cacheDir = join(tempDir(), "new");
	expect(await readKept(cacheDir, MINI)).toBeUndefined();
	const sessions = listOf(500);
	await keepSessions(cacheDir, MINI, { ...KEPT, sessions });
	const kept = await readKept(cacheDir, MINI);
	expect(kept).toMatchObject(KEPT);
	expect(kept?.sessions.rows).toEqual(sessions.rows);
	expect(kept?.sessions.counts).toEqual(sessions.counts);
	expect(kept?.sessions.problems).toEqual([]);
	if (process.platform !== "win32") expect(statSync(fileIn(cacheDir)).mode & 0o077).toBe(0);
	expect(readdirSync(join(cacheDir, "places"))).toEqual(["mini.jsonl"]);
	// An empty list is one, too.
	await keepSessions(cacheDir, MINI, { ...KEPT, sessions: listOf(0) });
	expect((await readKept(cacheDir, MINI))?.sessions.rows.size).toBe(0);
	await forgetKept(cacheDir, "mini");
	expect(existsSync(fileIn(cacheDir))).toBe(false);
	await forgetKept(cacheDir, "mini");
});

test("another place of the same name gets nothing of it", async () => {
	const cacheDir = tempDir();
	await keepSessions(cacheDir, MINI, { ...KEPT, sessions: listOf(1) });
	const others: readonly Place[] = [
		{ ...MINI, host: "other.local" },
		{ ...MINI, command: "~/bin/pi-grove" },
		{ kind: "dir", name: "mini", path: "/mini.local" },
	];
	for (const other of others) expect(await readKept(cacheDir, other)).toBeUndefined();
	expect(await readKept(cacheDir, MINI)).toBeDefined();
});

test("a file that is damaged or half written is as good as none, wherever that is", async () => {
	const cacheDir = tempDir();
	await keepSessions(cacheDir, MINI, { ...KEPT, sessions: listOf(300) });
	const text = readFileSync(fileIn(cacheDir), "utf8");
	const lines = text.trimEnd().split("\n");
	expect(lines.length).toBeGreaterThan(4);
	const damaged: string[] = [
		"",
		"\n",
		"{}\n",
		text.slice(0, -1),
		text.slice(0, text.length / 2),
		`${text}x\n`,
		text.replace('"kept":1', '"kept":2'),
	];
	for (const index of lines.keys()) {
		const changed = (line: string): string => lines.with(index, line).join("\n");
		damaged.push(`${lines.slice(0, index).join("\n")}\n`);
		damaged.push(
			changed("\0".repeat(20)),
			changed((lines[index] ?? "").slice(1)),
			changed('{"id":0,"type":"unknown"}'),
		);
	}
	damaged.push(text.replace('"size":10', '"size":-1'), `${lines[0]}\n${"x".repeat(2_000_000)}\n`);
	for (const [index, bytes] of damaged.entries()) {
		writeFileSync(fileIn(cacheDir), bytes);
		expect(await readKept(cacheDir, MINI), `damage ${index}`).toBeUndefined();
	}
	writeFileSync(fileIn(cacheDir), text);
	expect(await readKept(cacheDir, MINI)).toBeDefined();
});

test("where nothing can be written, that is said, and nothing is left behind", async () => {
	const cacheDir = tempDir();
	mkdirSync(fileIn(cacheDir), { recursive: true });
	await expect(keepSessions(cacheDir, MINI, { ...KEPT, sessions: listOf(1) })).rejects.toThrow();
	expect(readdirSync(join(cacheDir, "places"))).toEqual(["mini.jsonl"]);
	expect(await readKept(cacheDir, MINI)).toBeUndefined();
});
