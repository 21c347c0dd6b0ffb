import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { timelineRows } from "../../../src/app/features/timeline/timeline-rows.ts";
import { familiesOf, familyCostOf, type RunSources, runCounts } from "../../../src/app/world/list/families.ts";
import { hasFailed } from "../../../src/catalog/families/run-report.ts";
import { listCounted, statsAll } from "../../../src/catalog/list-all.ts";
import { askedRuns } from "../../../src/catalog/query/conditions.ts";
import { listRunsBelow } from "../../../src/catalog/session-runs.ts";
import { dollarsOfFamilies } from "../../../src/catalog/stats/family-cost.ts";
import { countSome } from "../../../src/catalog/stats/stored-counts.ts";
import { placeRuns } from "../../../src/conversation/entries/place-runs.ts";
import { TimeSlice } from "../../../src/shared/steps.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { type FamilyTruth, writeRandomFamily } from "../../support/random-families.ts";
import { createTempDir } from "../../support/temp-dir.ts";

/*
 * Random families, of which it is known how many runs they have and what they have cost, on every surface that says so: the list,
 * the header, the timeline, the tree, `show --runs`, `list --json` and the statistics.
 */

const home = createTempDir();
const directory = join(home.path, ".pi", "agent", "sessions", "--work--");
const OPTIONS = { home: home.path, env: { HOME: home.path }, cwd: home.path, blocking: true } as const;
const truths: readonly FamilyTruth[] = Array.from({ length: caseCount(25, 200) }, (_, at) =>
	writeRandomFamily(directory, FIRST_SEED + at),
);
afterAll(() => home.remove());

async function known() {
	const { rows: all, counts } = await listCounted({ ...OPTIONS, cacheDir: join(home.path, "cache") });
	const rows = new Map(all.map((row) => [row.path, row]));
	const sources: RunSources = { families: familiesOf(rows), counts, live: new Map() };
	return { all, rows, counts, sources };
}
let facts: Awaited<ReturnType<typeof known>>;
beforeAll(async () => {
	facts = await known();
});

/** What a surface says of each family is true; of the wrong ones the first is shown. */
function expectEach(surface: (truth: FamilyTruth) => Partial<FamilyTruth>): void {
	for (const truth of truths) expect({ ...rounded(truth), ...rounded(surface(truth)) }).toEqual(rounded(truth));
}

function rounded<Numbers extends Partial<FamilyTruth>>(numbers: Numbers): Numbers {
	const all = Object.entries(numbers).map(([key, value]) => [key, typeof value === "number" ? cents(value) : value]);
	return Object.fromEntries(all) as Numbers;
}

/** To a hundredth of a cent: the sums are of hundreds of numbers. */
function cents(dollars: number): number {
	return Math.round(dollars * 10_000) / 10_000;
}

test("every run is listed below its family, and nothing else is", () => {
	const { all, sources } = facts;
	const heads = all.filter((row) => !sources.families.parents.has(row)).map(({ path }) => path);
	expect(heads.sort()).toEqual(truths.flatMap(({ path, fork }) => [path, ...(fork ? [fork.path] : [])]).sort());
});

test("the list and the header", () => {
	const { rows, sources, counts } = facts;
	expectEach(({ path }) => {
		const row = rows.get(path);
		const cost = row && familyCostOf(row, sources.families, counts);
		if (row === undefined || cost === undefined) throw new Error(`not counted: ${path}`);
		const { count, failed, gone } = runCounts(row, sources);
		expect(cost.count).toBe(count);
		return { count, failed, gone, own: cost.own.cost, total: cost.total.cost };
	});
});

test("the timeline", () => {
	const { rows, counts } = facts;
	const known = { rows, counts, live: { sessions: new Map(), pis: [] } };
	expectEach(({ path }) => {
		const [head, ...runs] = timelineRows([path], known, Date.now());
		const failed = runs.filter(({ bar: { state } }) => state !== undefined && hasFailed(state)).length;
		return { count: runs.length, failed, gone: runs.filter(({ run }) => run?.isGone).length, total: head?.cost ?? 0 };
	});
});

test("the tree", async () => {
	const { counts, sources } = facts;
	const asked = new Map<string, number>();
	for (const { path } of truths) {
		const runs = sources.families.runs.get(path) ?? [];
		asked.set(path, placeRuns(await readSession(path), runs, counts.get(path)?.runs ?? []).length);
	}
	expectEach(({ path }) => ({ asked: asked.get(path) ?? -1 }));
});

test("show --runs, without an index", async () => {
	const options = { ...OPTIONS, cacheDir: join(home.path, "none") };
	const count = (paths: readonly string[]) => countSome(paths, options, new TimeSlice());
	const said = new Map<string, Partial<FamilyTruth>>();
	for (const { path, own } of truths) {
		const looked = new Set<string>();
		let looks = 0;
		const isLive = (paths: readonly string[]): boolean => {
			if (paths.some((one) => !looked.has(one))) looks += 1;
			for (const one of paths) looked.add(one);
			return false;
		};
		const runs = await listRunsBelow(path, { rows: facts.all, count, isLive });
		// However many of them work, the processes of this machine are looked through once.
		expect(looks).toBeLessThanOrEqual(1);
		const total = runs.reduce((sum, { cost = 0 }) => sum + cost, own);
		const failed = runs.filter(({ facts: { state } }) => state === "failed").length;
		const gone = runs.filter(({ facts: { isGone } }) => isGone).length;
		said.set(path, { count: runs.length, asked: runs.filter(({ level }) => level === 0).length, failed, gone, total });
	}
	expectEach(({ path }) => said.get(path) ?? {});
});

test("list --json, and what a query asks for", () => {
	const { counts, sources } = facts;
	const dollars = dollarsOfFamilies(counts, sources.families.runs);
	expectEach(({ path, own }) => {
		const asked = askedRuns(path, { counts, runs: sources.families.runs })?.length ?? -1;
		return { asked, total: dollars.get(path) ?? own };
	});
	const forks = truths.flatMap(({ fork }) => fork ?? []);
	expect(forks.map(({ path }) => cents(counts.get(path)?.cost ?? -1))).toEqual(forks.map(({ cost }) => cents(cost)));
	expect(forks.filter(({ path }) => dollars.has(path))).toEqual([]);
});

test("the statistics", async () => {
	const stats = await statsAll({ ...OPTIONS, cacheDir: join(home.path, "cache") });
	const sum = (of: (truth: FamilyTruth) => number): number => truths.reduce((all, truth) => all + of(truth), 0);
	expect(cents(stats.cost)).toBe(cents(sum(({ total, fork }) => total + (fork?.added ?? 0))));
	expect(stats.agents.reduce((all, { runs }) => all + runs, 0)).toBe(sum(({ count }) => count));
	expect(stats.agents.reduce((all, { failures }) => all + failures, 0)).toBe(sum(({ failed }) => failed));
});
