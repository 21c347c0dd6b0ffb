import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { currentEntry, selectReader } from "../../../../src/app/world/opened/select-reader.ts";
import { topOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { createDemo, type Demo } from "../../../../src/cli/browser/demo.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { type MadeRun, runCall, runResult, writeFamily } from "../../../support/made-family.ts";
import { NOW } from "../../../support/rows.ts";
import { assistant, header, lines, message, user } from "../../../support/session-builder.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const TITLE = "Migrate the billing tables";

interface Started {
	readonly driver: Driver;
	/** Path of the session, and those of its runs. */
	readonly paths: readonly string[];
}

const WORKER: MadeRun = { agent: "worker", task: "split the invoices module" };
const REVIEWER: MadeRun = { agent: "reviewer", task: "find what it missed", failed: true };

/** The families that the tests only look at, by the titles of their sessions. */
const FAMILIES: Readonly<Record<string, readonly MadeRun[]>> = {
	[TITLE]: [WORKER, REVIEWER],
	Single: [WORKER],
	Nests: [{ ...WORKER, runs: [{ agent: "scout", task: "find the callers", runs: [REVIEWER] }] }],
	Away: [{ ...WORKER, cwd: "/srv/invoices" }],
	Lost: [WORKER, { ...REVIEWER, isGone: true }],
};

function write({ agentDir, cwd }: Demo, title: string, runs: readonly MadeRun[]): readonly string[] {
	// A query that finds a session by its title must not find its runs by their path.
	const name = `2026-11-21T11-00-00-000Z_0198-${Object.keys(FAMILIES).indexOf(title)}.jsonl`;
	return writeFamily(join(agentDir, "sessions", "--work-api--", name), cwd, title, runs);
}

const written = new Map<string, readonly string[]>();
const collection = collectionOfFile((demo) => {
	for (const [title, runs] of Object.entries(FAMILIES)) written.set(title, write(demo, title, runs));
});

/** In the tree of a session of the collection. */
async function started(title: string, size = { columns: 160, rows: 45 }): Promise<Started> {
	const driver = await startProgram(size, { collection: collection() });
	await inTree(driver, title);
	return { driver, paths: written.get(title) ?? [] };
}

/** In the tree of a session with these runs, in a collection of its own. */
async function startedWith(runs: readonly MadeRun[]): Promise<Started> {
	const demo = await createDemo(NOW);
	const paths = write(demo, TITLE, runs);
	const driver = await startProgram(undefined, { demo });
	await inTree(driver, TITLE);
	return { driver, paths };
}

async function inTree(driver: Driver, title: string): Promise<void> {
	await driver.select(title);
	driver.press("next-pane");
	await driver.idle();
}

/** The visible rows of the tree, and the one under the cursor. */
function treeOf({ program }: Driver): { readonly rows: readonly string[]; readonly cursor: string } {
	const pane = selectScreen(program.getState()).panes.find(({ id }) => id === "tree");
	const rows = pane?.rows.map(({ line }) => textOfRow(line).trim()) ?? [];
	const at = pane?.rows.findIndex(({ selected }) => selected) ?? -1;
	return { rows, cursor: rows[at] ?? "" };
}

const header1 = ({ program }: Driver): string => textOfRow(selectScreen(program.getState()).header);
const opened = ({ program }: Driver): string => {
	const { detail } = program.getState();
	return detail.status === "none" ? "" : detail.row.path;
};
const shows =
	(path: string) =>
	({ detail }: State) =>
		detail.status === "ready" && detail.row.path === path;

/** Puts the cursor of the tree on the last row that holds the text. */
function goTo(driver: Driver, text: string): void {
	driver.press("last");
	for (let moves = 0; !treeOf(driver).cursor.includes(text); moves++) {
		if (moves > 300) throw new Error(`no row says ${text}: ${treeOf(driver).rows.join("\n")}`);
		driver.press("up");
	}
}

test("below a step is each run that it has started: its agent, its task, how it ended, and what it cost", async () => {
	const { driver } = await started(TITLE);
	const { rows } = treeOf(driver);
	const at = rows.findIndex((row) => row.includes("◫ worker"));
	expect(rows[at - 1]).toMatch(/subagent/);
	expect(rows[at]).toMatch(/│ +◫ worker {2}split the invoices module +3 answers {2}✓ 1m {2}\$0\.50 {2}→ open$/);
	expect(rows[at + 1]).toMatch(/│ +◫ reviewer {2}find what it missed +3 answers {2}✗ 1m {2}\$0\.50 {2}→ open$/);
});

test("enter opens a run, and back leads to the step, three deep", async () => {
	const { driver, paths } = await started("Nests");
	const [parent = "", worker = "", scout = "", reviewer = ""] = paths;
	const before = [];
	for (const [path, name] of [
		[worker, "◫ worker"],
		[scout, "◫ scout"],
		[reviewer, "◫ reviewer"],
	] as const) {
		goTo(driver, name);
		before.push({ path: opened(driver), tree: treeOf(driver) });
		driver.press("open-run");
		await driver.until(name, shows(path));
		expect(driver.program.getState().focus).toBe("tree");
	}
	expect(header1(driver)).toContain("◫ reviewer of “find the callers” › find what it missed");
	for (const { path, tree } of before.reverse()) {
		driver.press("back");
		await driver.until("the step", shows(path));
		expect(treeOf(driver)).toEqual(tree);
	}
	expect(opened(driver)).toBe(parent);
	driver.press("back");
	expect(driver.program.getState().focus).toBe("list");
});

test("back leads to the step where the list was filtered, in its scope, with what was typed in the tree", async () => {
	const { driver, paths } = await startedWith([WORKER, REVIEWER]);
	const [parent = "", worker = ""] = paths;
	driver.press("previous-pane");
	while (driver.program.getState().list.scope !== "here") driver.press("scope");
	driver.type(TITLE);
	await driver.idle();
	driver.press("next-pane");
	await driver.until("the tree", shows(parent));
	driver.press("filter-text");
	driver.type("invoices");
	driver.press("filter-done");
	await driver.idle();
	goTo(driver, "◫ reviewer");
	driver.press("up");
	const list = driver.program.getState().list;
	const tree = treeOf(driver);
	expect(tree.cursor).toContain("◫ worker");
	driver.press("open-run");
	await driver.until("the run", shows(worker));
	// What was typed for the list does not find the run.
	expect(driver.program.getState().list.query.text).toBe("");
	driver.press("back");
	await driver.until("the step", shows(parent));
	const back = await driver.idle();
	expect(treeOf(driver)).toEqual(tree);
	expect(back.tree.query.text).toBe("invoices");
	expect([back.list.query.text, back.list.scope]).toEqual([TITLE, "here"]);
	expect(back.list.unfolded).toEqual(list.unfolded);
	expect(back.list.selected).toBe(parent);
});

test("a run that was opened from the list leads to the step that started it", async () => {
	const { driver, paths } = await started(TITLE);
	const [parent = "", , reviewer = ""] = paths;
	driver.press("previous-pane", "unfold", "down", "down");
	await driver.until("the run", shows(reviewer));
	driver.press("next-pane");
	expect(header1(driver)).toContain(`◫ reviewer of “${TITLE}” › find what it missed`);
	driver.press("parent");
	await driver.until("the parent", shows(parent));
	expect(treeOf(driver).cursor).toContain("◫ reviewer");
	driver.press("back");
	await driver.until("the run again", shows(reviewer));
});

test("the reader says the same, and opens a run: its only one, one of several, or the one that is clicked", async () => {
	const { driver, paths } = await started(TITLE);
	const [parent = "", worker = "", reviewer = ""] = paths;
	goTo(driver, "subagent");
	driver.press("next-pane");
	await driver.idle();
	const pane = () => selectScreen(driver.program.getState()).panes.find(({ id }) => id === "reader");
	const row = pane()?.rows.findIndex(({ line }) => textOfRow(line).includes("◫ reviewer")) ?? -1;
	expect(textOfRow(pane()?.rows[row]?.line ?? [])).toMatch(/◫ reviewer {2}find what it missed +3 answers {2}✗ 1m/);
	const top = selectReader(driver.program.getState())?.top;
	driver.press("open-run");
	const asked = topOverlay(driver.program.getState());
	expect(asked?.kind === "menu" && asked.items.map(({ label }) => label)).toEqual([
		"worker: split the invoices module",
		"reviewer: find what it missed",
	]);
	driver.send({ type: "keys", keys: ["enter"] });
	await driver.until("the first", shows(worker));
	driver.press("back");
	await driver.until("the parent", shows(parent));
	await driver.idle();
	expect(driver.program.getState().focus).toBe("reader");
	expect(selectReader(driver.program.getState())?.top).toEqual(top);
	const { x = 0, y = 0 } = pane() ?? {};
	driver.send({ type: "mouse", event: { kind: "press", x: x + 5, y: y + row } });
	await driver.until("the one that was clicked", shows(reviewer));
});

test("a run that failed is an error of its step, which the keys find in the tree and in the reader", async () => {
	const { driver } = await started(TITLE);
	goTo(driver, "subagent");
	const step = currentEntry(driver.program.getState())?.id;
	driver.press("first", "next-error");
	expect(currentEntry(driver.program.getState())?.id).toBe(step);
	driver.press("first", "next-pane");
	await driver.idle();
	expect(currentEntry(driver.program.getState())?.id).not.toBe(step);
	driver.press("next-error");
	expect(currentEntry(driver.program.getState())?.id).toBe(step);
});

test("a press on the sign of a run in the tree opens it, and one on its parent in the header leads to the step", async () => {
	const { driver, paths } = await started(TITLE);
	const [parent = "", worker = ""] = paths;
	const press = (x: number, y: number) => driver.send({ type: "mouse", event: { kind: "press", x, y } });
	const pane = selectScreen(driver.program.getState()).panes.find(({ id }) => id === "tree");
	const row = pane?.rows.findIndex(({ line }) => textOfRow(line).includes("◫ worker")) ?? -1;
	press((pane?.x ?? 0) + textOfRow(pane?.rows[row]?.line ?? []).indexOf("→ open"), (pane?.y ?? 0) + row);
	await driver.until("the run", shows(worker));
	press(header1(driver).indexOf("◫ worker of"), 0);
	await driver.until("the parent", shows(parent));
	expect(treeOf(driver).cursor).toContain("◫ worker");
});

test("of a run whose session is gone is said what the parent knows", async () => {
	const { driver, paths } = await started("Lost");
	goTo(driver, "◫ reviewer");
	expect(treeOf(driver).cursor).toContain("not found");
	driver.press("open-run");
	const told = topOverlay(driver.program.getState());
	if (told?.kind !== "menu") throw new Error("nothing is said");
	const said = told.body.map(textOfRow).join(" ");
	for (const part of [
		"◫ reviewer",
		"find what it missed",
		"not among those listed",
		"the worker found no module",
		"reviewer is done with",
	])
		expect(said).toContain(part);
	driver.send({ type: "keys", keys: ["enter"] });
	expect(opened(driver)).toBe(paths[0]);
	expect(treeOf(driver).cursor).toContain("◫ reviewer");
});

test("many runs of one step are one row, which opens", async () => {
	const many = Array.from(
		{ length: 100 },
		(_, index): MadeRun => ({ ...WORKER, task: `part ${index}`, failed: index % 20 === 0 }),
	);
	const { driver, paths } = await startedWith(many);
	const [parent = "", first = ""] = paths;
	const folded = treeOf(driver).rows;
	expect(folded.filter((row) => row.includes("◫"))).toHaveLength(1);
	goTo(driver, "◫ 100 runs");
	expect(treeOf(driver).cursor).toMatch(/◫ 100 runs {2}✗5 ✓95 {2}\$50\.00/);
	driver.press("open-runs", "down");
	expect(treeOf(driver).cursor).toContain("◫ worker  part 0");
	driver.press("open-run");
	await driver.until("the run", shows(first));
	driver.press("back");
	await driver.until("the step", shows(parent));
	expect(treeOf(driver).cursor).toContain("◫ worker  part 0");
	driver.press("fold");
	expect(treeOf(driver).cursor).toContain("◫ 100 runs");
	expect(treeOf(driver).rows).toEqual(
		folded.map((row) => (row.includes("◫") ? treeOf(driver).cursor : row.replace(/^›/, ""))),
	);
});

test("a run shows while it starts, works and ends in a session that is being written, with the cursor on it", async () => {
	const { driver, paths } = await startedWith([]);
	const [parent = ""] = paths;
	const directory = parent.slice(0, -".jsonl".length);
	const session = join(directory, "deadbeef", "run-0", "session.jsonl");
	appendFileSync(parent, lines(runCall("u3", "u2", 3, [WORKER])));
	await driver.until("the call", () => treeOf(driver).rows.some((row) => row.includes("◫ worker")));
	goTo(driver, "◫ worker");
	expect(treeOf(driver).cursor).not.toContain("→ open");
	await driver.until("its work", () => treeOf(driver).cursor.includes("● running"));
	mkdirSync(dirname(session), { recursive: true });
	writeFileSync(
		session,
		lines(
			header({ cwd: driver.demo.cwd, id: "0198-run", timestamp: "2026-01-01T00:00:03.500Z" }),
			user("r1", null, 4, WORKER.task),
		),
	);
	await driver.until("its session", () => treeOf(driver).cursor.includes("→ open"));
	expect(treeOf(driver).rows.filter((row) => row.includes("◫"))).toHaveLength(1);
	appendFileSync(session, lines(assistant("r2", "r1", 5, "split")));
	appendFileSync(parent, lines(runResult("u4", "u3", 90, "deadbeef", [WORKER], directory)));
	await driver.until("its end", () => treeOf(driver).cursor.includes("✓ 1m"));
	expect(treeOf(driver).cursor).toContain("◫ worker");
	expect(treeOf(driver).rows.filter((row) => row.includes("◫"))).toHaveLength(1);
});

test("runs that went on in one session have cost that together, which the first one says", async () => {
	const { driver, paths } = await startedWith([WORKER]);
	const [parent = "", worker = ""] = paths;
	const again = { agent: "worker", task: "go on with the invoices" };
	const result = { ...again, index: 0, exitCode: 0, usage: { cost: 0.1, turns: 1 }, sessionFile: worker };
	const answer = message("u6", "u5", 101, {
		...{ role: "toolResult", toolCallId: "call_u5", toolName: "subagent", isError: false },
		content: [{ type: "text", text: "It went on." }],
		details: { mode: "single", runId: "0badcafe", results: [result] },
	});
	appendFileSync(parent, lines(runCall("u5", "u4", 100, [again]), answer));
	await driver.until("both", () => {
		const [first = "", second = ""] = treeOf(driver).rows.filter((row) => row.includes("→ open"));
		return (
			/split the invoices module .*\$0\.\d\d {2}→ open$/.test(first) &&
			/go on with the .*✓[^$]* {2}→ open ◂ pi continues here$/.test(second)
		);
	});
});

test("back restores the full page of the reader, also with keys that come at once", async () => {
	const { driver, paths } = await started("Single");
	const [parent = "", worker = ""] = paths;
	goTo(driver, "◫ worker");
	driver.press("full-page");
	await driver.idle();
	const top = selectReader(driver.program.getState())?.top;
	driver.press("open-run", "back");
	await driver.until("the step", shows(parent));
	const { focus, zoom } = await driver.idle();
	expect({ focus, zoom }).toEqual({ focus: "reader", zoom: true });
	expect(selectReader(driver.program.getState())?.top).toEqual(top);
	expect(driver.program.getState().waysBack).toEqual([]);
	expect(driver.program.getState().catalog.rows.has(worker)).toBe(true);
});

test("who goes elsewhere in the list from a run does not come back to its step", async () => {
	const { driver, paths } = await started("Away");
	const [, worker = ""] = paths;
	goTo(driver, "◫ worker");
	driver.press("open-run");
	await driver.until("the run", shows(worker));
	expect(driver.program.getState().waysBack).toHaveLength(1);
	// The directory in the header leads to the list.
	driver.send({ type: "mouse", event: { kind: "press", x: 2, y: 0 } });
	expect(driver.program.getState()).toMatchObject({ focus: "list", list: { selected: worker }, waysBack: [{}] });
	driver.send({ type: "mouse", event: { kind: "press", x: 5, y: 4 } });
	const { waysBack, list } = await driver.idle();
	expect(list.selected).not.toBe(worker);
	expect(waysBack).toEqual([]);
});

test("where the session that asked is gone meanwhile, back says so", async () => {
	const { driver, paths } = await startedWith([WORKER]);
	const [parent = "", worker = ""] = paths;
	goTo(driver, "◫ worker");
	driver.press("open-run");
	await driver.until("the run", shows(worker));
	rmSync(parent);
	await driver.until("the loss", ({ catalog }) => !catalog.rows.has(parent));
	expect(opened(driver)).toBe(worker);
	expect(header1(driver)).toContain("parent gone ›");
	driver.press("back");
	expect(driver.program.getState().message?.text).toBe("The session that you came from is gone");
});
