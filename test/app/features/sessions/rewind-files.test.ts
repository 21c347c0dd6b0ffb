import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { State } from "../../../../src/app/world/state/state.ts";
import { EditingSession } from "../../../support/editing-session.ts";
import { GitRepository } from "../../../support/git-repository.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

function bodyOf({ overlays }: State): string {
	const top = overlays.at(-1);
	return top?.kind === "menu" ? top.body.map((line) => line.map(({ text }) => text).join("")).join("\n") : "";
}

function labelsOf({ overlays }: State): readonly string[] {
	const top = overlays.at(-1);
	return top?.kind === "menu" ? top.items.map(({ label }) => label) : [];
}

/** A session of two turns whose files are as it left them; the cursor is on the second prompt. */
async function twoTurns() {
	const driver = await startProgram();
	const { demo } = driver;
	driver.installPi();
	const repository = new GitRepository(join(demo.home, "work/then"));
	const session = new EditingSession("01a10000-0000-7000-8000-0000000000a2", repository.path, Date.now() - 60_000);
	session.disk.set(repository.file("a.ts"), "a\n");
	repository.put(session.disk);
	repository.commit(Date.now() - 61_000, "Import");
	session.prompt("Rewrite all of it");
	session.write("a.ts", "better\n");
	session.prompt("Now break it");
	session.edit("a.ts", [{ oldText: "better\n", newText: "broken\n" }]);
	session.write("new.ts", "new\n");
	repository.put(session.disk);
	session.save(demo.agentDir);
	driver.refresh();
	await driver.until("its row", ({ catalog }) =>
		[...catalog.rows.values()].some(({ firstMessage }) => firstMessage === "Rewrite all of it"),
	);
	await driver.select("Rewrite all of it");
	driver.press("next-pane", "previous-prompt", "previous-prompt");
	await driver.idle();
	driver.press("next-prompt");
	const contents = () => {
		const path = repository.file("new.ts");
		return [readFileSync(repository.file("a.ts"), "utf8"), existsSync(path) ? readFileSync(path, "utf8") : undefined];
	};
	const path = [...driver.program.getState().catalog.rows.values()].find(({ cwd }) => cwd === repository.path)?.path;
	const lineCount = () => readFileSync(path ?? "", "utf8").split("\n").length;
	return { driver, repository, contents, lineCount };
}

async function choose(driver: Driver, text: string): Promise<void> {
	const index = labelsOf(driver.program.getState()).findIndex((label) => label.includes(text));
	expect(index).toBeGreaterThan(-1);
	driver.send({ type: "keys", keys: [...Array.from({ length: index }, () => "down"), "enter"] });
}

test("going on from a prompt with the later changes taken back; two undos bring files and leaf back", async () => {
	const { driver, contents, lineCount } = await twoTurns();
	const before = lineCount();
	driver.press("resume");
	await driver.until("the menu", (state) => labelsOf(state).length > 0);
	await choose(driver, "with the later changes of files taken back");
	const asked = await driver.until("the preview", (state) => bodyOf(state).includes("new.ts"));
	expect(bodyOf(asked)).toMatch(/changed +a\.ts[\s\S]*to trash +new\.ts/);
	expect(labelsOf(asked)).toEqual([
		"Take these changes back, and continue",
		"Continue, and leave the files as they are",
		"Cancel",
	]);
	driver.send({ type: "keys", keys: ["enter"] });
	await expect.poll(contents).toEqual(["better\n", undefined]);
	await expect.poll(lineCount).toBe(before + 1);
	await driver.idle();
	driver.press("undo");
	await driver.until("the leaf", ({ message }) => message?.text.startsWith("Undone: continue") === true);
	expect(contents()).toEqual(["better\n", undefined]);
	driver.press("undo");
	await expect.poll(contents).toEqual(["broken\n", "new\n"]);
});

test("what something else changed since is left out by name, and the files can be left as they are", async () => {
	const { driver, repository, contents } = await twoTurns();
	writeFileSync(repository.file("a.ts"), "by hand\n");
	driver.press("resume");
	await driver.until("the menu", (state) => labelsOf(state).length > 0);
	await choose(driver, "with the later changes of files taken back");
	const asked = await driver.until("the preview", (state) => bodyOf(state).includes("new.ts"));
	expect(bodyOf(asked)).toMatch(/refused +a\.ts/);
	expect(labelsOf(asked)[0]).toBe("Take back what fits, and continue");
	driver.send({ type: "keys", keys: ["enter"] });
	await expect.poll(contents).toEqual(["by hand\n", undefined]);
});

test("the files alone go back to what they were at an entry, in place; the session stays where it is", async () => {
	const { driver, contents, lineCount } = await twoTurns();
	const before = lineCount();
	driver.press("files-at");
	await driver.until("what a worktree would have", (state) => labelsOf(state).includes("Only make it"));
	await choose(driver, "In ~/work/then instead: take back what this session changed later");
	const asked = await driver.until("the preview", (state) => bodyOf(state).includes("new.ts"));
	expect(labelsOf(asked)).toEqual(["Take these changes back", "Cancel"]);
	driver.send({ type: "keys", keys: ["enter"] });
	await expect.poll(contents).toEqual(["better\n", undefined]);
	await driver.idle();
	expect(lineCount()).toBe(before);
	driver.press("undo");
	await expect.poll(contents).toEqual(["broken\n", "new\n"]);
});
