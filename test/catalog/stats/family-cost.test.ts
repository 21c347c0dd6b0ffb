import { utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isSessionPath } from "../../../src/catalog/model/run-place.ts";
import { rootOf } from "../../../src/catalog/model/session-roots.ts";
import { dollarsOfFamilies, familyCosts } from "../../../src/catalog/stats/family-cost.ts";
import { usageOf } from "../../../src/catalog/stats/usage.ts";
import { isObject } from "../../../src/shared/json.ts";
import type { RawEntry } from "../../../src/store/format/raw-entry.ts";
import { caseCount } from "../../support/cases.ts";
import { openFamilies } from "../../support/counting.ts";
import { FAMILY_ROOTS, type FamilyFile, familyFiles } from "../../support/family.ts";
import { header, lines, message, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** An answer that has cost so much. */
function paid(id: string, second: number, cost: number): string {
	const usage = { input: cost * 100, output: 0, cacheRead: 0, cacheWrite: 0, cost: { total: cost } };
	return message(id, null, second, { role: "assistant", content: [], model: "small", usage });
}

interface ReportedRun {
	readonly runId: string;
	readonly cost?: number | undefined;
	readonly file?: string;
}

/** What the results report about runs: for each, and for all of them together. */
function resultOf(id: string, second: number, runs: readonly ReportedRun[], together?: number): string {
	const completions = runs.map(({ runId, cost, file }) => {
		const usage = cost === undefined ? {} : { usage: { input: cost * 100, cost } };
		const results = [{ agent: "scout", exitCode: 0, model: "local/small", sessionFile: file, ...usage }];
		return { runId, agent: "scout", state: "complete", success: true, results };
	});
	const usage = together === undefined ? {} : { usage: { input: together * 100, cost: { total: together } } };
	const fields = { toolCallId: id, toolName: "bg_wait", content: [], isError: false };
	return message(id, null, second, { role: "toolResult", ...fields, ...usage, details: { completions } });
}

const P = "--p--/p";
const asked = user("u", null, 1, "go");
/** The parent's own answers, which cost 3 together. */
const OWN = [asked, paid("p1", 2, 1), paid("p2", 3, 2)];

/** Where the session of a run is: beside others, or of a run with forked context. */
function placeOf(parent: string, runId: string, isFork: boolean): string {
	return isFork ? `${parent}/forks/${runId}` : `${parent}/${runId}/run-0/session`;
}

function begin(second: number, parent?: string): string {
	const timestamp = new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
	return header({ id: `s${second}`, timestamp, ...(parent !== undefined && { parentSession: parent }) });
}

/** Counts files by their paths below the root without `.jsonl`; returns what the first one costs, and what all do. */
async function countFamily(files: Readonly<Record<string, readonly string[]>>) {
	const { root, cache, write, sessionRoots } = tempAgentDir();
	const families = await openFamilies(root, cache, sessionRoots);
	const inRoot = (text: string): string => text.replaceAll("ROOT", root);
	const paths = Object.entries(files).map(([name, all]) => write(`${name}.jsonl`, inRoot(lines(...all))));
	await families.count(...paths);
	return { root, families, paths, cost: families.costOf(paths[0] ?? ""), stats: families.stats() };
}

/** What a session reports about its run that has cost 8. */
const TOLD = {
	nothing: {},
	"in the run's result": { cost: 8 },
	"too little in the run's result": { cost: 3 },
	"for the whole call": { together: 8 },
	both: { cost: 8, together: 8 },
	"less in the run's result": { cost: 3, together: 8 },
} as const;
/** What the session of the run has of its own. */
const FILES = {
	"no session": undefined,
	"a whole session": [8],
	"a session of which the end is missing": [5],
} as const;
const CONTEXTS = { "a fresh run": false, "a run with forked context": true } as const;

const combinations = Object.entries(TOLD).flatMap(([how, says]) =>
	Object.entries(FILES).flatMap(([file, own]) =>
		Object.entries(CONTEXTS).map(([context, isFork]) => ({ how, says, file, own, context, isFork })),
	),
);

/** The session of a run that begins with what `above` has, if it is a fork. */
function runFile(
	parent: string,
	{ own, isFork }: { own: readonly number[]; isFork: boolean },
	above: readonly string[],
	second: number,
): Readonly<Record<string, readonly string[]>> {
	const answers = own.map((cost, index) => paid(`r${second}${index}`, second + 1 + index, cost));
	return {
		[placeOf(parent, `r${second}`, isFork)]: isFork
			? [begin(second, `ROOT/${parent}.jsonl`), ...above, ...answers]
			: [begin(second), ...answers],
	};
}

describe("a run that has cost 8, of a session that has cost 3 by itself, counts once in its family and in the statistics", () => {
	test.each(combinations)("$context with $file, reported: $how", async ({ says, own, isFork }) => {
		const { cost, together } = { cost: undefined, together: undefined, ...says };
		const run = { runId: "r10", cost, file: `ROOT/${placeOf(P, "r10", isFork)}.jsonl` };
		const result = await countFamily({
			[P]: [begin(0), ...OWN, resultOf("t", 30, [run], together)],
			...(own && runFile(P, { own, isFork }, OWN, 10)),
		});
		const expected = Math.max(cost ?? 0, together ?? 0, own?.[0] ?? 0);
		expect(result.cost).toMatchObject({ own: { cost: 3, tokens: 300 }, count: 1 });
		expect(result.cost?.total).toEqual({ cost: 3 + expected, tokens: 300 + expected * 100 });
		expect(result.stats).toMatchObject({ cost: 3 + expected, tokens: 300 + expected * 100 });
		expect(result.stats.agents).toMatchObject([{ key: "scout", runs: 1, cost: expected }]);
	});

	test.each(combinations)("$context with $file, reported: $how, in one result with another run", async (one) => {
		const { cost, together } = { cost: undefined, together: undefined, ...one.says };
		const run = { runId: "r10", cost, file: `ROOT/${placeOf(P, "r10", one.isFork)}.jsonl` };
		const both = [run, { runId: "r40", cost: 32 }];
		const result = await countFamily({
			[P]: [begin(0), ...OWN, resultOf("t", 30, both, together === undefined ? undefined : together + 32)],
			...(one.own && runFile(P, { own: one.own, isFork: one.isFork }, OWN, 10)),
		});
		const expected = Math.max(cost ?? 0, together ?? 0, one.own?.[0] ?? 0);
		expect(result.cost?.total).toEqual({ cost: 35 + expected, tokens: 3500 + expected * 100 });
		expect(result.stats).toMatchObject({ cost: 35 + expected, tokens: 3500 + expected * 100 });
		expect(result.stats.agents).toMatchObject([{ key: "scout", runs: 2, cost: 32 + expected }]);
	});

	test.each(combinations)("$context with $file, reported: $how, started by a run with forked context", async (one) => {
		const { cost, together } = { cost: undefined, together: undefined, ...one.says };
		const F = placeOf(P, "f", true);
		const run = { runId: "r20", cost, file: `ROOT/${placeOf(F, "r20", one.isFork)}.jsonl` };
		const fork = [...OWN, paid("f1", 11, 16)];
		const result = await countFamily({
			[P]: [begin(0), ...OWN, resultOf("t", 40, [{ runId: "f", cost: 16, file: `ROOT/${F}.jsonl` }])],
			// What it reports about its run is not in what the parent reports about it.
			[F]: [begin(10, `ROOT/${P}.jsonl`), ...fork, resultOf("t2", 30, [run], together)],
			...(one.own && runFile(F, { own: one.own, isFork: one.isFork }, fork, 20)),
		});
		const expected = Math.max(cost ?? 0, together ?? 0, one.own?.[0] ?? 0);
		expect(result.cost).toMatchObject({ own: { cost: 3 }, total: { cost: 19 + expected }, count: 2 });
		expect(result.stats.cost).toBeCloseTo(19 + expected, 9);
		expect(result.stats.agents).toMatchObject([{ key: "scout", runs: 2, cost: 16 + expected }]);
	});
});

test("a result that says what several runs have cost together adds only what they do not account for", async () => {
	const runs = [{ runId: "a", cost: 2 }, { runId: "b" }];
	const place = placeOf(P, "b", false);
	const costWith = async (answer: number, ...results: readonly string[]) => {
		const { cost, stats } = await countFamily({
			[P]: [begin(0), asked, paid("p1", 2, 1), ...results],
			[place]: [begin(10), paid("b1", 11, answer)],
		});
		expect(stats.cost).toBeCloseTo(cost?.total.cost ?? 0, 9);
		return cost?.total.cost;
	};
	expect(await costWith(5, resultOf("t", 30, runs, 10))).toBe(11);
	expect(await costWith(9, resultOf("t", 30, runs, 10))).toBe(12);
	// The same said again, by another result.
	expect(await costWith(5, resultOf("t", 30, runs, 10), resultOf("t2", 31, runs, 10))).toBe(11);
});

test("a session that goes on in later runs counts once", async () => {
	const file = `ROOT/${placeOf(P, "a", false)}.jsonl`;
	const results = [
		resultOf("t", 20, [{ runId: "a", cost: 4, file }], 4),
		resultOf("t2", 30, [{ runId: "b", cost: 5, file }], 5),
	];
	const parent = { [P]: [begin(0), asked, paid("p1", 2, 1), ...results] };
	const run = { [placeOf(P, "a", false)]: [begin(10), paid("a1", 11, 4), paid("a2", 25, 5)] };
	for (const files of [parent, { ...parent, ...run }]) {
		const { cost, stats } = await countFamily(files);
		expect(cost?.total.cost).toBe(10);
		expect(stats.cost).toBe(10);
		expect(stats.agents).toMatchObject([{ runs: 2, cost: 9 }]);
	}
});

test("what a run has cost stays in the statistics when its session is deleted, and counts once when it comes back", async () => {
	const place = placeOf(P, "r", false);
	const run = { runId: "r", cost: 8, file: `ROOT/${place}.jsonl` };
	const { families, paths } = await countFamily({
		[P]: [begin(0), ...OWN, resultOf("t", 30, [run], 8)],
		[place]: [begin(10), paid("r1", 11, 8)],
	});
	const [, path = ""] = paths;
	expect(families.stats().cost).toBe(11);
	families.remove(path);
	expect(families.stats()).toMatchObject({ cost: 11, tokens: 1100, agents: [{ runs: 1, cost: 8 }] });
	expect(families.stats().models).toMatchObject([{ key: "small", cost: 11 }]);
	await families.count(path);
	expect(families.stats()).toMatchObject({ cost: 11, tokens: 1100 });
});

test("a copy of a session's file reports the same runs, which count once", async () => {
	const place = placeOf(P, "r", false);
	const parent = [begin(0), ...OWN, resultOf("t", 30, [{ runId: "r", cost: 8, file: `ROOT/${place}.jsonl` }], 8)];
	const copy = { "--p--/copy": parent };
	const gone = await countFamily({ [P]: parent, ...copy });
	expect(gone.stats).toMatchObject({ cost: 11, agents: [{ runs: 1, cost: 8 }] });
	const there = await countFamily({ ...copy, [P]: parent, [place]: [begin(10), paid("r1", 11, 8)] });
	expect(there.stats).toMatchObject({ cost: 11, agents: [{ runs: 1, cost: 8 }] });
});

test("the fork of a person says nothing of the runs of the session that it was made from", async () => {
	const parent = [...OWN, resultOf("t", 30, [{ runId: "r", cost: 8 }], 8)];
	const { families, paths, stats } = await countFamily({
		[P]: [begin(0), ...parent],
		"--p--/fork": [
			begin(40, `ROOT/${P}.jsonl`),
			...parent,
			paid("x", 50, 4),
			resultOf("t2", 60, [{ runId: "q", cost: 1 }]),
		],
	});
	expect(stats).toMatchObject({ cost: 16, agents: [{ runs: 2, cost: 9 }] });
	const fork = families.counts(paths[1] ?? "");
	// What it has copied is in its own file.
	expect(fork).toMatchObject({ cost: 7, copied: { cost: 3 }, runs: [{ runId: "q" }] });
	expect(families.costOf(paths[1] ?? "")?.total.cost).toBe(8);
});

test("a session that has grown costs what it would if it were counted whole", async () => {
	for (let round = 0; round < caseCount(2, 20); round++) {
		const { root, cache, write, sessionRoots } = tempAgentDir();
		const names = ["fork", "parallel", "chain", "waited", "background", "nested"];
		const [parent] = familyFiles(names[round % names.length] ?? "");
		const runs = [{ runId: "a", cost: 1 }, { runId: "b" }];
		const made = [
			begin(0),
			asked,
			resultOf("t", 5, runs, 4),
			resultOf("t2", 6, runs, 9),
			resultOf("t3", 7, [{ runId: "b", cost: 8 }], 8),
		];
		const [copied, own] = [
			resultOf("t", 3, [{ runId: "a", cost: 1 }], 1),
			resultOf("t2", 6, [{ runId: "b", cost: 2 }], 2),
		];
		const fork = [begin(4, "/p.jsonl"), asked, paid("p1", 2, 1), copied, paid("p2", 5, 2), own];
		for (const all of [made, fork, parent.text.trimEnd().split("\n")]) {
			const families = await openFamilies(root, cache, sessionRoots);
			// Entries follow one another, so that counting goes on where it stopped.
			const linked = all.map((line, at) => {
				const entry = JSON.parse(line) as RawEntry;
				return JSON.stringify(at === 0 ? entry : { ...entry, id: `e${at}`, parentId: at === 1 ? null : `e${at - 1}` });
			});
			let time = 1;
			for (let cut = 1 + (round % 3); cut < linked.length; cut += 1 + (round % 2)) {
				const path = write("--p--/grown.jsonl", lines(...linked.slice(0, cut)));
				utimesSync(path, time, time++);
				await families.count(path);
			}
			const [grown, whole] = ["grown", "whole"].map((name) => write(`--p--/${name}.jsonl`, lines(...linked)));
			await families.count(grown ?? "", whole ?? "");
			// The second file is a copy of the first one: the work counts there.
			const withoutWork = (path = "") => ({ ...families.counts(path), elsewhere: undefined, workedMs: undefined });
			expect(withoutWork(grown)).toEqual(withoutWork(whole));
		}
	}
});

test("the runs of runs may be of any depth", () => {
	const depth = 20_000;
	const session = (at: number) => ({ path: `${at}`, id: `${at}`, created: new Date(at) });
	const costs = familyCosts("0", {
		runsOf: (path) => (Number(path) < depth ? [session(Number(path) + 1)] : []),
		countsOf: () => undefined,
	});
	expect(costs.get("0")?.count).toBe(depth);
});

describe("families of the packages", () => {
	/** What a family costs, by the rule and in the statistics; `isGone`: the sessions of runs are not there. */
	async function costOfFamily(name: string, isGone = false): Promise<number> {
		const [parent, ...others] = familyFiles(name).filter(({ path }) => isSessionPath(path, FAMILY_ROOTS));
		const { root, cache, write, sessionRoots } = tempAgentDir();
		const families = await openFamilies(root, cache, sessionRoots);
		const paths = [parent, ...(isGone ? [] : others)].flatMap((file) =>
			file === undefined
				? []
				: [write(file.path.slice(rootOf(FAMILY_ROOTS).length + 1), file.text.replaceAll(rootOf(FAMILY_ROOTS), root))],
		);
		await families.count(...paths);
		const total = families.costOf(paths[0] ?? "")?.total.cost ?? Number.NaN;
		expect(families.stats().cost).toBeCloseTo(total, 10);
		return total;
	}

	/** What the provider was paid for: each answer, once. */
	function paidIn(files: readonly FamilyFile[]): number {
		const answers = new Map<unknown, RawEntry>();
		for (const { path, entries } of files)
			for (const entry of entries)
				if (isSessionPath(path, FAMILY_ROOTS) && isObject(entry.message) && entry.message.role === "assistant")
					answers.set(entry.id, entry);
		return [...answers.values()].reduce((sum, entry) => sum + (usageOf(entry)?.spent.cost ?? 0), 0);
	}

	test.each(["fresh", "fork", "nested", "parallel", "chain", "background", "waited", "agent-session"])(
		"%s costs what its answers have cost",
		async (name) => {
			expect(await costOfFamily(name)).toBeCloseTo(paidIn(familyFiles(name)), 10);
		},
	);

	test.each(["fresh", "fork", "parallel", "chain", "waited", "old-parallel", "old-chain"])(
		"%s costs the same without the sessions of its runs",
		async (name) => {
			expect(await costOfFamily(name, true)).toBeCloseTo(paidIn(familyFiles(name)), 10);
		},
	);

	test("the cost of runs that nothing reports is lost with their sessions", async () => {
		for (const name of ["nested", "background", "agent-session"])
			expect(await costOfFamily(name, true)).toBeLessThan(paidIn(familyFiles(name)) - 0.001);
	});
});

test("the dollars of a family are those that adding them by hand gives", () => {
	const counts = { turns: 0, branches: 0, errors: 0, tokens: 0, labels: 0, model: "", ending: "", endedMs: 0 } as const;
	const place = { parent: "/head", runId: undefined, index: undefined, isFork: false };
	const run = { path: "/run", id: "r", name: undefined, created: new Date(0), run: place };
	const dollars = dollarsOfFamilies(
		new Map([
			["/head", { ...counts, cost: 0.1 }],
			["/run", { ...counts, cost: 0.2 }],
		]),
		new Map([["/head", [run]]]),
	);
	expect([...dollars]).toEqual([["/head", 0.3]]);
});
