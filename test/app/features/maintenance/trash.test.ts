import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import trash from "trash";
import { beforeEach, describe, expect, test } from "vitest";
import { MAINTENANCE, TRASH_ITEMS } from "../../../../src/app/features/maintenance/maintenance-state.ts";
import { rowOfItem, trashRows } from "../../../../src/app/features/maintenance/trash-rows.ts";
import { selectedRow } from "../../../../src/app/world/list/select-list.ts";
import type { MenuOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { TrashItem } from "../../../../src/changes/engine/read-trash.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { DATA_HOME } from "../../../support/data-home.ts";
import { isCurrent } from "../../../support/queries.ts";
import { paneTexts } from "../../../support/screen-text.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const collection = collectionOfFile();

const says = (text: string) => (state: State) => state.changing === 0 && state.message?.text.includes(text) === true;

async function remove(driver: Driver, title: string): Promise<string> {
	const path = selectedRow(await driver.select(title))?.path ?? "";
	driver.press("delete", "choose");
	await driver.until("the deletion", ({ catalog, changing }) => changing === 0 && !catalog.rows.has(path));
	return path;
}

async function openTrash(driver: Driver): Promise<State> {
	driver.press("trash");
	return looked(driver);
}

async function looked(driver: Driver): Promise<State> {
	return driver.until("the trash", (state) => {
		const rows = trashRows(state);
		const isKnown = (item: TrashItem) => item.wasUndone || item.trashed === undefined || rowOfItem(item, rows);
		return isCurrent(TRASH_ITEMS, state) && itemsIn(state).every(isKnown);
	});
}

function itemsIn(state: State): readonly TrashItem[] {
	return TRASH_ITEMS.of(state).value ?? [];
}

describe.skipIf(process.platform !== "linux")("the trash", () => {
	beforeEach(() => rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true }));

	test("says when it is empty, and who empties it", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		expect(paneTexts(await openTrash(driver)).join(" ")).toContain("There is no session in the trash.");
		driver.press("cancel");
		expect(driver.program.getState().overlays).toEqual([]);
	});

	test("does not have the session of the list read again when it is closed without a row", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const before = await driver.until("a session", ({ detail }) => detail.status === "ready");
		await openTrash(driver);
		driver.press("cancel");
		expect(driver.program.getState().detail).toBe(before.detail);
		expect(driver.program.getState().request).toBe(before.request);
	});

	test("never previews the session of the list for one whose file has not been read yet", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		await remove(driver, "Weekly note");
		const listed = (paneTexts(await driver.select("Dark mode"), 1)[0] ?? "").slice(3, 20);
		expect(listed).not.toBe("");
		const shown = new Set<string>();
		driver.program.subscribe(() => {
			const state = driver.program.getState();
			if (state.overlays.some(({ kind }) => kind === "maintenance"))
				for (const row of paneTexts(state, 1)) shown.add(row);
		});
		await openTrash(driver);
		await driver.until("the tree", (state) => paneTexts(state, 1).some((row) => row.includes("Make my weekly note")));
		expect([...shown].filter((row) => row.includes(listed))).toEqual([]);
	});

	test("lists what pi-grove and others have deleted, previews the one under the cursor, and restores it to its place", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const path = await remove(driver, "Weekly note");
		const other = join(driver.demo.home, "elsewhere", "x.jsonl");
		mkdirSync(dirname(other), { recursive: true });
		writeFileSync(
			other,
			`${JSON.stringify({ type: "session", id: "other", cwd: "/x", timestamp: "2020-01-01T00:00:00Z" })}\n`,
		);
		writeFileSync(join(dirname(other), "no-session.jsonl"), '{"a":1}\n');
		await trash([other, join(dirname(other), "no-session.jsonl")], { glob: false });
		let state = await openTrash(driver);
		const rows = paneTexts(state).slice(paneTexts(state).findIndex((row) => row.includes("In the trash")));
		expect(rows).toHaveLength(3);
		expect(rows.find((row) => row.includes("Weekly note"))).toMatch(/ pi-grove +\d\S* KB +\d/);
		expect(rows.find((row) => row.includes("(no messages)"))).toMatch(/ x +another program/);
		while (!paneTexts(driver.program.getState()).some((row) => /^› +Weekly/.test(row))) driver.press("down");
		state = await driver.until("its tree", ({ detail }) => detail.status === "ready");
		expect(paneTexts(state, 1).join("\n")).toContain("Make my weekly note from the commits");
		const content = readFileSync(itemsIn(state).find((item) => item.path === path)?.trashed?.path ?? "", "utf8");
		rmSync(dirname(path), { recursive: true, force: true });
		driver.press("restore");
		await driver.until("the restored session", says("Restored “Weekly note"));
		expect(readFileSync(path, "utf8")).toBe(content);
		state = await looked(driver);
		expect(itemsIn(state).map((item) => item.path)).toEqual([other]);
		await driver.until("it in the list, under the cursor", ({ list }) => list.selected === path);

		// A session that the list would not show stays, with the reason.
		driver.press("restore");
		await driver.until("the reason", says("another directory of sessions"));
		expect(existsSync(other)).toBe(false);

		// One undo reverts the restore, the next one the deletion, which is in effect again.
		driver.press("undo");
		await driver.until("the undo", says("Undone: restore “Weekly note"));
		expect(existsSync(path)).toBe(false);
		state = await looked(driver);
		expect(itemsIn(state).find((item) => item.path === path)?.isOurs).toBe(true);
		driver.press("undo");
		await driver.until("the undo of the deletion", says("Undone: move “Weekly note"));
		expect(existsSync(path)).toBe(true);
		driver.press("undo");
		await driver.until("nothing more", says("There is nothing to undo"));
	});

	test("restores several sessions as one step, and never over a file", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const first = await remove(driver, "Weekly note");
		const second = await remove(driver, "Try zod first");
		writeFileSync(second, "something else\n");
		await openTrash(driver);
		driver.press("mark-all", "restore");
		const asked = await driver.until("a question", ({ overlays, changing }) => changing === 0 && overlays.length === 2);
		const menu = asked.overlays.at(-1) as MenuOverlay;
		const body = menu.body.map((line) => line.map(({ text }) => text).join("")).join(" ");
		expect(menu.title).toBe("A file is in its place");
		expect(body).toContain("Restored 1 session from the trash.");
		expect(body.replaceAll(" ", "")).toContain(`${basename(second, ".jsonl")}-restored.jsonl`);
		expect(existsSync(first)).toBe(true);
		driver.press("down", "choose");
		await driver.until("the other", says("Restored “"));
		expect(readFileSync(second, "utf8")).toBe("something else\n");
		expect(existsSync(second.replace(".jsonl", "-restored.jsonl"))).toBe(true);
		driver.press("cancel", "undo");
		await driver.until("the undo", says("Undone: restore"));
		expect(existsSync(second.replace(".jsonl", "-restored.jsonl"))).toBe(false);
		expect(readFileSync(second, "utf8")).toBe("something else\n");
	});

	test("lists what a person deleted; forks that were taken back are one row, folded", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const path = await remove(driver, "Weekly note");
		for (let fork = 0; fork < 2; fork++) {
			await driver.select("Try zod first");
			driver.press("branch", "choose");
			await driver.until("the fork", says("Forked"));
			driver.press("undo");
			await driver.until("the undo", says("Undone: fork"));
		}
		const state = await openTrash(driver);
		// The cursor is on the session deleted last.
		const rows = paneTexts(state).slice(paneTexts(state).findIndex((row) => row.includes("In the trash")));
		expect(rows).toMatchObject([
			expect.stringMatching(/In the trash +1 +and 2 undone forks/),
			expect.stringMatching(/^› +Weekly note/),
			expect.stringContaining("2 undone forks"),
		]);
		// The heading stands for deleted sessions only, not for these.
		driver.press("fold-here", "mark");
		const now = driver.program.getState();
		const maintenance = MAINTENANCE.of(now);
		expect([...maintenance.marks.marked]).toEqual(
			itemsIn(now)
				.filter((item) => item.path === path)
				.map(({ key }) => key),
		);
		driver.press("mark", "unfold", "last", "unfold", "down", "mark");
		expect(MAINTENANCE.of(driver.program.getState()).marks.marked.size).toBe(1);
		// The delete key restores here.
		driver.send({ type: "keys", keys: ["ctrl+d"] });
		await driver.until("the fork back", says("Restored “"));
	});

	test("the list shows that the parent of a fork is in the trash, until it is restored", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		await driver.select("Weekly note");
		driver.press("branch", "choose");
		await driver.until("the fork", says("Forked"));
		await driver.until("the listed session", ({ list }) => list.pendingSelection === undefined);
		const fork = selectedRow(driver.program.getState())?.path ?? "";
		const parent = driver.program.getState().catalog.rows.get(fork)?.parentSession ?? "";
		const note = ({ overlays }: State): boolean =>
			overlays.length === 0 &&
			paneTexts(driver.program.getState()).some((row) => /(?:parent|fork of a session) in the trash/.test(row));
		expect(note(driver.program.getState())).toBe(false);
		while (driver.program.getState().list.selected !== parent) driver.press("up");
		await driver.idle();
		driver.press("delete", "choose");
		await driver.until("the deletion", ({ catalog, changing }) => changing === 0 && !catalog.rows.has(parent));
		await driver.until("what the fork says", note);
		driver.press("undo");
		await driver.until("the restored session", ({ catalog, changing }) => changing === 0 && catalog.rows.has(parent));
		expect(note(driver.program.getState())).toBe(false);
	});
});
