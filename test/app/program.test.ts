import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { selectedRow } from "../../src/app/world/list/select-list.ts";
import { selectedEntry } from "../../src/app/world/opened/select-tree.ts";
import type { State } from "../../src/app/world/state/state.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { collectionOfFile } from "../support/collection.ts";
import { DATA_HOME } from "../support/data-home.ts";
import { fingerprints } from "../support/fingerprint.ts";
import { startProgram } from "../support/start-program.ts";

const collection = collectionOfFile();

const message = (text: string) => (state: State) => state.changing === 0 && state.message?.text.includes(text) === true;

describe("looking", () => {
	test("a tour of everything changes no byte and no time of any session file", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const sessions = join(driver.demo.agentDir, "sessions");
		const before = fingerprints(sessions);
		expect(before.size).toBeGreaterThan(10);
		for (let row = 0; row < before.size; row++) {
			driver.press("down");
			await driver.until("a tree", ({ detail }) => detail.status === "ready" || detail.status === "failed");
			driver.press("next-pane", "first", "page-down", "fold", "unfold", "filter-next", "filter-all");
			// The last row may be a line that cannot be read, which has no text and no label.
			if (selectedEntry(driver.program.getState()) === undefined) driver.press("up");
			driver.press("copy", "next-pane", "page-down", "previous-pane", "label", "cancel", "branch", "cancel");
			driver.press("filter-text");
			driver.type("re:.");
			driver.press("filter-clear", "back", "rename", "cancel", "delete", "cancel", "sort", "cancel", "help", "cancel");
		}
		driver.press("stats", "cancel");
		driver.type("the");
		driver.press("back", "scope", "scope", "path", "path");
		expect(fingerprints(sessions)).toEqual(before);
	});
});

describe("rename", () => {
	test("appends a name, shows it, and is undone", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const before = selectedRow(await driver.select("Weekly note"));
		driver.press("rename", "erase-all");
		driver.type("Notes of the week");
		driver.press("choose");
		await driver.until("the new name", (state) => selectedRow(state)?.name === "Notes of the week");
		const content = await readFile(before?.path ?? "", "utf8");
		expect(content.trimEnd().split("\n").at(-1)).toMatch(/"type":"session_info".*"name":"Notes of the week"/);
		driver.press("undo");
		await driver.until("the old name", (state) => selectedRow(state)?.name === before?.name);
		driver.press("undo");
		await driver.until("nothing more", message("nothing to undo"));
	});

	test("stores what was typed and pasted, byte for byte, and nothing when it is not edited", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const before = selectedRow(await driver.select("Weekly note"));
		const name = "dev 👩‍💻 👍🏽 🏳️‍🌈 ❤️ 1️⃣ soft\u00adhyphen zero\u200bwidth नि é e\u0301";
		const written = async (): Promise<string[]> =>
			(await readFile(before?.path ?? "", "utf8")).split("\n").filter((line) => line.includes(JSON.stringify(name)));
		driver.press("rename", "erase-all");
		driver.type(name.slice(0, 9));
		driver.type(name.slice(9));
		driver.press("choose");
		await driver.until("the new name", (state) => selectedRow(state)?.name === name);
		await driver.until("the renaming", message("Renamed"));
		expect(await written()).toHaveLength(1);
		driver.press("rename", "choose");
		await driver.until("the answer", message("already has that name"));
		expect(await written()).toHaveLength(1);
	});

	test("an empty name clears", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		await driver.select("Weekly note");
		driver.press("rename", "erase-all", "choose");
		await driver.until(
			"no name",
			(state) => selectedRow(state)?.name === undefined && selectedRow(state) !== undefined,
		);
	});
});

describe("label", () => {
	test("marks the entry under the cursor, and is undone", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		await driver.select("Weekly note");
		driver.press("next-pane", "first", "down", "label");
		driver.type("start");
		driver.press("choose");
		const id = selectedEntry(driver.program.getState())?.id ?? "";
		const labelOf = (state: State) => state.detail.session?.tree.labels.get(id)?.text;
		await driver.until("the label", (state) => labelOf(state) === "start");
		expect(selectedEntry(driver.program.getState())?.id).toBe(id);
		driver.press("undo");
		await driver.until("no label", (state) => labelOf(state) === undefined);
	});
});

