import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { CHANGED } from "../../../../src/app/features/changes/changes-state.ts";
import { selectedEntry } from "../../../../src/app/world/opened/select-tree.ts";
import { pageOf } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { createDemo } from "../../../../src/cli/browser/demo.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { EditingSession } from "../../../support/editing-session.ts";
import { GitRepository } from "../../../support/git-repository.ts";
import { isCurrent } from "../../../support/queries.ts";
import { NOW } from "../../../support/rows.ts";
import { startProgram } from "../../../support/start-program.ts";

const MINUTE = 60_000;

function rows(state: State): readonly string[] {
	return selectScreen(state).panes[0]?.rows.map(({ line }) => textOfRow(line).trim()) ?? [];
}

function headings(state: State): readonly string[] {
	return rows(state).filter((row) => /^(?:› )?[▾▸]/.test(row));
}

test("the changes of runs are shown on demand, each with its agent; enter goes there, and back", async () => {
	const demo = await createDemo(NOW);
	const disk = new Map<string, string>();
	const repository = new GitRepository(join(demo.home, "work/billing"));
	repository.commit(NOW - 91 * MINUTE, "Begin");
	const parent = new EditingSession("01a10001-0000-7000-8000-000000000001", repository.path, NOW - 90 * MINUTE, disk);
	parent.prompt("Migrate the billing tables");
	parent.write("billing.ts", "one\ntwo\n");
	const run = new EditingSession("01a10002-0000-7000-8000-000000000002", repository.path, NOW - 60 * MINUTE, disk);
	run.prompt("Task: split it");
	const invoices = run.write("invoices.ts", "three\n");
	run.edit("billing.ts", [{ oldText: "two\n", newText: "" }]);
	repository.put(disk);
	const path = parent.save(demo.agentDir);
	const runPath = join(path.replace(/\.jsonl$/, ""), "0badcafe", "run-0", "session.jsonl");
	mkdirSync(dirname(runPath), { recursive: true });
	writeFileSync(runPath, run.text);
	const name = { type: "session_info", id: "name", parentId: run.leaf, timestamp: new Date(NOW).toISOString() };
	writeFileSync(runPath, `${run.text}${JSON.stringify({ ...name, name: "subagent-worker-0badcafe-1" })}\n`);

	const driver = await startProgram(undefined, { demo });
	await driver.select("Migrate the billing tables");
	driver.press("next-pane", "changes");
	const changed = () => driver.until("the changes", (now) => isCurrent(CHANGED, now));
	expect(headings(await changed())).toEqual([expect.stringMatching(/▾ billing\.ts +\+2 +turn 1 +exact$/)]);
	driver.press("with-runs");
	const state = await changed();
	expect(headings(state)).toEqual([
		expect.stringMatching(/▾ billing\.ts +\+1 +turn 1 ◫ +exact$/),
		expect.stringMatching(/▾ invoices\.ts +\+1 +◫ +exact$/),
	]);
	driver.press("next-span");
	expect(headings(await changed())).toHaveLength(2);
	driver.press("next-span", "next-span");
	await changed();
	driver.press("next-file", "go-to-turn");
	await driver.until("the run", ({ detail }) => detail.status === "ready" && detail.row.path === runPath);
	const there = await driver.idle();
	expect([there.focus, selectedEntry(there)?.id]).toEqual(["tree", invoices]);
	driver.press("back");
	await driver.until("the parent", ({ detail }) => detail.status === "ready" && detail.row.path === path);
	await changed();
	expect(pageOf(driver.program.getState())).toBe("changes");
	driver.press("cancel");
	expect([pageOf(driver.program.getState()), driver.program.getState().focus]).toEqual([undefined, "tree"]);
});
