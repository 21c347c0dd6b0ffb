import { join } from "node:path";
import { expect, test } from "vitest";
import { selectOverlay } from "../../../../src/app/core/screen/overlay.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { CHANGED, CHANGES } from "../../../../src/app/features/changes/changes-state.ts";
import { selectedEntry } from "../../../../src/app/world/opened/select-tree.ts";
import { pagesOf } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { Demo } from "../../../../src/cli/browser/demo.ts";
import { lineText } from "../../../../src/ui/text/line.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { EditingSession } from "../../../support/editing-session.ts";
import { GitRepository } from "../../../support/git-repository.ts";
import { isCurrent } from "../../../support/queries.ts";
import { NOW } from "../../../support/rows.ts";
import { ruleTexts } from "../../../support/screen-text.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

/** The entries of the session that all look at. */
let ids: readonly string[];
const collection = collectionOfFile((demo) => {
	ids = writeSession(demo);
});

function rows(state: State): readonly string[] {
	return selectScreen(state).panes[0]?.rows.map(({ line }) => textOfRow(line).trimEnd()) ?? [];
}

/** The row under the cursor. */
function cursorRow(state: State): string {
	return rows(state).find((row) => row.startsWith("›")) ?? "";
}

/** A session of three turns and a branch that was left; returns the ids of its entries. */
function writeSession(demo: Demo): readonly string[] {
	const repository = new GitRepository(join(demo.home, "work/tokens"));
	repository.commit(NOW - 9_001_000, "Begin");
	const session = new EditingSession("01a10001-0000-7000-8000-000000000001", repository.path, NOW - 9_000_000);
	const ids: string[] = [];
	ids.push(session.prompt("Begin with the tokens"));
	const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
	ids.push(session.write("src/tokens.ts", `${lines.join("\n")}\n`));
	const start = session.leaf;
	ids.push(session.prompt("Try it the other way"));
	ids.push(session.write("src/other.ts", "other\n"));
	session.leaf = start;
	ids.push(session.prompt("Shorten them"));
	ids.push(session.edit("src/tokens.ts", [{ oldText: "line 3\n", newText: "three thousand five hundred\n" }]));
	ids.push(session.prompt("And the last ones"));
	ids.push(session.edit("src/tokens.ts", [{ oldText: "line 38\n", newText: "" }]));
	ids.push(session.write("docs/tokens.md", "# Tokens\n"));
	repository.put(session.disk);
	session.save(demo.agentDir);
	const other = new EditingSession("01a10001-0000-7000-8000-000000000002", repository.path, NOW - 8_000_000);
	other.prompt("Only the branch edits");
	const fork = other.leaf;
	other.write("left.ts", "left\n");
	other.leaf = fork;
	other.prompt("Only the branch was left");
	other.save(demo.agentDir);
	return ids;
}

/** The page of that session. */
async function openChanges() {
	const driver = await startProgram({ columns: 120, rows: 40 }, { collection: collection() });
	await driver.select("Begin with the tokens");
	const changed = () => driver.until("the changes", (state) => isCurrent(CHANGED, state));
	driver.press("next-pane", "changes");
	await changed();
	return { ...driver, changed };
}

test("file after file in the order of the session, side by side where there is room; d keeps the cursor on its line", async () => {
	const { program, press, send } = await openChanges();
	const screen = rows(program.getState());
	expect(screen[0]).toMatch(/^› ▾ src\/tokens\.ts +\+39 +turns 1, 2, 3 +exact$/);
	expect(screen[1]).toBe("  Confirmed by the disk now.");
	expect(ruleTexts(program.getState()).join()).toContain("● session  ◦ this turn  ◦ since #");
	const { header } = selectScreen(program.getState());
	expect(textOfRow(header)).toMatch(/Begin with the tokens › changes +2 files \+40 · 1 of them exact/);
	press("next-span", "next-span", "next-span", "down", "down", "down", "down");
	const line = cursorRow(program.getState());
	expect(line).toMatch(/│ +3 \+ three/);
	press("layout");
	expect(cursorRow(program.getState())).toMatch(/^› +3 \+ three/);
	press("layout");
	send({ type: "resize", columns: 100, rows: 40 });
	expect(rows(program.getState())[3]).toMatch(/^ +2 \+ line 2$/);
});

