import { writeFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { EditingSession } from "../support/editing-session.ts";
import { type RunResult, run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
let cwd: string;
beforeEach(() => {
	cwd = sandbox.directory("work/api");
});

function show(...args: readonly string[]): RunResult {
	return run(sandbox, ["show", ...args]);
}

function session(): EditingSession {
	return new EditingSession("01a10000-0000-7000-8000-00000000aaaa", cwd, Date.UTC(2026, 0, 5, 9));
}

test("prints a file as it was, byte for byte, and on stderr how sure that is", () => {
	const one = session();
	const written = one.write("src/a.ts", "\uFEFFone\r\ntwo\u001b[31m\r\n");
	one.disk.set(`${cwd}/src/b.ts`, "b\n");
	one.read("src/b.ts");
	one.bash("make");
	one.putDisk();
	one.save(sandbox.agentDir);
	expect(show(`01a1#${written}`, "--file", "src/a.ts")).toEqual({
		code: 0,
		out: "\uFEFFone\r\ntwo\u001b[31m\r\n",
		err: "exact: written before the first prompt\n",
	});
	const confirmed = "exact: written before the first prompt; confirmed by the disk now\n";
	expect(show("01a1", "--file", `${cwd}/src/a.ts`)).toMatchObject({ code: 0, err: confirmed });
	expect(show("01a1", "--file", "a.ts").out).toBe("\uFEFFone\r\ntwo\u001b[31m\r\n");
	expect(JSON.parse(show("01a1", "--file", "a.ts", "--at", written, "--json").out)).toEqual({
		path: `${cwd}/src/a.ts`,
		entryId: written,
		answer: "exact",
		why: "",
		text: "\uFEFFone\r\ntwo\u001b[31m\r\n",
		isAbsent: false,
		edits: 0,
		commands: 0,
		known: [
			{
				entryId: written,
				tool: "write",
				turn: 0,
				time: expect.any(String),
				diff: expect.any(String),
			},
		],
	});
});

test("what is not known is not printed, but the edits that are", () => {
	const one = session();
	const first = one.prompt("Go");
	const written = one.write("a.ts", "1\n2\n");
	one.edit("a.ts", [{ oldText: "2", newText: "two" }]);
	one.leaf = written;
	const later = one.prompt("Another way");
	one.bash("python3 gen.py a.ts", () => one.disk.set(`${cwd}/a.ts`, "other\n"));
	one.putDisk();
	writeFileSync(`${cwd}/a.ts`, Buffer.of(255));
	one.save(sandbox.agentDir);
	expect(show(`01a1#${first}`, "--file", "a.ts")).toEqual({
		code: 1,
		out: "",
		err: expect.stringMatching(/^unknown: no session had .*\n$/),
	});
	expect(show("01a1", "--file", "a.ts")).toEqual({
		code: 1,
		out: "",
		err: expect.stringMatching(
			new RegExp(
				`^unknown: 1 command ran since .python3 gen.py a.ts.; a branch was left, .*; the disk now shows another text: something changed it in between\n1 edit of it is known:\n\nwrite ${written} · turn 1 · .*\n\\+1\n\\+2\n$`,
			),
		),
	});
	expect(JSON.parse(show(`01a1#${later}`, "--file", "a.ts", "--json").out)).toMatchObject({
		answer: "likely",
		why: expect.stringMatching(/a branch was left/),
		text: "1\ntwo\n",
	});
});

test("mistakes", () => {
	const one = session();
	one.write("src/a.ts", "a\n");
	one.write("lib/a.ts", "a\n");
	one.save(sandbox.agentDir);
	expect(show("01a1", "--at", "x")).toMatchObject({ code: 2, err: "pi-grove: --at names an entry for --file FILE\n" });
	expect(show("01a1", "--file", "src/a.ts", "--tree").err).toContain("--tree means nothing with --file");
	expect(show("01a1", "--file", "src/a.ts", "--max-chars", "5").err).toContain("--max-chars means nothing with --file");
	expect(show("01a1#aaaa0001", "--file", "src/a.ts", "--at", "aaaa0001").err).toContain("both name an entry");
	expect(show("01a1", "--file", "src/a.ts", "--at", "zz").code).toBe(2);
	expect(show("01a1", "--file", "c.ts")).toEqual({
		code: 2,
		out: "",
		err: expect.stringMatching(
			/^pi-grove: 01a1[\w-]+ neither read nor changed c\.ts; its files are:\n.*\/src\/a\.ts\n.*\/lib\/a\.ts\n$/,
		),
	});
	expect(show("01a1", "--file", "a.ts").err).toContain("2 files of");
});
