import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { lastOpened, readOpening } from "../../src/cli/browser/opening.ts";
import { Sessions } from "../../src/cli/find/sessions.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";
import { header, lines, user } from "../support/session-builder.ts";

const sandbox = sandboxOfTest();
let three: ReturnType<typeof threeSessions>;
beforeEach(() => {
	three = threeSessions(sandbox);
});

function opening(words: readonly string[], query = "", cwd = sandbox.home) {
	const { env, home } = sandbox;
	return readOpening(words, query, new Sessions({ env, home, cwd }));
}

/** Writes a session with this id, in a file named as pi names it, unless another name is given. */
function withId(id: string, name = `2026-01-01T00-00-00-000Z_${id}`): string {
	const path = join(dirname(three.parser), `${name}.jsonl`);
	writeFileSync(path, lines(header({ id }), user("a1", null, 1, "Hello")));
	return path;
}

test.each([
	["no word", [], ""],
	["several words, also if one names a session", ["session-0001", "retry"], "session-0001 retry"],
	["a word that no id begins with", ["walrus"], "walrus"],
	["an ordinary word that an id begins with", ["session"], "session"],
	["a number of three digits that an id begins with", ["404"], "404"],
	["the hash of a commit", ["3ce05a10"], "3ce05a10"],
	["a path that is none of a session", ["src/parser.ts"], "src/parser.ts"],
	["a field of the query language", ["since:2026-11-03"], "since:2026-11-03"],
	["a field with the name of a session's file", ["-file:a.jsonl"], "-file:a.jsonl"],
	["an address of no session", ["C#12"], "C#12"],
	["blanks", ["  "], ""],
	["what a regular expression would take for its own", ["session-000[1"], "session-000[1"],
])("%s is a query", async (_what, words, query) => {
	withId("404abc");
	expect(await opening(words)).toEqual({ query });
});

test("an id, enough of its beginning, a path and . open a session", async () => {
	const { parser, retry } = three;
	expect(await opening(["session-0001"])).toEqual({ session: { path: parser }, query: "" });
	expect(await opening([parser], "since:7d")).toEqual({ session: { path: parser }, query: "since:7d" });
	expect(await opening(["."], "", join(sandbox.home, "work", "api"))).toEqual({ session: { path: retry }, query: "" });
	const path = withId("01a1ff89-7000");
	expect(await opening(["01a1"])).toEqual({ session: { path }, query: "" });
});

test("an address opens its session at the entry, by the whole id", async () => {
	const { parser } = three;
	const expected = { session: { path: parser, entry: "00010003" }, query: "" };
	for (const word of ["session-0001#00010003", `${parser}#00010003`]) expect(await opening([word])).toEqual(expected);
	const path = withId("01a1ff89-7000");
	expect(await opening(["01a1#a"])).toEqual({ session: { path, entry: "a1" }, query: "" });
	// A "#" may be part of a name.
	const odd = withId("01a1ff90-7000", "odd#name");
	expect(await opening([odd])).toEqual({ session: { path: odd }, query: "" });
});

test("an id without a digit opens its session if it is typed in full", async () => {
	const path = withId("my-plan");
	expect(await opening(["my-plan"])).toEqual({ session: { path }, query: "" });
	expect(await opening(["my-pla"])).toEqual({ query: "my-pla" });
	// The header counts, not the name.
	withId("other", "2026_fake");
	expect(await opening(["fake"])).toEqual({ query: "fake" });
});

test("a path without a session, and an id that may be several, are mistakes", async () => {
	for (const [word, mistake] of [
		["./gone.jsonl", /cannot open .*gone\.jsonl: it does not exist/],
		["gone.jsonl", /cannot open .*gone\.jsonl: it does not exist/],
		["./work", /is not a file/],
		["session-00", /3 sessions have an id that begins with session-00/],
		["session-0001#0001", /7 entries of .* have an id that begins with 0001/],
		["session-0001#ffff", /no entry of .* has an id that begins with ffff/],
		[".", /there is no session for/],
	] as const)
		await expect(opening([word])).rejects.toThrow(mistake);
});

test("the session of an id in the archive is not searched for: it is said where it is", async () => {
	const archive = dirname(three.site).replace("/sessions/", "/session-archive/");
	mkdirSync(archive, { recursive: true });
	renameSync(three.site, join(archive, "site.jsonl"));
	await expect(opening(["session-0003"])).rejects.toThrow("is archived");
});

test("words follow the text of --query, and without a session directory all are a query", async () => {
	expect(await opening(["retry", "loop"], "since:7d")).toEqual({ query: "since:7d retry loop" });
	const none = { env: { PI_CODING_AGENT_DIR: join(sandbox.home, "none") }, home: sandbox.home, cwd: sandbox.home };
	expect(await readOpening(["01a1ff89"], "", new Sessions(none))).toEqual({ query: "01a1ff89" });
});

test("the browser begins at the entry of an address, here on a branch that was left", async () => {
	const terminal = sandbox.start(["session-0001#00010003"], { columns: 100, rows: 30 });
	await terminal.waitFor((screen) => /^›.*It runs out of memory/m.test(screen));
});

test("the session of before opens at its entry, from the archive too; if it is gone, that is said", async () => {
	const sessions = new Sessions({ env: sandbox.env, home: sandbox.home, cwd: sandbox.home });
	const last = { id: "session-0003", path: three.site, entry: "00030002" };
	const { id, entry } = last;
	expect(await lastOpened(undefined, sessions)).toBe("No session has been opened yet.");
	expect(await lastOpened(last, sessions)).toEqual({ path: three.site, entry });
	expect(await lastOpened({ ...last, entry: undefined }, sessions)).toEqual({ path: three.site });
	const archive = dirname(three.site).replace("/sessions/", "/session-archive/");
	mkdirSync(archive, { recursive: true });
	const path = join(archive, "site.jsonl");
	renameSync(three.site, path);
	expect(await lastOpened(last, new Sessions({ env: sandbox.env, home: sandbox.home, cwd: sandbox.home }))).toEqual({
		path,
		entry,
	});
	const gone = { ...last, id: `${id}-gone` };
	expect(await lastOpened(gone, sessions)).toBe(`The session opened last is gone: ${three.site}`);
});
