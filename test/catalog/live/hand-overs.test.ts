import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noteHandOver, readHandOvers } from "../../../src/catalog/live/process-notes.ts";
import { startFakePi } from "../../support/fake-pi.ts";
import { tempDir } from "../../support/temp-dir.ts";

const path = "/s/a.jsonl";
const startedMs = 1_795_269_720_000;

test("a hand-over counts until it is ended, and only this user can read it", async () => {
	const stateDir = join(tempDir(), "state", "pi-grove");
	expect(readHandOvers(stateDir)).toEqual([]);
	const { pid } = await startFakePi(tempDir());
	const end = noteHandOver(stateDir, { path, pid, startedMs });
	expect(readHandOvers(stateDir)).toEqual([{ path, pid, startedMs }]);
	const directory = join(stateDir, "running");
	const [name = ""] = readdirSync(directory);
	expect([statSync(directory).mode & 0o777, statSync(join(directory, name)).mode & 0o777]).toEqual([0o700, 0o600]);
	end();
	expect(readHandOvers(stateDir)).toEqual([]);
	expect(readdirSync(directory)).toEqual([]);
});

test("one whose pi has ended no longer counts, and is removed by whoever looks", async () => {
	const stateDir = tempDir();
	const [first, second] = [await startFakePi(tempDir()), await startFakePi(tempDir())];
	noteHandOver(stateDir, { path, pid: first.pid, startedMs });
	await first.end();
	expect(readHandOvers(stateDir)).toEqual([]);
	expect(readdirSync(join(stateDir, "running"))).toHaveLength(0);
	noteHandOver(stateDir, { path: "/s/b.jsonl", pid: second.pid, startedMs });
	expect(readHandOvers(stateDir)).toMatchObject([{ path: "/s/b.jsonl" }]);
	expect(readdirSync(join(stateDir, "running"))).toHaveLength(1);
});

test("one whose pid now belongs to another process no longer counts", async () => {
	const stateDir = tempDir();
	const { pid } = await startFakePi(tempDir());
	noteHandOver(stateDir, { path, pid, startedMs });
	const directory = join(stateDir, "running");
	const file = join(directory, readdirSync(directory)[0] ?? "");
	const note = JSON.parse(readFileSync(file, "utf8"));
	// As if the process had been started at another time, or on another machine.
	writeFileSync(file, JSON.stringify({ ...note, mark: `${note.mark}1` }));
	expect(readHandOvers(stateDir)).toEqual([]);
	writeFileSync(file, JSON.stringify({ ...note, host: "elsewhere" }));
	expect(readHandOvers(stateDir)).toEqual([]);
	writeFileSync(file, JSON.stringify(note));
	expect(readHandOvers(stateDir)).toHaveLength(1);
});

test("a note that is cut off, or is something else, does not count", async () => {
	const stateDir = tempDir();
	const { pid } = await startFakePi(tempDir());
	noteHandOver(stateDir, { path, pid, startedMs });
	for (const text of ["", '{"path":"/s/a.jsonl","pi', "null", '{"path":5,"pid":1,"startedMs":1,"host":"","mark":""}'])
		writeFileSync(join(stateDir, "running", `other-${text.length}.json`), text);
	expect(readHandOvers(stateDir)).toHaveLength(1);
});
