import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { marksPath, openMarksFile } from "../../src/changes/noted/marks.ts";
import { SESSION_FIELDS } from "../../src/cli/find/session-json.ts";
import { inLong, inShort } from "../support/cases.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";
import { assistant, entry, header, lines, user } from "../support/session-builder.ts";

const sandbox = sandboxOfTest();
/** A session of a directory that is gone, with an edit, costs, a failure, marks, and a damaged line. */
let path: string;
beforeEach(() => {
	const directory = join(sandbox.agentDir, "sessions", "--work--");
	mkdirSync(directory, { recursive: true });
	path = join(directory, "one.jsonl");
	const cwd = join(sandbox.home, "gone");
	const call = { type: "toolCall", id: "call-1", name: "write", arguments: { path: "x.ts", content: "one\n" } };
	const result = { role: "toolResult", toolCallId: "call-1", toolName: "write", content: [], isError: false };
	const failed = { ...result, isError: true };
	const entries = [
		header({ id: "0199-one", cwd }),
		user("a1", null, 1, "Write it"),
		assistant("a2", "a1", 2, "", [call]),
		entry("message", "a3", "a2", 3, { message: result }),
		user("a4", "a3", 4, "Again"),
		assistant("a5", "a4", 5, "Done."),
		entry("message", "a6", "a5", 6, { message: { ...failed, toolCallId: "call-2" } }),
	];
	writeFileSync(path, `${lines(...entries)}no JSON\n`);
	const marks = openMarksFile(marksPath(sandbox.env, sandbox.home));
	marks.append("token", [
		{ id: "0199-one", on: true },
		{ id: "0199-one", tag: "auth", on: true },
	]);
});

function jsonOf(...args: readonly string[]): Record<string, unknown> {
	const [command = "", ...words] = args;
	const counted = command === "list" || command === "search" ? ["--counted"] : [];
	const { out } = run(sandbox, [command, "--json", ...counted, ...words]);
	const value: unknown = JSON.parse(out);
	return (Array.isArray(value) ? value[0] : value) as Record<string, unknown>;
}

const FIELDS = Object.keys(SESSION_FIELDS);

test("a session in JSON has the same fields with the same values in all commands", () => {
	const session = jsonOf("list");
	expect(Object.keys(session)).toEqual(FIELDS);
	expect(session).toMatchObject({
		path,
		id: "0199-one",
		title: "Write it",
		name: null,
		cwd: join(sandbox.home, "gone"),
		messages: 6,
		turns: 2,
		branches: 1,
		errors: 1,
		tokens: 60,
		cost: 0.06,
		tags: ["auth"],
		pinned: true,
		archived: false,
		parent: null,
		diagnostics: [{ code: "bad-line", line: 8 }],
	});
	for (const args of [
		["search", "again"],
		["search", "is:pinned"],
		["show", "0199-one"],
		["path", "0199-one"],
		["doctor"],
		["standup", "--since", "2020-01-01"],
	]) {
		const { diagnostics: _, ...here } = jsonOf(...args);
		const { diagnostics: __, ...expected } = session;
		expect({ args, ...here }).toMatchObject({ args, ...expected });
		expect(Object.keys(here).slice(0, FIELDS.length - 1)).toEqual(FIELDS.slice(0, -1));
	}
});

test("the numbers do not depend on the index, and those of a file that grew are of the whole file", () => {
	const before = jsonOf("search", "again");
	expect(jsonOf("list")).toMatchObject({ turns: 2, cost: before.cost });
	writeFileSync(path, `${user("a7", "a6", 7, "More")}\n`, { flag: "a" });
	expect(jsonOf("search", "again")).toMatchObject({ turns: 3, cost: before.cost });
});

test("without --counted the numbers of what was not counted are null, and those of what was are there", () => {
	for (const args of [["list"], ["search", "again"]]) {
		const [session] = JSON.parse(run(sandbox, [...args, "--json"]).out);
		expect(session).toMatchObject({ turns: null, cost: null, onBranches: null, runs: null, id: "0199-one" });
	}
	const counted = jsonOf("list");
	for (const args of [["list"], ["search", "again"]])
		expect(JSON.parse(run(sandbox, [...args, "--json"]).out)[0]).toMatchObject({ turns: 2, cost: counted.cost });
});

