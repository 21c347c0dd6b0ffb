import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { familiesOf } from "../../../../src/app/world/list/families.ts";
import { headOf } from "../../../../src/catalog/model/session-links.ts";
import { createDemo } from "../../../../src/cli/browser/demo.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { familyFiles, familyNames } from "../../../support/family.ts";
import { NOW } from "../../../support/rows.ts";
import { startProgram } from "../../../support/start-program.ts";

test("every family shows its runs below the steps that started them", async () => {
	const demo = await createDemo(NOW);
	const sessions = join(demo.agentDir, "sessions");
	const parents = new Map<string, string>();
	for (const name of familyNames) {
		for (const [at, { path, text }] of familyFiles(name).entries()) {
			// Those of several families have the same names.
			const own = (value: string) =>
				value.replaceAll("/home/dev/.pi/agent/sessions/--home-dev-work-api--", join(sessions, `--${name}--`));
			if (at === 0) parents.set(name, own(path));
			mkdirSync(dirname(own(path)), { recursive: true });
			writeFileSync(own(path), own(text));
		}
	}
	const driver = await startProgram(undefined, { demo });
	const { program } = driver;
	const shown: Record<string, readonly string[]> = {};
	for (const [name, path] of parents) {
		const { rows } = program.getState().catalog;
		const row = rows.get(path);
		if (row === undefined || headOf(row, familiesOf(rows)) !== row) throw new Error(`${name} has no parent`);
		driver.press("first");
		while (program.getState().list.selected !== path) driver.press("down");
		await driver.until(name, ({ detail }) => detail.status === "ready" && detail.row.path === path);
		const pane = selectScreen(await driver.idle()).panes.find(({ id }) => id === "tree");
		const lines =
			pane?.rows.map(({ line }) =>
				textOfRow(line)
					.replace(/\d+(\.\d+)?m?s\b/, "1s")
					.replace(/ {3,}/g, "   ")
					.trim(),
			) ?? [];
		shown[name] = lines.filter((line, at) => line.includes("◫") || lines[at + 1]?.includes("◫"));
	}
	// What is copied from the parent tells of the run itself.
	driver.press("first");
	while (program.getState().list.selected !== parents.get("fork")) driver.press("down");
	await driver.until("the fork", ({ detail }) => detail.status === "ready" && detail.row.path === parents.get("fork"));
	driver.press("next-pane", "up", "open-run");
	await driver.until("its run", ({ detail }) => detail.status === "ready" && detail.row.path.includes("/forks/"));
	const forked = selectScreen(await driver.idle()).panes.find(({ id }) => id === "tree");
	const said = forked?.rows.map(({ line }) => textOfRow(line)) ?? [];
	expect(said.filter((line) => line.includes("◫"))).toEqual([]);
	const divider = said.findIndex((line) => line.includes("── its own task ──"));
	expect(said[divider - 1]).toContain("Get a second opinion.");
	expect(shown).toMatchInlineSnapshot(`
		{
		  "agent-background": [
		    "● Start a count, and fetch it.   9:00",
		    "│   ◫ general-purpose  Count tests   ✓ 1s  no session",
		    "● Start another one.   9:00",
		    "│   ◫ general-purpose  Count others   ✓ 1s  no session",
		  ],
		  "agent-directory": [
		    "● Let a writer do it.   9:00",
		    "│   ◫ writer  Write notes   2 answers  ✓ 1s  <$0.01  → open",
		  ],
		  "agent-foreground": [
		    "● Look around.   9:00",
		    "│   ◫ Explore  Find the routes   2 answers  ✓ 1s  no session",
		    "│   ◫ Explore  Read the schema   1 answer  ✗ 1s  no session",
		  ],
		  "agent-session": [
		    "● Let a writer do it.   9:00",
		    "│   ◫ writer  Write notes   2 answers  ✓ 1s  no session",
		  ],
		  "background": [
		    "● Start a count.   9:00",
		    "│   ◫ counter  Count the tests   ✓ 1s  <$0.01  → open",
		  ],
		  "chain": [
		    "│   subagent workflow const plan = await runs.run("plan", { agen… 1s",
		    "│   ◫ planner  Plan the rename   1 answer  ✓ 1s  <$0.01  → open",
		    "│   ◫ doer  Carry out: Rename a to…  2 answers  ✓ 1s  <$0.01  → open",
		  ],
		  "configured": [
		    "● Ask a scout where the routes are.   9:00",
		    "│   ◫ scout  Find the routes   2 answers  ✓ 1s  <$0.01  → open",
		  ],
		  "fork": [
		    "● Get a second opinion.   9:00",
		    "│   ◫ adviser  Check the plan   1 answer  ✓ 1s  <$0.01  → open",
		  ],
		  "fresh": [
		    "● Ask a scout where the routes are.   9:00",
		    "│   ◫ scout  Find the routes   2 answers  ✓ 1s  <$0.01  → open",
		  ],
		  "nested": [
		    "● Find out how things are stored.   9:00",
		    "│   ◫ lead  Explore the storage   2 answers  ✓ 1s  <$0.01  → open",
		  ],
		  "old-chain": [
		    "│   subagent planner → doer   4 lines 1s",
		    "│   ◫ planner  Plan the rename   1 answer  ✓ 1s  <$0.01  → open",
		    "│   ◫ doer  Carry out: {previous}   2 answers  ✓ 1s  <$0.01  → open",
		  ],
		  "old-parallel": [
		    "│   subagent 2 tasks: checker   7 lines 1s",
		    "│   ◫ checker  Review the routes   2 answers  ✓ 1s  <$0.01  → open",
		    "│   ◫ checker  Review the schema   1 answer  ✗ 1s   → open",
		  ],
		  "parallel": [
		    "│   subagent workflow const reviews = await runs.all([ … 16 lines 1s",
		    "│   ◫ checker  Review the routes   2 answers  ✓ 1s  <$0.01  → open",
		    "│   ◫ checker  Review the schema   1 answer  ✗ 1s   → open",
		  ],
		  "waited": [
		    "● Start a count, and wait for it.   9:00",
		    "│   ◫ counter  Count the tests   2 answers  ✓ 1s  <$0.01  → open",
		  ],
		}
	`);
});
