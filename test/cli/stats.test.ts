import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";
import { assistant, entry, header, lines, user } from "../support/session-builder.ts";

const sandbox = sandboxOfTest();

/** Two projects; each answer costs $0.03 and 30 tokens. The first has one on an abandoned branch. */
function twoProjects(): { api: string; site: string } {
	const api = sandbox.write(
		"api.jsonl",
		header({ cwd: join(sandbox.home, "work", "api") }),
		user("a1", null, 1, "Why is it slow?"),
		assistant("a2", "a1", 2, "The cache is cold."),
		assistant("a3", "a1", 3, "The disk is slow."),
		entry("session_info", "a4", "a3", 4, { name: "Find what is slow" }),
	);
	const site = sandbox.write(
		"site.jsonl",
		header({ cwd: "/srv/site", id: "b", timestamp: "2026-02-01T00:00:00.000Z" }),
		user("b1", null, 1, "検索を速くして"),
		entry("compaction", "b2", "b1", 3_000_000, { summary: "s", usage: { input: 1, output: 1, cost: { total: 0.5 } } }),
	);
	return { api, site };
}

test("--cwd, --named and --since say which sessions are summed", () => {
	twoProjects();
	const sum = (...options: readonly string[]) => JSON.parse(run(sandbox, ["stats", "--json", ...options]).out);
	expect(sum("--cwd", "work/api")).toMatchObject({ sessions: 1, counted: 1, cost: 0.06 });
	expect(sum("--named")).toMatchObject({ sessions: 1, cost: 0.06 });
	expect(sum("--since", "2025-12-30")).toMatchObject({ sessions: 2, cost: 0.56 });
	expect(sum("--since", "2026-01-05")).toMatchObject({ sessions: 0, cost: 0 });
});

test("words are sessions, or a query", () => {
	const { api, site } = twoProjects();
	const sum = (...words: readonly string[]) => JSON.parse(run(sandbox, ["stats", "--json", ...words]).out);
	expect(sum(api, site)).toMatchObject({ sessions: 2, cost: 0.56 });
	for (const query of [
		"disk slow",
		"project:=/srv/site or disk",
		`project:=${sandbox.home}/work/api`,
		"disk -file:a.jsonl",
	])
		expect({ query, ...sum(query) }).toMatchObject({ query, sessions: query.includes("srv") ? 2 : 1 });
	expect(sum("--on", "2026-02")).toMatchObject({ cost: 0.5 });
	expect(run(sandbox, ["stats", "."]).err).toContain("there is no session for");
	expect(run(sandbox, ["stats", "01a1"]).err).toBe("pi-grove: no session was found for 01a1\n");
});

test("without a terminal the output is plain text in full", () => {
	twoProjects();
	const { code, out, err } = run(sandbox, ["stats"]);
	expect({ code, err }).toEqual({ code: 0, err: "" });
	const [summary, abandoned, ...rest] = out.replace(/\d[\d.]* [BK]B?\b/g, "SIZE").split("\n");
	expect(summary).toBe("2 sessions, SIZE, 62 tokens, 3.0s of work, $0.56");
	expect(abandoned).toBe("of that on branches that were left: $0.03 (5 %), 30 tokens");
	expect(rest.map((line) => line.replace(/ {2,}/g, "  ").trimEnd())).toEqual([
		"",
		"By project  cost  tokens  left  time  sessions  size",
		"  /srv/site  $0.50  2  1  SIZE",
		"  ~/work/api  $0.06  60  50 %  3.0s  1  SIZE",
		"",
		"Most expensive sessions  cost  tokens  left  time",
		"  検索を速くして  $0.50  2",
		"  Find what is slow  $0.06  60  50 %  3.0s",
		"",
		"By model  cost  tokens  left  sessions",
		"  (compaction)  $0.50  2  1",
		"  claude-sonnet-4-5  $0.06  60  50 %  1",
		"",
		"By month  cost  tokens  left  time  sessions",
		"  Jan 2026  $0.06  60  50 %  3.0s  1",
		"  Feb 2026  $0.50  2  1",
		"",
	]);
	expect(out).not.toContain("\x1b");
});

