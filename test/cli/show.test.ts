import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatDayTime } from "../../src/ui/text/format.ts";
import { branchingSession } from "../support/branching-session.ts";
import { fixtureDir } from "../support/fixture.ts";
import { type RunResult, run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";
import { assistant, header, lines, toolResult, user } from "../support/session-builder.ts";

const sandbox = sandboxOfTest();

function show(...args: readonly string[]): RunResult {
	return run(sandbox, ["show", ...args], { TZ: "UTC" });
}

/** A prompt, a command with its output, an answer; and an answer beside that one, which was given up. */
function small(): string {
	const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "npm test" } };
	return sandbox.write(
		"small.jsonl",
		header({ id: "s-small" }),
		user("aa01", null, 60, "Run the tests"),
		assistant("aa02", "aa01", 61, "Running.", [call]),
		toolResult("aa03", "aa02", 63, Array.from({ length: 20 }, (_, line) => `ok ${line + 1}`).join("\n")),
		assistant("bb01", "aa03", 64, "Shall I go on?"),
		assistant("aa04", "aa03", 65, "All **pass**."),
	);
}

test("the active branch as the reader shows it; what is not shown is said", () => {
	small();
	expect(show("s-small", "--width", "70")).toEqual({
		code: 0,
		out: [
			"Run the tests",
			`/work/api · ${formatDayTime(Date.parse("2026-01-01T00:01Z"), Date.now())} · s-small`,
			"",
			"❯ Run the tests                                                   0:01",
			"",
			"  Running.",
			"",
			"$ npm test                                                        2.0s",
			"  ok 1",
			"  ok 2",
			"  ok 3",
			"  ok 4",
			"       12 more lines",
			"  ok 17",
			"  ok 18",
			"  ok 19",
			"  ok 20",
			"",
			"  All pass.                                                      ◂ end",
			"",
			"",
		].join("\n"),
		err: "",
	});
});

test("--full folds nothing, and --all has the branches beside the active one", () => {
	small();
	const full = show("s-small", "--full");
	expect(full.out).toContain("\n  ok 4\n  ok 5\n");
	expect(full.err).toBe("");
	const { out, err } = show("s-small", "--full", "--all");
	expect(err).toBe("");
	expect(out.startsWith(full.out)).toBe(true);
	expect(out.slice(full.out.length)).toMatch(/^\n⊞ Shall I go on\? · continues from aa03\n\n {2}Shall I go on\?\n/);
});

test("an entry, its turn, its branch, and what follows it", () => {
	const path = sandbox.write("branches.jsonl", ...branchingSession().trimEnd().split("\n"));
	const said = (...args: readonly string[]) => {
		const { code, out } = show(...args);
		expect(code).toBe(0);
		return out.split("\n").flatMap((line) => /(?:❯ Try the|The) (\w+(?: again)?) approach/.exec(line)?.[1] ?? []);
	};
	const prompt = searchFor("types approach: change");
	expect(said(`${path}#${prompt}`, "--entry")).toEqual(["types"]);
	expect(said(`${path}#${prompt}`, "--turn")).toEqual(["types", "types"]);
	expect(said(`${path}#${prompt}`)).toEqual(["types", "types"]);
	expect(said(`${path}#${prompt}`, "--branch")).toEqual(["base", "base", "retry", "retry", "types", "types"]);
	// Without an entry: the last ones.
	expect(said(path, "--turn")).toEqual(["polish", "polish"]);
	expect(said(path, "--entry")).toEqual(["polish"]);
	expect(said(path)).toEqual(["base", "schema", "final", "polish"].flatMap((name) => [name, name]));
});

/** Id of the entry in which something was found. */
function searchFor(text: string): string {
	return JSON.parse(run(sandbox, ["search", "--json", `"${text}"`]).out)[0].entryId;
}

test("what an answer has called is shown with it, because the results tell it", () => {
	small();
	const { out } = show("s-small#aa02", "--entry");
	expect(out).toMatch(/Running\.\n\n\$ npm test/);
	expect(out).not.toContain("All pass");
	expect(show("s-small#aa03", "--entry").out).toMatch(/^\$ npm test/);
});

