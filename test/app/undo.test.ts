import { spawn } from "node:child_process";
import {
	appendFileSync,
	chmodSync,
	closeSync,
	existsSync,
	mkdirSync,
	openSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { applyKeybindings } from "../../src/app/core/keys/keybindings.ts";
import { selectScreen } from "../../src/app/core/screen/select-screen.ts";
import { journalChanges } from "../../src/app/features/history/history-state.ts";
import { NEXT_STEPS } from "../../src/app/world/keys/undo-keys.ts";
import { selectedRow } from "../../src/app/world/list/select-list.ts";
import type { MenuOverlay } from "../../src/app/world/state/overlays.ts";
import type { State } from "../../src/app/world/state/state.ts";
import { type JournalOptions, journalPath, openJournal } from "../../src/changes/journal/journal.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { collectionOfFile } from "../support/collection.ts";
import { familyFiles } from "../support/family.ts";
import { isCurrent } from "../support/queries.ts";
import { entry, name, user } from "../support/session-builder.ts";
import { type Driver, startProgram } from "../support/start-program.ts";

const collection = collectionOfFile();

const LARGE = { columns: 160, rows: 45 };
/** A window that is still open. */
const OTHER_WINDOW = { pid: process.ppid, start: 1 };
/** No process has this number. */
const ANOTHER_RUN = { pid: 2 ** 30, start: 1 };

const textOf = (line: readonly { readonly text: string }[]): string => line.map(({ text }) => text).join("");
const says = (text: string) => (state: State) => state.changing === 0 && state.message?.text.includes(text) === true;
const pathOf = (state: State): string => selectedRow(state)?.path ?? "";
const nameOf = (path: string) => async () => (await readSession(path)).tree.name;

/** Presses the key and waits for the answer: a message or a question. */
async function undo(driver: Driver): Promise<State> {
	await driver.idle();
	driver.press("undo");
	return driver.until(
		"an answer",
		({ changing, message, overlays }) => changing === 0 && (message !== undefined || overlays.length > 0),
	);
}

/** The question that is open, as a person reads it. */
function question({ overlays }: State): { title: string; body: string; choices: string[] } {
	const menu = overlays.at(-1) as MenuOverlay;
	const body = menu.body.map((line) => line.map(({ text }) => text).join("")).join(" ");
	return { title: menu.title, body, choices: menu.items.map(({ label }) => label) };
}

/** Chooses the item of the open menu that holds the text. */
async function choose(driver: Driver, text: string): Promise<void> {
	const { choices } = question(driver.program.getState());
	const index = choices.findIndex((choice) => choice.includes(text));
	expect(choices[index]).toBeDefined();
	for (let moves = 0; moves < index; moves++) driver.press("down");
	driver.press("choose");
}

async function rename(driver: Driver, to: string): Promise<string> {
	await driver.idle();
	const path = pathOf(driver.program.getState());
	driver.press("rename", "erase-all");
	driver.type(to);
	driver.press("choose");
	await driver.until(`the name ${to}`, ({ catalog }) => catalog.rows.get(path)?.name === to);
	await driver.until("what was done", says(`to “${to}”`));
	return path;
}

async function fork(driver: Driver): Promise<string> {
	await driver.idle();
	const source = pathOf(driver.program.getState());
	driver.press("branch", "choose");
	return pathOf(
		await driver.until(
			"the fork",
			(now) => now.list.selected !== source && now.list.pendingSelection === undefined && says("Forked")(now),
		),
	);
}

const journalOf = ({ env, demo }: Driver, options: Partial<JournalOptions> = {}) =>
	openJournal({
		path: journalPath(env, demo.home),
		root: join(demo.agentDir, "sessions"),
		run: ANOTHER_RUN,
		...options,
	});

describe("messages", () => {
	test("name the session by its title, and the cursor goes to it", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const path = pathOf(await driver.select("Weekly note"));
		driver.press("delete", "choose");
		await driver.until("it to go", ({ catalog }) => !catalog.rows.has(path));
		const deleted = await driver.until("what was done", says("to the trash"));
		expect(deleted.message?.text).toMatch(/^Moved “Weekly note.*” to the trash · ctrl\+_ brings it back$/);
		driver.press("last");
		const state = await undo(driver);
		expect(state.message?.text).toMatch(/^Undone: move “Weekly note.*” to the trash$/);
		await driver.until("the cursor on it", ({ list }) => list.selected === path);
	});

	test("of several sessions leave the cursor where it is", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		await driver.idle();
		driver.press("first", "mark", "mark", "delete", "choose");
		await driver.until("what was done", says("Moved 2 sessions to the trash"));
		driver.press("last");
		const path = pathOf(driver.program.getState());
		const state = await undo(driver);
		expect(state.message?.text).toBe("Undone: move 2 sessions to the trash");
		expect(pathOf(await driver.idle())).toBe(path);
	});

	test("name the key as the person has bound it; the footer and the box of commands offer what was done, and only then", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const footer = (): string => textOf(selectScreen(driver.program.getState()).footer);
		const named = async (typed: string): Promise<string> => {
			driver.press("help");
			driver.type(typed);
			const row = (state: State): string => {
				const { overlay } = selectScreen(state);
				return overlay?.kind === "help"
					? textOf(overlay.body[1] ?? [])
							.replaceAll(/\s+/g, " ")
							.trim()
					: "";
			};
			const state = await driver.until("the answer", (now) => isCurrent(NEXT_STEPS, now));
			driver.press("cancel");
			return row(state);
		};
		await driver.select("Weekly note");
		expect(footer()).not.toContain("undo");
		expect(await named("undo")).toBe("› Undo: There is nothing to undo");
		const { keymap } = applyKeybindings({ "tui.editor.undo": ["ctrl+alt+z"] });
		driver.send({ type: "own-commands-read", keymap, problems: [] });
		await rename(driver, "One");
		expect(driver.program.getState().message?.text).toMatch(/ to “One” · ctrl\+alt\+z undoes this$/);
		expect(await named("undo")).toMatch(/^› Undo: rename “Weekly note.*” to “One” ctrl\+alt\+z$/);
		expect(footer()).toContain("ctrl+alt+z undo");
		expect(await named("redo")).toBe("› Redo: Nothing was undone before");
		await undo(driver);
		expect(await named("redo")).toMatch(/^› Redo: rename “Weekly note.*” to “One”$/);
		expect(footer()).not.toContain("undo");
		driver.press("redo");
		await driver.until("the redo", says("Redone: rename"));
		expect(await named("redo")).toBe("› Redo: Nothing was undone before");
	});

	test("the reason of a failure comes first, without the path", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const path = pathOf(await driver.select("Weekly note"));
		rmSync(path);
		driver.press("rename", "erase-all");
		driver.type("X");
		driver.press("choose");
		const { message } = await driver.until("the reason", says("does not exist"));
		expect(message?.text).toMatch(/^Cannot rename “Weekly note.*” to “X”: it does not exist; .*ENOENT\)$/);
		expect(message?.text).not.toContain(dirname(path));
	});
});

