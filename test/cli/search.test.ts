import { appendFileSync, chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type RunResult, run } from "../support/run.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";
import { header, lines, user } from "../support/session-builder.ts";

const sandbox = sandboxOfTest();

function search(...args: readonly string[]): RunResult {
	return run(sandbox, ["search", ...args]);
}

/** What --json printed. */
function searchJson(...args: readonly string[]): unknown {
	return JSON.parse(search("--json", ...args).out);
}

test("prints id, path, entry, title and what was found as fields of a line, and no count into a pipe", () => {
	const { retry } = threeSessions(sandbox);
	expect(search("retry")).toEqual({
		code: 0,
		out: `session-0002\t${retry}\t00020000\tFind the retry loop\tFind the retry loop\n`,
		err: "",
	});
});

test("the words of the command line are one query, of which every part must be found", () => {
	const { parser, retry, site } = threeSessions(sandbox);
	expect(searchJson("newline", '"regular expression"')).toEqual([expect.objectContaining({ path: parser })]);
	expect(searchJson("newline", "loop")).toEqual([]);
	expect(searchJson("role:user", "in:text", "STREAM")).toEqual([expect.objectContaining({ entryId: "00010004" })]);
	expect(searchJson("is:named", "re:r[aeiou]+n")).toEqual([expect.objectContaining({ path: parser })]);
	const others = [expect.objectContaining({ path: retry }), expect.objectContaining({ path: site })];
	expect(searchJson("--", "-newline")).toEqual(others);
});

test("--json prints all of each result, and nothing else", () => {
	const { parser, retry } = threeSessions(sandbox);
	const { code, out, err } = search("--json", "--counted", "runs out");
	expect({ code, err }).toEqual({ code: 0, err: "" });
	expect(JSON.parse(out)).toEqual([
		{
			...JSON.parse(run(sandbox, ["path", "--json", parser]).out),
			entryId: "00010003",
			line: 5,
			kind: "assistant",
			active: false,
			snippet: {
				text: "It runs out of memory.",
				ranges: [
					[3, 7],
					[8, 11],
				],
			},
			count: 1,
			more: false,
		},
	]);
	expect(searchJson("client.ts")).toEqual([expect.objectContaining({ path: retry, name: null, active: true })]);
});

test("a file of version 1 has no entry ids: the line number is printed instead", () => {
	const path = sandbox.write(
		"old.jsonl",
		'{"type":"session","id":"old","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/old"}',
		'{"type":"message","timestamp":"2025-01-01T00:00:01.000Z","message":{"role":"user","content":"a question of version one"}}',
	);
	expect(searchJson("version one")).toEqual([expect.objectContaining({ path, entryId: "", line: 2 })]);
	expect(search("version one").out).toBe(`old\t${path}\t-\ta question of version one\ta question of version one\n`);
});

test("--limit prints the best results and the number of all", () => {
	for (let index = 0; index < 5; index++) {
		sandbox.session({ project: "work/api", age: index, messages: [{ role: "user", text: `Fix bug ${index}` }] });
	}
	const { code, out, err } = search("--limit", "2", "bug");
	expect(code).toBe(0);
	expect(out.split("\n").map((line) => line.split("\t")[3])).toEqual(["Fix bug 0", "Fix bug 1", undefined]);
	expect(err).toBe("found in 5 of 5 sessions, 2 shown\n");
	expect(search("--json", "--limit", "2", "bug").err).toBe("found in 5 of 5 sessions, 2 shown\n");
	expect(search("--limit", "5", "bug").err).toBe("");
});

test("--cwd, --named, --since and --except say which sessions are searched", () => {
	const { parser, retry, site } = threeSessions(sandbox);
	const pathsOf = (out: string) => JSON.parse(out).map(({ path }: { path: string }) => path);
	const query = ["-walrus"];
	const searched = (...options: readonly string[]) => {
		const { code, out } = search("--json", ...options, "--", ...query);
		return code === 0 ? pathsOf(out) : code;
	};
	expect(searched("--cwd", "work/api")).toEqual([retry, parser]);
	expect(searched("--named")).toEqual([parser]);
	expect(searched("--since", "2d", "--cwd", "work/site")).toEqual([site]);
	expect(searched("--except", "session-0002")).toEqual([parser, site]);
	expect(searched("--except", retry, "--cwd", "work/api")).toEqual([parser]);
	expect(search("--cwd", "work/site", "retry")).toEqual({ code: 1, out: "", err: "" });
	// What the rows alone answer.
	expect(search("--except", "session-0001", "is:named").err).toBe("");
});

