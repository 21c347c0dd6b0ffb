import { chmodSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatTime, TIME_WIDTH } from "../../src/ui/text/format.ts";
import { run } from "../support/run.ts";
import { Sandbox } from "../support/sandbox.ts";
import { assistant, header, message, toolResult, user } from "../support/session-builder.ts";

let sandbox: Sandbox;

const bash = (command: string) => [{ type: "toolCall", id: "c1", name: "bash", arguments: { command } }];

beforeAll(() => {
	sandbox = new Sandbox();
	write(
		"one.jsonl",
		header({ id: "0198-one", cwd: "/work/api" }),
		user("u1", null, 1, "Run the\ntests"),
		assistant("a1", "u1", 2, "", bash("npm test")),
		message("r1", "a1", 6, {
			role: "toolResult",
			toolCallId: "c1",
			toolName: "bash",
			content: [{ type: "text", text: "1 failed\n\nCommand exited with code 1" }],
			isError: true,
		}),
		user("u2", "r1", 7, "Fix it \u001b[31mnow"),
		assistant("a2", "u2", 8, "", bash("npm test")),
		toolResult("r2", "a2", 9.5, "12 passed"),
	);
	write(
		"two.jsonl",
		header({ id: "0198-two", cwd: "/work/site" }),
		user("v1", null, 3600, "Run the\ntests"),
		message("p1", "v1", 3601, { role: "bashExecution", command: "git status", output: "", exitCode: 128 }),
	);
});
afterAll(() => sandbox.remove());

function write(name: string, ...content: readonly string[]): string {
	const path = sandbox.write(name, ...content);
	utimesSync(path, 1_767_225_600, 1_767_225_600);
	return path;
}

const env = { TZ: "UTC" };

test("prompts for another program: where it was last, when, how often, project, text", () => {
	expect(run(sandbox, ["prompts"], env)).toEqual({
		code: 0,
		out: [
			"0198-two#v1\t2026-01-01 01:00\t2\t/work/site\tRun the tests",
			"0198-one#u2\t2026-01-01 00:00\t1\t/work/api\tFix it now",
			"",
		].join("\n"),
		err: "",
	});
});

test("commands have the exit code and the time of their last use", () => {
	expect(run(sandbox, ["commands"], env)).toEqual({
		code: 0,
		out: [
			"0198-one#a2\t2026-01-01 00:00\t2\t0\t1500\t/work/api\tnpm test",
			"0198-two#p1\t2026-01-01 01:00\t1\t128\t-\t/work/site\tgit status",
			"",
		].join("\n"),
		err: "",
	});
	const json = JSON.parse(run(sandbox, ["commands", "npm", "--json"]).out);
	expect(json).toMatchObject([
		{
			text: "npm test",
			count: 2,
			sessions: 1,
			failures: 1,
			uses: [
				{ id: "0198-one", entryId: "a2", by: "model", exitCode: 0, ended: null, durationMs: 1500 },
				{ entryId: "a1", exitCode: 1, durationMs: 4000, time: "2026-01-01T00:00:02.000Z", line: 3 },
			],
		},
	]);
});

/** A time in a column of a terminal. */
const time = (at: string): string => formatTime(Date.parse(at), Date.now()).padEnd(TIME_WIDTH);

test("on a terminal there is a row for each, cut to its width, without addresses", async () => {
	const terminal = sandbox.start(["commands"], { columns: 44, rows: 20, env });
	await terminal.exit();
	const rows = (await terminal.screen()).filter((row) => row !== "");
	expect(rows).toEqual([
		`${time("2026-01-01T00:00Z")}  2×        1.5s  api   npm test`,
		`${time("2026-01-01T01:00Z")}  1×  ✗ exit 128  site  git stat…`,
		"2 commands, used 3 times in 2 sessions",
	]);
});

test("a query, a project, a time and a limit", () => {
	expect(run(sandbox, ["prompts", "FIX", "project:api"]).out).toContain("#u2");
	expect(run(sandbox, ["prompts", "--cwd", "/work/api"]).err).toBe("");
	expect(run(sandbox, ["prompts", "--limit", "1"]).err).toBe("2 prompts, used 3 times in 2 sessions, 1 shown\n");
	expect(run(sandbox, ["prompts", "--json", "--limit", "1"]).err).toContain("1 shown");
	expect(run(sandbox, ["prompts", "messages:>100"])).toMatchObject({ code: 1, out: "" });
	expect(run(sandbox, ["prompts", "--since", "2026-06-01", "--json"])).toEqual({ code: 1, out: "[]\n", err: "" });
	expect(run(sandbox, ["commands", "turns:1", "git"]).out).toContain("git status");
});

test("a query that cannot be answered is said, with what can", () => {
	for (const [query, reason] of [
		["file:a.ts", "Only commands are searched here"],
		["is:running x", "is:running does not work here"],
		["since:never", "“never” does not suit since:"],
	] as const)
		expect(run(sandbox, ["commands", query])).toMatchObject({ code: 2, out: "", err: expect.stringContaining(reason) });
});

test("a session that cannot be read is told, and the others are printed", () => {
	const path = write("dark.jsonl", header({ id: "0198-dark" }), user("x", null, 1, "hidden"));
	run(sandbox, ["list"]);
	mkdirSync(join(path, "..", "dir.jsonl"));
	chmodSync(path, 0);
	const { code, err } = run(sandbox, ["prompts", "tests"]);
	chmodSync(path, 0o600);
	expect(code).toBe(0);
	// Root may read everything.
	if (process.getuid?.() !== 0) expect(err).toContain(`Path: ${path}`);
	expect(err).toContain("dir.jsonl");
});

test("without a session there is nothing", () => {
	const empty = new Sandbox();
	try {
		expect(run(empty, ["commands"])).toEqual({ code: 1, out: "", err: "" });
	} finally {
		empty.remove();
	}
});
