import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { JOURNAL_CHANGES, journalChanges, OUTLOOKS } from "../../src/app/features/history/history-state.ts";
import { TRASH_ITEMS } from "../../src/app/features/maintenance/maintenance-state.ts";
import { trashRows } from "../../src/app/features/maintenance/trash-rows.ts";
import type { State } from "../../src/app/world/state/state.ts";
import { DATA_HOME } from "../support/data-home.ts";
import { isCurrent } from "../support/queries.ts";
import { NOW } from "../support/rows.ts";
import { GOLDEN_SIZES, shownScreen } from "../support/shown-screen.tsx";
import { type Driver, startProgram } from "../support/start-program.ts";

/** Golden screens of the history and of the trash: `vitest -u` rewrites them; look at the difference before you commit it. */

beforeEach(() => rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true }));
afterEach(() => {
	vi.useRealTimers();
});

const isQuiet = ({ changing, overlays, message }: State): boolean =>
	changing === 0 && overlays.length === 0 && message !== undefined;

/** A rename that was undone, a label of two sessions at once, and two deletions. */
async function change(driver: Driver): Promise<void> {
	await press(driver, "Weekly note", "rename");
	driver.type(" of this week");
	driver.press("choose");
	await driver.until("the name", isQuiet);
	driver.press("undo");
	await driver.until("the undo", isQuiet);
	await press(driver, "Try zod first", "mark");
	await press(driver, "Weekly note", "mark");
	driver.press("label");
	driver.type("done");
	driver.press("choose");
	await driver.until("the labels", isQuiet);
	driver.press("unmark-all");
	await press(driver, "Try zod first", "delete", "choose");
	await driver.until("it to go", isQuiet);
	await press(driver, "Weekly note", "delete", "choose");
	await driver.until("it to go too", isQuiet);
}

/** In a narrow terminal no tree is read while the list has the focus, so none is waited for. */
async function press(driver: Driver, text: string, ...bindings: string[]): Promise<void> {
	vi.setSystemTime(Date.now() + 60_000);
	const rows = [...driver.program.getState().catalog.rows.values()];
	const wanted = rows.find((row) => `${row.name ?? ""} ${row.firstMessage}`.includes(text))?.path;
	driver.press("first");
	for (let moves = 0; moves < rows.length && driver.program.getState().list.selected !== wanted; moves++)
		driver.press("down");
	expect(driver.program.getState().list.selected).toBe(wanted);
	await driver.idle();
	driver.press(...bindings);
}

describe.skipIf(process.platform !== "linux").each(GOLDEN_SIZES)("$columns×$rows", ({ columns, rows }) => {
	test("history and trash", async () => {
		vi.useFakeTimers({ toFake: ["Date"], now: NOW - 3_600_000 });
		const driver = await startProgram({ columns, rows });
		await change(driver);
		driver.press("history");
		await driver.until("all to be looked at", (state) => {
			const open = journalChanges(state).filter(({ fate }) => fate === "made" || fate === "undone");
			const { checked } = OUTLOOKS.of(state).value ?? {};
			return isCurrent(JOURNAL_CHANGES, state) && open.every(({ id }) => checked?.has(id));
		});
		driver.press("down", "down", "open-group");
		const golden = (name: string) => join("golden", `${name}-${columns}x${rows}.txt`);
		await expect(await shownScreen(driver, columns, rows)).toMatchFileSnapshot(golden("history"));
		driver.press("cancel", "trash");
		await driver.until("the trash", (state) => isCurrent(TRASH_ITEMS, state) && trashRows(state).size === 2);
		driver.press("mark", "up");
		await driver.until("the tree, if any", ({ detail }) => columns < 80 || detail.status === "ready");
		await expect(await shownScreen(driver, columns, rows)).toMatchFileSnapshot(golden("trash"));
	});
});
