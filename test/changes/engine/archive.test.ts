import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { selectScreen } from "../../../src/app/core/screen/select-screen.ts";
import { selectedRow, selectList } from "../../../src/app/world/list/select-list.ts";
import type { MenuOverlay } from "../../../src/app/world/state/overlays.ts";
import type { State } from "../../../src/app/world/state/state.ts";
import { noteHandOver } from "../../../src/catalog/live/process-notes.ts";
import { evidenceOf } from "../../../src/catalog/model/live.ts";
import { sessionTags } from "../../../src/catalog/model/marks.ts";
import { collectionOfFile } from "../../support/collection.ts";
import { textOfRow } from "../../support/drawn-rows.ts";
import { startFakePi } from "../../support/fake-pi.ts";
import { makeRow } from "../../support/rows.ts";
import { type Driver, startProgram, toScope, untilRunning } from "../../support/start-program.ts";

const collection = collectionOfFile();

const says = (text: string) => (state: State) => state.changing === 0 && state.message?.text.includes(text) === true;
const order = (state: State) => selectList(state).rows.map(({ row }) => row.path);
const header = (state: State) =>
	selectScreen(state)
		.header.map(({ text }) => text)
		.join("");

function archivedPath({ demo }: Driver, path: string): string {
	return join(demo.agentDir, "session-archive", basename(dirname(path)), basename(path));
}

async function onThird(driver: Driver): Promise<string> {
	driver.press("down", "down");
	return (await driver.idle()).list.selected ?? "";
}

function question({ overlays }: State): { title: string; choices: string[] } {
	const menu = overlays.at(-1) as MenuOverlay;
	return { title: menu.title, choices: menu.items.map(({ label }) => label) };
}

function toArchive(driver: Driver): Promise<State> {
	toScope(driver, "archived");
	return driver.idle();
}

test("a session is put away, listed under its scope alone, and brought back by the same key", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	const before = order(driver.program.getState());
	const path = await onThird(driver);
	const bytes = readFileSync(path);
	const to = archivedPath(driver, path);
	driver.press("archive");
	const archived = await driver.until("the archive", says("Archived “"));
	expect([existsSync(path), readFileSync(to).equals(bytes)]).toEqual([false, true]);
	expect(order(archived)).toEqual(before.filter((each) => each !== path));
	// The cursor is on the neighbor, so that the next one can be put away at once.
	expect(archived.list.selected).toBe(order(archived)[2]);
	expect(header(archived)).toContain(`  ${before.length - 1} sessions · `);
	const away = await toArchive(driver);
	expect(order(away)).toEqual([to]);
	expect(header(away)).toContain("archived ▾");
	expect(header(away)).toContain("  1 of 14 sessions · ");
	expect(selectedRow(away)?.archived).toBe(true);
	await driver.until("its tree", ({ detail }) => detail.status === "ready" && detail.row.path === to);
	driver.press("archive");
	const back = await driver.until("the way back", says("Brought “"));
	expect([existsSync(to), readFileSync(path).equals(bytes)]).toEqual([false, true]);
	expect(order(back)).toEqual([]);
	toScope(driver, "all");
	expect(order(await driver.idle())).toEqual(before);
});

test("both ways are undone, with the tags and the pin that it had", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	const path = await onThird(driver);
	const to = archivedPath(driver, path);
	driver.press("tags");
	driver.type("wip");
	driver.press("choose");
	await driver.until("the tag", says("Tagged"));
	await driver.idle();
	driver.press("archive");
	await driver.until("the archive", says("Archived “"));
	await driver.idle();
	driver.press("undo");
	const undone = await driver.until("the undo", says("Undone: archive “"));
	expect([existsSync(path), existsSync(to), undone.list.selected]).toEqual([true, false, path]);
	expect(sessionTags(selectedRow(undone) ?? makeRow("none"), undone.marks)).toEqual(["wip"]);
	driver.press("archive");
	await driver.until("the archive again", says("Archived “"));
	await toArchive(driver);
	driver.press("archive");
	await driver.until("the way back", says("Brought “"));
	await driver.idle();
	driver.press("undo");
	await driver.until("the undo", says("Undone: bring “"));
	expect([existsSync(path), existsSync(to)]).toEqual([false, true]);
});

test("several are one step, archived and undone at once", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	const before = order(driver.program.getState());
	driver.press("mark", "mark", "mark");
	await driver.idle();
	driver.press("archive");
	const archived = await driver.until("the archive", says("Archived 3 sessions"));
	expect(order(archived)).toEqual(before.slice(3));
	await driver.idle();
	driver.press("undo");
	const undone = await driver.until("the undo", says("Undone: archive 3 sessions"));
	expect(order(undone).toSorted()).toEqual(before.toSorted());
});

test("never over a file: what cannot be moved is told, and the others are moved", async () => {
	const driver = await startProgram();
	const [first = "", second = ""] = order(driver.program.getState());
	const taken = archivedPath(driver, first);
	mkdirSync(dirname(taken), { recursive: true });
	writeFileSync(taken, "another one");
	driver.press("mark", "mark");
	await driver.idle();
	driver.press("archive");
	const done = await driver.until("the archive", says("Archived 1 session; 1 failed: “"));
	expect(done.message?.text).toContain("another file already exists");
	expect([existsSync(first), readFileSync(taken, "utf8"), existsSync(second)]).toEqual([true, "another one", false]);
	driver.press("undo");
	await driver.until("the undo", says("Undone: archive 1 of 2 sessions"));
	expect([existsSync(first), existsSync(second)]).toEqual([true, true]);
});

