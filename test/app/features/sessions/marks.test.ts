import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { sessionTags } from "../../../../src/catalog/model/marks.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { fingerprints } from "../../../support/fingerprint.ts";
import { makeRow } from "../../../support/rows.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const collection = collectionOfFile();

const says = (text: string) => (state: State) => state.changing === 0 && state.message?.text.includes(text) === true;
const order = (state: State) => selectList(state).rows.map(({ row }) => row.path);

/** The rows of the list as text. */
function drawn(state: State): string[] {
	const pane = selectScreen(state).panes.find(({ id }) => id === "list");
	return (pane?.rows.slice(1) ?? []).map(({ line }) => line.map(({ text }) => text).join(""));
}

async function third(driver: Driver): Promise<string> {
	driver.press("down", "down");
	return (await driver.idle()).list.selected ?? "";
}

function rowAt({ catalog }: State, path: string): SessionRow {
	return catalog.rows.get(path) ?? makeRow("none");
}

test("a pinned session is first in every order, with its sign, and undo unpins it", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	const before = order(driver.program.getState());
	const path = await third(driver);
	driver.press("pin");
	const pinned = await driver.until("the pin", says("Pinned “"));
	expect(order(pinned)[0]).toBe(path);
	expect(pinned.list.selected).toBe(path);
	expect(drawn(pinned)[0]).toContain("› ★ ");
	for (const sort of ["recent", "created", "messages", "size", "project"] as const) {
		const sorted = { ...pinned, list: { ...pinned.list, sort } };
		expect(order(sorted)[0]).toBe(path);
	}
	await driver.idle();
	driver.press("undo");
	const undone = await driver.until("the undo", says("Undone: pin “"));
	expect(order(undone)).toEqual(before);
	expect(undone.list.selected).toBe(path);
	driver.press("pin");
	await driver.until("the pin", says("Pinned “"));
	await driver.idle();
	driver.press("pin");
	await driver.until("unpinned", says("Unpinned “"));
});

test("a search ranks as without pins, and shows the sign of pinned sessions", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	driver.type("the");
	await driver.idle();
	const found = order(driver.program.getState());
	driver.press("last", "pin");
	const pinned = await driver.until("the pin", says("Pinned “"));
	expect(order(pinned)).toEqual(found);
	expect(drawn(pinned).join("\n")).toContain("★");
});

test("tags are added and removed, several at once, with completion, and shown in the row and the title", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	const path = await third(driver);
	driver.press("tags");
	driver.type("#wip idea");
	driver.press("choose");
	const tagged = await driver.until("the tags", says("Tagged “"));
	expect(tagged.message?.text).toMatch(/ #wip #idea · /);
	expect(sessionTags(rowAt(tagged, path), tagged.marks)).toEqual(["idea", "wip"]);
	await driver.idle();
	driver.press("down");
	await driver.idle();
	driver.press("tags");
	driver.type("w");
	driver.press("complete", "choose");
	expect((await driver.until("the tag", says("Tagged “"))).message?.text).toMatch(/ #wip · /);
	driver.press("up");
	await driver.idle();
	driver.press("tags");
	driver.type("-w");
	driver.press("complete");
	driver.type("later");
	driver.press("choose");
	const changed = await driver.until("the change", says("removed #wip"));
	expect(sessionTags(rowAt(changed, path), changed.marks)).toEqual(["idea", "later"]);
	await driver.idle();
	driver.press("next-pane");
	const header = selectScreen(await driver.idle()).header.map(({ text }) => text);
	expect(header.join("")).toContain("  #idea");
	for (const what of ["tag “", "tag “", "tag “"]) {
		driver.press("undo");
		await driver.until("the undo", says(`Undone: ${what}`));
		await driver.idle();
	}
	expect(driver.program.getState().marks.tags.size).toBe(0);
});

test("a fork has no marks, and a deleted session has its marks again after an undo", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	const path = await third(driver);
	driver.press("pin");
	await driver.until("the pin", says("Pinned “"));
	await driver.idle();
	driver.press("branch", "choose");
	const forked = await driver.until("the fork", (state) => says("ed “")(state) && state.list.selected !== path);
	expect([...forked.marks.pinned.keys()]).toEqual([rowAt(forked, path).id]);
	await driver.idle();
	driver.press("undo");
	await driver.until("the undo", says("Undone"));
	await driver.until("the session", ({ list }) => list.selected === path);
	await driver.idle();
	driver.press("delete", "choose");
	await driver.until("the deletion", says("to the trash"));
	await driver.idle();
	driver.press("undo");
	const back = await driver.until("the way back", says("Undone: move “"));
	expect(order(back)[0]).toBe(path);
	expect(drawn(back).some((row) => row.includes("★"))).toBe(true);
});

test("two windows see each other's marks; no session file knows of them", async () => {
	const one = await startProgram();
	const files = () => fingerprints(join(one.demo.agentDir, "sessions"));
	const before = files();
	const two = await startProgram(undefined, { demo: one.demo, run: { pid: process.pid, start: 2 } });
	const path = await third(one);
	one.press("pin");
	await one.until("the pin", says("Pinned “"));
	await two.until("the pin in the other window", (state) => order(state)[0] === path);
	two.press("first");
	await two.idle();
	two.press("pin");
	await two.until("unpinned", says("Unpinned “"));
	const unpinned = await one.until("unpinned here too", ({ marks }) => marks.pinned.size === 0);
	expect(order(unpinned)[0]).not.toBe(path);
	expect(files()).toEqual(before);
});

test("damage in the file is reported as a problem, and everything else is used", async () => {
	const first = await startProgram();
	const path = await third(first);
	first.press("pin");
	await first.until("the pin", says("Pinned “"));
	const file = join(first.demo.home, "state", "pi-grove", "marks.jsonl");
	appendFileSync(file, '{"version":1,"oops\n{"version":9}\n');
	const reported = await first.until("the problem", ({ markProblems }) => markProblems.length === 2);
	expect(reported.message?.text).toContain("Line 2 of ");
	expect(order(reported)[0]).toBe(path);
	const second = await startProgram(undefined, { demo: first.demo });
	expect(second.program.getState().markProblems).toHaveLength(2);
	second.press("problems", "down");
	// The preview shows the whole problem under the cursor.
	const rows = selectScreen(await second.idle()).panes[1]?.rows ?? [];
	const beside = rows.map(({ line }) => textOfRow(line).trim()).join(" ");
	expect(beside).toContain("was written by a newer version of");
	expect(readFileSync(file, "utf8")).toContain('{"version":9}\n');
});