describe("what was done since", () => {
	test("what pi appends by itself when it resumes does not keep a place to go on from, or a fork, from being undone", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const pi = join(driver.env.PATH ?? "", "pi");
		mkdirSync(dirname(pi), { recursive: true });
		writeFileSync(pi, "#!/bin/sh\n");
		chmodSync(pi, 0o755);
		const path = pathOf(await driver.select("Weekly note"));
		const leaf = (await readSession(path)).tree.leafId;
		driver.press("next-pane", "first", "down", "resume", "down", "choose");
		await driver.program.exited;
		const made = await readSession(path);
		appendFileSync(
			path,
			`${entry("thinking_level_change", "aaaa0001", made.tree.leafId, 1, { thinkingLevel: "high" })}\n${entry("model_change", "aaaa0002", "aaaa0001", 2, { provider: "p", modelId: "m" })}\n`,
		);
		expect((await undo(driver)).message?.text).toMatch(/^Undone: continue “Weekly note/);
		const { tree } = await readSession(path);
		expect(tree.parentOf.get(tree.leafId ?? "")).toBe(leaf);
	});

	test("a session in which something was said stays, the undo stays too, and nothing older is undone unasked", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		await driver.select("Weekly note");
		const older = await rename(driver, "Older change");
		const made = await fork(driver);
		const { tree } = await readSession(made);
		appendFileSync(made, `${user("aaaa0001", tree.leafId, 1, "go on")}\n`);
		const refused = await undo(driver);
		expect(refused.message?.text).toContain("1 newer message");
		expect((await undo(driver)).message?.text).toContain("The history can undo an older change");
		expect(existsSync(made)).toBe(true);
		expect(await nameOf(older)()).toBe("Older change");
	});

	test("a name that another program has set since is not taken away unasked", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		await driver.select("Weekly note");
		const before = selectedRow(driver.program.getState())?.name;
		const path = await rename(driver, "Ours");
		const { tree } = await readSession(path);
		appendFileSync(path, `${name("aaaa0001", tree.leafId, 1, "Theirs")}\n`);
		const asked = question(await undo(driver));
		expect(asked.body).toContain("changed to “Theirs”");
		expect(asked.choices[0]).toBe("Keep it as it is");
		driver.press("choose");
		expect(await nameOf(path)()).toBe("Theirs");
		await undo(driver);
		await choose(driver, "anyway");
		await driver.until("the old name", says("Undone"));
		expect(await nameOf(path)()).toBe(before);
	});

	test("what the question showed is looked at again when it is answered", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		await driver.select("Weekly note");
		const path = await rename(driver, "Ours");
		const { tree } = await readSession(path);
		appendFileSync(path, `${name("aaaa0001", tree.leafId, 1, "Theirs")}\n`);
		await undo(driver);
		appendFileSync(path, `${name("aaaa0002", "aaaa0001", 2, "Newer")}\n`);
		await choose(driver, "anyway");
		const asked = await driver.until("another question", ({ overlays }) => overlays.length === 1);
		expect(question(asked).body).toContain("changed to “Newer”");
		expect(await nameOf(path)()).toBe("Newer");
	});
});

