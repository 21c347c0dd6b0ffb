import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { App } from "../../../../components/App.tsx";
import { USES } from "../../../../src/app/features/prompts/uses-state.ts";
import { createTheme } from "../../../../src/ui/theme/theme.ts";
import { draw } from "../../../support/render.tsx";
import { NOW } from "../../../support/rows.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

/** Golden screens of the prompts and commands: `vitest -u` rewrites them; review the difference before you commit it. */

let unmount: (() => void) | undefined;
afterEach(() => {
	unmount?.();
	unmount = undefined;
	vi.useRealTimers();
});

/** The screen as rows of text; only the names of directories differ each time. */
async function screenOf(driver: Driver, columns: number, rows: number): Promise<string> {
	const theme = createTheme({ depth: "24-bit" });
	const { terminal, ink } = await draw(<App program={driver.program} theme={theme} />, columns, rows);
	unmount = () => ink.unmount();
	return `${(await terminal.screen()).join("\n")}\n`.replaceAll(/demo-\w{6}/g, "demo-XXXXXX");
}

const allFound = (driver: Driver) =>
	driver.until("all that there is", (state) => {
		const uses = USES.of(state);

		const { found, kind, parsed, opened } = uses;
		return uses.isDone && found?.of.kind === kind && found.of.parsed === parsed && found.of.opened === opened;
	});

test.each([
	{ columns: 160, rows: 45 },
	{ columns: 80, rows: 24 },
	{ columns: 40, rows: 10 },
])("$columns×$rows", async ({ columns, rows }) => {
	vi.useFakeTimers({ toFake: ["Date"], now: NOW });
	const driver = await startProgram({ columns, rows });
	const golden = (name: string) => join("golden", `${name}-${columns}x${rows}.txt`);
	driver.press("prompts");
	await allFound(driver);
	await expect(await screenOf(driver, columns, rows)).toMatchFileSnapshot(golden("prompts"));
	unmount?.();
	driver.press("show-commands");
	driver.type("test");
	await allFound(driver);
	driver.press("open-text");
	await allFound(driver);
	await expect(await screenOf(driver, columns, rows)).toMatchFileSnapshot(golden("commands"));
});
