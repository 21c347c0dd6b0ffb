import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as grove from "../../../src/index.ts";
import { SessionManager } from "../../../src/store/manager/session-manager.ts";
import { EntryIndex } from "../../../src/store/tree/entry-index.ts";
import { copyOfFixture, fixture, fixtureDir } from "../../support/fixture.ts";
import { tempDir } from "../../support/temp-dir.ts";

const hello = { role: "user", content: "hello", timestamp: 1 } as const;
const linesOf = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");
const parsedLines = (path: string) => linesOf(path).map((line) => JSON.parse(line));

test("exports pi's functions under pi's names", () => {
	expect(Object.keys(grove)).toEqual(
		expect.arrayContaining([
			"CURRENT_SESSION_VERSION",
			"SessionManager",
			"assertValidSessionId",
			"buildContextEntries",
			"buildSessionContext",
			"buildSessionProjection",
			"findMostRecentSession",
			"getLatestCompactionEntry",
			"loadEntriesFromFile",
			"migrateSessionEntries",
			"parseSessionEntries",
			"sessionEntryToContextMessages",
		]),
	);
});

describe("a new session", () => {
	test("creates its file with the first message, header first", () => {
		const dir = join(tempDir(), "not", "there", "yet");
		const manager = SessionManager.create("/home/ada/work", dir);
		manager.appendModelChange("anthropic", "claude");
		expect(existsSync(dir)).toBe(false);
		const id = manager.appendMessage(hello);
		const path = manager.getSessionFile() ?? "";
		expect(readdirSync(dir)).toEqual([path.slice(dir.length + 1)]);
		expect(path).toMatch(/\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_[0-9a-f-]{36}\.jsonl$/);
		const lines = parsedLines(path);
		expect(lines.map(({ type }) => type)).toEqual(["session", "model_change", "message"]);
		expect(lines[0]).toMatchObject({ version: 3, id: manager.getSessionId(), cwd: "/home/ada/work" });
		expect(lines[2]).toMatchObject({ id, parentId: lines[1].id, message: hello });
		expect(id).toMatch(/^[0-9a-f]{8}$/);
		expect(manager.getSessionId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
	});

	test("accepts an id, and refuses one that cannot be a file name", () => {
		const manager = SessionManager.create("/home/ada", tempDir(), { id: "my.session-1", parentSession: "/p" });
		expect(manager.getSessionId()).toBe("my.session-1");
		expect(manager.getHeader()?.parentSession).toBe("/p");
		for (const id of ["", "../x", "a b", "-a", "a.", "a/b"])
			expect(() => manager.newSession({ id })).toThrow("session id");
		expect(manager.getSessionId()).toBe("my.session-1");
	});

	test("has ids that grow with time", () => {
		const ids = Array.from({ length: 5000 }, () => SessionManager.inMemory().getSessionId());
		expect(ids).toEqual([...ids].sort());
		expect(new Set(ids).size).toBe(ids.length);
	});
});

describe("opening", () => {
	test.each(readdirSync(fixtureDir).filter((name) => name.endsWith(".jsonl")))("does not touch %s", (file) => {
		const { path, before, fingerprint } = fixture(file.replace(".jsonl", ""));
		try {
			const manager = SessionManager.open(path);
			manager.getTree();
			manager.buildSessionContext();
			for (const { id } of manager.getEntries()) manager.getBranch(id);
		} catch (error) {
			expect(String(error)).toMatch(/Session file is not a valid pi session/);
		}
		expect(fingerprint()).toEqual(before);
	});

	test("refuses what is not a session, and says why", () => {
		for (const name of ["text-file", "not-a-session", "blank-lines", "header-without-id", "header-late"]) {
			const { path } = fixture(name);
			expect(() => SessionManager.open(path)).toThrow(`Session file is not a valid pi session: ${path}.`);
			expect(() => SessionManager.forkFrom(path, "/home/ada", tempDir())).toThrow("not a valid pi session");
		}
		expect(() => SessionManager.open(fixtureDir)).toThrow("it is not a regular file");
	});

	test("starts a session in an empty or missing file, with the first message", () => {
		const folder = tempDir();
		for (const name of ["empty.jsonl", "missing.jsonl"]) {
			const path = join(folder, name);
			if (name === "empty.jsonl") writeFileSync(path, "");
			const manager = SessionManager.open(path, undefined, "/home/ada/here");
			manager.appendSessionInfo("named first");
			expect(existsSync(path) ? readFileSync(path, "utf8") : "").toBe("");
			manager.appendMessage(hello);
			expect(parsedLines(path).map(({ type }) => type)).toEqual(["session", "session_info", "message"]);
			expect(parsedLines(path)[0].cwd).toBe("/home/ada/here");
		}
	});
});

describe("an old version", () => {
	test("is migrated in memory, and in the file with the first append", () => {
		const path = copyOfFixture("v1");
		const before = linesOf(path);
		const manager = SessionManager.open(path);
		const [first, second, , compaction] = manager.getEntries();
		expect(second?.parentId).toBe(first?.id);
		expect(compaction).toMatchObject({ type: "compaction", firstKeptEntryId: second?.id });
		expect(compaction).not.toHaveProperty("firstKeptEntryIndex");
		expect(linesOf(path)).toEqual(before);

		chmodSync(path, 0o660);
		const { mode } = statSync(path);
		manager.appendSessionInfo("named");
		expect(statSync(path).mode).toBe(mode);
		const after = parsedLines(path);
		expect(after[0]).toMatchObject({ version: 3, provider: "anthropic", thinkingLevel: "off" });
		expect(after.slice(1)).toEqual(manager.getEntries().map((entry) => JSON.parse(JSON.stringify(entry))));
		manager.appendSessionInfo("named again");
		expect(linesOf(path).slice(0, -1)).toEqual(after.map((line) => JSON.stringify(line)));
	});

	test("preserves bad lines and everything that the migration does not change, byte for byte", () => {
		const path = copyOfFixture("v2");
		const extra = '\n{"type": "future", "id":"f0000001", "parentId":"a2000003", "n": 2.50}\nno json at all\n{"half":';
		writeFileSync(path, readFileSync(path, "utf8").trimEnd() + extra);
		SessionManager.open(path).appendSessionInfo("named");
		expect(readFileSync(path, "utf8")).toContain(`${extra}\n{"type":"session_info"`);
	});

	test("is not migrated when another program has replaced it meanwhile", () => {
		const path = copyOfFixture("v1");
		const manager = SessionManager.open(path);
		writeFileSync(path, readFileSync(join(fixtureDir, "linear-v3.jsonl")));
		const before = readFileSync(path, "utf8");
		expect(() => manager.appendSessionInfo("named")).toThrow(/another program has replaced it since it was read/);
		expect(readFileSync(path, "utf8")).toBe(before);
	});

	test("preserves what another program has appended meanwhile", () => {
		const path = copyOfFixture("v1");
		const manager = SessionManager.open(path);
		const line = '{"type":"message","timestamp":"2025-11-20T23:34:00.000Z","message":{"role":"user","content":"late"}}';
		writeFileSync(path, `${readFileSync(path, "utf8")}${line}\n`);
		manager.appendSessionInfo("named");
		expect(parsedLines(path).at(-2)).toMatchObject({ message: { content: "late" } });
	});

	test("is forked as a sound session of version 3, and is not touched", () => {
		for (const name of ["v1", "forked-v1"]) {
			const { path, before, fingerprint } = fixture(name);
			const fork = SessionManager.forkFrom(path, "/home/ada/new", tempDir());
			const lines = parsedLines(fork.getSessionFile() ?? "");
			expect(lines[0]).toMatchObject({ version: 3, cwd: "/home/ada/new", parentSession: path });
			expect(lines.slice(1).every(({ id }) => typeof id === "string")).toBe(true);
			expect(lines.slice(2).map(({ parentId }) => parentId)).toEqual(lines.slice(1, -1).map(({ id }) => id));
			expect(fingerprint()).toEqual(before);
		}
	});
});

test("preserves the version and the unknown parts of a newer session when it is branched or forked", () => {
	const path = copyOfFixture("v4-from-the-future");
	const original = linesOf(path);
	const manager = SessionManager.open(path);
	const branched = manager.createBranchedSession("a4000003") ?? "";
	expect(parsedLines(branched)[0].version).toBe(4);
	expect(linesOf(branched).slice(1)).toEqual(original.slice(1));
	const fork = SessionManager.forkFrom(path, "/home/ada", tempDir()).getSessionFile() ?? "";
	expect(linesOf(fork).slice(1)).toEqual(original.slice(1));
});

test("copies bytes that are not UTF-8 as they are", () => {
	const path = copyOfFixture("invalid-utf8");
	const bytes = readFileSync(path).toString("latin1").split("\n")[1];
	const fork = SessionManager.forkFrom(path, "/home/ada", tempDir()).getSessionFile() ?? "";
	expect(readFileSync(fork).toString("latin1").split("\n")[1]).toBe(bytes);
	const branched = SessionManager.open(path).createBranchedSession("aa000001") ?? "";
	expect(readFileSync(branched).toString("latin1").split("\n")[1]).toBe(bytes);
	const old = copyOfFixture("invalid-utf8");
	writeFileSync(old, readFileSync(old).toString("latin1").replace('"version":3', '"version":2'), "latin1");
	SessionManager.open(old).appendSessionInfo("named");
	expect(readFileSync(old).toString("latin1").split("\n")[1]).toBe(bytes);
});

test("finds the latest session among broken links", () => {
	const dir = tempDir();
	symlinkSync(join(dir, "nowhere"), join(dir, "dangling.jsonl"));
	symlinkSync(join(dir, "circle.jsonl"), join(dir, "circle.jsonl"));
	mkdirSync(join(dir, "directory.jsonl"));
	expect(grove.findMostRecentSession(dir)).toBeNull();
	copyFileSync(join(fixtureDir, "v1.jsonl"), join(dir, "session.jsonl"));
	expect(grove.findMostRecentSession(dir)).toBe(join(dir, "session.jsonl"));
});

test("branches without the labels in the path, and puts those still valid at the end", () => {
	const path = copyOfFixture("branches");
	const manager = SessionManager.open(path);
	const branched = manager.createBranchedSession("c100000a") ?? "";
	const lines = parsedLines(branched);
	expect(lines.slice(1).map(({ id, parentId }) => [parentId, id])).toEqual([
		[null, "c1000001"],
		["c1000001", "c1000002"],
		["c1000002", "c1000006"],
		["c1000006", "c1000007"],
		["c1000007", "c100000a"],
	]);
	expect(lines[0].parentSession).toBe(path);
	expect(manager.getSessionFile()).toBe(branched);

	const again = SessionManager.open(path);
	again.createBranchedSession("c1000004");
	expect(again.getLabel("c1000003")).toBe("rejected");
	expect(again.getLeafEntry()).toMatchObject({ type: "label", targetId: "c1000003", parentId: "c1000004" });
	expect(() => again.createBranchedSession("nothing!")).toThrow("Entry nothing! not found");
	for (const act of [again.createBranchedSession, again.branch])
		expect(() => act.call(again, ""), "an empty id can be seen").toThrow('Entry "" not found');
});

test("walks a parent cycle once", () => {
	const manager = SessionManager.open(fixture("parent-cycle").path);
	expect(manager.getBranch("ad000004").map(({ id }) => id)).toEqual(["ad000003", "ad000001", "ad000002", "ad000004"]);
	const count = (nodes: readonly grove.SessionTreeNode[]): number =>
		nodes.reduce((sum, node) => sum + 1 + count(node.children), 0);
	expect(count(manager.getTree())).toBe(5);
	expect(manager.buildSessionContext().messages).toHaveLength(1);
});

test("builds the context that a compaction keeps, with the system prompt only once", () => {
	const manager = SessionManager.inMemory();
	manager.appendMessage({ ...hello, content: "old" });
	const label = manager.appendLabelChange(manager.appendMessage({ ...hello, content: "older" }), "here");
	manager.appendMessage({ role: "system", content: "Be brief.", timestamp: 2 });
	manager.appendMessage({ ...hello, content: "kept" });
	manager.appendCompaction("summary", label, 9);
	manager.appendMessage({ ...hello, content: "new" });
	const texts = () =>
		manager.buildSessionContext().messages.map((message) => ("content" in message ? message.content : message.role));
	const expected = ["Be brief.", "compactionSummary", "kept", "new"];
	expect(texts()).toEqual(expected);
	// The label that the compaction names is not copied: the copy keeps everything from the next entry on.
	manager.createBranchedSession(manager.getLeafId() ?? "");
	expect(manager.getEntries().some(({ id }) => id === label)).toBe(false);
	expect(texts()).toEqual(expected);
});

test("builds the context from what follows a retain-none compaction", () => {
	const manager = SessionManager.open(fixture("retain-none-compaction").path);
	expect(manager.buildSessionContext().messages.map(({ role }) => role)).toEqual([
		"system",
		"compactionSummary",
		"user",
	]);
});

test("finds sessions by directory, id and project, and lists them", async () => {
	const dir = tempDir();
	copyFileSync(join(fixtureDir, "linear-v3.jsonl"), join(dir, "a.jsonl"));
	copyFileSync(join(fixtureDir, "text-file.jsonl"), join(dir, "b.jsonl"));
	copyFileSync(join(fixtureDir, "odd-fields.jsonl"), join(dir, "c.jsonl"));
	const other = SessionManager.create("/home/ada/other", dir);
	other.appendMessage({ ...hello, timestamp: Date.now() });
	const otherFile = other.getSessionFile();

	const progress: [number, number][] = [];
	const all = await SessionManager.listAll(dir, (loaded, total) => progress.push([loaded, total]));
	expect(all.map(({ path }) => path)).toEqual([otherFile, join(dir, "c.jsonl"), join(dir, "a.jsonl")]);
	expect(progress.at(-1)).toEqual([4, 4]);
	const here = await SessionManager.list("/home/ada/other", dir);
	expect(here.map(({ path }) => path)).toEqual([otherFile]);
	expect(SessionManager.findById("/home/ada/other", other.getSessionId(), dir)).toBe(otherFile);
	expect(SessionManager.findById("/home/ada/elsewhere", other.getSessionId(), dir)).toBeUndefined();
	expect(SessionManager.continueRecent("/home/ada/other", dir).getSessionFile()).toBe(otherFile);
	expect(SessionManager.continueRecent("/home/ada/new", dir).getEntries()).toEqual([]);
	expect(await SessionManager.listAll(join(dir, "none"))).toEqual([]);
	await expect(SessionManager.listAll(dir, undefined, AbortSignal.abort(new Error("enough")))).rejects.toThrow(
		"enough",
	);
});

test("appends to a session that another program appends to, and leaves its lines as they are", () => {
	const path = copyOfFixture("linear-v3");
	const before = readFileSync(path, "utf8");
	const one = SessionManager.open(path);
	const two = SessionManager.open(path);
	const first = one.appendMessage(hello);
	const second = two.appendMessage(hello);
	expect(one.getEntry(first)?.parentId).toBe("a1000004");
	expect(two.getEntry(second)?.parentId).toBe("a1000004");
	expect(
		SessionManager.open(path)
			.getChildren("a1000004")
			.map(({ id }) => id),
	).toEqual([first, second]);
	const appended = [one.getEntry(first), two.getEntry(second)];
	expect(readFileSync(path, "utf8")).toBe(before + appended.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
});

test("counts its entries, those with the same id once", () => {
	const manager = SessionManager.open(copyOfFixture("duplicate-ids"));
	expect(manager.getEntryCount()).toBe(new Set(manager.getEntries().map(({ id }) => id)).size);
	expect(manager.getEntryCount()).toBeLessThan(manager.getEntries().length);
	manager.appendSessionInfo("one more");
	expect(manager.getEntryCount()).toBe(new Set(manager.getEntries().map(({ id }) => id)).size);
	expect(SessionManager.inMemory().getEntryCount()).toBe(0);
});

test("200,000 entries with the same id: each is added in the same time, so that the test ends", () => {
	const base = { type: "custom", customType: "t", timestamp: "", parentId: "root" } as const;
	const index = new EntryIndex();
	for (let data = 0; data < 200_000; data += 1) index.add({ ...base, id: "same", data });
	expect(index.childrenOf("root")).toEqual([{ ...base, id: "same", data: 199_999 }]);
});
