import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { CHANGED } from "../../../../src/app/features/changes/changes-state.ts";
import { topOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { createDemo } from "../../../../src/cli/browser/demo.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { EditingSession } from "../../../support/editing-session.ts";
import { GitRepository } from "../../../support/git-repository.ts";
import { isCurrent } from "../../../support/queries.ts";
import { NOW } from "../../../support/rows.ts";
import { startProgram } from "../../../support/start-program.ts";

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`);

/** The page of a session that changed a file in three places, and wrote another one. */
async function begin(more: (session: EditingSession) => void = () => undefined) {
	const demo = await createDemo(NOW);
	const repository = new GitRepository(demo.cwd);
	const session = new EditingSession("01a10001-0000-7000-8000-000000000001", demo.cwd, NOW - 3_600_000);
	session.disk.set(repository.file("a.ts"), LINES.join(""));
	repository.put(session.disk);
	repository.commit(session.now - 1000, "Import");
	session.prompt("Change three places");
	session.read("a.ts");
	for (const [old, now] of [
		["line 5\n", "five\n"],
		["line 30\n", "thirty\n"],
		["line 55\n", "fifty-five\n"],
	])
		session.edit("a.ts", [{ oldText: old ?? "", newText: now ?? "" }]);
	session.write("new.ts", "new\n");
	more(session);
	repository.put(session.disk);
	session.save(demo.agentDir);
	const driver = await startProgram({ columns: 100, rows: 60 }, { demo });
	await driver.select("Change three places");
	driver.press("changes");
	await driver.until("the changes", (state) => isCurrent(CHANGED, state));
	const changed = (): readonly string[] => {
		const lines = readFileSync(repository.file("a.ts"), "utf8").split("\n");
		return lines.filter((line) => line !== "" && !line.startsWith("line "));
	};
	return { ...driver, changed, hasNew: () => existsSync(repository.file("new.ts")) };
}

function rows(state: State): readonly string[] {
	return selectScreen(state).panes[0]?.rows.map(({ line }) => textOfRow(line).trimEnd()) ?? [];
}

function signs(state: State): string {
	return rows(state)
		.flatMap((row) => (row[1] === "✓" ? (/\S+$/.exec(row)?.[0] ?? "") : []))
		.join(" ");
}

function menuText(state: State): string {
	const top = topOverlay(state);
	return top?.kind === "menu" ? top.body.map(textOfRow).join("\n") : "";
}

test("marked hunks are taken back together, in one preview and one undo; others stay", async () => {
	const { program, press, send, until, idle, changed, hasNew } = await begin();
	press("down", "down");
	while (!/five$/.test(rows(program.getState()).find((row) => row.startsWith("›")) ?? "")) press("down");
	// Behind a marked hunk the cursor is on the next one.
	press("mark-hunk", "mark-hunk", "mark-hunk");
	expect(rows(program.getState()).find((row) => row.startsWith("›"))).toContain("new.ts");
	press("previous-file");
	while (!/thirty$/.test(rows(program.getState()).find((row) => row.startsWith("›")) ?? "")) press("down");
	press("mark-hunk", "next-file", "mark-hunk");
	expect(signs(program.getState())).not.toContain("thirty");
	expect(signs(program.getState())).toMatch(/five .* fifty-five .* new/);
	const { footer } = selectScreen(program.getState());
	expect(textOfRow(footer)).toContain("u take back 3 hunks");
	press("take-back");
	const asked = await until("the preview", (state) => menuText(state) !== "");
	expect(menuText(asked)).toMatch(/changed +a\.ts[\s\S]*to trash +new\.ts/);
	send({ type: "keys", keys: ["enter"] });
	await expect.poll(changed).toEqual(["thirty"]);
	await expect.poll(hasNew).toBe(false);
	await idle();
	press("unmark-rows");
	expect(signs(program.getState())).toBe("");
	press("undo");
	await expect.poll(changed).toEqual(["five", "thirty", "fifty-five"]);
	await expect.poll(hasNew).toBe(true);
});

test("a click at the left edge marks a hunk, on a heading all of the file; the command says how many are marked", async () => {
	const { program, press, send, type } = await begin();
	const { y = 0 } = selectScreen(program.getState()).panes[0] ?? {};
	const click = (row: number): void => send({ type: "mouse", event: { kind: "press", x: 1, y: y + row } });
	click(rows(program.getState()).findIndex((row) => row.endsWith("thirty")));
	expect(signs(program.getState())).toContain("thirty");
	expect(signs(program.getState())).not.toContain("five");
	click(0);
	expect(signs(program.getState())).toMatch(/five .*thirty .*fifty-five/);
	press("help");
	type("take back all m");
	expect(selectScreen(program.getState()).overlay?.body.map(textOfRow).join("\n")).toMatch(
		/Take back all marked: 3 hunks in 1 file…/,
	);
});

test("what is taken back without marks is named: the hunk under the cursor, on a heading the file", async () => {
	const { program, press, send, until, changed } = await begin();
	const footer = (): string => textOfRow(selectScreen(program.getState()).footer);
	expect(footer()).toContain("u take back file");
	expect(textOfRow(selectScreen(program.getState()).panes[0]?.title ?? [])).toContain("] next file");
	while (!/thirty$/.test(rows(program.getState()).find((row) => row.startsWith("›")) ?? "")) press("down");
	expect(footer()).toContain("u take back hunk");
	press("take-back");
	const asked = topOverlay(await until("the preview", (state) => menuText(state) !== ""));
	expect(asked?.kind === "menu" && asked.items[0]?.label).toBe("Take back 1 hunk in 1 file");
	send({ type: "keys", keys: ["enter"] });
	await expect.poll(changed).toEqual(["five", "fifty-five"]);
	const { message } = await until("the answer", (state) => state.message !== undefined);
	expect(message?.text).toMatch(/^Took back 1 hunk in 1 file of “Change three places”/);
});

test("the preview of a hunk shows its lines, and the page says that it is taken back until undo brings it back", async () => {
	const { program, press, send, until, idle, changed } = await begin();
	const takenRows = (state: State): readonly string[] => rows(state).filter((row) => row.endsWith("   taken back"));
	press("down");
	while (!/thirty$/.test(rows(program.getState()).find((row) => row.startsWith("›")) ?? "")) press("down");
	press("take-back");
	const asked = await until("the preview", (state) => menuText(state) !== "");
	expect(menuText(asked)).toMatch(/changed +a\.ts\n.*line 29\n {2}− thirty\n {2}\+ line 30\n/s);
	expect(menuText(asked)).not.toContain("fifty");
	expect(topOverlay(asked)).toMatchObject({ items: [{ label: "Take back 1 hunk in 1 file" }, {}] });
	send({ type: "keys", keys: ["enter"] });
	await expect.poll(changed).toEqual(["five", "fifty-five"]);
	const taken = await until("the word", (state) => takenRows(state).length > 0);
	expect(takenRows(taken)).toEqual([expect.stringContaining("− line 30")]);
	await idle();
	press("undo");
	await until("no word", (state) => takenRows(state).length === 0);
	press("previous-file", "take-back");
	await until("the preview of the file", (state) => menuText(state) !== "");
	send({ type: "keys", keys: ["enter"] });
	const all = await until("the words", (state) => takenRows(state).length === 3);
	expect(rows(all)[0]).toMatch(/a\.ts .*taken back +turn 1/);
});

test("while the page is read again after a change, no file leaves it, also one that a command made; an empty one is said to be new", async () => {
	const { program, press, send, until, changed } = await begin((session) => {
		session.write("empty.ts", "");
		session.bash("echo made > made.ts", (disk) => disk.set(`${session.cwd}/made.ts`, "made\n"));
	});
	const text = (): string => rows(program.getState()).join("\n");
	expect(text()).toMatch(/empty\.ts .*\n.*New, and empty\..*made\.ts /s);
	press("take-back");
	await until("the preview", (state) => menuText(state) !== "");
	const texts: string[] = [];
	program.subscribe(() => texts.push(text()));
	send({ type: "keys", keys: ["enter"] });
	await expect.poll(changed).toEqual([]);
	await until("reading it again", (state) => CHANGED.of(state).isLoading);
	await until("the page", (state) => isCurrent(CHANGED, state));
	expect(texts.filter((each) => !/a\.ts .*new\.ts .*made\.ts /s.test(each))).toEqual([]);
});
