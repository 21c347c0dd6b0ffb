import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { listCounted, statsAll } from "../../../src/catalog/list-all.ts";
import { familyDirectory } from "../../../src/catalog/model/run-place.ts";
import { runsIn } from "../../../src/catalog/model/session-links.ts";
import { familyCosts } from "../../../src/catalog/stats/family-cost.ts";
import { forkSession } from "../../../src/store/actions/session-actions.ts";
import { copyFamily, sessionsOf } from "../../support/copied-family.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** A family with a copy of it for another project, as earlier versions have made them. */
function copied(name: string) {
	const { base, root } = tempAgentDir();
	const [parent, ...runs] = sessionsOf(copyFamily(name, root));
	const copy = forkSession(parent, base, join(root, "--elsewhere--"));
	const copies = runs.map((run) => {
		const path = join(familyDirectory(copy), relative(familyDirectory(parent), run));
		const [first = "", ...entries] = readFileSync(run, "utf8").split("\n");
		mkdirSync(dirname(path), { recursive: true });
		const header = { ...JSON.parse(first), id: `${basename(path)} copied`, cwd: base, parentSession: run };
		writeFileSync(path, [JSON.stringify(header), ...entries].join("\n"));
		return path;
	});
	return { base, parent, runs, copy, copies };
}

test.each(["chain", "fork", "fresh", "nested"])(
	"in the copy of a family (%s) each run has cost what it has cost",
	async (name) => {
		const { base, parent, runs, copy, copies } = copied(name);
		const env = { PI_CODING_AGENT_DIR: join(base, "agent") };
		const { rows, counts } = await listCounted({ home: base, env, cwd: base, cacheDir: join(base, "cache") });
		const sessions = runsIn(rows);
		const families = {
			runsOf: (path: string) => sessions.get(path) ?? [],
			countsOf: (path: string) => counts.get(path),
		};
		const costs = new Map([...familyCosts(parent, families), ...familyCosts(copy, families)]);
		const own = (paths: readonly string[]) => paths.map((path) => costs.get(path)?.own.cost);
		expect(own(runs).every((cost) => cost !== undefined && cost > 0)).toBe(true);
		expect(own(copies)).toEqual(own(runs));
	},
);

test("what the runs of a copied family have cost is once in the statistics by agent", async () => {
	const cost = async (make: (name: string) => { readonly base: string }) => {
		const { base } = make("nested");
		const env = { PI_CODING_AGENT_DIR: join(base, "agent") };
		const sums = await statsAll({ home: base, env, cwd: base, cacheDir: join(base, "cache") });
		return [sums.cost, sums.agents.reduce((sum, agent) => sum + agent.cost, 0)].map((sum) => sum.toFixed(9));
	};
	const alone = await cost((name) => {
		const { base, root } = tempAgentDir();
		copyFamily(name, root);
		return { base };
	});
	expect(await cost(copied)).toEqual(alone);
});
