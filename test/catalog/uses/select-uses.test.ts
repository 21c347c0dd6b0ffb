import { expect, test } from "vitest";
import { KeptTexts, rankUses, selectUsesSteps } from "../../../src/catalog/uses/select-uses.ts";
import { parseUseQuery, type Use, type UseKind } from "../../../src/catalog/uses/use.ts";
import { runToEnd } from "../../../src/shared/steps.ts";

const NOW = Date.UTC(2026, 5, 30, 12);
const DAY = 24 * 60 * 60 * 1000;

const texts = new KeptTexts();
const names = new Map<string, number>();
let made = 0;

function use(text: string, daysAgo: number, fields: Partial<Use> = {}): Use {
	const hash = names.get(text) ?? names.size + 1;
	names.set(text, hash);
	texts.keep(hash, text);
	const place = { path: "/one.jsonl", entryId: "e", line: 1, offset: 0, part: 0 };
	return { kind: "prompt", text: hash, origin: ++made, ...place, time: NOW - daysAgo * DAY, by: "person", ...fields };
}

/** The texts in their order, with how often they were used. */
function ranked(files: Use[][], query = "", kind: UseKind = "prompt", limit = 100) {
	const parsed = parseUseQuery(query, kind, NOW);
	if ("error" in parsed) throw new Error(parsed.error);
	const limits = { limit, usesLimit: 2, textLimit: 8 };
	return runToEnd(selectUsesSteps(rankUses(files, parsed.dates, NOW), texts, { kind, query: parsed.query, ...limits }));
}

const counts = (files: Use[][], query?: string) => ranked(files, query).texts.map(({ text, count }) => [text, count]);

test("a use counts half for every week since, so recent uses rank above frequent old ones", () => {
	const often = Array.from({ length: 7 }, () => use("often", 21));
	expect(counts([[...often, use("now", 0)]])).toEqual(
		[
			["now", 1],
			["often", 7],
		].map(([a, b]) => [a, b]),
	);
	// Nine of three weeks ago come to 9/8.
	expect(counts([[...often, use("often", 21), use("often", 21), use("now", 0)]])).toEqual([
		["often", 9],
		["now", 1],
	]);
	expect(counts([[use("older", 2), use("newer", 1)]])).toEqual([
		["newer", 1],
		["older", 1],
	]);
});

test("a wrong time, or none, ranks nothing above all others", () => {
	const files = [[use("future", -40_000), use("twice", 0), use("twice", 0), use("none", 0, { time: Number.NaN })]];
	expect(counts(files)).toEqual([
		["twice", 2],
		["future", 1],
		["none", 1],
	]);
});

test("what a fork has copied counts once, in the session that comes first", () => {
	const original = use("asked", 3);
	const copy = { ...original, path: "/fork.jsonl" };
	const own = use("asked", 1, { path: "/fork.jsonl" });
	const [text] = ranked([[copy, own], [original]]).texts;
	expect(text).toMatchObject({ count: 2, sessions: 1 });
	expect(text?.uses.map(({ path }) => path)).toEqual(["/fork.jsonl", "/fork.jsonl"]);
	expect(text?.uses.map(({ time }) => (NOW - time) / DAY)).toEqual([1, 3]);
});

test("words, phrases, patterns and dates; the sums cover all that is found, whatever is shown", () => {
	const files = [
		[use("run all tests", 0), use("run the tests", 10), use("Fix the parser", 0), use("Fix the parser", 9)],
	];
	expect(counts(files, "TESTS run").map(([text]) => text)).toEqual(["run all ", "run the "]);
	expect(counts(files, '"the tests"').map(([text]) => text)).toEqual(["run the "]);
	expect(counts(files, "-run").map(([text]) => text)).toEqual(["Fix the "]);
	expect(counts(files, "re:^run.*all").map(([text]) => text)).toEqual(["run all "]);
	expect(counts(files, "before:7d")).toEqual([
		["Fix the ", 1],
		["run the ", 1],
	]);
	expect(ranked(files, "", "prompt", 1)).toMatchObject({ texts: [{ length: 14 }], total: 3, uses: 4 });
});

test("terms that no prompt and no command can match are rejected", () => {
	for (const query of ["file:a.ts", "tool:bash ls", "label:x", "-role:assistant", "in:output x"])
		expect(parseUseQuery(query, "prompt", NOW)).toMatchObject({
			error: expect.stringContaining("Only prompts are searched here"),
		});
	expect(parseUseQuery("cmd:npm tool:bash", "command", NOW)).toMatchObject({ query: { terms: [{ needle: "npm" }] } });
	expect(parseUseQuery("project:api since:7d x", "command", NOW)).toMatchObject({
		sessions: [{ field: "project" }],
		dates: [{ field: "since", period: { from: expect.any(Number) } }],
	});
	expect(parseUseQuery("since:never", "prompt", NOW)).toMatchObject({ error: expect.stringContaining("since:never") });
});

test("texts are kept in bounded memory: the beginning of a long one, less of those that come late", () => {
	const kept = new KeptTexts(100_000);
	for (let index = 0; index < 5; index++) kept.keep(index + 1, String(index).repeat(50_000));
	expect([1, 2, 3, 4, 5].map((key) => [kept.get(key)?.text.length, kept.get(key)?.length])).toEqual([
		[32_768, 50_000],
		[32_768, 50_000],
		[32_768, 50_000],
		[32_768, 50_000],
		[200, 50_000],
	]);
});
