import { appendFileSync, copyFileSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "../support/run.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";

let sandbox: Sandbox;
let parser: string;
/** Syncthing's copy of that session. */
let copy: string;
beforeEach(() => {
	sandbox = new Sandbox();
	({ parser } = threeSessions(sandbox));
	copy = parser.replace(".jsonl", ".sync-conflict-20260105-090000-ABCDEFG.jsonl");
	copyFileSync(parser, copy);
});
afterEach(() => sandbox.remove());

const ID = "session-0001";

/** Something is said in the copy alone. */
function goOnInCopy(): void {
	const message = { role: "user", content: "And the emitter?", timestamp: 1 };
	const line = {
		type: "message",
		id: "feedbeef",
		parentId: "00010005",
		timestamp: "2026-01-05T10:00:00.000Z",
		message,
	};
	appendFileSync(copy, `${JSON.stringify(line)}\n`);
}

const rowsOf = (...args: readonly string[]): { path: string; conflicts: unknown }[] =>
	JSON.parse(
		run(sandbox, [...args, "--json", ...(args[0] === "list" || args[0] === "search" ? ["--counted"] : [])]).out,
	);

test("a list has a session with a conflict copy once, and says so; its id is that of the session", async () => {
	expect(run(sandbox, ["list"]).out.trimEnd().split("\n")).toHaveLength(3);
	expect(rowsOf("list")).toHaveLength(3);
	expect(rowsOf("list")).toContainEqual(
		expect.objectContaining({ path: parser, conflicts: [{ path: copy, own: 0 }], cost: expect.closeTo(0.0006) }),
	);
	const linesOf = async (...args: readonly string[]): Promise<string> => {
		const terminal = sandbox.start(args, { columns: 200 });
		expect(await terminal.exit()).toMatchObject({ code: 0 });
		return (await terminal.history()).join("\n");
	};
	expect(await linesOf("list")).toContain("(a conflict copy is beside it, wholly contained) Refactor the parser");
	expect(await linesOf("list")).toContain("3 sessions");
	expect(run(sandbox, ["path", ID]).out).toBe(`${parser}\n`);
	expect(run(sandbox, ["show", copy]).out).toContain("All tests pass now.");
	expect(run(sandbox, ["doctor"]).out).toContain(copy.slice(sandbox.home.length));
	goOnInCopy();
	expect(await linesOf("list")).toContain(
		"(a conflict copy is beside it, with 1 entry of its own) Refactor the parser",
	);
	expect(await linesOf("search", "emitter")).toContain("(a conflict copy)");
});

test("it is among what may be deleted as a duplicate, as before", () => {
	const messages = [
		{ role: "user", text: "Long ago" },
		{ role: "assistant", text: "Yes." },
	] as const;
	const old = sandbox.session({ project: "work/api", age: 60 * 24 * 40, messages });
	const itsCopy = old.replace(".jsonl", " (Ada's conflicted copy 2026-01-05).jsonl");
	copyFileSync(old, itsCopy);
	const proposed = run(sandbox, ["tidy", "duplicates", "--json"]).out;
	expect((JSON.parse(proposed) as { path: string }[]).map(({ path }) => path).toSorted()).toEqual(
		[itsCopy, copy].toSorted(),
	);
});

test("in a place, too", () => {
	const here = new Sandbox();
	try {
		expect(run(here, ["places", "add", "old", "--dir", sandbox.agentDir]).code).toBe(0);
		const listed = () => JSON.parse(run(here, ["list", "--place", "old", "--json"]).out) as { path: string }[];
		expect(listed()).toHaveLength(3);
		expect(listed()).toContainEqual(
			expect.objectContaining({ path: `old:${parser}`, conflicts: [{ path: `old:${copy}`, own: 0 }] }),
		);
		const found = (word: string) => run(here, ["search", "--place", "old", word]).out.trimEnd().split("\n");
		expect(found("regular expression")).toEqual([expect.stringContaining(`old:${parser}`)]);
		goOnInCopy();
		expect(found("emitter")).toEqual([expect.stringContaining(`old:${copy}`)]);
		expect(readFileSync(copy, "utf8")).toContain("emitter");
	} finally {
		here.remove();
	}
});

test("in the browser it is one row with a note; what only the copy says is found there", async () => {
	goOnInCopy();
	const terminal = sandbox.start([], { columns: 160, rows: 40 });
	await terminal.waitFor("3 sessions");
	await terminal.waitFor("Refactor the parser  1 conflict copy +1");
	terminal.type("emitter");
	await terminal.waitFor("1 of 3");
	await terminal.waitFor("Refactor the parser  conflict copy");
});
