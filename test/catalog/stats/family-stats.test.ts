import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isSessionPath } from "../../../src/catalog/model/run-place.ts";
import { rootOf } from "../../../src/catalog/model/session-roots.ts";
import { statsAll } from "../../../src/catalog/search-all.ts";
import { FAMILY_ROOTS, familyFiles } from "../../support/family.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** Families of both packages, one with a session that only its name tells to be a run's, each in a directory of its own. */
const NAMES = ["nested", "parallel", "fork", "agent-session", "old-chain", "agent-foreground"];

test("the statistics by agent are the same from the thread and without it, and nothing told is lost with its sessions", async () => {
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
	// Nobody was told what the runs of runs, and those of the other package, have cost.
	expect(gone.cost).toBeGreaterThan(here.cost * 0.7);
	expect(gone.cost).toBeLessThan(here.cost);
});