describe("delete", () => {
	test("moves the file to the trash after asking, the cursor to the neighbor, and undo restores it", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const row = selectedRow(await driver.select("Weekly note"));
		const path = row?.path ?? "";
		const content = await readFile(path, "utf8");
		driver.press("delete", "choose");
		const after = await driver.until("the row to go", ({ catalog }) => !catalog.rows.has(path));
		expect(selectedRow(after)).toBeDefined();
		await expect(stat(path)).rejects.toThrow("ENOENT");
		const notes = await readdir(join(DATA_HOME, "Trash", "info"));
		const texts = await Promise.all(notes.map((note) => readFile(join(DATA_HOME, "Trash", "info", note), "utf8")));
		expect(texts.join("\n")).toContain(path);
		driver.press("undo");
		await driver.until("the row to come back", ({ catalog }) => catalog.rows.has(path));
		expect(await readFile(path, "utf8")).toBe(content);
	});

	test("when the trash cannot take it, the file stays and the reason is shown", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const path = selectedRow(await driver.select("Weekly note"))?.path ?? "";
		await rm(join(DATA_HOME, "Trash"), { recursive: true, force: true });
		await writeFile(join(DATA_HOME, "Trash"), "a file where the trash should be");
		onTestFinished(() => rm(join(DATA_HOME, "Trash")));
		driver.press("delete", "choose");
		const { message: said } = await driver.until("the reason", message("nothing was deleted"));
		expect(said?.text).toMatch(/^Cannot move “Weekly note.*” to the trash: .*Trash/);
		expect(said?.text).not.toContain(path);
		expect((await stat(path)).isFile()).toBe(true);
		expect(driver.program.getState().catalog.rows.has(path)).toBe(true);
	});
});

describe("branch and fork", () => {
	test("branching copies the path to the entry with its labels, and the cursor goes to the new session", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const source = selectedRow(await driver.select("Refactor the import parser"));
		driver.press("next-pane", "up", "up", "branch", "choose");
		const state = await driver.until(
			"the new session",
			(now) => now.list.selected !== source?.path && now.list.pendingSelection === undefined && now.changing === 0,
		);
		const made = selectedRow(state);
		expect(made?.parentSession).toBe(source?.path);
		const session = await readSession(made?.path ?? "");
		expect(session.tree.roots).toHaveLength(1);
		expect([...session.tree.labels.values()].map(({ text }) => text)).toContain("diagnosis");
		driver.press("undo");
		await driver.until("it to go", ({ catalog }) => !catalog.rows.has(made?.path ?? ""));
	});

	test.each([
		["that finds it too", "check each record"],
		["that hides it, which is cleared", "line 48,112"],
	])("in a list with a query %s, the tree shows the end of the new session", async (_, query) => {
		const driver = await startProgram(undefined, { collection: collection() });
		driver.type(`"${query}"`);
		await driver.idle();
		const source = selectedRow(driver.program.getState());
		expect(source?.name).toBe("Try zod first");
		driver.press("next-pane", "last", "up", "up", "branch", "choose");
		await driver.until("the message", message("into a new session"));
		const isShown = ({ detail }: State) => detail.status === "ready" && detail.row.parentSession === source?.path;
		await driver.until("the new session", isShown);
		const { tree, focus, list } = await driver.idle();
		expect([focus, tree.selected]).toEqual(["tree", undefined]);
		expect(list.query.text === "").toBe(query === "line 48,112");
	});

	test("forking copies the whole tree", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const source = selectedRow(await driver.select("Refactor the import parser"));
		driver.press("branch", "choose");
		const state = await driver.until(
			"the fork",
			(now) => now.list.selected !== source?.path && now.list.pendingSelection === undefined && now.changing === 0,
		);
		const [made, original] = await Promise.all(
			[selectedRow(state)?.path ?? "", source?.path ?? ""].map((path) => readSession(path)),
		);
		expect(made?.entries.map(({ id }) => id)).toEqual(original?.entries.map(({ id }) => id));
	});
});

