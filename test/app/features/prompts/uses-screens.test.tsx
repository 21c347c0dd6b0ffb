import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import {
	FOUND_USES,
	isOfFilter,
	isUsesComplete,
	selectedUseRow,
	wholeOf,
} from "../../../../src/app/features/prompts/uses-state.ts";
import { NOW } from "../../../support/rows.ts";
import { GOLDEN_SIZES, shownScreen } from "../../../support/shown-screen.tsx";
import { type Driver, startProgram } from "../../../support/start-program.ts";

/** Golden screens of the prompts and commands: `vitest -u` rewrites them; review the difference before you commit it. */

afterEach(() => {
	vi.useRealTimers();
});

const allFound = (driver: Driver) =>
	driver.until("all that there is", (state) => {
		const use = selectedUseRow(state)?.use;
		const isShown = use === undefined || wholeOf(state, use) !== undefined;
		return isUsesComplete(state) && isOfFilter(state, FOUND_USES.of(state).key) && isShown;
	});

test.each(GOLDEN_SIZES)("$columns×$rows", async ({ columns, rows }) => {
	vi.useFakeTimers({ toFake: ["Date"], now: NOW });
	const driver = await startProgram({ columns, rows });
	const golden = (name: string) => join("golden", `${name}-${columns}x${rows}.txt`);
	driver.press("prompts");
	await allFound(driver);
	await expect(await shownScreen(driver, columns, rows)).toMatchFileSnapshot(golden("prompts"));
	driver.press("show-commands");
	driver.type("test");
	await allFound(driver);
	driver.press("open-text");
	await allFound(driver);
	await expect(await shownScreen(driver, columns, rows)).toMatchFileSnapshot(golden("commands"));
});
