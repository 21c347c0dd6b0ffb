import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import { deleteQuestion } from "../../../../src/app/world/questions/use-menus.ts";
import { CANCEL } from "../../../../src/app/world/screen/menus.ts";
import type { Scope } from "../../../../src/app/world/state/list-state.ts";
import { topOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { createDemo } from "../../../../src/cli/browser/demo.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { NOW } from "../../../support/rows.ts";
import { assistant, header, lines, user } from "../../../support/session-builder.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const says = (text: string) => (state: State) => state.changing === 0 && state.message?.text.includes(text) === true;
const rowAt = (driver: Driver, path: string): SessionRow => {
	const row = driver.program.getState().catalog.rows.get(path);
	if (row === undefined) throw new Error(`${path} is not listed`);
	return row;
};
const heading = (driver: Driver): string => textOfRow(selectScreen(driver.program.getState()).header);

/** The demo with a session that has asked for two runs, the second of which has asked for one itself. */
async function withFamily(): Promise<{ driver: Driver; parent: string; runs: readonly string[] }> {
	const demo = await createDemo(NOW);
	const parent = join(demo.agentDir, "sessions", "--work-api--", "2026-11-21T11-00-00-000Z_0198-aa.jsonl");
	const family = parent.slice(0, -".jsonl".length);
	const runs = ["r/run-0/session", "r/run-1/session", "r/run-1/session/s/run-0/session"].map((path) =>
		join(family, `${path}.jsonl`),
	);
	const write = (path: string, text: string): void => {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, lines(header({ cwd: demo.cwd }), user("u1", null, 1, text), assistant("u2", "u1", 2, "done")));
	};
	write(parent, "Migrate the billing tables");
	for (const [at, path] of runs.entries()) write(path, `part ${at} of the billing tables`);
	const driver = await startProgram(undefined, { demo });
	return { driver, parent, runs };
}

test("a session goes to the trash with its runs, and one undo brings all of them back", async () => {
	const { driver, parent, runs } = await withFamily();
	expect(heading(driver)).toContain("· 3 runs");
	await driver.select("Migrate the billing tables");
	driver.press("delete");
	const asked = topOverlay(await driver.idle());
	if (asked?.kind !== "menu") throw new Error("nothing was asked");
	expect(asked.body.map(textOfRow).join(" ")).toContain(
		"If you delete only this session, its 3 subagent runs stay in the list on their own.",
	);
	expect(asked.items.map(({ label }) => label)).toEqual([
		"Move to the trash",
		"Move it and its 3 runs to the trash",
		"Cancel",
	]);
	expect(asked.items[deleteQuestion(driver.program.getState(), rowAt(driver, parent), 1).index]).toEqual(CANCEL);
	driver.send({ type: "keys", keys: ["down", "enter"] });
	await driver.until("the deletion", says("Moved 4 sessions to the trash"));
	expect([parent, ...runs].filter(existsSync)).toEqual([]);
	await driver.until("no run", () => !heading(driver).includes("runs"));
	driver.press("undo");
	await driver.until("the undo", says("Undone: "));
	expect([parent, ...runs].filter(existsSync)).toEqual([parent, ...runs]);
	await driver.until("the runs", () => heading(driver).includes("· 3 runs"));
});

test("the runs of an archived session are below it in the archive, and come back with it", async () => {
	const { driver, parent } = await withFamily();
	await driver.select("Migrate the billing tables");
	const shown = (): readonly string[] => selectList(driver.program.getState()).rows.map(({ row }) => row.firstMessage);
	const before = shown().length;
	async function toScope(scope: Scope): Promise<void> {
		while (driver.program.getState().list.scope !== scope) driver.press("scope");
		await driver.idle();
	}
	driver.press("archive");
	await driver.until("the archive", says("Archived “"));
	expect(existsSync(parent)).toBe(false);
	expect(shown()).toHaveLength(before - 1);
	await toScope("archived");
	driver.press("unfold");
	await driver.idle();
	expect(shown()).toEqual([
		"Migrate the billing tables",
		"part 0 of the billing tables",
		"part 1 of the billing tables",
	]);
	driver.press("archive");
	await driver.until("it to come back", says("Brought"));
	await toScope("all");
	await driver.select("Migrate the billing tables");
	driver.press("unfold");
	await driver.idle();
	expect(shown().filter((text) => text.includes("billing tables"))).toHaveLength(3);
});
