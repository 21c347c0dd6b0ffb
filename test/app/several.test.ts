import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { ONLY_HERE } from "../../src/app/core/effects/capabilities.ts";
import { shareSessions } from "../../src/app/features/excerpts/effects/share.ts";
import type { State } from "../../src/app/world/state/state.ts";
import { createLongWork } from "../../src/changes/engine/long-work.ts";
import { journalPath } from "../../src/changes/journal/journal.ts";
import { holdSession } from "../../src/store/held/hold-session.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { someCapabilities } from "../support/capabilities.ts";
import { collectionOfFile } from "../support/collection.ts";
import { DATA_HOME } from "../support/data-home.ts";
import { makeRow } from "../support/rows.ts";
import { questionText } from "../support/screen-text.ts";
import { assistant, header, lines, user } from "../support/session-builder.ts";
import { type Driver, startProgram } from "../support/start-program.ts";
import { tempAgentDir } from "../support/temp-dir.ts";

const collection = collectionOfFile();

const inTrash = () => {
	const files = join(DATA_HOME, "Trash", "files");
	return existsSync(files) ? readdirSync(files) : [];
};

const says = (text: string) => (state: State) => state.changing === 0 && state.message?.text.includes(text) === true;

/** Marks the first sessions of the list; returns their paths. */
async function mark(driver: Driver, count: number): Promise<string[]> {
	await driver.idle();
	driver.press("first", ...Array<string>(count).fill("mark"));
	return [...driver.program.getState().list.marked];
}

async function undo(driver: Driver, expected: string): Promise<State> {
	await driver.idle();
	driver.press("undo");
	return driver.until("the undo", says(expected));
}

const contentOf = (paths: readonly string[]) => paths.map((path) => readFileSync(path, "utf8"));

beforeEach(() => rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true }));