test.skipIf(process.platform !== "linux")(
	"a new session that a process has open is not moved to the trash, by undo or on the page, and both say which process",
	async () => {
		const driver = await startProgram(undefined, { processes: true });
		await driver.select("Weekly note");
		const made = await fork(driver);
		const fd = openSync(made, "a");
		const holder = spawn("sleep", ["60"], { stdio: ["ignore", "ignore", "ignore", fd] });
		onTestFinished(() => void holder.kill());
		closeSync(fd);
		const words = `It is in use. sleep (pid ${holder.pid}, since`;
		const how = "has its file open for writing. Close it there first";
		const refused = (await undo(driver)).message?.text;
		expect([refused?.includes(words), refused?.includes(how)]).toEqual([true, true]);
		driver.press("history");
		await driver.until("the page", (state) => journalChanges(state).length > 0);
		driver.press("undo-row");
		const there = await driver.until("the refusal", ({ message, changing }) => changing === 0 && message !== undefined);
		expect([there.message?.text.includes(words), there.message?.text.includes(how)]).toEqual([true, true]);
		expect(existsSync(made)).toBe(true);
	},
);

test("a run elsewhere gets its name back, and comes back from the trash", async () => {
	const driver = await startProgram();
	const [asking] = familyFiles("fresh");
	const told = familyFiles("fresh").find(({ path }) => path.endsWith("session.jsonl"));
	const run = join(driver.demo.home, "elsewhere/run.jsonl");
	mkdirSync(dirname(run), { recursive: true });
	writeFileSync(run, told?.text ?? "");
	const directory = join(driver.demo.agentDir, "sessions/--p--");
	mkdirSync(directory);
	writeFileSync(join(directory, "parent.jsonl"), asking.text.replaceAll(told?.path ?? "", run));
	await driver.until("the run", ({ catalog }) => catalog.rows.get(run)?.run?.parent !== undefined);
	await driver.select("Ask a scout where");
	driver.press("unfold");
	await driver.select("Task: Find the routes");
	const content = readFileSync(run, "utf8");
	expect(await rename(driver, "Another name")).toBe(run);
	expect((await undo(driver)).message?.text).toMatch(/^Undone: rename/);
	await driver.until(
		"its old name",
		({ catalog }) => catalog.rows.get(run)?.name === "subagent-scout-01990000-0000-7000-8000-000000000011-1",
	);
	await driver.idle();
	const before = readFileSync(run, "utf8");
	expect(before.startsWith(content)).toBe(true);
	driver.press("delete", "choose");
	await driver.until("it to go", ({ catalog }) => !catalog.rows.has(run));
	await driver.until("what was done", says("to the trash"));
	expect((await undo(driver)).message?.text).toMatch(/^Undone: move/);
	await driver.until("it to be back", ({ catalog }) => catalog.rows.get(run)?.run !== undefined);
	expect(readFileSync(run, "utf8")).toBe(before);
	driver.press("archive");
	expect(
		(await driver.until("an answer", ({ message }) => message?.text.includes("rchive") === true)).message?.text,
	).toContain("outside of the session directory");
});

