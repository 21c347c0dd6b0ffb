import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionManager } from "../../src/store/manager/session-manager.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

/** Three sessions, two of them of ~/work/api, which was moved to ~/work/old/api. */
function moved() {
	const { parser, retry } = threeSessions(sandbox);
	SessionManager.open(parser).appendLabelChange(SessionManager.open(parser).getLeafId() ?? "", "todo");
	sandbox.directory("work/old");
	renameSync(join(sandbox.home, "work/api"), join(sandbox.home, "work/old/api"));
	return { parser, retry };
}

test("move does the same in the shell, with directories below the moved one, after asking; undo takes it back", async () => {
	const { parser, retry } = moved();
	const below = sandbox.session({
		project: "work/api/packages/web",
		age: 3,
		messages: [{ role: "user", text: "Below" }],
	});
	rmSync(join(sandbox.home, "work/api"), { recursive: true });
	const [old, now] = ["work/api", "work/old/api"].map((way) => join(sandbox.home, way));
	const before = sandbox.fingerprints();
	const move = (...words: readonly string[]) => run(sandbox, ["move", ...words]);
	expect(move(old ?? "", join(sandbox.home, "nowhere"))).toMatchObject({
		code: 2,
		err: expect.stringContaining("is not a directory"),
	});
	expect(move(join(sandbox.home, "other"), now ?? "", "--yes")).toMatchObject({
		code: 1,
		err: expect.stringContaining("There is no session of"),
	});
	expect(move(old ?? "", now ?? "")).toMatchObject({
		code: 2,
		err: expect.stringContaining("there is no terminal to ask at"),
	});
	expect(sandbox.fingerprints()).toEqual(before);
	// What cannot follow is named, and stays.
	const partly = move(old ?? "", now ?? "", "--yes");
	expect(partly).toMatchObject({
		code: 2,
		err: expect.stringContaining("Forked 2 sessions into ~/work/old/api and archived the originals; 1 failed: "),
	});
	expect([parser, retry, below].map(existsSync)).toEqual([false, false, true]);
	sandbox.directory("work/old/api/packages/web");
	expect(move(old ?? "", now ?? "", "--yes")).toMatchObject({
		code: 0,
		err: expect.stringContaining("Forked “Below” into ~/work/old/api"),
	});
	const listed = JSON.parse(run(sandbox, ["list", "--json"]).out) as { cwd: string }[];
	expect(listed.map(({ cwd }) => cwd).sort()).toEqual(
		[now, now, join(now ?? "", "packages/web"), join(sandbox.home, "work/site")].sort(),
	);
	for (let undone = 0; undone < 2; undone++) expect(run(sandbox, ["undo", "--yes"]).code).toBe(0);
	expect(sandbox.fingerprints()).toEqual(before);
});
