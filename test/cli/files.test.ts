import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { EditingSession } from "../support/editing-session.ts";
import { type RunResult, run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
let cwd: string;
beforeEach(() => {
	cwd = sandbox.directory("work/api");
});

function files(...args: readonly string[]): RunResult {
	return run(sandbox, ["files", ...args], { TZ: "UTC" });
}

const DAY = Date.UTC(2026, 0, 5, 9);

/** Two sessions of one directory: what counts, and what does not. */
function twoSessions(): { readonly first: string; readonly second: string } {
	const first = new EditingSession("01a10000-0000-7000-8000-00000000aaaa", cwd, DAY);
	first.prompt("Make it fast");
	first.write("src/a.ts", "one\ntwo\nthree\n");
	const forked = first.leaf;
	first.edit("src/a.ts", [{ oldText: "two", newText: "2" }]);
	first.edit("src/b.ts", [{ oldText: "x", newText: "y" }], { fails: true });
	first.write("src/c.ts", "c\n", { unanswered: true });
	first.leaf = forked;
	first.bash("sed -i s/one/1/ src/a.ts");
	first.write("../shared/d.md", "# D\n");
	const second = new EditingSession("01a20000-0000-7000-8000-00000000bbbb", cwd, DAY + 3_600_000, first.disk);
	second.edit(join(cwd, "src/a.ts"), [{ oldText: "three", newText: "3\n4" }]);
	return { first: first.save(sandbox.agentDir), second: second.save(sandbox.agentDir) };
}

test("each file once, the last edited one first; failed and unanswered calls do not count", () => {
	twoSessions();
	expect(files()).toEqual({
		code: 0,
		out: [
			`${cwd}/src/a.ts\t3\t2\t2026-01-05 10:00\t01a20000-0000-7000-8000-00000000bbbb#bbbb0001`,
			`${sandbox.home}/work/shared/d.md\t1\t1\t2026-01-05 09:00\t01a10000-0000-7000-8000-00000000aaaa#aaaa0011`,
			"",
		].join("\n"),
		err: "",
	});
	expect(files("--limit", "1").err).toBe("2 files in 2 sessions, 1 shown; changes by shell commands are not tracked\n");
	expect(files("--since", "today")).toMatchObject({ code: 1, out: "" });
});

test("--json has every edit with its entry", () => {
	const { first, second } = twoSessions();
	const [file] = JSON.parse(files("--json").out);
	expect(file).toMatchObject({ path: `${cwd}/src/a.ts`, edits: 3 });
	expect(file.lastEdited).toBe("2026-01-05T10:00:01.000Z");
	expect(file.sessions.map(({ path, edits }: { path: string; edits: object[] }) => ({ path, edits }))).toEqual([
		{
			path: second,
			edits: [{ entryId: "bbbb0001", tool: "edit", time: "2026-01-05T10:00:01.000Z" }],
		},
		{
			path: first,
			edits: [
				{ entryId: "aaaa0002", tool: "write", time: "2026-01-05T09:00:02.000Z" },
				{ entryId: "aaaa0004", tool: "edit", time: "2026-01-05T09:00:04.000Z" },
			],
		},
	]);
});

test("of one session: what it changed, on which branch, and on the way to an entry", () => {
	twoSessions();
	const lines = files("01a1").out.split("\n");
	expect(lines).toEqual([
		`${cwd}/src/a.ts\t3\t0\t2\t2026-01-05 09:00\taaaa0004`,
		`${sandbox.home}/work/shared/d.md\t1\t0\t1\t2026-01-05 09:00\taaaa0011`,
		"",
	]);
	expect(files("01a1").err).toBe("");
	const json = JSON.parse(files("01a1", "--json").out);
	expect(json[0].edits.map(({ active }: { active: boolean }) => active)).toEqual([true, false]);
	expect(files("01a1#aaaa0002").out).toBe(`${cwd}/src/a.ts\t3\t0\t1\t2026-01-05 09:00\taaaa0002\n`);
	expect(files("01a1", "--since", "7d")).toEqual({
		code: 2,
		out: "",
		err: "pi-grove: option --since selects sessions; it cannot be combined with the session 01a1\n",
	});
	expect(files("01a1#zz")).toMatchObject({ code: 2, err: expect.stringContaining("has an id that begins with zz") });
	expect(files("nowhere")).toMatchObject({ code: 2, out: "" });
});

test("a copy in a fork counts once; scripts' calls count; damaged lines are told", () => {
	const { first } = twoSessions();
	const fork = new EditingSession("01a30000-0000-7000-8000-00000000cccc", cwd, DAY + 7_200_000);
	fork.write("src/e.ts", "e\n");
	const copied = new EditingSession("01a10000-0000-7000-8000-00000000aaaa", cwd, DAY);
	copied.prompt("Make it fast");
	copied.write("src/a.ts", "one\ntwo\nthree\n");
	fork.lines.push(...copied.lines.slice(1));
	const nested = {
		calls: [
			{ id: "x/1", name: "write", status: "ok", arguments: { path: "src/f.ts", content: "1\n2\n" } },
			{ id: "x/2", name: "write", status: "error", arguments: { path: "src/g.ts", content: "1\n" } },
		],
		complete: true,
	};
	const message = { role: "toolResult", toolCallId: "x", toolName: "codemode", content: [], nestedCalls: nested };
	const script = { type: "message", id: "abcd", parentId: null, timestamp: new Date(fork.now).toISOString(), message };
	fork.lines.push(JSON.stringify(script));
	fork.save(sandbox.agentDir);
	const { out } = files();
	expect(out.split("\n").map((line) => line.split("\t").slice(0, 3).join(" ").replace(cwd, ""))).toEqual([
		"/src/f.ts 1 1",
		"/src/e.ts 1 1",
		"/src/a.ts 3 2",
		`${sandbox.home}/work/shared/d.md 1 1`,
		"",
	]);
	appendFileSync(first, '{"type":"message","message":{"role":"toolResult","toolName":"edit",\n');
	expect(files().err).toContain(`${first}: 1 line that may contain edits cannot be read`);
});

test("nothing, and no ripgrep", () => {
	expect(files()).toEqual({
		code: 1,
		out: "",
		err: "",
	});
	expect(files("--json").out).toBe("[]\n");
	twoSessions();
	const none = run(sandbox, ["files"], { PI_GROVE_RG: join(sandbox.home, "no-rg") });
	expect(none).toMatchObject({ code: 2, out: "", err: expect.stringContaining("needs ripgrep") });
	writeFileSync(join(sandbox.agentDir, "sessions", "x"), "");
	expect(files().code).toBe(0);
});