test("--markdown begins at the first prompt; the system prompt is there with --full, and where it is named", () => {
	const path = join(sandbox.directory("kept"), "prompted.jsonl");
	copyFileSync(join(fixtureDir, "pi-1.5.2.jsonl"), path);
	const prompt = "You are an expert coding assistant";
	const first = /^# Retry with backoff\n\n.+\n\n## You · .+\n\n\*⚑ the picture/;
	for (const scope of [[], ["--all"], ["--branch"]]) {
		const { code, out, err } = show(path, "--markdown", ...scope);
		expect({ code, err }).toEqual({ code: 0, err: "" });
		expect(out).toMatch(first);
		expect(out).not.toContain(prompt);
		const full = show(path, "--markdown", "--full", ...scope).out;
		expect(full).toContain(`> *system*\n>\n> ${prompt}`);
		expect(full.endsWith(out.slice(out.indexOf("## You")))).toBe(true);
	}
	expect(JSON.parse(show(path, "--markdown", "--json", "--max-chars", "60").out).text).toMatch(/^## You/);
	expect(show(`${path}#c5200001`, "--markdown", "--entry").out).toContain(prompt);
});

test("--markdown is what the browser saves, tabs and all", () => {
	const path = sandbox.write(
		"tabs.jsonl",
		header({ id: "tabs" }),
		user("a1", null, 60, "A Makefile:\n\n```make\nall:\n\techo \u001b[31mx\u001b[0m\n```"),
		assistant("a2", "a1", 61, "Fine."),
	);
	expect(show(path, "--markdown")).toEqual({
		code: 0,
		out: `# A Makefile: \`\`\`make all: echo x \`\`\`

/work/api · 1.0s · 10 sent, 20 received · $0.03

## You · 1 Jan 2026 0:01

A Makefile:

\`\`\`make
all:
	echo x
\`\`\`

## claude-sonnet-4-5 · 1 Jan 2026 0:01

Fine.

`,
		err: "",
	});
	expect(show("tabs#a2", "--entry", "--markdown").out).toBe("Fine.\n\n");
	small();
	expect(show("s-small", "--all", "--markdown").out).toMatch(
		/\nAll \*\*pass\*\*\.\n\n# Branch: Shall I go on\? \(from aa03\)\n\n## claude/,
	);
});

test("--json has the facts, and the entries as they are in the file", () => {
	const path = small();
	const { code, out, err } = show("s-small", "--json", "--all");
	expect({ code, err }).toEqual({ code: 0, err: "" });
	const { entries, ...facts } = JSON.parse(out);
	expect(facts).toEqual({
		place: null,
		alsoIn: [],
		ahead: null,
		path,
		id: "s-small",
		name: null,
		cwd: "/work/api",
		created: "2026-01-01T00:00:00.000Z",
		modified: "2026-01-01T00:01:05.000Z",
		parent: null,
		run: null,
		agent: null,
		runs: 0,
		title: "Run the tests",
		messages: 5,
		turns: 1,
		branches: 2,
		errors: 0,
		onBranches: { turns: 0, errors: 0, tokens: 30, cost: 0.03 },
		tokens: 90,
		cost: 0.09,
		familyCost: null,
		labels: 0,
		tags: [],
		pinned: false,
		archived: false,
		size: expect.any(Number),
		version: 3,
		leafId: "aa04",
		diagnostics: [],
		unpriced: 0,
	});
	expect(entries.map(({ line, active, entry: { id } }: Shown) => [line, active, id])).toEqual([
		[2, true, "aa01"],
		[3, true, "aa02"],
		[4, true, "aa03"],
		[5, false, "bb01"],
		[6, true, "aa04"],
	]);
	expect(entries[4]).toEqual({
		line: 6,
		active: true,
		label: null,
		entry: expect.objectContaining({ type: "message" }),
	});
	expect(idsIn(show("s-small", "--json"))).toEqual(["aa01", "aa02", "aa03", "aa04"]);
	expect(idsIn(show("s-small#bb01", "--json"))).toEqual(["bb01"]);
	expect(idsIn(show("s-small#bb", "--branch", "--json"))).toEqual(["aa01", "aa02", "aa03", "bb01"]);
});

interface Shown {
	readonly line: number;
	readonly active: boolean;
	readonly entry: { readonly id: string };
}

function idsIn({ out }: RunResult): string[] {
	return JSON.parse(out).entries.map(({ entry }: Shown) => entry.id);
}

test("--tree has the ids in front; branches are folded unless --all", () => {
	small();
	const { code, out, err } = show("s-small", "--tree", "--width", "60");
	expect({ code, err }).toEqual({ code: 0, err: "" });
	expect(out.split("\n").slice(2)).toEqual([
		"",
		"aa01       ● Run the tests                             0:01",
		"aa02       │ Running.",
		"aa03       │   $ npm test                     20 lines 2.0s",
		"bb01       ├╌⊞ left: Shall I go on?           1 entry $0.03",
		"aa04       ◉ All pass.                                ◂ end",
		"",
	]);
	expect(show("s-small#bb01", "--tree", "--width", "60").out).toMatch(/^bb01 {6}›/m);
	expect(show("s-small", "--tree", "--all").out).toContain("⊟");
});

test("--max-chars cuts between lines, says where, and from there it goes on", () => {
	const path = small();
	const { out } = show("s-small", "--full", "--max-chars", "200", "--width", "70");
	const [rows = "", notice = ""] = [out.slice(0, out.lastIndexOf("[cut")), out.slice(out.lastIndexOf("[cut"))];
	expect(notice).toMatch(
		/^\[cut after 200 characters, in the entry (aa0\d); "pi-grove show s-small#\1@\d+" continues there, with the same options\]\n$/,
	);
	// The head of the session is not counted.
	const shown = rows.split("\n").slice(3).join("\n");
	expect(shown.length).toBeLessThanOrEqual(200);
	expect(show("s-small", "--full", "--width", "70").out.startsWith(rows)).toBe(true);
	const markdown = show("s-small", "--markdown", "--max-chars", "180").out;
	expect(markdown).toContain("$ npm test\nok 1\n");
	// The fence that was open is closed.
	expect(markdown.match(/^```/gm)).toHaveLength(2);
	expect(markdown).toMatch(/\n```\n\[cut after 180 characters, in the entry aa03; .*\]\n$/);
	// A session that was named by its path may be one that no id finds.
	const elsewhere = join(sandbox.directory("else"), "x.jsonl");
	copyFileSync(path, elsewhere);
	expect(show("else/x.jsonl#aa02", "--max-chars", "50").out).toMatch(
		/"pi-grove show \/.*\/else\/x\.jsonl#aa0\d@\d+" continues there/,
	);
	expect(show("s-small", "--max-chars", "100000").out).toBe(show("s-small").out);
});

test("odd files are shown in every form, or it is said why not", () => {
	const forms = [
		["--full", "--all"],
		["--markdown", "--all"],
		["--json", "--all"],
		["--tree", "--all"],
	];
	for (const [index, name] of ["escape-sequences", "every-entry-type", "odd-fields", "several-roots"].entries()) {
		const { code, out, err } = show(join(fixtureDir, `${name}.jsonl`), ...(forms[index] ?? []));
		expect(code).toBe(0);
		expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
		expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
	}
	for (const name of ["blank-lines", "empty", "text-file"])
		expect(show(join(fixtureDir, `${name}.jsonl`))).toEqual({
			code: 2,
			out: "",
			err: expect.stringMatching(/^pi-grove: there is no session in .*\n$/),
		});
});

test("what is damaged is said, and shown where it is", () => {
	const path = small();
	appendFileSync(path, "{ broken\n");
	const { code, out, err } = show("s-small");
	expect(code).toBe(0);
	expect(out).toContain("✗ ");
	expect(err).toContain(`pi-grove: 1 thing is damaged in it; pi-grove doctor lists all: ${path}\n`);
});

test("a session without entries is its head", () => {
	sandbox.write("none.jsonl", header({ id: "s-none" }));
	for (const form of [[], ["--markdown"], ["--tree"], ["--turn"], ["--all"]])
		expect(show("s-none", ...form)).toMatchObject({ code: 0, err: "" });
	expect(JSON.parse(show("s-none", "--json").out)).toMatchObject({ id: "s-none", leafId: null, entries: [] });
});

test.each([
	["s-small --json --markdown", "--markdown --json needs --max-chars"],
	["s-small#aa01 --all", "--all shows every branch, and s-small#aa01 is one entry; --branch shows"],
	["s-small#zz", "no entry of s-small has an id that begins with zz"],
	["s-small#aa", "4 entries of .* have an id that begins with aa; name one by more of its id:\n"],
	["s-none", "there is no session in .*none\\.jsonl: "],
])("show %s is a mistake", (line, message) => {
	small();
	sandbox.write("none.jsonl", "no session");
	const args = line.replace("s-none", join(sandbox.agentDir, "sessions", "--work--", "none.jsonl")).split(" ");
	const { code, out, err } = show(...args);
	expect({ code, out }).toEqual({ code: 2, out: "" });
	expect(err).toMatch(new RegExp(`^pi-grove: ${message}`));
});

test("entries that an id may mean are listed with what they say", () => {
	small();
	const time = formatDayTime(Date.parse("2026-01-01T00:01Z"), Date.now());
	expect(show("s-small#aa").err.split("\n").slice(1)).toEqual([
		`  aa01  ${time}  Run the tests`,
		`  aa02  ${time}  Running.`,
		`  aa03  ${time}  ok 1 ok 2 ok 3 ok 4 ok 5 ok 6 ok 7 ok 8 ok 9 ok 1…`,
		`  aa04  ${time}  All **pass**.`,
		"",
	]);
});

test("a session in the archive is shown too", () => {
	const directory = join(sandbox.agentDir, "session-archive", "--work--");
	mkdirSync(directory, { recursive: true });
	writeFileSync(join(directory, "away.jsonl"), lines(header({ id: "s-away" }), user("a1", null, 1, "Long ago")));
	expect(show("s-away").out).toContain("❯ Long ago");
});

test("on a terminal it is as wide as that, in color, and safe", async () => {
	const path = sandbox.write(
		"hostile.jsonl",
		header(),
		user("a1", null, 1, "\u001b]0;gotcha\u0007\u001b[31mred\u001b[0m \u202eback"),
	);
	const terminal = sandbox.start(["show", path], { columns: 44, rows: 10 });
	expect((await terminal.exit()).code).toBe(0);
	const shown = (await terminal.history()).map((line) => line.trimEnd());
	expect(shown).toContainEqual(expect.stringMatching(/^❯ red back {14,}◂ end \d+:\d\d$/));
	for (const line of shown) expect(line.length).toBeLessThanOrEqual(44);
	expect(terminal.written).toContain("\x1b[");
	expect(terminal.written).not.toMatch(/\x1b\]|\u202e|\x1b\[31mred/);
	const markdown = sandbox.start(["show", path, "--markdown"], { columns: 80, rows: 10 });
	expect((await markdown.exit()).code).toBe(0);
	expect(markdown.written).not.toMatch(/\x1b\]|\u202e|\x1b\[31mred/);
});

test("showing changes no byte and no time of any session file", () => {
	small();
	const before = sandbox.fingerprints();
	for (const form of ["--full", "--markdown", "--json", "--tree"]) expect(show("s-small", form).code).toBe(0);
	expect(sandbox.fingerprints()).toEqual(before);
});

test("values that are deeper than JSON.stringify can print are printed", () => {
	const deep = `${'[{"a":'.repeat(9000)}1${"}]".repeat(9000)}`;
	const line = user("a2", "a1", 2, "deep").replace('"message":', `"deep":${deep},"message":`);
	const path = sandbox.write("deep.jsonl", header(), user("a1", null, 1, "Go"), line);
	const { code, out, err } = show(path, "--json");
	expect({ code, err }).toEqual({ code: 0, err: "" });
	expect(out).toContain(deep);
});
