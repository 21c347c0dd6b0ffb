import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DOCTOR, MAINTENANCE } from "../../src/app/features/maintenance/maintenance-state.ts";
import { createDemo } from "../../src/cli/browser/demo.ts";
import { addDamaged } from "../support/damaged-sessions.ts";
import { NOW } from "../support/rows.ts";
import { GOLDEN_SIZES, shownScreen } from "../support/shown-screen.tsx";
import { type Driver, startProgram } from "../support/start-program.ts";

/** Golden screens of damaged sessions: `vitest -u` rewrites them; look at the difference before you commit it. */

async function screenOf(driver: Driver, columns: number, rows: number): Promise<string> {
	return (await shownScreen(driver, columns, rows)).replace(/…\w\w(?=\/work)/, "…XX");
}

describe.each(GOLDEN_SIZES)("$columns×$rows", ({ columns, rows }) => {
	test("damaged sessions", async () => {
		const demo = await createDemo(NOW);
		onTestFinished(() => demo.remove());
		addDamaged(demo.agentDir);
		const driver = await startProgram({ columns, rows }, { demo });
		const golden = (name: string) => join("golden", `${name}-${columns}x${rows}.txt`);
		await driver.until("what is known to be damaged", ({ catalog: { rows } }) =>
			[...rows].some(([path, { diagnostics }]) => path.endsWith("lines.jsonl") && diagnostics.length > 0),
		);
		driver.press("problems", "check-all");
		await driver.until("all", (state) => DOCTOR.of(state).examined.size > 20);
		const isOn = (name: string) => MAINTENANCE.of(driver.program.getState()).cursor.selected?.includes(name) === true;
		driver.press("first");
		for (let moves = 0; moves < 50 && !isOn("two.jsonl"); moves++) driver.press("down");
		driver.press("mark", "up", "unfold", "down");
		await expect(await screenOf(driver, columns, rows)).toMatchFileSnapshot(golden("damaged"));
		driver.press("fold-here", "repair");
		await driver.until("the question", ({ overlays }) => overlays.at(-1)?.kind === "menu");
		await driver.until(
			"the tree of the session below it",
			({ detail, size }) => size.columns < 80 || (detail.status === "ready" && detail.row.path.endsWith("two.jsonl")),
		);
		await expect(await screenOf(driver, columns, rows)).toMatchFileSnapshot(golden("damaged-repair"));
	});
});
