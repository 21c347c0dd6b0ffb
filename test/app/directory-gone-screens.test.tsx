import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { DirectoryFate } from "../../src/app/world/effects/directories.ts";
import { FATES } from "../../src/app/world/list/gone-directories.ts";
import { OFFERED } from "../../src/app/world/questions/destination-prompt.ts";
import { collectionOfFile } from "../support/collection.ts";
import { answerTo } from "../support/queries.ts";
import { NOW } from "../support/rows.ts";
import { GOLDEN_SIZES, shownScreen } from "../support/shown-screen.tsx";
import { type Driver, startProgram } from "../support/start-program.ts";
import { GOLDEN_TEMPORARY } from "../support/temp-dir.ts";

const collection = collectionOfFile(undefined, GOLDEN_TEMPORARY);

/** Golden screens of sessions whose directory is gone: `vitest -u` rewrites them; look at the difference before you commit it. */

afterEach(() => {
	vi.useRealTimers();
});

/** What would be found if the directories of the demo's projects were gone. */
function loseAll(driver: Driver): void {
	const { catalog } = driver.program.getState();
	const cwds = [...new Set([...catalog.rows.values()].map(({ cwd }) => cwd))].filter((cwd) => cwd !== "").sort();
	const fates = new Map<string, DirectoryFate>(cwds.map((cwd) => [cwd, { kind: "gone" }]));
	fates.set(cwds[2] ?? "", { kind: "unknown", why: "its disk does not answer" });
	driver.send(answerTo(FATES, driver.program.getState(), fates));
}

test.each(GOLDEN_SIZES)("$columns×$rows", async ({ columns, rows }) => {
	vi.useFakeTimers({ toFake: ["Date"], now: NOW });
	const driver = await startProgram({ columns, rows }, { collection: collection() });
	const golden = (name: string) => join("golden", `${name}-${columns}x${rows}.txt`);
	await driver.until("the directories", (state) => FATES.of(state).value !== undefined && !FATES.of(state).isLoading);
	driver.press("moved");
	loseAll(driver);
	driver.press("mark", "unfold");
	await expect(await shownScreen(driver, columns, rows)).toMatchFileSnapshot(golden("directory-gone"));
	driver.press("fix");
	const offered = (way: string, why: string) => ({ directory: join(driver.demo.home, way), why });
	driver.send(
		answerTo(OFFERED, driver.program.getState(), [
			offered("new/first", "same Git remote"),
			offered("attic/first", "same name"),
			offered("work/api", ""),
		]),
	);
	await expect(await shownScreen(driver, columns, rows)).toMatchFileSnapshot(golden("directory-gone-fix"));
});
