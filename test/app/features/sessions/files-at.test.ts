import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { State } from "../../../../src/app/world/state/state.ts";
import { EditingSession } from "../../../support/editing-session.ts";
import { GitRepository } from "../../../support/git-repository.ts";
import { startProgram } from "../../../support/start-program.ts";

function bodyOf({ overlays }: State): string {
	const top = overlays.at(-1);
	return top?.kind === "menu" ? top.body.map((line) => line.map(({ text }) => text).join("")).join("\n") : "";
}

test("the files as of an entry are previewed, made, gone on with in a new session there, and removed by one undo", async () => {
	const driver = await startProgram();
	const { demo, program } = driver;
	driver.installPi();
	const repository = new GitRepository(join(demo.home, "work/then"));
	const now = Date.now() - 60_000;
	const session = new EditingSession("01a10000-0000-7000-8000-0000000000a1", repository.path, now);
	session.disk.set(repository.file("a.ts"), "a\n");
	repository.put(session.disk);
	repository.commit(now - 1000, "Import");
	session.prompt("Rewrite it all");
	session.write("a.ts", "better\n");
	session.prompt("Now break it");
	session.edit("a.ts", [{ oldText: "better\n", newText: "broken\n" }]);
	session.save(demo.agentDir);
	driver.refresh();
	await driver.until("its row", ({ catalog }) =>
		[...catalog.rows.values()].some(({ firstMessage }) => firstMessage === "Rewrite it all"),
	);
	await driver.select("Rewrite it all");
	driver.press("next-pane", "previous-prompt", "previous-prompt");
	await driver.idle();
	driver.press("next-prompt");
	driver.press("files-at");
	const asked = await driver.until("the preview", (state) => bodyOf(state).includes("a.ts"));
	expect(bodyOf(asked)).toMatch(/^Into a new worktree: .*then@\d{4}, on commit \w{8} “Import”\s\(checked out then/);
	expect(bodyOf(asked)).toContain("exact    a.ts  written in turn 1");
	const before = asked.catalog.rows.size;
	driver.send({ type: "keys", keys: ["enter"] });
	await driver.until("the new session", ({ catalog }) => catalog.rows.size > before);
	const made = [...program.getState().catalog.rows.values()].find(({ cwd }) => cwd.includes("then@"));
	expect(readFileSync(join(made?.cwd ?? "", "a.ts"), "utf8")).toBe("better\n");
	expect(readFileSync(repository.file("a.ts"), "utf8")).toBe("a\n");
	await driver.idle();
	driver.press("undo");
	await driver.until("its end", ({ catalog }) => catalog.rows.size === before);
	expect(existsSync(made?.cwd ?? "")).toBe(false);
	expect(repository.git("worktree", "list").split("\n")).toHaveLength(1);
});