describe.skipIf(process.platform !== "linux")("deleting all marked sessions", () => {
	test("asks once, with the sum; one undo brings all back", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const paths = await mark(driver, 4);
		const before = contentOf(paths);
		const rows = paths.map((path) => driver.program.getState().catalog.rows.get(path));
		driver.press("delete");
		const asked = questionText(driver.program.getState());
		expect(asked).toMatch(/^Move 4 sessions to the trash\?/);
		expect(asked).toContain(`${rows.reduce((sum, row) => sum + (row?.messageCount ?? 0), 0)} messages`);
		expect(asked).toMatch(/Move 4 sessions to the trash\nCancel$/);
		driver.press("choose");
		await driver.until("the deletion", says("Moved 4 sessions to the trash · ctrl+_ brings them back"));
		expect(paths.filter(existsSync)).toEqual([]);
		expect(inTrash().length).toBe(4);
		const left = await driver.until("the list", ({ catalog }) => paths.every((path) => !catalog.rows.has(path)));
		expect(left.list.marked.size).toBe(0);
		const state = await undo(driver, "Undone: move 4 sessions to the trash");
		expect(contentOf(paths)).toEqual(before);
		expect(inTrash()).toEqual([]);
		expect(paths.every((path) => state.catalog.rows.has(path))).toBe(true);
		await undo(driver, "There is nothing to undo");
	});

	test("says which of them have forks that stay, and how many are not listed", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const state = await driver.idle();
		const fork = [...state.catalog.rows.values()].find(({ parentSession }) =>
			state.catalog.rows.has(parentSession ?? ""),
		);
		const parent = state.catalog.rows.get(fork?.parentSession ?? "");
		const other = [...state.catalog.rows.values()].find(
			(row) => row !== parent && row !== fork && row.name !== undefined,
		);
		for (const row of [parent, other]) {
			await driver.select((row?.name ?? row?.firstMessage ?? "").slice(0, 20));
			driver.press("mark");
		}
		driver.type("no such session at all");
		driver.send({ type: "keys", keys: ["ctrl+d"] });
		const asked = questionText(await driver.until("the question", ({ overlays }) => overlays.length > 0));
		expect(asked).toContain("2 of them are not listed now.");
		expect(asked).toMatch(/\d forks? of them stays? in the list/);
	});

	test("what cannot be deleted is left out, and named with the reason; the others are deleted, and undone", async () => {
		// What is written here counts as use for 30 seconds, which would leave that session out of what the next test deletes.
		const driver = await startProgram();
		const paths = await mark(driver, 3);
		const before = contentOf(paths);
		driver.press("delete");
		// Written to between the question and the answer.
		const [changed = "", ...others] = paths;
		writeFileSync(changed, `${before[0]}{"type":"custom","id":"cccccccc","parentId":null,"customType":"x"}\n`);
		driver.press("choose");
		const state = await driver.until("the deletion", says("Moved 2 sessions to the trash; 1 failed: “"));
		expect(state.message?.text).toMatch(/written to/);
		expect(state.message?.tone).toBe("warning");
		expect([existsSync(changed), ...others.map(existsSync)]).toEqual([true, false, false]);
		// It stays marked: it is still there.
		expect([...state.list.marked]).toEqual([changed]);
		await undo(driver, "Undone: move 2 of 3 sessions to the trash");
		expect(contentOf(others)).toEqual(before.slice(1));
	});

	test("an undo of which a part fails does the rest, says why, and goes on with what is left", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const paths = await mark(driver, 3);
		const before = contentOf(paths);
		driver.press("delete", "choose");
		await driver.until("the deletion", says("Moved 3 sessions"));
		const [taken = "", ...others] = paths;
		writeFileSync(taken, "somebody else's\n");
		const state = await undo(driver, "1 failed: ");
		expect(state.message?.text).toMatch(
			/^2 of 3 undone: move 3 sessions to the trash; undo again continues with the rest; 1 failed: move “.*” to the trash: /,
		);
		expect(contentOf(others)).toEqual(before.slice(1));
		expect(readFileSync(taken, "utf8")).toBe("somebody else's\n");
		rmSync(taken);
		await undo(driver, "Undone: move 1 of 3 sessions to the trash");
		expect(contentOf(paths)).toEqual(before);
	});

	test("where the journal cannot be written nothing is deleted, and the reason is told once", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const paths = await mark(driver, 5);
		const journal = journalPath(driver.env, driver.demo.home);
		rmSync(dirname(journal), { recursive: true, force: true });
		mkdirSync(dirname(dirname(journal)), { recursive: true });
		writeFileSync(dirname(journal), "in the way");
		driver.press("delete", "choose");
		const state = await driver.until("the answer", says("Cannot move 5 sessions to the trash: "));
		expect(state.message?.text).toMatch(/and 2 more: the undo journal cannot be written/);
		expect(paths.every(existsSync)).toBe(true);
		expect(state.list.marked.size).toBe(5);
	});
});

describe("labeling the end of all marked sessions", () => {
	test("labels where the conversation goes on; what is marked stays marked; one undo takes all labels away", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const paths = await mark(driver, 3);
		driver.press("label");
		driver.type("put away");
		driver.press("choose");
		const state = await driver.until("the labels", says("Labeled the end of 3 sessions “put away”"));
		expect(state.list.marked.size).toBe(3);
		const labels = async () =>
			Promise.all(
				paths.map(async (path) => {
					const { tree } = await readSession(path);
					return [...tree.labels].filter(([, { text }]) => text === "put away").map(([id]) => tree.byId.get(id)?.type);
				}),
			);
		expect(await labels()).toEqual([["message"], ["message"], ["message"]]);
		// Again: there is nothing to do.
		driver.press("label");
		driver.type("put away");
		driver.press("choose");
		await driver.until("nothing done", says("3 already had that label"));
		await undo(driver, "Undone: label the end of 3 sessions “put away”");
		expect(await labels()).toEqual([[], [], []]);
	});

	test("a session that cannot be written is left out and named", async () => {
		if (process.getuid?.() === 0) return;
		const driver = await startProgram(undefined, { collection: collection() });
		const paths = await mark(driver, 2);
		const [readOnly = ""] = paths;
		chmodSync(readOnly, 0o400);
		driver.press("label");
		driver.type("x");
		driver.press("choose");
		const state = await driver.until("the labels", says("Labeled the end of 1 session “x”; 1 failed: “"));
		expect(state.message?.text).toMatch(/permission/i);
		expect(statSync(readOnly).mode & 0o777).toBe(0o400);
		expect(basename(readOnly)).toMatch(/jsonl$/);
	});
});