describe("an undo that fails", () => {
	test("for a passing reason is tried again, and nothing else is undone", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		await driver.select("Weekly note");
		const path = await rename(driver, "Older change");
		const content = readFileSync(path, "utf8");
		driver.press("delete", "choose");
		await driver.until("it to go", ({ catalog }) => !catalog.rows.has(path));
		await driver.until("what was done", says("to the trash"));
		writeFileSync(path, "in the way");
		expect((await undo(driver)).message?.text).toMatch(/^Not undone: move .* to the trash\. A file of that name/);
		expect((await undo(driver)).message?.text).toMatch(/^Not undone: move/);
		rmSync(path);
		expect((await undo(driver)).message?.text).toMatch(/^Undone: move/);
		expect(readFileSync(path, "utf8")).toBe(content);
		expect((await undo(driver)).message?.text).toMatch(/^Undone: rename/);
	});

	test("touches no file that is not a session of the list", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const root = join(driver.demo.agentDir, "sessions");
		const row = pathOf(await driver.select("Weekly note"));
		const others = [
			join(driver.demo.home, "notes.jsonl"),
			join(root, "settings.json"),
			join(dirname(row), "deep", "x.jsonl"),
			`${dirname(row)}/../../../up.jsonl`,
		];
		const journal = journalOf(driver, { run: { pid: process.pid, start: Math.round(performance.timeOrigin) } });
		for (const path of others) {
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, readFileSync(row));
			const id = await journal.begin("fork", { type: "create", path: row, dir: dirname(path) });
			await journal.done(id, { type: "created", path, size: readFileSync(row).length });
			expect((await undo(driver)).message?.text).toContain("names a file that is not a session of this list");
			expect(existsSync(path)).toBe(true);
		}
		const secret = join(driver.demo.home, "files", "secret");
		const note = join(driver.demo.home, "info", "other.trashinfo");
		for (const path of [secret, note]) mkdirSync(dirname(path), { recursive: true });
		const gone = join(dirname(row), "gone.jsonl");
		writeFileSync(secret, "mine");
		writeFileSync(note, `[Trash Info]\nPath=${gone}\n`);
		const id = await journal.begin("delete", { type: "create", path: row, dir: "/" });
		await journal.done(id, {
			type: "restore",
			receipt: { path: gone, size: 4, trashed: { path: secret, info: note } },
		});
		expect((await undo(driver)).message?.text).toContain("names a file that is not in a trash");
		expect(readFileSync(secret, "utf8")).toBe("mine");
	});
});

describe("other windows, other runs, other directories", () => {
	test("what another window did is asked for first, and one's own is undone after it", async () => {
		const driver = await startProgram(LARGE);
		await driver.select("Weekly note");
		const mine = await rename(driver, "Mine");
		const other = await startProgram(LARGE, { demo: driver.demo, run: OTHER_WINDOW });
		await other.select("Refactor the import parser");
		const theirs = await rename(other, "Theirs");
		const asked = question(await undo(driver));
		expect(asked.title).toBe("Undo this change?");
		expect(asked.body).toMatch(/^Rename “.*” to “Theirs”\. It was made (?:just now|in \d+d), not in this window\.$/);
		driver.press("cancel");
		expect(await nameOf(theirs)()).toBe("Theirs");
		await undo(driver);
		driver.press("choose");
		await driver.until("theirs to be undone", says("to “Theirs”"));
		expect(await nameOf(theirs)()).not.toBe("Theirs");
		expect((await undo(driver)).message?.text).toContain("to “Mine”");
		expect(await nameOf(mine)()).not.toBe("Mine");
	});

	test("what an earlier run did is asked for first", async () => {
		const driver = await startProgram(LARGE, { run: ANOTHER_RUN });
		const path = pathOf(await driver.select("Weekly note"));
		driver.press("delete", "choose");
		await driver.until("it to be deleted", says("to the trash"));
		await driver.select("Refactor the import parser");
		await rename(driver, "Before");
		const later = await startProgram(LARGE, { demo: driver.demo });
		expect(question(await undo(later)).body).toMatch(/It was made (?:just now|in \d+d), not in this window\.$/);
		later.press("choose");
		await later.until("the name to be undone", says("Undone: rename"));
		expect(question(await undo(later)).body).toMatch(
			/^Move “Weekly note 🌱” to the trash\. It was made (?:just now|in \d+d), not in this window\.$/,
		);
		later.press("choose");
		await later.until("it to be restored", says("Undone: move"));
		expect(existsSync(path)).toBe(true);
	});

	test("lines of version 0.1.0 are of the directory that their session is in", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const path = pathOf(driver.program.getState());
		const file = journalPath(driver.env, driver.demo.home);
		mkdirSync(dirname(file), { recursive: true });
		const lines = (id: string, session: string) =>
			`{"step":"begin","id":"${id}","at":"2026-11-01T10:00:00.000Z","what":"rename to X"}\n{"step":"done","id":"${id}","undo":{"type":"rename","path":"${session}","name":"Before"}}\n`;
		writeFileSync(file, lines("1", path) + lines("2", "/elsewhere/x.jsonl"));
		expect(question(await undo(driver)).title).toBe("Undo this change?");
		driver.press("choose");
		const undone = await driver.until("it to be undone", says("Undone: rename to X"));
		expect(undone.message?.text).toMatch(/^Undone: rename to X \(made on 1 Nov(?: \d+)? at \d+:\d\d\)$/);
		expect(await nameOf(path)()).toBe("Before");
		expect((await undo(driver)).message?.text).toBe("There is nothing to undo");
	});
});

