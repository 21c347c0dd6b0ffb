import { existsSync, globSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import type { Scope } from "../../../../src/app/world/state/list-state.ts";
import { type MenuOverlay, topOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { createDemo } from "../../../../src/cli/browser/demo.ts";
import { sessionTitle } from "../../../../src/conversation/entries/session-title.ts";
import { readHeader } from "../../../../src/store/read/read-header.ts";
import { defaultSessionDir } from "../../../../src/store/read/session-dir.ts";
import { copyFamily, sessionsOf } from "../../../support/copied-family.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { NOW } from "../../../support/rows.ts";
import { paneTexts } from "../../../support/screen-text.ts";
import { assistant, header, lines, user } from "../../../support/session-builder.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const says = (text: string) => (state: State) => state.changing === 0 && state.message?.text.includes(text) === true;
const rowAt = (driver: Driver, path: string): SessionRow => {
	const row = driver.program.getState().catalog.rows.get(path);
	if (row === undefined) throw new Error(`${path} is not listed`);
	return row;
};
function menuOf(driver: Driver): MenuOverlay {
	const asked = topOverlay(driver.program.getState());
	if (asked?.kind !== "menu") throw new Error("nothing was asked");
	return asked;
}
/** All session files of the demo. */
const filesBelow = ({ demo }: Driver): string[] =>
	globSync("sessions/**/*.jsonl", { cwd: demo.agentDir })
		.map((path) => join(demo.agentDir, path))
		.sort();
const listedIn = ({ program }: Driver): string => paneTexts(program.getState(), "list").join("\n");

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
	expect(listedIn(driver)).toContain("Migrate the billing tables ◫3");
	await driver.select("Migrate the billing tables");
	driver.press("delete");
	await driver.idle();
	const asked = menuOf(driver);
	expect(asked.body.map(textOfRow).join(" ")).toContain(
		"If you delete only this session, its 3 subagent runs stay in the list on their own.",
	);
	// Size and path come last: a small terminal cuts the end.
	expect(textOfRow(asked.body[1] ?? [])).toMatch(/^If you delete only this session/);
	expect(asked.items.map(({ label }) => label)).toEqual([
		"Move to the trash",
		"Move it and its 3 runs to the trash",
		"Cancel",
	]);
	driver.send({ type: "keys", keys: ["down", "enter"] });
	await driver.until("the deletion", says("Moved 4 sessions to the trash"));
	expect([parent, ...runs].filter(existsSync)).toEqual([]);
	await driver.until("no run", () => !listedIn(driver).includes("◫"));
	driver.press("undo");
	await driver.until("the undo", says("Undone: "));
	expect([parent, ...runs].filter(existsSync)).toEqual([parent, ...runs]);
	await driver.until("the runs", () => listedIn(driver).includes("Migrate the billing tables ◫3"));
});

test("a branch of a run is where pi lists it, and is a session of its own", async () => {
	const { driver, runs } = await withFamily();
	await driver.select("Migrate the billing tables");
	driver.press("unfold");
	await driver.idle();
	driver.press("down", "next-pane", "first");
	await driver.idle();
	const before = filesBelow(driver);
	driver.press("branch");
	const { items, index } = menuOf(driver);
	expect(items[index]?.label).toBe("Branch into a new session, up to here");
	driver.press("choose");
	await driver.until("the branch", says("Branched"));
	const made = filesBelow(driver).filter((path) => !before.includes(path));
	expect(made.map((path) => dirname(path))).toEqual([defaultSessionDir(driver.demo.cwd, driver.demo.agentDir)]);
	expect(readHeader(made[0] ?? "")).toMatchObject({ parentSession: runs[0] });
	await driver.until("it in the list", ({ catalog }) => catalog.rows.get(made[0] ?? "")?.run === undefined);
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

/** The demo with a session whose run lies beside it: only its name says that it is one. */
async function withNamedRun(): Promise<{ driver: Driver; parent: string; run: string }> {
	const demo = await createDemo(NOW);
	const [parent, run = ""] = sessionsOf(copyFamily("agent-session", join(demo.agentDir, "sessions")));
	const driver = await startProgram(undefined, { demo });
	await driver.until("the run", ({ catalog }) => catalog.rows.get(run)?.run?.parent === parent);
	await driver.idle();
	return { driver, parent, run };
}

test("a run beside its session is archived with it and comes back with it, as one step", async () => {
	const { driver, parent, run } = await withNamedRun();
	await driver.select(sessionTitle(rowAt(driver, parent)));
	driver.press("archive");
	await driver.until("the archive", says("Archived 2 sessions"));
	expect([parent, run].filter(existsSync)).toEqual([]);
	driver.press("undo");
	await driver.until("the undo", says("Undone: "));
	expect([parent, run].filter(existsSync)).toEqual([parent, run]);
});

test("before such a run is renamed, the prompt says what its name is for", async () => {
	const { driver, parent, run } = await withNamedRun();
	await driver.select(sessionTitle(rowAt(driver, parent)));
	driver.press("unfold");
	await driver.idle();
	const asked = async (path: string): Promise<string> => {
		const { list } = await driver.idle();
		expect(list.selected).toBe(path);
		driver.press("rename");
		const prompt = topOverlay(driver.program.getState());
		driver.press("cancel");
		return prompt?.kind === "prompt" ? prompt.body.map(textOfRow).join(" ") : "";
	};
	expect(await asked(parent)).not.toContain("whose run");
	driver.press("down");
	expect(await asked(run)).toContain("Only its name links this run to its session");
});

test("a session is saved with its runs, one file each", async () => {
	const { driver } = await withFamily();
	await driver.select("Migrate the billing tables");
	driver.press("export");
	const { items } = menuOf(driver);
	expect(items.map(({ label }) => label)).toEqual([
		"Save as a web page",
		"Save as Markdown",
		"Save with 3 runs as web pages",
		"Save with 3 runs as Markdown",
		"Copy as Markdown",
	]);
	driver.send({ type: "keys", keys: ["down", "down", "enter"] });
	const { message } = await driver.until("the files", says("Saved 4 sessions in ~/"));
	const [, directory = ""] = /in ~\/(\S+)/.exec(message?.text ?? "") ?? [];
	const saved = readdirSync(join(driver.demo.home, directory));
	expect(saved.filter((name) => name.endsWith(".html"))).toHaveLength(4);
});