test("] and [ go from file to file, o or a click folds one and O all; behind / letters are text until enter", async () => {
	const { program, press, type, send } = await openChanges();
	press("next-file");
	expect(cursorRow(program.getState())).toContain("docs/tokens.md");
	expect(ruleTexts(program.getState()).join()).toContain("2/2");
	press("previous-file", "fold-file");
	expect(rows(program.getState()).map((row) => row.slice(0, 21).trim())).toEqual([
		"› ▸ src/tokens.ts",
		"▾ docs/tokens.md",
		"Possibly incomplete",
		"",
		"",
	]);
	const { y = 0 } = selectScreen(program.getState()).panes[0] ?? {};
	send({ type: "mouse", event: { kind: "press", x: 2, y: y + 1 } });
	expect(rows(program.getState())[1]).toContain("▸ docs/tokens.md");
	send({ type: "mouse", event: { kind: "press", x: 30, y: y + 1 } });
	expect(rows(program.getState()).map((row) => row.slice(0, 3))).toEqual(["  ▸", "› ▸"]);
	press("fold-files", "fold-files");
	expect(rows(program.getState())).toHaveLength(2);
	press("fold-files");
	expect(rows(program.getState()).length).toBeGreaterThan(30);
	press("filter-text");
	type("npod");
	expect(rows(program.getState())[0]).toContain("The path of no changed file has these words");
	press("erase-all");
	type("docs");
	press("filter-done");
	expect([pagesOf(program.getState()), cursorRow(program.getState())]).toEqual([
		["changes"],
		expect.stringContaining("docs/tokens.md"),
	]);
	press("back");
	expect(CHANGES.of(program.getState()).filter.text).toBe("");
	press("cancel");
	expect(program.getState()).toMatchObject({ overlays: [], focus: "tree" });
});

test("enter goes to the step that wrote the line, and back leads to the same row", async () => {
	const { program, press, until } = await openChanges();
	press("down", "down", "down", "down", "go-to-turn");
	const state = program.getState();
	expect([state.overlays, state.focus, selectedEntry(state)?.id]).toEqual([[], "tree", ids[5]]);
	press("back");
	expect(cursorRow(program.getState())).toContain("3 + three");
	press("next-file", "go-to-turn");
	expect(selectedEntry(program.getState())?.id).toBe(ids[8]);
	press("back", "previous-file", "resume-from-turn");
	const menu = await until("the question", ({ overlays }) => overlays.length > 0);
	expect([menu.overlays[0]?.kind, selectedEntry(menu)?.id]).toEqual(["menu", ids[7]]);
});

