import { copyFileSync, mkdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { GitRepository } from "../support/git-repository.ts";
import { type RunResult, run } from "../support/run.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

function path(...args: readonly string[]): RunResult {
	return run(sandbox, ["path", ...args]);
}

test("an id, its unique beginning, a path, and . name a session", () => {
	const { parser, retry } = threeSessions(sandbox);
	const found = { code: 0, out: `${parser}\n`, err: "" };
	expect(path("session-0001")).toEqual(found);
	const json = JSON.parse(path("session-0001", "--json").out);
	expect(json).toMatchObject({ path: parser, id: "session-0001", cwd: join(sandbox.home, "work", "api") });
	expect(path(parser)).toEqual(found);
	// Every test runs in the home directory, which has no session.
	expect(path(".")).toEqual({ code: 2, out: "", err: `pi-grove: there is no session for ${sandbox.home}\n` });
	const here = sandbox.session({ project: ".", age: 9, messages: [{ role: "user", text: "Here" }] });
	expect(path(".").out).toBe(`${here}\n`);
	expect(path("session-0002").out).toBe(`${retry}\n`);
});

test(". finds the nearest session of the repository from its subdirectories, and says which; never one outside", () => {
	const { retry } = threeSessions(sandbox);
	const api = join(sandbox.home, "work", "api");
	new GitRepository(api);
	sandbox.session({ project: ".", age: 1, messages: [{ role: "user", text: "Outside" }] });
	const deep = sandbox.directory("work/api/src/deep");
	const near = { code: 0, out: `${retry}\n`, err: `There is no session for ${deep}; the nearest is ${api}\n` };
	const from = (...args: readonly string[]) => run(sandbox, args, {}, deep);
	expect(from("path", ".")).toEqual(near);
	expect(from("checkout", ".#00020000", "--dry-run", "--json").err.match(/There is no session/g)).toHaveLength(1);
	const nearest = sandbox.session({ project: "work/api/src", age: 900, messages: [{ role: "user", text: "Older" }] });
	expect(from("path", ".").out).toBe(`${nearest}\n`);
	const site = sandbox.directory("work/site/src");
	expect(run(sandbox, ["path", "."], {}, site)).toEqual({
		code: 2,
		out: "",
		err: `pi-grove: there is no session for ${site}\n`,
	});
});

test("what several sessions may be is listed, the newest first, with time and title", () => {
	threeSessions(sandbox);
	for (let age = 0; age < 12; age++)
		sandbox.session({ project: "work/old", age: 1000 + age, messages: [{ role: "user", text: `Old ${age}` }] });
	const { code, out, err } = path("session-0");
	expect({ code, out }).toEqual({ code: 2, out: "" });
	const [first, ...lines] = err.trimEnd().split("\n");
	expect(first).toBe(
		"pi-grove: 15 sessions have an id that begins with session-0; name one by more of its id, or its path:",
	);
	expect(lines).toHaveLength(11);
	expect(lines.slice(0, -1)).toContainEqual(
		expect.stringMatching(/^ {2}session-0015 {2}(?:\w{3} )?\d{1,2}:\d\d {2}Old 11$/),
	);
	expect(lines.at(-1)).toBe("  and 5 more");
});

test("of sessions with one id the paths are listed", () => {
	const { parser } = threeSessions(sandbox);
	const copy = parser.replace("session-0001", "copy");
	copyFileSync(parser, copy);
	const { code, err } = path("session-0001");
	expect(code).toBe(2);
	const lines = err.trimEnd().split("\n");
	expect(lines[0]).toBe("pi-grove: 2 sessions have the id session-0001; name one by its path:");
	expect(
		lines
			.slice(1)
			.map((line) => line.trim().split("  ")[0])
			.sort(),
	).toEqual([copy, parser].sort());
	expect(err).toContain("  Refactor the parser\n");
});

test("a path is printed as it is, whatever is in it, and JSON is safe", () => {
	const { parser } = threeSessions(sandbox);
	// Decomposed, and a control character: another name is another file.
	const directory = join(dirname(dirname(parser)), "--cafe\u0301\u001b[31m--");
	mkdirSync(directory);
	const odd = join(directory, basename(parser));
	renameSync(parser, odd);
	expect(path("session-0001").out).toBe(`${odd}\n`);
	const json = path("session-0001", "--json").out;
	expect(json).not.toContain("\u001b");
	expect(JSON.parse(json)).toMatchObject({ path: odd });
});

test("a path on a terminal is safe", async () => {
	const { parser } = threeSessions(sandbox);
	const directory = join(dirname(dirname(parser)), "--a\u001b[31mb--");
	mkdirSync(directory);
	renameSync(parser, join(directory, basename(parser)));
	const terminal = sandbox.start(["path", "session-0001"], { columns: 300 });
	expect((await terminal.exit()).code).toBe(0);
	expect(terminal.written).not.toContain("\u001b[31m");
});

test.each([
	["nobody", /^pi-grove: no session in .* has an id that begins with nobody; pi-grove list shows all\n$/],
	["gone/x.jsonl", /^pi-grove: cannot open .*gone\/x\.jsonl: it does not exist.*\n$/],
	["session-0001#00010001", /^pi-grove: session-0001#00010001 is an entry; name the session: session-0001\n$/],
	["#00010001", /^pi-grove: #00010001 names no session: put one in front of the #\n$/],
	["session-0001#", /^pi-grove: session-0001# names no entry: put its id, or the beginning of it, behind the #\n$/],
])("%s names no session", (word, message) => {
	threeSessions(sandbox);
	expect(path(word)).toEqual({ code: 2, out: "", err: expect.stringMatching(message) });
});
