import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { App } from "../../components/App.tsx";
import { uncheckedDirectories, unsearchedGroups } from "../../src/app/features/maintenance/gone-groups.ts";
import {
	type DirectoryFate,
	type FoundDestination,
	MOVED,
} from "../../src/app/features/maintenance/maintenance-state.ts";
import { createTheme } from "../../src/ui/theme/theme.ts";
import { collectionOfFile } from "../support/collection.ts";
import { draw } from "../support/render.tsx";
import { NOW } from "../support/rows.ts";
import { type Driver, startProgram } from "../support/start-program.ts";
import { GOLDEN_TEMPORARY } from "../support/temp-dir.ts";

const collection = collectionOfFile(undefined, GOLDEN_TEMPORARY);

/** Golden screens of sessions whose directory is gone: `vitest -u` rewrites them; look at the difference before you commit it. */

const SIZES = [
	{ columns: 160, rows: 45 },
	{ columns: 80, rows: 24 },
	{ columns: 40, rows: 10 },
] as const;

let unmount: (() => void) | undefined;
afterEach(() => {
	unmount?.();
	unmount = undefined;
	vi.useRealTimers();
});

/** What would be found if the demo's projects had been moved. */
function moveAll(driver: Driver): void {
	const now = driver.program.getState();
	const { catalog } = now;
	const moved = MOVED.of(now);
	const { home } = driver.demo;
	const cwds = [...new Set([...catalog.rows.values()].map(({ cwd }) => cwd))].filter((cwd) => cwd !== "").sort();
	const fates = new Map<string, DirectoryFate>(cwds.map((cwd) => [cwd, { kind: "gone" }]));
	const [first = "", second = "", third = ""] = cwds;
	fates.set(third, { kind: "unknown", why: "its disk does not answer" });
	const to = (way: string) => join(home, way);
	const found = new Map<string, readonly FoundDestination[]>(cwds.map((cwd) => [cwd, []]));
	found.set(first, [
		{ directory: to("new/first"), reason: { kind: "remote", remote: "github.com/me/first" } },
		{ directory: to("attic/first"), reason: { kind: "name", shared: 1 } },
	]);
	found.set(second, [{ directory: to("new/second"), reason: { kind: "name", shared: 1 } }]);
	driver.send({ type: "directories-checked", search: moved.search, fates });
	driver.send({ type: "destinations-found", search: moved.search, found });
}

/** The screen as rows of text; only the names of directories differ each time. */
async function screenOf(driver: Driver, columns: number, rows: number): Promise<string> {
	const { terminal, ink } = await draw(
		<App program={driver.program} theme={createTheme({ depth: "24-bit" })} />,
		columns,
		rows,
	);
	unmount = () => ink.unmount();
	return `${(await terminal.screen()).join("\n")}\n`.replaceAll(/demo-\w{6}/g, "demo-XXXXXX");
}

test.each(SIZES)("$columns×$rows", async ({ columns, rows }) => {
	vi.useFakeTimers({ toFake: ["Date"], now: NOW });
	const driver = await startProgram({ columns, rows }, { collection: collection() });
	const golden = (name: string) => join("golden", `${name}-${columns}x${rows}.txt`);
	driver.press("moved");
	await driver.until("the end of the search", (state) => {
		const { checking, finding } = MOVED.of(state);
		return uncheckedDirectories(state).length + unsearchedGroups(state).length + checking.length + finding.length === 0;
	});
	moveAll(driver);
	driver.press("mark", "unfold");
	await expect(await screenOf(driver, columns, rows)).toMatchFileSnapshot(golden("directory-gone"));
	unmount?.();
	driver.press("fix");
	await expect(await screenOf(driver, columns, rows)).toMatchFileSnapshot(golden("directory-gone-fix"));
});