test("y copies the patch of the file under the cursor, Y that of all files that the filter leaves", async () => {
	const { program, press, type, until, written } = await openChanges();
	const copied = async (id: string): Promise<string> => {
		const count = written.length;
		press(id);
		await until("the message", ({ message }) => message?.text.includes("the patch of") === true);
		return Buffer.from(/52;c;([^\u0007]*)/.exec(written.slice(count).join(""))?.[1] ?? "", "base64").toString();
	};
	press("next-file");
	expect((await copied("copy-patch")).match(/^\+\+\+.*/gm)).toEqual(["+++ b/docs/tokens.md"]);
	expect((await copied("copy-patches")).match(/^\+\+\+.*/gm)).toEqual(["+++ b/src/tokens.ts", "+++ b/docs/tokens.md"]);
	press("filter-text");
	type("src");
	press("filter-done");
	expect((await copied("copy-patches")).match(/^\+\+\+.*/gm)).toEqual(["+++ b/src/tokens.ts"]);
	expect(program.getState().message?.text).toMatch(/^Sent the patch of 1 file to the terminal's clipboard/);
});

test("b says who wrote the line under the cursor, and enter goes there", async () => {
	const { program, press, until } = await openChanges();
	press("down", "down", "down", "down", "blame");
	const answer = /this session, turn 2, .* exact .*“Shorten them”/;
	await until("the answer", (state) => answer.test(selectOverlay(state)?.body.map(lineText).join(" ") ?? ""));
	press("down");
	expect(
		selectOverlay(program.getState())
			?.title.map(({ text }) => text)
			.join(""),
	).toBe("line 4: line 4");
	expect(cursorRow(program.getState())).toContain("line 4");
	press("up", "go-to-turn");
	expect([program.getState().overlays, selectedEntry(program.getState())?.id]).toEqual([[], ids[5]]);
});

test("of a line that was removed it is said in which turn", async () => {
	const { program, press, changed } = await openChanges();
	press("next-span");
	await changed();
	for (let row = 0; row < 20 && !/− +line 38/.test(cursorRow(program.getState())); row++) press("down");
	press("blame");
	const { title = [], body = [] } = selectOverlay(program.getState()) ?? {};
	expect(lineText(title)).toBe("line 38, which was removed: line 38");
	expect(body.map(lineText)).toContainEqual(expect.stringMatching(/^removed by {2}this session, turn 3$/));
});

test("the changes of a turn, since an entry, and of a branch that was left", async () => {
	const { program, press, send, changed } = await openChanges();
	const files = (state: State): readonly string[] =>
		rows(state).flatMap((row) => / [▾▸] (\S+) +(.*\S) {3}turn/.exec(row)?.slice(1).join(" ") ?? []);
	press("next-span");
	expect(files(await changed())).toEqual(["src/tokens.ts −1", "docs/tokens.md +1"]);
	press("cancel", "up", "up", "up", "up");
	expect(selectedEntry(program.getState())?.id).toBe(ids[4]);
	press("changes-turn");
	expect(files(await changed())).toEqual(["src/tokens.ts +1 −1"]);
	press("next-span");
	expect(files(await changed())).toEqual(["src/tokens.ts +1 −2", "docs/tokens.md +1"]);
	press("cancel", "up");
	expect(selectedEntry(program.getState())?.id).not.toBe(ids[4]);
	press("changes-branch");
	expect(files(await changed())).toEqual(["src/other.ts +1"]);
	expect(ruleTexts(program.getState()).join()).toContain("● this branch");
	send({ type: "resize", columns: 40, rows: 10 });
	expect(rows(program.getState())[0]).toMatch(/src\/other\.ts/);
});

test("what branches changed that were left is one key away, also where the active path changed nothing", async () => {
	const { program, press, changed } = await openChanges();
	expect(ruleTexts(program.getState()).join()).toContain("branch left");
	press("left-branches");
	expect(rows(await changed())[0]).toContain("src/other.ts");
	expect(ruleTexts(program.getState()).join()).toContain("● this branch");
	press("next-span", "next-span", "next-span");
	expect(rows(await changed())[0]).toContain("src/tokens.ts");
	const nothing = await openIn("Only the branch");
	nothing.press("changes");
	const state = await nothing.until("the changes", (now) => isCurrent(CHANGED, now));
	expect(rows(state).join(" ")).toContain("Branches that were left changed 1 file: enter shows them.");
	nothing.press("left-branches");
	expect(rows(await nothing.until("the changes", (now) => isCurrent(CHANGED, now)))[0]).toContain("left.ts");
});

async function openIn(title: string): Promise<Driver> {
	const driver = await startProgram(undefined, { collection: collection() });
	await driver.select(title);
	driver.press("next-pane");
	return driver;
}

test("of a session without changes it says so, and what is not recorded", async () => {
	const driver = await openIn("Weekly note");
	driver.press("changes");
	const state = await driver.until("the changes", (now) => isCurrent(CHANGED, now));
	expect(rows(state).join(" ")).toContain("changed no file that is known. 1 command may have changed some.");
});

test("a click on the files in the digest opens them", async () => {
	const driver = await openIn("Refactor the import parser");
	const { x: left = 0, y = 0, rows: drawn = [] } = selectScreen(driver.program.getState()).panes[0] ?? {};
	const x = textOfRow(drawn[0]?.line ?? []).indexOf("edited 1 file");
	expect(x).toBeGreaterThan(0);
	driver.send({ type: "mouse", event: { kind: "press", x: left + x, y } });
	expect(driver.program.getState().overlays).toMatchObject([{ kind: "changes" }]);
});
