import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
let cwd: string;
/** A session where pi keeps all of them, and one in the directory of its project. */
let usual: string;
let kept: string;
beforeEach(() => {
	cwd = sandbox.directory("work/api");
	const session = (text: string): string =>
		sandbox.session({
			project: "work/api",
			age: 5,
			messages: [
				{ role: "user", text },
				{ role: "assistant", text: "Yes." },
			],
		});
	usual = session("Where is the lexer?");
	kept = intoProject(session("Where is the parser?"));
	writeFileSync(join(cwd, ".pi", "settings.json"), '{ "sessionDir": "own" }');
});

/** Moves a session into the directory of the project. */
function intoProject(path: string): string {
	const to = join(cwd, "own", basename(path));
	for (const directory of [dirname(to), join(cwd, ".pi")]) mkdirSync(directory, { recursive: true });
	renameSync(path, to);
	return to;
}

const pathsOf = (args: readonly string[]): readonly string[] =>
	(JSON.parse(run(sandbox, [...args, "--json"]).out) as { path: string }[]).map(({ path }) => path).toSorted();

test("commands list, search and count the sessions that a project keeps, and change them as all others", () => {
	expect(run(sandbox, ["list"]).out.split("\n").filter(Boolean)).toHaveLength(2);
	expect(pathsOf(["list"])).toEqual([usual, kept].toSorted());
	expect(pathsOf(["search", "parser"])).toEqual([kept]);
	expect(JSON.parse(run(sandbox, ["stats", "--json"]).out)).toMatchObject({ sessions: 2 });
	expect(run(sandbox, ["show", "session-0002"]).out).toContain("Where is the parser?");
	expect(run(sandbox, ["path", kept]).out).toBe(`${kept}\n`);
	expect(run(sandbox, ["rename", "session-0002", "Parser", "--yes"])).toMatchObject({
		code: 0,
		err: expect.not.stringContaining("history of their own"),
	});
	expect(run(sandbox, ["delete", kept, "--yes"]).code).toBe(0);
	expect(existsSync(kept)).toBe(false);
	expect(run(sandbox, ["restore"]).out).toContain(kept);
	expect(run(sandbox, ["undo", "--yes"]).code).toBe(0);
	expect(existsSync(kept)).toBe(true);
	expect(run(sandbox, ["undo", "--yes"]).err).toContain("Undone: rename");
	const branched = run(sandbox, ["branch", "session-0002#00020000", "--yes"]).out.trimEnd();
	expect(dirname(branched)).toBe(dirname(kept));
	// pi looks for the sessions of the project there, also for a copy of one that was begun before.
	const forked = run(sandbox, ["fork", "session-0001", "--yes"]).out.trimEnd();
	expect(dirname(forked)).toBe(dirname(kept));
	expect(pathsOf(["list"])).toEqual([usual, kept, branched, forked].toSorted());
	for (const _ of [branched, forked]) expect(run(sandbox, ["undo", "--yes"]).code).toBe(0);
	expect([branched, forked].filter(existsSync)).toEqual([]);
});

test("the session of such a project is resumed in its directory, where pi uses that directory", async () => {
	sandbox.installPi(`printf 'pi runs in %s with %s\\n' "$PWD" "$*"`);
	expect(run(sandbox, ["list"]).code).toBe(0);
	const terminal = sandbox.start(["resume", "session-0002"], { columns: 250 });
	await terminal.waitFor(`pi runs in ${cwd} with --session ${kept}`);
	expect(await terminal.exit()).toMatchObject({ code: 0 });
});

test("in the browser it is listed, archived into the directory of its project, and brought back by undo", async () => {
	const terminal = sandbox.start([], { columns: 160, rows: 40 });
	await terminal.waitFor("2 sessions");
	await terminal.waitFor("Where is the parser?");
	terminal.type("parser");
	await terminal.waitFor("1 of 2");
	terminal.press("ctrl+k");
	terminal.type("archive");
	await terminal.waitFor("Archive");
	terminal.press("enter");
	const archived = join(cwd, "own", "session-archive", basename(kept));
	await expect.poll(() => existsSync(archived), { timeout: 20_000 }).toBe(true);
	// It is linked there before it is removed here.
	await expect.poll(() => existsSync(kept), { timeout: 20_000 }).toBe(false);
	await terminal.waitFor("Archived");
	terminal.press("ctrl+_");
	await expect.poll(() => existsSync(kept), { timeout: 20_000 }).toBe(true);
	await terminal.waitFor("1 of 2");
});
