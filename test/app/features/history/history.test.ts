import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import {
	historyRows,
	JOURNAL_CHANGES,
	journalChanges,
	OUTLOOKS,
	selectedHistoryRow,
} from "../../../../src/app/features/history/history-state.ts";
import { selectedRow } from "../../../../src/app/world/list/select-list.ts";
import type { MenuOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { readSession } from "../../../../src/store/read/read-session.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { DATA_HOME } from "../../../support/data-home.ts";
import { isCurrent } from "../../../support/queries.ts";
import { paneTexts } from "../../../support/screen-text.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const collection = collectionOfFile();

const pathOf = (state: State): string => selectedRow(state)?.path ?? "";
const nameOf = async (path: string): Promise<string | undefined> => (await readSession(path)).tree.name;
const says = (text: string) => (state: State) => state.changing === 0 && state.message?.text.includes(text) === true;

async function rename(driver: Driver, to: string): Promise<string> {
	await driver.idle();
	const path = pathOf(driver.program.getState());
	driver.press("rename", "erase-all");
	driver.type(to);
	driver.press("choose");
	await driver.until("the changes", says(`to “${to}”`));
	return path;
}

async function openHistory(driver: Driver): Promise<State> {
	driver.press("history");
	return checked(driver);
}

/** Waits until all visible changes have been checked. */
async function checked(driver: Driver): Promise<State> {
	return driver.until("checks of all changes in sight", (state) => {
		const { changing } = state;
		const open = journalChanges(state).filter(({ fate }) => fate === "made" || fate === "undone");
		const { checked } = OUTLOOKS.of(state).value ?? {};
		return changing === 0 && isCurrent(JOURNAL_CHANGES, state) && open.every(({ id }) => checked?.has(id));
	});
}

function question({ overlays }: State): { title: string; body: string } {
	const menu = overlays.at(-1) as MenuOverlay;
	return { title: menu.title, body: menu.body.map((line) => line.map(({ text }) => text).join("")).join(" ") };
}

test("an empty page says that there are no changes", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	const state = await openHistory(driver);
	expect(paneTexts(state)).toEqual([" No change has been made yet."]);
	driver.press("cancel");
	expect(driver.program.getState().overlays).toEqual([]);
});

test("shows verb, title and result, each once, newest first, and undoes the one under the cursor alone", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	await driver.select("Weekly note");
	const path = await rename(driver, "One");
	await driver.select("Try zod first");
	const other = await rename(driver, 'Two "quoted"');
	let state = await openHistory(driver);
	const rows = paneTexts(state);
	expect(rows).toHaveLength(2);
	expect(rows[0]).toMatch(/^› .* rename +Try zod first +to “Two "quoted"” +can be undone$/);
	expect(rows[1]).toMatch(/ rename +Weekly note 🌱 +to “One” +can be undone$/);
	driver.press("down", "undo-row");
	state = await driver.until("the undo", says("Undone: rename"));
	expect(await nameOf(path)).not.toBe("One");
	expect(await nameOf(other)).toBe('Two "quoted"');
	state = await checked(driver);
	expect(paneTexts(state)[1]).toMatch(/ undone$/);
	expect(state.list.selected).toBe(path);

	driver.press("redo");
	state = await driver.until("the redo", says("Redone: rename"));
	// The key of undo acts on the row under the cursor here, so nothing is said about it.
	expect(state.message?.text).toMatch(/to “One”$/);
	expect(await nameOf(path)).toBe("One");
	state = await checked(driver);
	expect(journalChanges(state).map(({ fate }) => fate)).toEqual(["made", "made", "undone"]);
	// The cursor stays on its change.
	expect(historyRows(state).indexOf(selectedHistoryRow(state) as never)).toBe(2);
});

