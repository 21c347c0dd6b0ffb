import { copyFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { run } from "../support/run.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
let parser: string;
/** Syncthing's copy of that session. */
let copy: string;
beforeEach(() => {
	({ parser } = threeSessions(sandbox));
	copy = parser.replace(".jsonl", ".sync-conflict-20260105-090000-ABCDEFG.jsonl");
	copyFileSync(parser, copy);
});

test("a conflict copy has a row with a sign, costs nothing more, and is one line of the doctor; the id that both have is that of the session", async () => {
	const listed = JSON.parse(run(sandbox, ["list", "--json", "--counted"]).out) as { path: string }[];
	expect(listed.map(({ path }) => path)).toEqual(expect.arrayContaining([parser, copy]));
	const stats = JSON.parse(run(sandbox, ["stats", "--json"]).out) as { sessions: number; cost: number };
	expect(stats).toMatchObject({ sessions: 4 });
	expect(run(sandbox, ["path", "session-0001"]).out).toBe(`${parser}\n`);
	const doctor = run(sandbox, ["doctor"]).out.split("\n");
	expect(doctor.filter((line) => line.includes("conflict-copy"))).toEqual([
		`  · It is a copy of ${parser} that another program made.  conflict-copy`,
	]);
	const terminal = sandbox.start(["list"], { columns: 200 });
	expect(await terminal.exit()).toMatchObject({ code: 0 });
	const lines = (await terminal.history()).filter((line) => line.includes("Refactor the parser"));
	expect(lines.map((line) => line.includes("(a conflict copy)")).sort()).toEqual([false, true]);
});