test("a session to leave out that is not there, or is not only one, is a mistake", () => {
	threeSessions(sandbox);
	expect(search("--except", "nobody", "retry")).toEqual({
		code: 2,
		out: "",
		err: expect.stringMatching(/^pi-grove: cannot leave out nobody: no session in .* begins with nobody; .*\n$/),
	});
	const { code, out, err } = search("--except", "session", "retry");
	expect({ code, out }).toEqual({ code: 2, out: "" });
	expect(
		err.split("\n").map((line) => line.replace(/ {2}(\d* ?[A-Z][a-z]{2} (\d{4} )?)?\d+:\d\d {2}/, "  TIME  ")),
	).toEqual([
		"pi-grove: cannot leave out session: 3 sessions have an id that begins with session; name one by more of its id, or its path:",
		expect.stringMatching(/^ {2}session-000\d {2}TIME {2}/),
		expect.stringMatching(/^ {2}session-000\d {2}TIME {2}/),
		expect.stringMatching(/^ {2}session-000\d {2}TIME {2}/),
		"",
	]);
});

test("sessions with other forms of the words stand behind the others, with what was found for which word", () => {
	const { parser, retry } = threeSessions(sandbox);
	const written = sandbox.write(
		"forms.jsonl",
		header({ id: "forms" }),
		user("a1", null, 1, "A retrying loop that retries"),
	);
	const fields = (out: string) =>
		out
			.trimEnd()
			.split("\n")
			.map((line) => line.split("\t"));
	const { code, out, err } = search("retry loops");
	expect({ code, err }).toEqual({ code: 0, err: "" });
	expect(fields(out).map(([, path, , , , other]) => [path, other])).toEqual([
		[retry, "loops: loop"],
		[written, "loops: loop"],
	]);
	const found = searchJson("loop retries");
	expect(found).toEqual([
		expect.objectContaining({ path: written }),
		expect.objectContaining({ path: retry, other: [{ word: "retries", matched: "retry" }] }),
	]);
	expect(found).not.toEqual([expect.objectContaining({ other: expect.anything() }), expect.anything()]);
	const [first, ...rest] = fields(search("--header", "loop retries").out);
	expect(first).toEqual(["id", "path", "entry", "title", "text", "other"]);
	expect(rest.map((line) => line[5])).toEqual(["-", "retries: retry"]);
	expect(search("--limit", "1", "loop retries")).toMatchObject({
		code: 0,
		out: expect.stringContaining(written),
		err: "found in 1 of 4 sessions, in other forms in 1 more, 1 shown\n",
	});
	expect(search('"refactors" parser')).toMatchObject({ code: 1, out: "" });
	expect(searchJson("refactors")).toEqual([expect.objectContaining({ path: parser })]);
});

