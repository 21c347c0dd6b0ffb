import {
	appendFileSync,
	copyFileSync,
	readFileSync,
	realpathSync,
	renameSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { noteHandOver } from "../../../src/catalog/live/process-notes.ts";
import { labelEntry, renameSession, resumePoint } from "../../../src/store/actions/session-actions.ts";
import { startFakePi } from "../../support/fake-pi.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** A catalog that watches a session of a directory of its own. */
async function watching() {
	const folder = tempAgentDir(realpathSync(tempAgentDir().base));
	const content = lines(header({ cwd: folder.base }), user("u1", null, 1, "hello"), assistant("u2", "u1", 2, "hi"));
	const path = folder.write("--p--/1.jsonl", content);
	// Not just when a pi is started.
	utimesSync(path, 0, 0);
	const stateDir = join(folder.base, "state");
	const catalog = openCatalog({ sessionRoots: folder.sessionRoots, cacheDir: folder.cache, stateDir });
	const seen = startCatalog(catalog);
	await catalog.listed();
	// Watching starts after the listing; a refresh requested now resolves once it has started.
	await catalog.refresh();
	const kindsOf = async (of = path): Promise<string[]> =>
		((await catalog.checkUse([of])).sessions.get(of) ?? []).map(({ kind }) => kind);
	return { folder, content, path, stateDir, catalog, seen, kindsOf };
}

const more = (count: number): string => lines(assistant(`m${count}`, "u2", 3, "more"));

describe("what does not make a session in use", () => {
	test("touch, a copy beside it and over another, and a restored file", async () => {
		const { folder, path, content, seen, catalog, kindsOf } = await watching();
		utimesSync(path, new Date(), new Date());
		const copy = join(folder.root, "--p--", "copy.jsonl");
		copyFileSync(path, copy);
		await seen.until("the copy", () => seen.rows.has(copy));
		// A longer version of the same session, copied over this one, and put in its place as a backup or a sync does.
		const longer = folder.write("longer", content + more(1));
		copyFileSync(longer, copy);
		await seen.until("the longer copy", () => seen.rows.get(copy)?.messageCount === 3);
		renameSync(longer, path);
		await seen.until("the restored session", () => seen.rows.get(path)?.messageCount === 3);
		expect([await kindsOf(), await kindsOf(copy)]).toEqual([[], []]);
		// Another pi on this machine may have been started with a session of its own.
		expect([...seen.live().sessions.keys()].filter((each) => each.startsWith(folder.base))).toEqual([]);
		await catalog.close();
	});

	test("what another window of this program appends: names, labels, marks", async () => {
		const { path, seen, kindsOf } = await watching();
		renameSession(path, "a name");
		labelEntry(path, "u1", "a label");
		resumePoint(path, "u2");
		await seen.until("the name", () => seen.rows.get(path)?.name === "a name");
		expect(await kindsOf()).toEqual([]);
	});

	test("a pi that has just written to it and ended", async () => {
		const { folder, path, catalog, seen, kindsOf } = await watching();
		const pi = await startFakePi(folder.base, [], { PI_CODING_AGENT_DIR: folder.sessionRoots.agentDir });
		expect((await catalog.checkUse([path])).pis.map(({ pid }) => pid)).toContain(pi.pid);
		appendFileSync(path, more(1));
		await seen.until("the message", () => seen.rows.get(path)?.messageCount === 3);
		expect(await kindsOf()).toEqual(["wrote"]);
		await pi.end();
		expect(await kindsOf()).toEqual([]);
	});
});

describe("what shows a session to be in use", () => {
	test("a message that is appended, whichever program writes it", async () => {
		const { path, seen, kindsOf } = await watching();
		appendFileSync(path, more(1));
		await seen.until("it to be in use", () => seen.live().sessions.has(path));
		expect(await kindsOf()).toEqual(["grew"]);
	});

	test("our hand-over to a pi that is otherwise invisible, in every browser, while it lives", async () => {
		const { path, stateDir, kindsOf } = await watching();
		const pi = await startFakePi("/", ["--session", path]);
		noteHandOver(stateDir, { path, pid: pi.pid, startedMs: Date.now() });
		expect(await kindsOf()).toEqual(["handed-over"]);
		await pi.end();
		expect(await kindsOf()).toEqual([]);
	});

	test("a process that has its file open for writing, on request", async () => {
		const { path, kindsOf } = await watching();
		const program = await startFakePi("/", [], { TITLE: "editor" });
		await program.open(path);
		expect(await kindsOf()).toEqual(["open"]);
	});

	test("an idle pi in its directory is known, but not to have it", async () => {
		const { folder, path, catalog, kindsOf } = await watching();
		const pi = await startFakePi(folder.base, ["--session", path], {
			PI_CODING_AGENT_DIR: folder.sessionRoots.agentDir,
		});
		expect(await kindsOf()).toEqual([]);
		const { pis } = await catalog.checkUse([path]);
		expect(pis.filter(({ cwd }) => cwd === folder.base)).toEqual([
			{ pid: pi.pid, startedMs: expect.any(Number), cwd: folder.base, sessions: [], reportsSession: false },
		]);
	});
});

test("checking what is in use changes nothing in a session", async () => {
	const { path, content, catalog } = await watching();
	await catalog.checkUse([path]);
	expect(readFileSync(path, "utf8")).toBe(content);
});

test("a catalog that is closed answers with what it knew", async () => {
	const { path, catalog } = await watching();
	await catalog.close();
	expect((await catalog.checkUse([path])).sessions.has(path)).toBe(false);
	writeFileSync(path, "");
});

test("a catalog that waits for a disk does not keep callers waiting forever", async () => {
	const { path, catalog } = await watching();
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	// Faster than any thread can answer, so the present state is not known yet.
	appendFileSync(path, more(1));
	const looked = catalog.checkUse([path]);
	vi.runAllTimers();
	expect((await looked).sessions.has(path)).toBe(false);
});
