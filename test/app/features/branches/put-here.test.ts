import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { COMPARED } from "../../../../src/app/features/branches/compare-state.ts";
import { DIFFERENCES } from "../../../../src/app/features/branches/difference-page.ts";
import { topOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { createDemo } from "../../../../src/cli/browser/demo.ts";
import { attempt } from "../../../../src/shared/attempt.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { EditingSession } from "../../../support/editing-session.ts";
import { GitRepository } from "../../../support/git-repository.ts";
import { isCurrent } from "../../../support/queries.ts";
import { NOW } from "../../../support/rows.ts";
import { startProgram } from "../../../support/start-program.ts";

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1}\n`).join("");

/** A session whose branch by schema was left, and is not on the disk; that by docs is. A session in a worktree changed the same file. */
async function begin() {
	const demo = await createDemo(NOW);
	const repository = new GitRepository(join(demo.home, "work/parted"));
	const session = new EditingSession("01a10001-0000-7000-8000-0000000000c1", repository.path, NOW - 3_600_000);
	session.disk.set(repository.file("a.ts"), LINES);
	repository.put(session.disk);
	repository.commit(session.now - 1000, "Import");
	session.prompt("Choose a way");
	const fork = session.read("a.ts");
	session.prompt("By schema");
	session.edit("a.ts", [{ oldText: "line 3\n", newText: "by schema\n" }]);
	session.write("schema.ts", "schema\n");
	session.leaf = fork;
	session.disk.set(repository.file("a.ts"), LINES);
	session.disk.delete(repository.file("schema.ts"));
	session.now += 60_000;
	session.prompt("By docs");
	session.read("a.ts");
	session.edit("a.ts", [{ oldText: "line 30\n", newText: "by docs\n" }]);
	session.write("guide.md", "guide\n");
	session.putDisk();
	session.save(demo.agentDir);
	const tree = join(demo.home, "work/parted-tree");
	repository.git("worktree", "add", "--quiet", tree, "HEAD");
	const beside = new EditingSession("01a10001-0000-7000-8000-0000000000c2", tree, NOW - 1_800_000);
	beside.disk.set(join(tree, "a.ts"), LINES);
	beside.prompt("In a worktree");
	beside.read("a.ts");
	beside.edit("a.ts", [{ oldText: "line 20\n", newText: "in a worktree\n" }]);
	beside.putDisk();
	beside.save(demo.agentDir);
	const driver = await startProgram({ columns: 100, rows: 40 }, { demo });
	await driver.select("Choose a way");
	const read = (name: string): string | undefined => attempt(() => readFileSync(repository.file(name), "utf8"));
	/** What the files say that is no line of before. */
	const changed = (): readonly string[] =>
		["a.ts", "schema.ts", "guide.md"].flatMap((name) =>
			(read(name) ?? "").split("\n").filter((line) => line !== "" && !line.startsWith("line ")),
		);
	return { ...driver, repository, changed };
}

function footer(state: State): string {
	return textOfRow(selectScreen(state).footer);
}

/** The title of the open menu, its body and its items. */
function asked(state: State): string {
	const top = topOverlay(state);
	if (top?.kind !== "menu") return "";
	return [top.title, ...top.body.map(textOfRow), ...top.items.map(({ label }) => label)].join("\n");
}

test("in the comparison, what the branch under the cursor changed is put here, and undone", async () => {
	const { program, press, send, until, idle, changed } = await begin();
	press("next-pane", "branches");
	await idle();
	press("compare");
	await until("the comparison", (state) => isCurrent(COMPARED, state));
	expect(footer(program.getState())).toContain("p put left side here");
	press("put-first");
	const present = await until("the preview of the first", (state) => asked(state) !== "");
	expect(asked(present)).toMatch(
		/^Put here what “By docs” changed\?\nIn .*parted\.\nthere +a\.ts[\s\S]*All of it is there already\.\nCancel$/,
	);
	send({ type: "keys", keys: ["escape", "tab"] });
	expect(footer(program.getState())).toContain("p put right side here");
	press("help");
	send({ type: "text", text: "put" });
	expect(selectScreen(program.getState()).overlay?.body.map(textOfRow).join("\n")).toMatch(
		/Put what the second changed here: By schema…/,
	);
	send({ type: "keys", keys: ["enter"] });
	const preview = await until("the preview of the second", (state) => asked(state) !== "");
	expect(asked(preview)).toMatch(
		/“By schema” changed\?\n[\s\S]*changed +a\.ts[\s\S]*new +schema\.ts[\s\S]*\nPut here the changes of 2 files\nCancel$/,
	);
	send({ type: "keys", keys: ["enter"] });
	await expect.poll(changed).toEqual(["by schema", "by docs", "schema", "guide"]);
	await idle();
	expect(program.getState().message?.text).toMatch(/^Put in place 2 files of “By schema”/);
	press("undo");
	await expect.poll(changed).toEqual(["by docs", "guide"]);
});

test("on the files of the two, only the file under the cursor is put here, as the one that changed it did", async () => {
	const { program, press, send, until, idle, changed } = await begin();
	press("next-pane", "branches");
	await idle();
	press("compare");
	await until("the comparison", (state) => isCurrent(COMPARED, state));
	press("difference");
	await until("the files", (state) => isCurrent(DIFFERENCES, state));
	expect(footer(program.getState())).toContain("p put left side here");
	// The other one made this file.
	while (
		!/^›.*schema\.ts/m.test(
			selectScreen(program.getState())
				.panes[0]?.rows.map(({ line }) => textOfRow(line))
				.join("\n") ?? "",
		)
	)
		press("next-file");
	expect(footer(program.getState())).toContain("p put right side here");
	press("put-second");
	const preview = await until("the preview", (state) => asked(state) !== "");
	expect(asked(preview)).toMatch(/new +schema\.ts/);
	expect(asked(preview)).not.toContain("a.ts ");
	send({ type: "keys", keys: ["enter"] });
	await expect.poll(changed).toEqual(["by docs", "schema", "guide"]);
	await idle();
	press("put-second");
	await until("nothing is left", (state) => asked(state).includes("All of it is there already."));
});

test("on a branch that was left, what it changed is put here; where its lines are others by now, that is refused by name", async () => {
	const { program, press, send, until, idle, changed, repository } = await begin();
	press("next-pane");
	await idle();
	press("put-branch");
	expect(program.getState().message?.text).toContain("Move to a branch that was left");
	writeFileSync(repository.file("a.ts"), LINES.replace("line 3\n", "by hand\n"));
	press("branches");
	await idle();
	press("down", "put-branch");
	const preview = await until("the preview", (state) => asked(state) !== "");
	expect(asked(preview)).toMatch(
		/“By schema” changed\?\n[\s\S]*refused +a\.ts .*something else changed its lines[\s\S]*new +schema\.ts/,
	);
	expect(asked(preview)).toContain("\nPut here what fits, in 1 file\n");
	send({ type: "keys", keys: ["enter"] });
	await expect.poll(changed).toEqual(["by hand", "schema", "guide"]);
});

test("of two sessions, what the one in a worktree changed goes into the directory of the other", async () => {
	const { press, send, until, idle, changed, select } = await begin();
	press("mark");
	await select("In a worktree");
	press("mark");
	await idle();
	press("compare");
	await until("the comparison", (state) => isCurrent(COMPARED, state));
	press("put-first");
	const preview = await until("the preview", (state) => asked(state) !== "");
	expect(asked(preview)).toMatch(/“In a worktree” changed\?\nIn .*work\/parted\.\nchanged +a\.ts/);
	send({ type: "keys", keys: ["enter"] });
	await expect.poll(changed).toEqual(["in a worktree", "by docs", "guide"]);
});