test("columns are aligned, in cells", () => {
	twoProjects();
	const { out } = run(sandbox, ["stats"]);
	const [first = "", second = ""] = out.slice(out.indexOf("By month")).split("\n").slice(1);
	expect(first.indexOf("$") + "$0.06".length).toBe(second.indexOf("$") + "$0.50".length);
});

test("--json prints one object", () => {
	twoProjects();
	const { code, out, err } = run(sandbox, ["stats", "--json"]);
	expect({ code, err }).toEqual({ code: 0, err: "" });
	const stats: unknown = JSON.parse(out);
	expect(stats).toMatchObject({
		sessions: 2,
		counted: 2,
		tokens: 62,
		cost: expect.closeTo(0.56),
		abandoned: { tokens: 30, cost: expect.closeTo(0.03) },
		projects: [
			{ key: "/srv/site", sessions: 1, tokens: 2, cost: 0.5 },
			{ key: join(sandbox.home, "work", "api"), sessions: 1, tokens: 60, cost: expect.closeTo(0.06) },
		],
		workedMs: expect.any(Number),
		mostExpensive: [
			{ sessions: 1, cost: 0.5 },
			{ sessions: 1, cost: 0.06 },
		],
		months: [{ key: "2026-01" }, { key: "2026-02" }],
		days: [{ key: "2026-01-01", abandoned: { tokens: 30 } }, { key: "2026-02-04" }],
	});
});

test("in a terminal the length of the bars shows the values, and nothing is wider than the terminal", async () => {
	twoProjects();
	const terminal = sandbox.start(["stats"], { columns: 80, rows: 50 });
	expect(await terminal.exit()).toEqual({ code: 0, signal: undefined });
	const screen = await terminal.screen();
	const line = (start: string): string => screen.find((text) => text.startsWith(`  ${start} `)) ?? "";
	const bar = (start: string): string => line(start).replace(/[^━╸╍]/g, "");
	expect(bar("/srv/site")).toMatch(/^━{15,}$/);
	// Half of what was spent in the other one is on an abandoned branch.
	expect(bar("~/work/api")).toMatch(/^━+╍+$/);
	expect(bar("~/work/api")).toHaveLength(Math.round(bar("/srv/site").length * 0.12));
	expect(line("/srv/site")).toMatch(/━ +\$0\.50 +2 +1$/);
	// Each line of the output is one row of the screen.
	expect(screen.filter((text) => text !== "")).toHaveLength(
		terminal.written.split("\n").filter((text) => text.replace(/\x1b\[[\d;]+m/g, "").trim() !== "").length,
	);
	expect(terminal.written).toMatch(/\x1b\[94m/);
});

test.each([30, 40, 60, 200])("the tables fit in %i columns", async (columns) => {
	twoProjects();
	sandbox.write(
		"long.jsonl",
		header({ cwd: `/${"long/".repeat(30)}`, id: "c" }),
		user("c1", null, 1, "why ".repeat(50)),
	);
	const terminal = sandbox.start(["stats"], { columns, rows: 60 });
	expect((await terminal.exit()).code).toBe(0);
	const rows = (await terminal.history()).map((row) => row.trimEnd()).filter(Boolean);
	const printed = terminal.written
		.replace(/\x1b\[[\d;]+m/g, "")
		.split("\r\n")
		.filter((text) => text.trim() !== "");
	const table = (texts: readonly string[]): string[] =>
		texts.slice(texts.findIndex((text) => text.startsWith("By project"))).map((text) => text.trimEnd());
	expect(table(rows).length).toBeGreaterThan(9);
	expect(table(rows)).toEqual(table(printed));
});

test("without sessions the numbers are empty", () => {
	const { code, out, err } = run(sandbox, ["stats"]);
	expect({ code, err }).toEqual({ code: 0, err: "" });
	expect(out).toBe("0 sessions, 0 B, 0 tokens, $0.00\n");
	expect(JSON.parse(run(sandbox, ["stats", "--json"]).out)).toMatchObject({ sessions: 0, projects: [] });
});

test("--session-dir counts only that directory", () => {
	twoProjects();
	const directory = sandbox.directory("elsewhere");
	writeFileSync(join(directory, "one.jsonl"), lines(header(), user("a1", null, 1, "Hello")));
	expect(run(sandbox, ["stats", "--session-dir", directory]).out).toMatch(/^1 session, /);
});
