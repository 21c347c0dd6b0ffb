import {
	appendFileSync,
	chmodSync,
	copyFileSync,
	existsSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { JOURNAL_CHANGES } from "../../../../src/app/features/history/history-state.ts";
import { damagedSessions } from "../../../../src/app/features/maintenance/damaged-sessions.ts";
import {
	type MaintenanceRow,
	selectedMaintenanceRow,
	selectMaintenanceRows,
} from "../../../../src/app/features/maintenance/maintenance-rows.ts";
import { DOCTOR, MAINTENANCE } from "../../../../src/app/features/maintenance/maintenance-state.ts";
import { selectedRow as selectedListRow } from "../../../../src/app/world/list/select-list.ts";
import { type MenuOverlay, pageOf } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { addDamaged } from "../../../support/damaged-sessions.ts";
import { DATA_HOME } from "../../../support/data-home.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { isCurrent } from "../../../support/queries.ts";
import { paneTexts } from "../../../support/screen-text.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

beforeEach(() => rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true }));

const isDone = (state: State): boolean => DOCTOR.of(state).examining.size === 0;

const says = (text: string) => (state: State) => state.changing === 0 && state.message?.text.includes(text) === true;

let directory = "";
const collection = collectionOfFile(({ agentDir }) => {
	directory = addDamaged(agentDir);
});

async function start(size = { columns: 160, rows: 45 }): Promise<{ driver: Driver; directory: string }> {
	return { driver: await startProgram(size, { collection: collection() }), directory };
}

/** Checks the session with this title. */
async function check(driver: Driver, title: string): Promise<State> {
	await driver.select(title);
	driver.press("check");
	return driver.until("the check", isDone);
}

/** The damaged sessions in order, each with its gravity and file name. */
const listed = (driver: Driver): string[] => {
	const state = driver.program.getState();
	const damaged = damagedSessions(state.catalog.here, DOCTOR.of(state).examined);
	return damaged.map(({ gravity, row }) => `${gravity} ${row.path.replace(/.*\//, "")}`);
};

/** The findings of the unfolded sessions, and the notes about those not stored. */
const findings = (driver: Driver): string[] =>
	selectMaintenanceRows(driver.program.getState()).flatMap((row: MaintenanceRow) =>
		row.type === "finding" ? [row.finding.message] : row.type === "note" ? [row.text] : [],
	);

const beside = (state: State): string =>
	(selectScreen(state).panes[1]?.rows ?? []).map(({ line }) => textOfRow(line)).join(" ");

function isCopyOf(path: string, original: string): boolean {
	return readFileSync(path, "utf8").split("\n", 1)[0]?.includes(JSON.stringify(original)) === true;
}

test("a check of one session shows what is wrong with it; a check of all lists the worst first", async () => {
	const { driver } = await start();
	await check(driver, "parser fail");
	expect(pageOf(driver.program.getState())).toBe("maintenance");
	expect(selectedMaintenanceRow(driver.program.getState())).toMatchObject({
		type: "damaged",
		key: expect.stringContaining("bad.jsonl"),
	});
	expect(DOCTOR.of(driver.program.getState()).examined.size).toBe(1);
	driver.press("check-all");
	const now = await driver.until("all", (state) => isDone(state) && DOCTOR.of(state).examined.size > 20);
	const { catalog } = now;
	const doctor = DOCTOR.of(now);
	expect(doctor.examined.size).toBe(catalog.rows.size);
	const all = listed(driver);
	expect(all).toContain("closed none.jsonl");
	for (const name of ["bad", "two", "cycle", "lines"]) expect(all).toContain(`loses ${name}.jsonl`);
	for (const name of ["old"]) expect(all).toContain(`odd ${name}.jsonl`);
	const order = all.map((row) => row.split(" ")[0]);
	expect(order).toEqual(
		order.toSorted((a, b) => ["closed", "loses", "odd"].indexOf(a ?? "") - ["closed", "loses", "odd"].indexOf(b ?? "")),
	);
	// The cursor has stayed on its session.
	expect(selectedMaintenanceRow(driver.program.getState())?.key).toContain("bad.jsonl");
});

test("a conflict copy is said to be one, in its row and by a check", async () => {
	const { driver } = await start();
	const bad = join(directory, "bad.jsonl");
	const copy = bad.replace(".jsonl", ".sync-conflict-20260105-090000-ABCDEFG.jsonl");
	copyFileSync(bad, copy);
	driver.refresh();
	const shown = await driver.until("the copy", ({ catalog }) => catalog.rows.has(copy));
	expect(paneTexts(shown, "list").filter((row) => row.includes("  conflict copy"))).toHaveLength(1);
	driver.press("maintenance", "check-all");
	const state = await driver.until("the check", (now) => DOCTOR.of(now).examined.has(copy));
	expect(DOCTOR.of(state).examined.get(copy)?.findings[0]?.message).toContain(`a copy of ${bad}`);
});