test("in a terminal they stand below their own heading", async () => {
	threeSessions(sandbox);
	sandbox.write("forms.jsonl", header({ id: "forms", cwd: "/work/api" }), user("a1", null, 1, "A loop that retries"));
	const terminal = sandbox.start(["search", "loop retries"], { columns: 120 });
	expect(await terminal.exit()).toEqual({ code: 0, signal: undefined });
	const shown = (await terminal.history()).map((line) => line.trimEnd());
	expect(shown.slice(0, 4)).toEqual([
		"A loop that retries  forms#a1  /work/api",
		"also like this",
		expect.stringMatching(/^Find the retry loop {2}session-0002#\d+ {2}retries: retry {2}/),
		"found in 1 of 4 sessions, in other forms in 1 more",
	]);
});

test("what was found for a word is masked with the rest", () => {
	const secret = "postgres://admin:kuberntesqx@db.example.com/app";
	sandbox.write("secret.jsonl", header({ id: "forms" }), user("a1", null, 1, `Deploy with ${secret} now`));
	const [plain] = JSON.parse(search("--json", "kuberentesqx").out);
	expect(plain.other).toEqual([{ word: "kuberentesqx", matched: "kuberntesqx" }]);
	const { code, out } = search("--masked", "--json", "kuberentesqx");
	expect(code).toBe(0);
	expect(out).not.toContain("kuberntesqx");
	expect(JSON.parse(out)).toEqual([
		expect.objectContaining({ other: [{ word: "kuberentesqx", matched: "‹masked›" }] }),
	]);
});

test("an id is found by entry:, not as text of the entry, be it the title", () => {
	const path = sandbox.write(
		"ids.jsonl",
		header({ id: "ids" }),
		user("c0ffee42", null, 1, "Fix the deploy"),
		user("decade77", "c0ffee42", 2, "And the tests"),
	);
	for (const id of ["c0ffee42", "decade77"]) {
		for (const word of [`"${id.slice(1, 7)}"`, `title:${id}`])
			expect(search(word)).toEqual({ code: 1, out: "", err: "" });
		expect(searchJson(`entry:${id}`)).toEqual([expect.objectContaining({ path, entryId: id, kind: "id" })]);
	}
});

test("it ends with 1 when nothing was found", () => {
	threeSessions(sandbox);
	expect(search("walrus")).toEqual({ code: 1, out: "", err: "" });
	expect(search("--json", "walrus")).toEqual({ code: 1, out: "[]\n", err: "" });
});

test.each([
	["re:(", /^pi-grove: cannot read the query re:\(: The pattern is not valid: .*\n$/],
	["role:nobody x", /role:nobody is not known\. There are role:user,/],
	["is:running x", /is:running does not work here: only the browser watches which sessions are in use/],
	["is:nmaed", /is:nmaed is not known\. Did you mean is:named\?/],
	["is:__proto__", /is:__proto__ is not known/],
	['""', /cannot read the query "": it contains nothing to search for/],
])("it ends with 2 for the query %s", (query, message) => {
	threeSessions(sandbox);
	const { code, out, err } = search(query);
	expect({ code, out }).toEqual({ code: 2, out: "" });
	expect(err).toMatch(message);
	expect(err.trimEnd().split("\n")).toHaveLength(1);
});

test("--session-dir searches only that directory", () => {
	threeSessions(sandbox);
	const directory = sandbox.directory("elsewhere");
	writeFileSync(join(directory, "one.jsonl"), lines(header(), user("a1", null, 1, "Find the walrus")));
	expect(searchJson("--session-dir", directory, "find")).toEqual([expect.objectContaining({ entryId: "a1" })]);
});

// The superuser may read everything.
test.skipIf(process.getuid?.() === 0)("a session that cannot be read is reported", () => {
	const { retry } = threeSessions(sandbox);
	chmodSync(retry, 0o000);
	const { code, err } = search("newline");
	expect(code).toBe(0);
	expect(err).toContain("pi-grove: not searched: ");
	expect(err).toContain(retry);
	expect(err).toContain("found in 1 of 3 sessions; 1 damaged: searched as far as they can be read\n");
});

test("searching changes no byte and no time of any session file", () => {
	const { parser } = threeSessions(sandbox);
	appendFileSync(parser, '{"type":"message","id":"torn');
	const before = sandbox.fingerprints();
	expect(search("the").code).toBe(0);
	expect(sandbox.fingerprints()).toEqual(before);
});

test("in a terminal a result has two lines: title, address and project, then what was found", async () => {
	threeSessions(sandbox);
	const terminal = sandbox.start(["search", "runs out"], { columns: 120 });
	expect(await terminal.exit()).toEqual({ code: 0, signal: undefined });
	const shown = (await terminal.history()).map((line) => line.trimEnd());
	expect(shown.slice(0, 2)).toEqual([
		"Refactor the parser  session-0001#00010003  ~/work/api",
		expect.stringMatching(/^ {4}answer: It runs out of memory\. +left$/),
	]);
	expect(shown[2]).toBe("found in 1 of 3 sessions");
	expect(terminal.written).toContain("\x1b[1mRefactor the parser\x1b[0m");
	expect(terminal.written).toMatch(/\x1b\[1;7;\d+mruns\x1b\[0m /);
});

test("in a narrow terminal both lines are cut; NO_COLOR is respected", async () => {
	threeSessions(sandbox);
	const terminal = sandbox.start(["search", "newline"], { columns: 48, env: { NO_COLOR: "1" } });
	expect((await terminal.exit()).code).toBe(0);
	// A search that takes long says so, and removes that again.
	const output = terminal.written.replaceAll(/\r\x1b\[K(?:Searching …)?/g, "");
	expect(output).toMatch(/^Refactor the parser {2}session-0001#0001.*…\r\n {4}answer: /);
	expect(output).not.toContain("\x1b[");
	const [, snippet = ""] = /\r\n( {4}answer: .*)\r\n/.exec(output) ?? [];
	expect(snippet.length).toBeLessThanOrEqual(48);
	expect(snippet).toContain("newline");
});

test("where nothing is found, a word that looks like a field is named, with the field that was probably meant", () => {
	threeSessions(sandbox);
	const { code, out, err } = search("roel:user retry");
	expect({ code, out }).toEqual({ code: 1, out: "" });
	expect(err).toBe("pi-grove: roel: is not a field and was searched as text; did you mean role:user?\n");
	expect(search("http://x").err).toBe("");
});

test("is: alone is answered from the rows", () => {
	const { parser } = threeSessions(sandbox);
	const { code, out, err } = search("is:named");
	expect({ code, err }).toEqual({ code: 0, err: "" });
	expect(out).toMatch(new RegExp(`^session-0001\t${parser}\t-\tRefactor the parser\t`));
	expect(searchJson("is:empty")).toEqual([]);
});

test("without ripgrep it says what to install, and ends with 2", () => {
	threeSessions(sandbox);
	const { code, out, err } = run(sandbox, ["search", "retry"], { PI_GROVE_RG: "/nowhere/rg" });
	expect({ code, out }).toEqual({ code: 2, out: "" });
	expect(err).toMatch(
		/^pi-grove: Searching the text of sessions needs ripgrep, .*\/nowhere\/rg: ENOENT.*Install it.*\n$/,
	);
	expect(run(sandbox, ["search", "is:named"], { PI_GROVE_RG: "/nowhere/rg" }).code).toBe(0);
});
