import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { statsAll } from "../../../src/catalog/list-all.ts";
import { isSessionPath } from "../../../src/catalog/model/run-place.ts";
import { rootOf } from "../../../src/catalog/model/session-roots.ts";
import { FAMILY_ROOTS, familyFiles } from "../../support/family.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** Families of both packages, one with a session that only its name identifies as a run, each in a directory of its own. */
const NAMES = ["nested", "parallel", "fork", "agent-session", "old-chain", "agent-foreground"];

test("the statistics by agent are the same from the thread and without it, and nothing reported is lost with its sessions", async () => {
	const { env, cache: cacheDir, root, write } = tempAgentDir();
	const runs: string[] = [];
	for (const name of NAMES) {
		for (const [index, { path, text }] of familyFiles(name).entries()) {
			if (!isSessionPath(path, FAMILY_ROOTS)) continue;
			const moved = (one: string): string =>
				one.replaceAll(rootOf(FAMILY_ROOTS), root).replaceAll("--home-dev-work-api--", `--${name}--`);
			// Each family has the same ids.
			const own = text.replaceAll("0000-7000-8000", `0000-7000-8${String(NAMES.indexOf(name)).padStart(3, "0")}`);
			const ids = own
				.replaceAll('"id":"e0', `"id":"e${NAMES.indexOf(name)}`)
				.replaceAll('Id":"e0', `Id":"e${NAMES.indexOf(name)}`);
			const place = path.replaceAll("0000-7000-8000", `0000-7000-8${String(NAMES.indexOf(name)).padStart(3, "0")}`);
			const written = write(moved(place).slice(root.length + 1), moved(ids));
			if (index > 0) runs.push(written);
		}
	}
	const fromThread = await statsAll({ env, cacheDir });
	const here = await statsAll({ env, cacheDir, blocking: true });
	expect(here).toEqual(fromThread);
	expect(here.runs).toBe(runs.length);
	expect(here.agents.map(({ key, runs: count, failures }) => [key, count, failures])).toMatchInlineSnapshot(`
		[
		  [
		    "checker",
		    2,
		    1,
		  ],
		  [
		    "doer",
		    1,
		    0,
		  ],
		  [
		    "lead",
		    1,
		    0,
		  ],
		  [
		    "writer",
		    1,
		    0,
		  ],
		  [
		    "adviser",
		    1,
		    0,
		  ],
		  [
		    "planner",
		    1,
		    0,
		  ],
		  [
		    "reader",
		    1,
		    0,
		  ],
		  [
		    "Explore",
		    2,
		    1,
		  ],
		]
	`);
	const { cost } = here.agents.reduce((sum, line) => ({ cost: sum.cost + line.cost }), { cost: 0 });
	expect(cost).toBeGreaterThan(0.01);
	for (const total of [here.projects, here.models, here.months, here.days])
		expect(total.reduce((sum, line) => sum + line.cost, 0)).toBeCloseTo(here.cost, 9);

	for (const path of runs) rmSync(join(path));
	const gone = await statsAll({ env, cacheDir });
	expect(gone.runs).toBe(0);
	expect(gone.agents.reduce((sum, line) => sum + line.runs, 0)).toBeGreaterThan(runs.length / 2);
	// Nothing reports what the runs of runs, and those of the other package, have cost.
	expect(gone.cost).toBeGreaterThan(here.cost * 0.7);
	expect(gone.cost).toBeLessThan(here.cost);
});

test("what is summed up of some projects is the same as their lines among all, with runs that have another directory", async () => {
	const { env, cache: cacheDir, write } = tempAgentDir();
	const id = "01990000-0000-7000-8000-000000000001";
	const at = "2026-09-14T09-00-00-000Z_0199-a";
	const answer = (entryId: string, parentId: string, cost: number): string =>
		assistant(entryId, parentId, 2, "done").replace('"total":0.03', `"total":${cost}`);
	const run = write(
		`--a--/${at}/${id}/run-0/session.jsonl`,
		lines(header({ cwd: "/worktree" }), user("b1", null, 1, "do it"), answer("b2", "b1", 2)),
	);
	// One whose session is there, and is known to have cost more than it says, and one without.
	const results = [2.5, 4].map((cost, index) => {
		return { index, agent: "w", exitCode: 0, usage: { cost }, ...(index === 0 && { sessionFile: run }) };
	});
	const told = JSON.stringify({
		...{ type: "message", id: "a3", parentId: "a2", timestamp: "2026-09-14T09:00:09.000Z" },
		message: {
			role: "toolResult",
			toolName: "subagent",
			content: [],
			details: { mode: "parallel", runId: id, results },
		},
	});
	write(`--a--/${at}.jsonl`, lines(header({ cwd: "/a" }), user("a1", null, 1, "ask"), answer("a2", "a1", 1), told));
	const sums = async (...cwds: string[]) => {
		const isAsked = ({ cwd }: { cwd: string }) => cwds.includes(cwd);
		const one = await statsAll({ env, cacheDir, blocking: true, isAsked });
		expect(await statsAll({ env, cacheDir, isAsked })).toEqual(one);
		const agents = one.agents.map((line) => [line.runs, line.cost]);
		return { cost: one.cost, runs: one.runs, lines: one.projects.map(({ key, cost }) => [key, cost]), agents };
	};
	expect(await sums("/a", "/worktree")).toEqual({
		...{ cost: 7.5, runs: 1, agents: [[2, 6.5]] },
		lines: [
			["/a", 5],
			["/worktree", 2.5],
		],
	});
	expect(await sums("/a")).toEqual({ cost: 5, runs: 0, agents: [[1, 4]], lines: [["/a", 5]] });
	expect(await sums("/worktree")).toEqual({ cost: 2.5, runs: 1, agents: [[1, 2.5]], lines: [["/worktree", 2.5]] });
});
