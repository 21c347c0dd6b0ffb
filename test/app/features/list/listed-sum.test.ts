import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selectHeader } from "../../../../src/app/core/screen/header.ts";
import { listedFamilies, listedSum, sumOfMarked } from "../../../../src/app/world/list/listed-sum.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { listAll, listCounted, statsAll } from "../../../../src/catalog/list-all.ts";
import { roundCost } from "../../../../src/catalog/stats/usage.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { fixtureDir } from "../../../support/fixture.ts";
import { startOf, stateAfter } from "../../../support/listed-state.ts";
import { LISTED } from "../../../support/rows.ts";
import { tempDir } from "../../../support/temp-dir.ts";

test("the header and the statistics agree on every part of the sessions, with their runs, forks and copies", async () => {
	const base = tempDir();
	const agent = join(base, "agent");
	for (const project of ["--one--", "--copies--"])
		cpSync(fixtureDir, join(agent, "sessions", project), { recursive: true });
	const options = { home: base, cwd: base, cacheDir: join(base, "cache"), env: { PI_CODING_AGENT_DIR: agent } };
	const { rows, counts } = await listCounted({ ...options, archived: true });
	expect((await listAll(options)).length).toBeGreaterThan(50);
	const all = stateAfter(
		startOf({ columns: 160, rows: 45 }, { cwd: base }),
		{ type: "catalog", event: { type: "rows", rows } },
		LISTED,
	);
	const uncounted = listedSum(all);
	expect([uncounted.counted, uncounted.cost]).toEqual([0, 0]);
	const state = stateAfter(all, { type: "catalog", event: { type: "counts", counts: [...counts] } });
	const narrowed = (text: string): State => stateAfter(state, { type: "text", text });
	for (const part of [state, narrowed("is:named"), narrowed("cost:>0.01"), narrowed("is:fork")]) {
		const { cost, workedMs, counted } = listedSum(part);
		const paths = new Set(listedFamilies(part).map(({ path }) => path));
		const sums = await statsAll({ ...options, isAsked: ({ path }) => paths.has(path) });
		expect([roundCost(cost), workedMs]).toEqual([sums.cost, sums.workedMs]);
		expect(counted).toBeGreaterThan(0);
	}
	const marked = stateAfter(state, { type: "keys", keys: ["insert", "insert", "insert"] });
	const stage = stateAfter(marked, { type: "keys", keys: ["<stage>"] });
	expect(sumOfMarked(marked)).toEqual(listedSum(stage));
	expect(textOfRow(selectHeader(marked).line)).toMatch(/✓ 3 marked · <?\$\d+\.\d\d · [\d.]+ [KM]B /);
	expect(textOfRow(selectHeader(state).line)).toMatch(/ \d+ sessions · \$\d+\.\d\d $/);
});
