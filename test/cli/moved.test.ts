import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SessionManager } from "../../src/store/manager/session-manager.ts";
import { defaultSessionDir } from "../../src/store/read/session-dir.ts";
import { run } from "../support/run.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
	sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

/** Three sessions, two of them of ~/work/api, which was moved to ~/work/old/api. */
function moved() {
	const { parser, retry } = threeSessions(sandbox);
	SessionManager.open(parser).appendLabelChange(SessionManager.open(parser).getLeafId() ?? "", "todo");
	sandbox.directory("work/old");
	renameSync(join(sandbox.home, "work/api"), join(sandbox.home, "work/old/api"));
	return { parser, retry };
}

test("the sessions of a project that was moved follow from the page by the directory that it offers, and one undo takes all back", async () => {
	const { parser, retry } = moved();
	const before = sandbox.fingerprints();
	const terminal = sandbox.start([], { columns: 120, rows: 30 });
	await terminal.waitFor("1/3");
	terminal.press("<moved>");
	await terminal.waitFor("› maintenance");
	await terminal.waitFor(/› +~\/work\/api +2$/m);
	terminal.press("enter");
	await terminal.waitFor("tab ~/work/old/api (same name)");
	terminal.press("tab");
	terminal.press("enter");
	await terminal.waitFor("┌ Fork 2 sessions into ~/work/old/api?");
	terminal.press("enter");
	await terminal.waitFor("Forked 2 sessions into ~/work/old/api and archived the originals (undo reverts this)");
	const directory = defaultSessionDir(join(sandbox.home, "work/old/api"), sandbox.agentDir);
	const forks = readdirSync(directory).map((name) => join(directory, name));
	const heads = forks.map((path) => JSON.parse(readFileSync(path, "utf8").split("\n", 1)[0] ?? ""));
	expect(heads.map(({ parentSession }) => parentSession).sort()).toEqual([parser, retry].sort());
	const fork = SessionManager.open(forks[heads.findIndex(({ parentSession }) => parentSession === parser)] ?? "");
	expect(fork.getSessionName()).toBe("Refactor the parser");
	expect(fork.getEntries().filter(({ id }) => fork.getLabel(id) === "todo").length).toBe(1);
	expect([parser, retry].filter(existsSync)).toEqual([]);
	await terminal.waitFor("The directories of all sessions exist.");
	terminal.press("ctrl+_");
	await terminal.waitFor("Undone: fork 2 sessions into ~/work/old/api and archive the originals");
	expect(sandbox.fingerprints()).toEqual(before);
	terminal.press("q");
	await terminal.waitFor("3 sessions");
	terminal.press("ctrl+c");
	expect((await terminal.exit()).code).toBe(0);
});

test("move does the same in the shell, with directories below the moved one, after asking; undo takes it back", async () => {
	const { parser, retry } = moved();
	const below = sandbox.session({
		project: "work/api/packages/web",
		age: 3,
		messages: [{ role: "user", text: "Below" }],
	});
	rmSync(join(sandbox.home, "work/api"), { recursive: true });
	const [old, now] = ["work/api", "work/old/api"].map((way) => join(sandbox.home, way));
	const before = sandbox.fingerprints();
	const move = (...words: readonly string[]) => run(sandbox, ["move", ...words]);
	expect(move(old ?? "", join(sandbox.home, "nowhere"))).toMatchObject({
		code: 2,
		err: expect.stringContaining("is not a directory"),
	});
	expect(move(join(sandbox.home, "other"), now ?? "", "--yes")).toMatchObject({
		code: 1,
		err: expect.stringContaining("There is no session of"),
	});
	expect(move(old ?? "", now ?? "")).toMatchObject({
		code: 2,
		err: expect.stringContaining("there is no terminal to ask at"),
	});
	expect(sandbox.fingerprints()).toEqual(before);
	// What cannot follow is named, and stays.
	const partly = move(old ?? "", now ?? "", "--yes");
	expect(partly).toMatchObject({
		code: 2,
		err: expect.stringContaining("Forked 2 sessions into ~/work/old/api and archived the originals; 1 failed: "),
	});
	expect([parser, retry, below].map(existsSync)).toEqual([false, false, true]);
	sandbox.directory("work/old/api/packages/web");
	expect(move(old ?? "", now ?? "", "--yes")).toMatchObject({
		code: 0,
		err: expect.stringContaining("Forked 1 session"),
	});
	const listed = JSON.parse(run(sandbox, ["list", "--json"]).out) as { cwd: string }[];
	expect(listed.map(({ cwd }) => cwd).sort()).toEqual(
		[now, now, join(now ?? "", "packages/web"), join(sandbox.home, "work/site")].sort(),
	);
	for (let undone = 0; undone < 2; undone++) expect(run(sandbox, ["undo", "--yes"]).code).toBe(0);
	expect(sandbox.fingerprints()).toEqual(before);
});
