import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { noteSessions } from "../../../extensions/note-session.ts";
import { readPiNotes } from "../../../src/catalog/live/process-notes.ts";
import { startFakePi } from "../../support/fake-pi.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** The extension as pi calls it, with the session that is open there. */
function extension() {
	const handlers = new Map<string, (event: object, ctx: object) => unknown>();
	const on = (event: string, handler: (event: object, ctx: object) => unknown): unknown => handlers.set(event, handler);
	noteSessions({ on } as Parameters<typeof noteSessions>[0]);
	const contextOf = (path: string | undefined): object => ({ sessionManager: { getSessionFile: () => path } });
	return {
		start: (path: string | undefined): unknown => handlers.get("session_start")?.({ reason: "new" }, contextOf(path)),
		shutdown: (): unknown => handlers.get("session_shutdown")?.({}, {}),
	};
}

let stateDir: string;
let directory: string;
beforeEach(() => {
	const home = tempDir();
	vi.stubEnv("XDG_STATE_HOME", home);
	stateDir = join(home, "pi-grove");
	directory = join(stateDir, "open-in-pi");
});

const pathsNow = (): unknown[] => readPiNotes(stateDir).map(({ pid, path }) => [pid, path]);

test("a pi reports which session it has open, from its start to its end, only to this user", async () => {
	const pi = extension();
	await pi.start("/s/a.jsonl");
	expect(pathsNow()).toEqual([[process.pid, "/s/a.jsonl"]]);
	const [name = ""] = readdirSync(directory);
	expect([statSync(directory).mode & 0o777, statSync(join(directory, name)).mode & 0o777]).toEqual([0o700, 0o600]);
	await pi.shutdown();
	await pi.start("/s/b.jsonl");
	expect(pathsNow()).toEqual([[process.pid, "/s/b.jsonl"]]);
	// pi keeps no file with --no-session.
	await pi.start(undefined);
	expect(pathsNow()).toEqual([[process.pid, undefined]]);
	await pi.shutdown();
	expect([readdirSync(directory), pathsNow()]).toEqual([[], []]);
});

test("a program that has two sessions open reports both", async () => {
	const [one, two] = [extension(), extension()];
	await one.start("/s/a.jsonl");
	await two.start("/s/b.jsonl");
	expect(pathsNow().toSorted()).toEqual([
		[process.pid, "/s/a.jsonl"],
		[process.pid, "/s/b.jsonl"],
	]);
	await Promise.all([one.shutdown(), two.shutdown()]);
});

test("the note of a killed pi no longer counts, and whoever looks removes it", async () => {
	const pi = extension();
	await pi.start("/s/a.jsonl");
	const [name = ""] = readdirSync(directory);
	const note = JSON.parse(readFileSync(join(directory, name), "utf8"));
	const killed = await startFakePi(tempDir());
	writeFileSync(join(directory, "killed.json"), JSON.stringify({ ...note, pid: killed.pid }));
	// Like one of an earlier process with the same pid.
	writeFileSync(join(directory, "earlier.json"), JSON.stringify({ ...note, mark: `${note.mark}1` }));
	writeFileSync(join(directory, "elsewhere.json"), JSON.stringify({ ...note, host: "elsewhere" }));
	writeFileSync(join(directory, "torn.json"), '{"path":');
	const half = (pid: number): string => `.note.pi-grove-${pid}-${randomUUID().slice(0, 8)}.tmp`;
	const halves = [half(killed.pid), half(process.pid)];
	for (const each of halves) {
		writeFileSync(join(directory, each), '{"path":');
		utimesSync(join(directory, each), 1000, 1000);
	}
	await killed.end();
	expect(pathsNow()).toEqual([[process.pid, "/s/a.jsonl"]]);
	expect(readdirSync(directory).toSorted()).toEqual(["elsewhere.json", "torn.json", name, halves[1]].toSorted());
	await pi.shutdown();
});

test("if no note can be written pi works as well", async () => {
	writeFileSync(stateDir, "a file in the place of the directory");
	const pi = extension();
	await pi.start("/s/a.jsonl");
	await pi.shutdown();
	expect(pathsNow()).toEqual([]);
});