test("each finding shows its line, its reason, what pi does and the text; the rest is counted", async () => {
	const { driver } = await start();
	await check(driver, "parser fail");
	expect(findings(driver)[0]).toMatch(/Line 3 is not JSON/);
	driver.press("down");
	const state = driver.program.getState();
	expect(beside(state)).toMatch(/Line 3 is not JSON.*pi skips it.*\{broken line of the file/);
	expect(beside(state)).not.toContain("\u001b");
	driver.press("cancel");
	await check(driver, "Many bad lines");
	expect(selectedMaintenanceRow(driver.program.getState())?.key).toContain("lines.jsonl");
	expect(findings(driver).join("\n")).toContain("and 12,145 more bad lines");
});

test("only unfolded sessions are examined", async () => {
	const { driver } = await start();
	await driver.until("the damaged sessions", ({ catalog: { rows } }) =>
		[...rows].some(([path, { diagnostics }]) => path.endsWith("lines.jsonl") && diagnostics.length > 0),
	);
	driver.press("problems");
	expect(pageOf(driver.program.getState())).toBe("maintenance");
	expect(listed(driver)).toContain("loses lines.jsonl");
	expect(DOCTOR.of(driver.program.getState()).examined.size).toBe(0);
	for (
		let moves = 0;
		moves < 50 && !selectedMaintenanceRow(driver.program.getState())?.key.includes("lines.jsonl");
		moves++
	)
		driver.press("down");
	driver.press("unfold");
	expect(findings(driver)).toEqual(["Examining …"]);
	const doctor = DOCTOR.of(await driver.until("it", (state) => isDone(state) && DOCTOR.of(state).examined.size > 0));
	expect([...doctor.examined.keys()].map((path) => path.replace(/.*\//, ""))).toEqual(["lines.jsonl"]);
	expect(findings(driver).join(" ")).toContain("and 12,145 more bad lines");
	driver.press("cancel");
	expect(driver.program.getState().overlays).toEqual([]);
});

test("enter goes to the entry in the tree, or to a line without one; the view keeps its state", async () => {
	const { driver } = await start();
	await check(driver, "parser fail");
	driver.press("down");
	expect(selectedMaintenanceRow(driver.program.getState())).toMatchObject({ finding: { code: "bad-line", line: 3 } });
	driver.press("go-to-entry");
	const on = (selected: string) => (state: State) =>
		state.overlays.length === 0 &&
		state.focus === "tree" &&
		state.tree.selected === selected &&
		state.detail.status === "ready";
	await driver.until("the bad line", on("\0line 3"));
	driver.press("check", "down", "down", "go-to-entry");
	await driver.until("the entry", on("c"));
	driver.press("check");
	expect(DOCTOR.of(driver.program.getState()).examined.size).toBe(1);
	expect(pageOf(driver.program.getState())).toBe("maintenance");
	driver.press("cancel");
	expect(pageOf(driver.program.getState())).toBeUndefined();
});

test("a repair first shows what it will leave out, then puts the copies in the place of the session and that into the trash: one change, one undo", async () => {
	const { driver, directory } = await start();
	const original = join(directory, "two.jsonl");
	chmodSync(original, 0o400);
	const before = readFileSync(original);
	const names = readdirSync(directory).sort();
	const here = readdirSync(driver.demo.cwd);
	await check(driver, "Two sessions in one file");
	driver.press("repair");
	const asked = await driver.until("the question", ({ overlays }) => overlays.at(-1)?.kind === "menu");
	const menu = asked.overlays.at(-1) as MenuOverlay;
	const body = menu.body.map(textOfRow).join("\n");
	expect(menu.title).toBe("Repair this session?");
	expect(body).toContain("2 copies: 1 line left out");
	expect(body).toContain("left out: Line 5 is a tool result without its call.");
	expect(readdirSync(directory).sort()).toEqual(names);
	driver.press("choose");
	await driver.until("the copies", says("; the damaged original is in the trash · ctrl+_ undoes this"));
	expect(existsSync(original)).toBe(false);
	const copies = readdirSync(directory).filter((name) => !names.includes(name));
	expect(copies).toHaveLength(2);
	// Nothing is written to the directory where the program was started.
	expect(readdirSync(driver.demo.cwd)).toEqual(here);
	const trashed = readdirSync(join(DATA_HOME, "Trash", "files"));
	expect(trashed.map((name) => readFileSync(join(DATA_HOME, "Trash", "files", name)).equals(before))).toEqual([true]);
	await driver.until("the list", ({ catalog: { rows } }) => {
		return !rows.has(original) && copies.every((name) => rows.get(join(directory, name))?.diagnostics.length === 0);
	});
	expect(listed(driver)).not.toContain("loses two.jsonl");
	driver.press("undo");
	await driver.until("the undo", says("Undone: repair “Two sessions in one file"));
	expect(readdirSync(directory).sort()).toEqual(names);
	expect(readFileSync(original).equals(before)).toBe(true);
	driver.press("cancel", "history");
	await driver.until("the history", (state) => isCurrent(JOURNAL_CHANGES, state) && state.catalog.rows.has(original));
	driver.press("redo");
	await driver.until("it again", says("Redone: repair “Two sessions in one file"));
	expect(existsSync(original)).toBe(false);
	expect(readdirSync(directory).filter((name) => !names.includes(name))).toHaveLength(2);
});

test("several sessions are repaired as one step; one that has changed meanwhile stays and gets no copy", async () => {
	const { driver, directory } = await start();
	await driver.until("the damaged sessions", ({ catalog: { rows } }) =>
		[...rows].some(([path, { diagnostics }]) => path.endsWith("lines.jsonl") && diagnostics.length > 0),
	);
	const names = readdirSync(directory).sort();
	driver.press("problems", "mark-all", "repair");
	const { overlays } = await driver.until("the question", (state) => state.overlays.at(-1)?.kind === "menu");
	const { title } = overlays.at(-1) as MenuOverlay;
	const count = Number(/^Repair (\d+) sessions\?$/.exec(title)?.[1]);
	expect(count).toBe(MAINTENANCE.of(driver.program.getState()).marks.marked.size);
	const bad = join(directory, "bad.jsonl");
	appendFileSync(bad, "{\n");
	driver.press("choose");
	await driver.until(
		"the copies",
		says(`Repaired ${count - 1} sessions; the damaged originals are in the trash; 1 failed: `),
	);
	expect(existsSync(bad)).toBe(true);
	const kept = readdirSync(directory).filter((name) => names.includes(name));
	expect(kept).toEqual(expect.arrayContaining(["bad.jsonl"]));
	expect(readdirSync(directory).some((name) => !names.includes(name) && isCopyOf(join(directory, name), bad))).toBe(
		false,
	);
	driver.press("undo");
	await driver.until("the undo", says(`Undone: repair ${count - 1} of ${count} sessions`));
	expect(readdirSync(directory).sort()).toEqual(names);
});

test("sessions that vanish, grow, or cannot be read are reported as such", async () => {
	const { driver, directory } = await start();
	for (const title of ["parser fail", "A cycle of two", "An older version"]) {
		await driver.select(title);
		driver.press("mark");
	}
	// The list does not know yet: it still has the rows.
	driver.press("check");
	await driver.until("three", (state) => isDone(state) && DOCTOR.of(state).examined.size === 3);
	const bad = join(directory, "bad.jsonl");
	appendFileSync(bad, "{\n");
	unlinkSync(join(directory, "cycle.jsonl"));
	driver.press("cancel");
	driver.refresh();
	await driver.until("the list", ({ catalog: { rows } }) => {
		return !rows.has(join(directory, "cycle.jsonl")) && rows.get(bad)?.size === statSync(bad).size;
	});
	driver.press("check");
	const grown = await driver.until(
		"the grown one",
		(state) => isDone(state) && (DOCTOR.of(state).examined.get(bad)?.size ?? 0) === statSync(bad).size,
	);
	expect(DOCTOR.of(grown).examined.get(bad)?.findings).toContainEqual(
		expect.objectContaining({ code: "bad-line", line: 6 }),
	);
	expect(listed(driver).join(" ")).not.toContain("cycle.jsonl");
	if (process.getuid?.() === 0) return;
	chmodSync(join(directory, "old.jsonl"), 0o000);
	driver.press("cancel");
	driver.refresh();
	driver.press("check", "check-all");
	await driver.until("all", (state) => isDone(state) && DOCTOR.of(state).examined.size > 20);
	expect(listed(driver).indexOf("closed old.jsonl")).toBeGreaterThan(-1);
});

test("a check that was stopped keeps its results; a check of a sound session is a message, not a page", async () => {
	const { driver } = await start();
	const [first, ...others] = driver.program.getState().catalog.rows.keys();
	const found = [{ path: first ?? "", size: 1, entries: 1, sessions: 1, findings: [], totals: {} }];
	const paths = [first ?? "", ...others];
	driver.send({ type: "examined", paths, check: undefined, found, left: others.length });
	const stopped = driver.program.getState();
	expect(stopped.message?.text).toBe(`Stopped: ${others.length} sessions not checked`);
	expect([...DOCTOR.of(stopped).examined.keys()]).toEqual([first]);
	const sound = await check(driver, "Weekly note");
	expect(sound.message?.text).toMatch(/^“.*” is sound$/);
	expect(sound.overlays).toEqual([]);
	expect(selectedListRow(sound)?.path).toBeDefined();
});

test("a long title is cut so that the message fits into one row of a small screen", async () => {
	const { driver } = await start();
	await driver.select("Chargebacks are real");
	driver.program.dispatch({ type: "resize", columns: 40, rows: 10 });
	driver.press("check");
	const { message } = await driver.until(
		"the message",
		(state) => isDone(state) && state.message?.text.endsWith("sound") === true,
	);
	// There is a blank at each end.
	expect(message?.text).toBe("“Chargebacks are real. Add …” is sound");
});

test("findings do not replace what the person has opened meanwhile", async () => {
	const { driver } = await start();
	await driver.select("A cycle of two");
	driver.press("check", "history");
	await driver.until("the check", isDone);
	expect(driver.program.getState().overlays.map(({ kind }) => kind)).toEqual(["history"]);
});