test("a session with runs has what it has cost with them, and what it has cost without", () => {
	const runId = "01990000-0000-7000-8000-000000000001";
	const directory = join(path.slice(0, -".jsonl".length), runId, "run-0");
	mkdirSync(directory, { recursive: true });
	writeFileSync(
		join(directory, "session.jsonl"),
		lines(header({ id: "0199-run" }), assistant("r1", null, 3, "Found.")),
	);
	const result = { agent: "scout", exitCode: 0, usage: { cost: 0.5 } };
	const details = { completions: [{ runId: "other", state: "complete", results: [result] }] };
	const told = { role: "toolResult", toolName: "bg_wait", content: [], isError: false, details };
	writeFileSync(path, `${entry("message", "a7", "a6", 7, { message: told })}\n`, { flag: "a" });
	const listed = JSON.parse(run(sandbox, ["list", "--json", "--runs", "--counted"]).out) as Record<string, unknown>[];
	const costs = Object.fromEntries(listed.map(({ id, cost, familyCost }) => [id, [cost, familyCost]]));
	expect(costs).toEqual({ "0199-one": [0.06, expect.closeTo(0.59)], "0199-run": [0.03, null] });
	expect(JSON.parse(run(sandbox, ["stats", "--json"]).out)).toMatchObject({
		...{ cost: expect.closeTo(0.59), runs: 1 },
		agents: [
			{ key: "scout", runs: 1, cost: 0.5 },
			{ key: "", runs: 1, cost: 0.03 },
		],
	});
});

test("what masks a session masks its description: no tag, no home directory", () => {
	const masked = jsonOf("show", "0199-one", "--masked");
	expect(masked).toMatchObject({ path: expect.stringMatching(/^~/), cwd: "~/gone", tags: [], turns: 2, cost: 0.06 });
	expect(jsonOf("search", "--masked", "again")).toMatchObject({ cwd: "~/gone", tags: [], turns: 2 });
});

test("a session that is only mentioned has the first four of them", () => {
	const mention = Object.fromEntries(Object.entries(jsonOf("list")).slice(0, 4));
	expect(jsonOf("files").sessions).toMatchObject([mention]);
	expect(jsonOf("prompts", "again").uses).toMatchObject([mention]);
	expect(run(sandbox, ["rename", "0199-one", "One", "--yes"]).code).toBe(0);
	expect(jsonOf("history").session).toEqual({ ...mention, title: "One" });
});

test("in the trash, and among what may be deleted, it is the same; a session whose file cannot be read is only mentioned", () => {
	writeFileSync(path, lines(header({ id: "0199-one", cwd: join(sandbox.home, "gone") })));
	expect(run(sandbox, ["list"]).code).toBe(0);
	writeFileSync(path.replace("one", "two"), lines(header({ id: "0199-two" })));
	const tidy = jsonOf("tidy");
	expect(tidy).toMatchObject({ kind: "empty", id: "0199-two", turns: 0 });
	expect(Object.keys(tidy).slice(0, FIELDS.length)).toEqual(FIELDS);
	expect(run(sandbox, ["delete", "0199-two", "--yes"]).code).toBe(0);
	const trashed = jsonOf("restore");
	expect(trashed).toMatchObject({ id: "0199-two", path: tidy.path, turns: 0, fromHere: true });
	expect(Object.keys(trashed).slice(0, FIELDS.length)).toEqual(FIELDS);
});

test("on a terminal the counts and hints follow, and the name of a file is whole at any width", async () => {
	const said = [
		["list", "1 session, 1 damaged (!)"],
		["search again", "found in 1 of 1 session"],
		["show 0199-one --tree --no-pager", "1 thing is damaged in it"],
		["doctor", "1 session file examined, 1 damaged"],
		["history", "0 changes"],
		["restore", "0 sessions in the trash, 0 B"],
		["prompts", "2 prompts in 1 session"],
		["files 0199-one", "1 file edited; changes by shell commands are not tracked"],
	] as const;
	// Each kind of note once: a count, what was searched, what is damaged, what is not there.
	for (const [args, text] of inShort(said, ([words]) => /^(?:list|search|show|files)/.test(words))) {
		const terminal = sandbox.start(args.split(" "), { columns: 200 });
		await terminal.exit();
		expect(terminal.written).toContain(text);
	}
	for (const columns of inLong([10, 24, 40, 80, 120], [10])) {
		const terminal = sandbox.start(["files"], { columns });
		await terminal.exit();
		expect(terminal.written.split("\r\n")[0]).toMatch(/x\.ts/);
	}
});

test("--header names the fields of every table, also of an empty one, and separates them by tabs", () => {
	const names: Readonly<Record<string, string>> = {
		list: "id path modified messages cwd title",
		"search again": "id path entry title text",
		"search nothing-there": "id path entry title text",
		prompts: "address time uses cwd text",
		commands: "address time uses exit code duration cwd text",
		files: "path edits sessions time address",
		"files 0199-one": "path added removed edits time entry",
		history: "id time change status",
		restore: "id path deleted bytes title",
		tidy: "kind id path bytes title",
	};
	for (const [args, expected] of Object.entries(names)) {
		const [head = "", ...rows] = run(sandbox, [...args.split(" "), "--header"])
			.out.trimEnd()
			.split("\n");
		const count = head.split("\t").length;
		expect({ args, head: head.replaceAll("\t", " ") }).toEqual({ args, head: expected });
		for (const row of rows) expect(row.split("\t")).toHaveLength(count);
	}
});