describe("resume", () => {
	test("hands over to pi with the session's absolute path, in its directory", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const pi = driver.installPi();
		const row = selectedRow(await driver.select("Weekly note"));
		driver.press("resume");
		expect(await driver.program.exited).toEqual({
			kind: "resume",
			path: row?.path,
			command: pi,
			cwd: row?.cwd,
			args: ["--session", row?.path],
		});
	});

	test("without pi a message says so and the browser stays", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		driver.press("resume");
		await driver.until("the reason", message('no program "pi"'));
	});

	test("a missing directory opens a menu: resume here, fork, or cancel", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		driver.installPi();
		const row = selectedRow(await driver.select("Weekly note"));
		await rm(row?.cwd ?? "", { recursive: true });
		driver.press("resume");
		await driver.until("the menu", ({ overlays }) => overlays.length === 1);
		driver.press("down", "down", "down", "choose");
		const outcome = await driver.program.exited;
		expect(outcome).toMatchObject({ kind: "resume", cwd: driver.demo.cwd });
		const forked = outcome.kind === "resume" ? await readSession(outcome.args.at(-1) ?? "") : undefined;
		expect(forked?.header).toMatchObject({ cwd: driver.demo.cwd, parentSession: row?.path });
	});

	test("from an earlier message: a line is appended, the text goes to the clipboard, and pi resumes there", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		driver.installPi();
		const row = selectedRow(await driver.select("Weekly note"));
		driver.press("next-pane", "first", "down");
		const first = selectedEntry(driver.program.getState());
		driver.press("resume", "choose");
		expect(await driver.program.exited).toMatchObject({
			kind: "resume",
			args: ["--session", row?.path],
			note: expect.stringMatching(/^Sent the prompt's text to the terminal's clipboard/),
		});
		const session = await readSession(row?.path ?? "");
		expect(session.tree.parentOf.get(session.tree.leafId ?? "")).toBe(session.tree.parentOf.get(first?.id ?? ""));
		expect(driver.written).toHaveLength(1);
	});
});

describe("handing over to a new session", () => {
	test("starts pi with a new session in the same directory, the digest on the clipboard; elsewhere if that is gone", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		driver.installPi();
		const row = selectedRow(await driver.select("Weekly note"));
		driver.press("next-pane", "copy-digest");
		await driver.until("the copy", message("Sent the digest to the terminal's clipboard"));
		await rm(row?.cwd ?? "", { recursive: true });
		driver.press("hand-over", "choose");
		await driver.until(
			"the question",
			({ overlays: [top] }) => top?.kind === "menu" && top.title === "Start a new session",
		);
		await driver.until("the directory", (state) => JSON.stringify(state.overlays).includes("does not exist"));
		driver.press("choose");
		expect(await driver.program.exited).toMatchObject({
			...{
				kind: "resume",
				cwd: driver.demo.cwd,
				args: ["--session", expect.stringMatching(/--[^/]*--\/[^/]+\.jsonl$/)],
			},
			note: expect.stringMatching(/^Sent the digest to the terminal's clipboard/),
		});
		const [copied = "", first = ""] = driver.written.map((text) =>
			Buffer.from(text.split(";")[2] ?? "", "base64").toString(),
		);
		expect(copied).toContain("- turn 2: Lovely. 👍 Shorter next time. `#");
		expect(first).toContain(copied);
		expect(first).toContain(`pi-grove show ${row?.id}#ENTRY --turn`);
	});
});

describe("bad input", () => {
	test("files that are not sessions are rows with a reason, and everything else works", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const folder = join(driver.demo.agentDir, "sessions", "--odd--");
		await mkdir(folder);
		await writeFile(join(folder, "empty.jsonl"), "");
		await writeFile(join(folder, "text.jsonl"), "this is no session\n");
		await writeFile(
			join(folder, "escape.jsonl"),
			`{"type":"session","id":"x","timestamp":"2026-11-20T10:00:00.000Z","cwd":"/"}\n{"type":"message","id":"a","parentId":null,"timestamp":"2026-11-20T10:00:01.000Z","message":{"role":"user","content":"\\u001b]0;owned\\u0007\\u001b[2Jhello"}}\n`,
		);
		driver.refresh();
		// The file may be seen before its text is in it.
		const state = await driver.until(
			"the three files",
			({ catalog }) => catalog.rows.size === 17 && catalog.rows.get(join(folder, "escape.jsonl"))?.messageCount === 1,
		);
		const reasons = (name: string) => state.catalog.rows.get(join(folder, name))?.diagnostics.map(({ code }) => code);
		expect(reasons("empty.jsonl")).toContain("empty");
		expect(reasons("text.jsonl")).toContain("not-a-session");
	});
});