describe("saving all marked sessions", () => {
	test("makes a file for each in a new directory, and never writes over one", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const paths = await mark(driver, 4);
		const before = contentOf(paths);
		const places: string[] = [];
		for (const attempt of [1, 2]) {
			driver.press("export");
			expect(questionText(driver.program.getState())).toContain("Save or share 4 sessions");
			driver.press("down", "choose");
			const state = await driver.until("the files", says("Saved 4 sessions in "));
			const place = / in (\S+) \(/.exec(state.message?.text ?? "")?.[1]?.replace("~", driver.demo.home) ?? "";
			expect(place).toMatch(attempt === 1 ? /pi-sessions-\d{4}-\d\d-\d\d$/ : /-2$/);
			expect(statSync(place).mode & 0o777).toBe(0o700);
			expect(readdirSync(place).length).toBe(4);
			for (const name of readdirSync(place)) {
				expect(name).toMatch(/^\d{4}-\d\d-\d\d-.+\.md$/);
				expect(readFileSync(join(place, name), "utf8")).toMatch(/^# .+\n/);
			}
			places.push(place);
			expect(state.list.marked.size).toBe(4);
			driver.press("down");
		}
		expect(new Set(places).size).toBe(2);
		expect(contentOf(paths)).toEqual(before);
	});

	test("sessions of one title get names that do not collide; one that is gone is named", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		await driver.idle();
		const state = driver.program.getState();
		const [row] = [...state.catalog.rows.values()].filter(({ messageCount, id }) => messageCount > 0 && id !== "");
		if (row === undefined) throw new Error("no session");
		const missing = { ...row, path: join(dirname(row.path), "gone.jsonl"), name: "Gone" };
		const work = { begin: () => ({ goesOn: async () => true, end: () => undefined }), stop: () => undefined };
		const { home } = driver.demo;
		const tools = (cwd: string) =>
			someCapabilities({
				disk: { home, savesTo: cwd, clock: Date.now },
				terminal: { work },
				store: { places: ONLY_HERE },
			});
		const { text, tone } = await shareSessions(
			{ type: "share-sessions", rows: [row, row, missing, row], to: "markdown" },
			tools(home),
		);
		expect(text).toMatch(
			/^Saved 3 sessions in ~.*; private data is masked where its form gives it away: .*; 1 failed: “Gone”: /,
		);
		expect(tone).toBe("warning");
		const [place = ""] = readdirSync(driver.demo.home).filter((name) => name.startsWith("pi-sessions-"));
		expect(readdirSync(join(driver.demo.home, place)).length).toBe(3);
		const none = await shareSessions({ type: "share-sessions", rows: [missing, missing], to: "markdown" }, tools(home));
		expect(none.text).toMatch(/^Nothing was saved; 2 failed: /);
		expect(readdirSync(driver.demo.home).filter((name) => name.startsWith("pi-sessions-"))).toEqual([place]);
		await expect(
			shareSessions({ type: "share-sessions", rows: [row, row], to: "markdown" }, tools("/nowhere")),
		).rejects.toThrow("Cannot save the sessions in /nowhere: ");
	});

	test("a damaged line of a large session is told, and everything else is in the file", async () => {
		const { base, write } = tempAgentDir();
		const long = assistant("b", "a", 2, "y".repeat(900_000));
		const more = assistant("c", "b", 3, "z".repeat(900_000));
		const all = [header(), user("a", null, 1, "first"), long, more, user("d", "c", 4, "x"), user("e", "d", 5, "last")];
		const path = write("--x--/a.jsonl", lines(...all).replace('"x"', '"x'));
		expect(await holdSession(path)).toBeDefined();
		const row = makeRow("Large", { path });
		const disk = { savesTo: base, home: base, clock: Date.now };
		const tools = someCapabilities({
			disk,
			terminal: { work: createLongWork(() => undefined) },
			store: { places: ONLY_HERE },
		});
		const { text, tone } = await shareSessions({ type: "share-sessions", rows: [row, row], to: "markdown" }, tools);
		expect(text).toMatch(
			/^Saved 2 sessions in .*; 2 are damaged: their unreadable parts are left out; private data is masked/,
		);
		expect(tone).toBe("warning");
	});
});