test("a session in use is refused with what was seen", async () => {
	const driver = await startProgram(undefined, { processes: true });
	const path = await onThird(driver);
	const running = join(driver.demo.home, "state", "pi-grove");
	mkdirSync(running, { recursive: true });
	const text = readFileSync(path, "utf8");
	// Growth within the last seconds.
	writeFileSync(path, `${text}{"type":"custom","id":"zz","parentId":null,"timestamp":"2026-11-21T12:00:00.000Z"}\n`);
	await driver.until("the growth", ({ catalog }) => evidenceOf(catalog.live, { path }).length > 0);
	await driver.idle();
	driver.press("archive");
	const refused = await driver.until("the refusal", ({ overlays }) => overlays.length > 0);
	expect(question(refused)).toEqual({
		title: "Written to just now: this session is not archived",
		choices: ["Close"],
	});
	const { body } = refused.overlays.at(-1) as MenuOverlay;
	expect(body.map(textOfRow).join(" ")).toMatch(/It was written to at .*; by which .* seen\. Wait until/);
	expect(existsSync(path)).toBe(true);
});

test("a pi of its directory may have changed to it, whatever it was started with: it is asked about, and looked at again", async () => {
	const driver = await startProgram(undefined, { processes: true });
	const path = await onThird(driver);
	const cwd = selectedRow(driver.program.getState())?.cwd ?? "";
	const stateDir = join(driver.demo.home, "state", "pi-grove");
	const env = { PI_CODING_AGENT_DIR: driver.demo.agentDir };
	const pi = await startFakePi(cwd, [], env);
	// Known to have another session: it was started with that, and /resume leaves no trace.
	noteHandOver(stateDir, { path: `${path}-other.jsonl`, pid: pi.pid, startedMs: Date.now() });
	await untilRunning(driver, "the pi", ({ pis }) => pis.some(({ pid }) => pid === pi.pid));
	driver.press("archive");
	const asked = await driver.until("the question", ({ overlays }) => overlays.length > 0);
	expect(question(asked)).toEqual({ title: "Archive this session?", choices: ["Archive", "Cancel"] });
	expect(JSON.stringify(asked.overlays)).toContain(`pid ${pi.pid}`);
	// Meanwhile a pi is started with this one.
	const second = await startFakePi("/", [], env);
	noteHandOver(stateDir, { path, pid: second.pid, startedMs: Date.now() });
	driver.send({ type: "keys", keys: ["up", "enter"] });
	const refused = await driver.until("the refusal", ({ overlays }) => {
		return overlays.some((overlay) => overlay.kind === "menu" && overlay.items.length === 1);
	});
	expect(question(refused).title).toBe("In use: this session is not archived");
	const { body } = refused.overlays.at(-1) as MenuOverlay;
	expect(body.map(textOfRow).join(" ")).toContain(`pi (pid ${second.pid}, since `);
	expect(existsSync(path)).toBe(true);
});

test("resuming an archived session brings it back first, after asking", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	mkdirSync(join(driver.demo.home, "bin"), { recursive: true });
	writeFileSync(join(driver.demo.home, "bin", "pi"), "#!/bin/sh\n", { mode: 0o755 });
	const path = await onThird(driver);
	driver.press("archive");
	await driver.until("the archive", says("Archived “"));
	await toArchive(driver);
	driver.press("resume");
	expect(question(await driver.until("the question", ({ overlays }) => overlays.length > 0))).toEqual({
		title: "This session is archived",
		choices: ["Bring it back and resume it", "Bring it back", "Cancel"],
	});
	driver.press("choose");
	expect(await driver.program.exited).toMatchObject({ kind: "resume", path });
	expect(existsSync(path)).toBe(true);
});

test("another window sees what was archived, and is not disturbed where the archive is gone", async () => {
	const one = await startProgram();
	const two = await startProgram(undefined, { demo: one.demo, run: { pid: process.pid, start: 2 } });
	const path = await onThird(one);
	one.press("archive");
	await one.until("the archive", says("Archived “"));
	const isMoved = ({ catalog: { rows } }: State) =>
		rows.get(archivedPath(one, path))?.archived === true && !rows.has(path);
	await two.until("the same", isMoved);
	rmSync(join(one.demo.agentDir, "session-archive"), { recursive: true });
	two.refresh();
	await two.until("its end", ({ catalog }) => !catalog.rows.has(archivedPath(one, path)));
	expect(two.program.getState().catalog.problems).toEqual([]);
	one.press("undo");
	const failed = await one.until("the failure", says("Not undone: archive “"));
	expect(failed.message?.text).toMatch(/does not exist/);
});

test("is:archived finds them in every scope, -is:archived all others, and what was said in them is found", async () => {
	const driver = await startProgram();
	const before = order(driver.program.getState());
	const path = await onThird(driver);
	const to = archivedPath(driver, path);
	driver.press("archive");
	await driver.until("the archive", says("Archived “"));
	driver.type("is:archived");
	expect(order(await driver.idle())).toEqual([to]);
	driver.press("erase-all");
	driver.type("-is:archived");
	expect(order(await driver.idle()).toSorted()).toEqual(before.filter((each) => each !== path).toSorted());
	driver.press("erase-all");
	await toArchive(driver);
	driver.type("role:user e");
	expect(order(await driver.idle())).toEqual([to]);
});