test("an undo is of the change that was asked for before it, however fast it is pressed", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	await driver.select("Weekly note");
	const path = pathOf(driver.program.getState());
	await rename(driver, "Older change");
	driver.press("rename", "erase-all");
	driver.type("At once");
	driver.press("choose", "undo");
	await driver.until("it to be undone", says("Undone: rename “Older change” to “At once”"));
	expect(await nameOf(path)()).toBe("Older change");
});

test("the first change can be undone at once, although the box of commands has found nothing to undo before", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	await driver.select("Weekly note");
	const path = pathOf(driver.program.getState());
	const nameBefore = await nameOf(path)();
	driver.press("help");
	await driver.until("what undo would do", (state) => isCurrent(NEXT_STEPS, state));
	driver.press("cancel", "rename", "erase-all");
	driver.type("At once");
	driver.press("choose");
	driver.send({ type: "keys", keys: ["ctrl+_"] });
	await driver.until("it to be undone", says("Undone: rename"));
	expect(await nameOf(path)()).toBe(nameBefore);
});

test("an undo that was killed before it was noted is only noted", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	const before = selectedRow(await driver.select("Weekly note"))?.name ?? "";
	const path = await rename(driver, "Ours");
	const { tree } = await readSession(path);
	appendFileSync(path, `${name("aaaa0001", tree.leafId, 1, before)}\n`);
	const content = readFileSync(path, "utf8");
	expect((await undo(driver)).message?.text).toMatch(/^Undone: rename/);
	expect(readFileSync(path, "utf8")).toBe(content);
	expect((await undo(driver)).message?.text).toBe("There is nothing to undo");
});

test("a question does not come between the person and what they have opened meanwhile", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	await driver.select("Weekly note");
	const path = await rename(driver, "Ours");
	const { tree } = await readSession(path);
	appendFileSync(path, `${name("aaaa0001", tree.leafId, 1, "Theirs")}\n`);
	driver.press("undo", "help");
	const state = await driver.until("the question", says("changed to “Theirs”"));
	expect(state.overlays.map(({ kind }) => kind)).toEqual(["palette"]);
	driver.press("cancel");
	expect(question(await undo(driver)).body).toContain("changed to “Theirs”");
	expect(await nameOf(path)()).toBe("Theirs");
});

test("a journal that cannot be written keeps a change from being made", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	const path = pathOf(await driver.select("Weekly note"));
	const content = readFileSync(path, "utf8");
	mkdirSync(journalPath(driver.env, driver.demo.home), { recursive: true });
	driver.press("rename", "erase-all");
	driver.type("X");
	driver.press("choose");
	const { message } = await driver.until("the reason", says("the undo journal cannot be written"));
	expect(message?.text).toMatch(
		/^Cannot rename “Weekly note.*” to “X”: the undo journal cannot be written: it is a dir/,
	);
	expect(readFileSync(path, "utf8")).toBe(content);
	expect((await undo(driver)).message?.text).toMatch(/^Cannot undo: the undo journal cannot be read: it is not a reg/);
});
