import { existsSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { defaultSessionDir } from "../../src/store/read/session-dir.ts";
import { run, runAlone } from "../support/run.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";

let here: Sandbox;
let old: Sandbox;
let parser: string;
beforeEach(() => {
	here = new Sandbox();
	old = new Sandbox();
	parser = threeSessions(old).parser;
	expect(run(here, ["places", "add", "old", "--dir", old.agentDir]).code).toBe(0);
});
afterEach(() => {
	here.remove();
	old.remove();
});

const ID = "session-0001";

const headerOf = (path: string): Record<string, unknown> => JSON.parse(readFileSync(path, "utf8").split("\n")[0] ?? "");

test("a session of a place becomes one of this machine; one undo puts it into the trash, and it can come back", () => {
	const before = old.fingerprints();
	const brought = run(here, ["bring", `old:${ID}`, "--yes"]);
	expect(brought).toMatchObject({ code: 0, err: "Brought “Refactor the parser” here from old\n" });
	const path = brought.out.trimEnd();
	const cwd = join(old.home, "work/api");
	expect(path.startsWith(join(defaultSessionDir(cwd, here.agentDir), "20"))).toBe(true);
	expect(headerOf(path)).toMatchObject({ cwd, broughtFrom: { from: `old:${parser}`, id: ID, cwd } });
	expect(headerOf(path).id).not.toBe(ID);
	expect(path).toContain(String(headerOf(path).id));
	expect(readFileSync(path, "utf8").split("\n").slice(1)).toEqual(readFileSync(parser, "utf8").split("\n").slice(1));
	expect(JSON.parse(run(here, ["list", "--json"]).out)).toMatchObject([{ path, title: "Refactor the parser", cwd }]);
	expect(old.fingerprints()).toEqual(before);
	expect(readdirSync(join(here.home, "tmp"))).toEqual([]);
	const [change] = JSON.parse(run(here, ["history", "--json"]).out);
	expect(change).toMatchObject({ what: "bring “Refactor the parser” here from old" });
	expect(run(here, ["undo", "--yes"]).err).toMatch(
		/^Undone: bring “Refactor the parser” here from old \(made \w+ at \d+:\d\d\)\n$/,
	);
	expect(existsSync(path)).toBe(false);
	expect(run(here, ["restore", path, "--yes"]).code).toBe(0);
	expect(headerOf(path)).toMatchObject({ cwd, broughtFrom: { id: ID } });
});

test("it is not taken back once it has gone on here", () => {
	const path = run(here, ["bring", `old:${ID}`, "--yes"]).out.trimEnd();
	const message = { role: "user", content: "And then?", timestamp: 1 };
	const line = { type: "message", id: "feedbeef", parentId: "00010005", timestamp: new Date().toISOString(), message };
	writeFileSync(path, `${JSON.stringify(line)}\n`, { flag: "a" });
	expect(run(here, ["undo", "--yes"])).toMatchObject({
		code: 2,
		err: expect.stringMatching(/the session has 1 newer\s+message;\s+undo\s+would\s+lose\s+it/i),
	});
	expect(existsSync(path)).toBe(true);
});

test("a directory that is not here has to be said; --json names both", () => {
	renameSync(join(old.home, "work"), join(old.home, "gone"));
	const asked = run(here, ["bring", `old:${ID}`, "--yes"]);
	expect(asked).toMatchObject({ code: 2, out: "", err: expect.stringContaining("is not on this machine") });
	expect(asked.err).toContain("--to DIR");
	expect(run(here, ["bring", `old:${ID}`, "--to", "nowhere", "-y"]).err).toContain("--to nowhere is not a directory");
	const cwd = here.directory("work/parser");
	const made = JSON.parse(run(here, ["bring", `old:${parser}`, "--to", cwd, "--yes", "--json"]).out);
	expect(made).toMatchObject({ path: `old:${parser}`, id: ID, cwd, created: expect.stringContaining(here.agentDir) });
	expect(headerOf(made.created)).toMatchObject({ cwd });
});

test("what is damaged, or being written to, says so, and loses nothing there", () => {
	writeFileSync(parser, `${readFileSync(parser, "utf8")}no entry\n`);
	const brought = run(here, ["bring", `old:${ID}`, "--yes"]);
	expect(brought.err).toBe("Brought “Refactor the parser” here from old; 1 damaged line was not copied\n");
	expect(readFileSync(brought.out.trimEnd(), "utf8")).not.toContain("no entry");
	const recent = old.session({ project: "work/api", age: 0, messages: [{ role: "user", text: "Now" }] });
	expect(run(here, ["bring", `old:${recent}`, "--yes"]).err).toContain("it is being written to there");
	const text = join(defaultSessionDir(join(old.home, "work/api"), old.agentDir), "text.jsonl");
	writeFileSync(text, "no session\n");
	utimesSync(text, 1, 1);
	expect(run(here, ["bring", `old:${text}`, "--yes"])).toMatchObject({
		code: 2,
		out: "",
		err: expect.stringContaining(`there is no session in old:${text}`),
	});
});

test("what cannot be brought is said", () => {
	const local = here.session({ project: "work/web", age: 5, messages: [{ role: "user", text: "Here" }] });
	const cases: readonly (readonly [word: string, said: string])[] = [
		[local, "is no session of another place"],
		["mini:01a1ff89", "there is no place mini"],
		["old:nothing", "no session of old has an id"],
		[`old:${ID}#00010001`, "bring copies the whole tree"],
	];
	for (const [word, said] of cases)
		expect(run(here, ["bring", word, "-y"])).toMatchObject({ code: 2, out: "", err: expect.stringContaining(said) });
	expect(runAlone(here, ["bring", `old:${ID}`])).toMatchObject({
		code: 2,
		out: "",
		err: expect.stringContaining("there is no terminal to ask at"),
	});
});

test("at a terminal it asks, with what is known of it", async () => {
	const terminal = here.start(["bring", `old:${ID}`], { columns: 160 });
	await terminal.waitFor("Bring it here, for the project in");
	terminal.type("n\r");
	expect(await terminal.exit()).toMatchObject({ code: 1 });
	expect((await terminal.history()).join("\n")).toMatch(/Refactor the parser\n {2}6 messages, old:/);
	expect(run(here, ["list"]).out).toBe("");
});
