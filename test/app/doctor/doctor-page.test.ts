import { appendFileSync, chmodSync, readdirSync, readFileSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { selectDoctorRows, selectedSession } from "../../../src/app/features/doctor/doctor-rows.ts";
import { selectedFinding, selectFindingRows } from "../../../src/app/features/doctor/finding-rows.ts";
import { selectedRow } from "../../../src/app/features/list/select-list.ts";
import { pageOf } from "../../../src/app/world/page/open-page.ts";
import type { State } from "../../../src/app/world/state.ts";
import { createDemo } from "../../../src/cli/browser/demo.ts";
import { addDamaged } from "../../support/damaged-sessions.ts";
import { textOfRow } from "../../support/drawn-rows.ts";
import { NOW } from "../../support/rows.ts";
import { type Driver, startProgram } from "../../support/start-program.ts";

const isDone = ({ doctor }: State): boolean =>
	doctor.examined.size > 0 && doctor.done === doctor.queue.length && doctor.compared && !doctor.asked;

async function start(size = { columns: 160, rows: 45 }): Promise<{ driver: Driver; directory: string }> {
	const demo = await createDemo(NOW);
	onTestFinished(() => demo.remove());
	const directory = addDamaged(demo.agentDir);
	return { driver: await startProgram(size, { demo }), directory };
}

/** What the page lists: headings, and sessions by the name of their file. */
const listed = (driver: Driver): string[] =>
	selectDoctorRows(driver.program.getState()).map((row) =>
		"row" in row ? row.row.path.replace(/.*\//, "") : `${row.gravity} ${row.count}`,
	);

const findings = (driver: Driver): string => {
	const rows = selectFindingRows(driver.program.getState());
	return rows.map(({ line }) => textOfRow(line)).join("\n");
};

test("all sessions of the list, worst first; the one under the cursor before", async () => {
	const { driver } = await start();
	await driver.select("parser fail");
	driver.press("doctor");
	await driver.until("the session", isDone);
	expect(listed(driver)).toEqual(["loses 1", "bad.jsonl"]);
	expect(driver.program.getState().doctor.examined.size).toBe(1);
	driver.press("examine-all");
	const { doctor, catalog } = await driver.until("all", (state) => isDone(state) && state.doctor.examined.size > 20);
	expect(doctor.examined.size).toBe(catalog.rows.size);
	const ours = listed(driver).filter((name) => /^(bad|two|none|cycle|old|first|copy|lines)\.|^\w+ \d/.test(name));
	expect(ours.indexOf("none.jsonl")).toBeLessThan(ours.indexOf("lines.jsonl"));
	const [lines, old] = [ours.indexOf("lines.jsonl"), ours.indexOf("old.jsonl")];
	for (const name of ["bad.jsonl", "two.jsonl", "cycle.jsonl"]) {
		expect(ours.indexOf(name)).toBeGreaterThan(lines);
		expect(ours.indexOf(name)).toBeLessThan(old);
	}
	expect(ours).toEqual(expect.arrayContaining(["first.jsonl", "copy.jsonl"]));
	// The cursor has stayed on its session.
	expect(selectedSession(driver.program.getState())?.key).toContain("bad.jsonl");
});

test("a copy that nothing says to be one is found without examining all", async () => {
	const { driver } = await start();
	await driver.select("Copied by hand");
	driver.press("doctor");
	await driver.until("the session", isDone);
	expect(findings(driver)).toContain("It begins with the same entries as another file");
});

test("each finding with its line, its reason, what pi does and the text; the rest is counted", async () => {
	const { driver } = await start();
	await driver.select("parser fail");
	driver.press("doctor");
	await driver.until("the session", isDone);
	expect(findings(driver)).toMatch(/Line 3 is not JSON[\s\S]*pi skips it[\s\S]*\{broken line of the file/);
	expect(findings(driver)).not.toContain("\u001b");
	driver.press("cancel");
	await driver.select("Many bad lines");
	driver.press("doctor");
	await driver.until("the other", (state) => isDone(state) && state.doctor.examined.size === 2);
	expect(selectedSession(driver.program.getState())?.key).toContain("lines.jsonl");
	expect(findings(driver)).toContain("and 12,145 more bad lines");
});

test("enter leads to the entry in the tree, and to a line that holds none; the page is as it was afterwards", async () => {
	const { driver } = await start();
	await driver.select("parser fail");
	driver.press("doctor");
	await driver.until("the session", isDone);
	driver.press("findings");
	expect(selectedFinding(driver.program.getState())).toMatchObject({ code: "bad-line", line: 3 });
	driver.press("go-to-entry");
	const on = (selected: string) => (state: State) =>
		state.overlays.length === 0 &&
		state.focus === "tree" &&
		state.tree.selected === selected &&
		state.detail.status === "ready";
	await driver.until("the bad line", on("\0line 3"));
	driver.press("doctor", "findings", "down", "go-to-entry");
	await driver.until("the entry", on("c"));
	driver.press("doctor");
	expect(driver.program.getState().doctor.examined.size).toBe(1);
	expect(pageOf(driver.program.getState())).toBe("doctor");
	driver.press("findings", "back-to-sessions", "cancel");
	expect(pageOf(driver.program.getState())).toBeUndefined();
});

test("a repair says before what it will leave out, writes where the person wants, and leaves the original alone", async () => {
	const { driver, directory } = await start();
	const original = join(directory, "two.jsonl");
	chmodSync(original, 0o400);
	const before = { stats: statSync(original, { bigint: true }), text: readFileSync(original, "utf8") };
	await driver.select("Two sessions in one file");
	driver.press("doctor");
	await driver.until("the session", isDone);
	driver.press("repair");
	const asked = await driver.until("the question", ({ overlays }) => overlays.at(-1)?.kind === "prompt");
	const prompt = asked.overlays.at(-1);
	if (prompt?.kind !== "prompt") throw new Error("no prompt");
	const body = prompt.body.map(textOfRow).join("\n");
	expect(body).toContain("2 copies: 1 line left out. The original stays as it is.");
	expect(body).toContain("left out: Line 5 is the result of a call that is not there.");
	expect(prompt.value.text).toBe(join(driver.demo.cwd, "pi-repaired-2026-11-21"));
	const names = readdirSync(driver.demo.cwd);
	driver.press("choose");
	const done = await driver.until("the copies", ({ message, changing }) => message !== undefined && changing === 0);
	expect(done.message?.text).toMatch(/^Repaired 1 session into .*pi-repaired-2026-11-21, 2 copies: 1 line left out/);
	expect(readdirSync(prompt.value.text)).toHaveLength(2);
	expect(findings(driver)).toContain("→ repaired copy");
	expect(readFileSync(original, "utf8")).toBe(before.text);
	const { ino, mtimeNs, ctimeNs } = statSync(original, { bigint: true });
	expect({ ino, mtimeNs, ctimeNs }).toEqual({
		ino: before.stats.ino,
		mtimeNs: before.stats.mtimeNs,
		ctimeNs: before.stats.ctimeNs,
	});
	expect(readdirSync(driver.demo.cwd)).toHaveLength(names.length + 1);
	// The next one proposes another directory; what cannot be made is said.
	driver.press("repair");
	const next = await driver.until("the question", ({ overlays }) => overlays.at(-1)?.kind === "prompt");
	expect(next.overlays.at(-1)).toMatchObject({ value: { text: `${prompt.value.text}-2` } });
	driver.send({ type: "keys", keys: ["ctrl+u"] });
	driver.type(join(original, "below"));
	driver.press("choose");
	const failed = await driver.until("the failure", ({ message, changing }) => message !== undefined && changing === 0);
	expect(failed.message).toMatchObject({
		tone: "error",
		text: expect.stringContaining("a part of the path is not a directory"),
	});
});

test("copies that go among the sessions are listed", async () => {
	const { driver, directory } = await start();
	const count = driver.program.getState().catalog.rows.size;
	await driver.select("A cycle of two");
	driver.press("doctor");
	await driver.until("the session", isDone);
	driver.press("repair");
	await driver.until("the question", ({ overlays }) => overlays.at(-1)?.kind === "prompt");
	driver.send({ type: "keys", keys: ["ctrl+u"] });
	driver.type(directory);
	driver.press("choose");
	await driver.until("the copy", ({ catalog }) => catalog.rows.size === count + 1);
});

test("what vanishes, grows, or may not be read is told as it is", async () => {
	const { driver, directory } = await start();
	await driver.select("parser fail");
	driver.press("mark");
	await driver.select("A cycle of two");
	driver.press("mark");
	await driver.select("An older version");
	driver.press("mark");
	// Behind the back of the list: it still has the rows.
	driver.press("doctor");
	await driver.until("three", isDone);
	const bad = join(directory, "bad.jsonl");
	appendFileSync(bad, "{\n");
	unlinkSync(join(directory, "cycle.jsonl"));
	driver.press("cancel", "refresh");
	await driver.until("the list to know", ({ catalog: { rows } }) => {
		return !rows.has(join(directory, "cycle.jsonl")) && rows.get(bad)?.size === statSync(bad).size;
	});
	driver.press("doctor");
	const grown = await driver.until("the grown one", (state) => isDone(state) && state.doctor.queue.includes(bad));
	expect(grown.doctor.examined.get(bad)?.findings).toContainEqual(
		expect.objectContaining({ code: "bad-line", line: 6 }),
	);
	expect(listed(driver)).not.toContain("cycle.jsonl");
	if (process.getuid?.() === 0) return;
	chmodSync(join(directory, "old.jsonl"), 0o000);
	driver.press("cancel", "refresh", "doctor", "examine-all");
	await driver.until("all", (state) => isDone(state) && state.doctor.examined.size > 20);
	expect(listed(driver).indexOf("old.jsonl")).toBeLessThan(listed(driver).indexOf("bad.jsonl"));
});

test("escape stops it and keeps what was found; a sound session is said to be", async () => {
	const { driver } = await start();
	driver.press("doctor", "examine-all", "stop-examining");
	const { doctor, message } = driver.program.getState();
	expect(doctor.queue).toHaveLength(doctor.done);
	expect(message?.text).toMatch(/^Stopped: \d+ sessions not examined$/);
	await driver.until("what is compared", isDoneOrNothing);
	driver.press("cancel");
	await driver.select("Weekly note");
	driver.press("doctor");
	const sound = await driver.until("the message", (state) => isDone(state) && state.message !== undefined);
	expect(sound.message?.text).toMatch(/^“.*” is sound$/);
	expect(selectedRow(sound)?.path).toBeDefined();
});

test("a long title is cut so that the message has one row of a small screen", async () => {
	const { driver } = await start();
	await driver.select("Chargebacks are real");
	driver.program.dispatch({ type: "resize", columns: 40, rows: 10 });
	driver.press("doctor");
	const { message } = await driver.until("the message", (state) => isDone(state) && state.message !== undefined);
	// A blank is at each end.
	expect(message?.text).toBe("“Chargebacks are real. Add …” is sound");
});

const isDoneOrNothing = ({ doctor }: State): boolean => doctor.done === doctor.queue.length && doctor.compared;

test("the page of the problems leads to the damaged sessions", async () => {
	const { driver } = await start();
	await driver.until("what is known to be damaged", ({ catalog: { rows } }) =>
		[...rows].some(([path, { diagnostics }]) => path.endsWith("lines.jsonl") && diagnostics.length > 0),
	);
	driver.press("problems", "doctor");
	await driver.until("them", isDone);
	expect(pageOf(driver.program.getState())).toBe("doctor");
	expect(listed(driver)).toContain("lines.jsonl");
	driver.press("cancel");
	expect(driver.program.getState().overlays).toEqual([]);
});