test("/ finds a change, also in a folded group, and n the next one", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	await driver.select("Weekly note");
	await rename(driver, "One");
	await rename(driver, "One more");
	await openHistory(driver);
	const here = () => paneTexts(driver.program.getState()).find((row) => row.startsWith("›"));
	driver.press("last", "filter-text");
	driver.type("to “one");
	expect(here()).toContain("to “One”");
	driver.press("filter-done", "next-match");
	expect(here()).toContain("to “One more”");
	driver.press("previous-match");
	expect(here()).toContain("to “One”");
	driver.press("cancel");
	driver.press("mark-all");
	const { size } = driver.program.getState().list.marked;
	driver.press("archive");
	await driver.until("the archive", says(`Archived ${size} sessions`));
	await openHistory(driver);
	expect(paneTexts(driver.program.getState())).toHaveLength(3);
	driver.press("filter-text");
	driver.type("try zod");
	expect(here()).toContain("Try zod first");
	expect(paneTexts(driver.program.getState()).length).toBeGreaterThan(3);
});

test("a change of a session that was archived since leads to it in the archive", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	await driver.select("Weekly note");
	const path = await rename(driver, "One");
	driver.press("archive");
	await driver.until("the archive", says("Archived"));
	await openHistory(driver);
	driver.press("down", "go-to-session");
	const state = await driver.until(
		"the session",
		({ list }) => list.scope === "archived" && list.pendingSelection === undefined,
	);
	expect(basename(state.list.selected ?? "")).toBe(basename(path));
});

test("a change on which another depends stays, and the reason says what to undo first", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	await driver.select("Weekly note");
	const before = await nameOf(pathOf(driver.program.getState()));
	const path = await rename(driver, "One");
	await rename(driver, "Two");
	await openHistory(driver);
	driver.press("down");
	const row = paneTexts(driver.program.getState())[1];
	expect(row).toContain("later ones first");
	driver.press("undo-row");
	await driver.until("the reason", says("Undo first what depends on it: rename “One” to “Two”"));
	expect(await nameOf(path)).toBe("Two");
	for (const name of ["up", "down"]) {
		driver.press(name, "undo-row");
		await driver.until("the undo", says("Undone: rename"));
		await checked(driver);
	}
	expect(await nameOf(path)).toBe(before);
});

test("enter on a change of a session that is in the trash offers to bring it back, and then leads to it", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	await driver.select("Weekly note");
	const path = await rename(driver, "One");
	driver.press("delete", "choose");
	await driver.until("the deletion", says("to the trash"));
	await openHistory(driver);
	// The renaming of the session, which is in the trash since.
	driver.press("down", "go-to-session");
	const asked = driver.program.getState();
	expect([question(asked).title, (asked.overlays.at(-1) as MenuOverlay).items.map(({ label }) => label)]).toEqual([
		"The session is in the trash",
		["Undo: move “One” to the trash", "Cancel"],
	]);
	driver.press("choose");
	await driver.until("the session", ({ catalog, changing }) => changing === 0 && catalog.rows.has(path));
	await checked(driver);
	driver.press("go-to-session");
	const state = await driver.until("the list", ({ list }) => list.selected === path);
	expect(state.overlays).toEqual([]);
});

test("an undo that fails stays where it is, says why, and undoes nothing else", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	await driver.select("Weekly note");
	const path = await rename(driver, "One");
	driver.press("delete", "choose");
	await driver.until("the deletion", says("to the trash"));
	const receipt = join(DATA_HOME, "Trash");
	rmSync(receipt, { recursive: true });
	await openHistory(driver);
	expect(paneTexts(driver.program.getState())[0]).toContain("cannot be undone");
	for (let tries = 0; tries < 2; tries++) {
		driver.press("undo-row");
		await driver.until("the reason", says("Not undone: move “One” to the trash. It is no longer in the trash"));
		await checked(driver);
	}
	expect(journalChanges(driver.program.getState()).map(({ fate }) => fate)).toEqual(["made", "made"]);
	expect(existsSync(path)).toBe(false);
	// The session of the earlier rename is gone.
	driver.press("down", "undo-row");
	await driver.until("the reason", says("Undo first what depends on it: move “One” to the trash"));
});
