import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { FOUND_FILES } from "../../../../src/app/features/files/files-state.ts";
import { selectedEntry } from "../../../../src/app/world/opened/select-tree.ts";
import { pageOf } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { createDemo } from "../../../../src/cli/browser/demo.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { EditingSession } from "../../../support/editing-session.ts";
import { NOW } from "../../../support/rows.ts";
import { ruleTexts } from "../../../support/screen-text.ts";
import { startProgram } from "../../../support/start-program.ts";

const MINUTE = 60_000;

function paneText(state: State, index: 0 | 1): readonly string[] {
	return selectScreen(state).panes[index]?.rows.map(({ line }) => textOfRow(line).trim()) ?? [];
}

test("the files of a session are also those of its runs, each edit with its agent; enter goes there, and back", async () => {
	const demo = await createDemo(NOW);
	const disk = new Map<string, string>();
	const parent = new EditingSession("01a10001-0000-7000-8000-000000000001", demo.cwd, NOW - 90 * MINUTE, disk);
	parent.prompt("Migrate the billing tables");
	parent.write("billing.ts", "one\ntwo\n");
	const run = new EditingSession("01a10002-0000-7000-8000-000000000002", demo.cwd, NOW - 60 * MINUTE, disk);
	run.prompt("Task: split it");
	run.write("invoices.ts", "three\n");
	const edit = run.edit("billing.ts", [{ oldText: "two\n", newText: "" }]);
	const path = parent.save(demo.agentDir);
	const runPath = join(path.replace(/\.jsonl$/, ""), "0badcafe", "run-0", "session.jsonl");
	mkdirSync(dirname(runPath), { recursive: true });
	writeFileSync(runPath, run.text);
	const name = { type: "session_info", id: "name", parentId: null, timestamp: new Date(NOW).toISOString() };
	writeFileSync(runPath, `${run.text}${JSON.stringify({ ...name, name: "subagent-worker-0badcafe-1" })}\n`);

	const driver = await startProgram(undefined, { demo });
	await driver.select("Migrate the billing tables");
	driver.press("next-pane", "files");
	const state = await driver.until("all files", (now) => FOUND_FILES.of(now).value?.isWhole === true);
	expect(paneText(state, 0)).toEqual([
		expect.stringMatching(/⊞ billing\.ts +\+2 +−1 +2 edits +turn 1$/),
		expect.stringMatching(/⊞ invoices\.ts +\+1 +1 edit +◫$/),
	]);
	expect(ruleTexts(state).join(" ")).toContain("2 files  +3 −1  ◫1 ");
	expect(paneText(state, 1).join(" ")).toContain("Shown edit by edit: runs of subagents edited it, too.");
	driver.press("open-file", "down", "down");
	expect(paneText(driver.program.getState(), 0)[2]).toMatch(/^› +◫ worker · turn 1 · .* · edit/);
	driver.press("go-to-edit");
	await driver.until("the run", ({ detail }) => detail.status === "ready" && detail.row.path === runPath);
	const there = await driver.idle();
	expect([there.focus, selectedEntry(there)?.id]).toEqual(["tree", edit]);
	driver.press("back");
	await driver.until("the parent", ({ detail }) => detail.status === "ready" && detail.row.path === path);
	const back = await driver.until("all files again", (now) => FOUND_FILES.of(now).value?.session.path === path);
	expect(pageOf(back)).toBe("files");
	expect(paneText(back, 0)[2]).toMatch(/^› +◫ worker · turn 1/);
	driver.press("cancel");
	expect([pageOf(driver.program.getState()), driver.program.getState().focus]).toEqual([undefined, "tree"]);
});
