import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { noteSessions } from "../../../extensions/note-session.ts";
import { noteHandOver, readHandOvers, readPiNotes } from "../../../src/catalog/live/process-notes.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** Called while a file has only half of its text. */
const halfway = vi.hoisted(() => vi.fn<() => void>());

vi.mock("node:fs", async (importOriginal) => {
	const real = await importOriginal<typeof import("node:fs")>();
	const writeFileSync: typeof real.writeFileSync = (path, text, options) => {
		const half = String(text).slice(0, String(text).length / 2);
		real.writeFileSync(path, half, options);
		halfway();
		real.appendFileSync(path, String(text).slice(half.length));
	};
	return { ...real, writeFileSync };
});

test("a note has its name only once it is whole", async () => {
	const home = tempDir();
	vi.stubEnv("XDG_STATE_HOME", home);
	const stateDir = join(home, "pi-grove");
	const seen: string[] = [];
	const names = (directory: string): string[] =>
		readdirSync(join(stateDir, directory)).filter((name) => /json$/.test(name));
	let directory = "running";
	halfway.mockImplementation(() => void seen.push(...names(directory)));

	noteHandOver(stateDir, { path: "/s/a.jsonl", pid: process.pid, startedMs: 1 });
	expect(readHandOvers(stateDir)).toEqual([{ path: "/s/a.jsonl", pid: process.pid, startedMs: 1 }]);
	// Until then there is one of an earlier process that had this pid.
	noteHandOver(stateDir, { path: "/s/b.jsonl", pid: process.pid, startedMs: 2 });
	expect(readHandOvers(stateDir)).toEqual([{ path: "/s/b.jsonl", pid: process.pid, startedMs: 2 }]);
	expect(seen).toHaveLength(1);

	directory = "open-in-pi";
	const handlers = new Map<string, (event: object, ctx: object) => unknown>();
	noteSessions({ on: (event: string, handler: never) => handlers.set(event, handler) } as never);
	handlers.get("session_start")?.({}, { sessionManager: { getSessionFile: () => "/s/c.jsonl" } });
	expect(readPiNotes(stateDir).map(({ path }) => path)).toEqual(["/s/c.jsonl"]);
	expect([halfway.mock.calls.length, seen.length, readdirSync(join(stateDir, directory)).length]).toEqual([3, 1, 1]);
	await handlers.get("session_shutdown")?.({}, {});
});
