import { expect, test } from "vitest";
import { type FoundUse, FoundUses, type UseOrder } from "../../../src/catalog/uses/search-uses.ts";
import { parseUseQuery, sumUses, type Use } from "../../../src/catalog/uses/use.ts";
import { runToEnd } from "../../../src/shared/steps.ts";

const NOW = Date.UTC(2026, 5, 30, 12);
const DAY = 24 * 60 * 60 * 1000;

const names = new Map<string, number>();
let made = 0;

function use(text: string, daysAgo: number, fields: Partial<Use> = {}): FoundUse {
	const hash = names.get(text) ?? names.size + 1;
	names.set(text, hash);
	const place = { path: "/one.jsonl", entryId: "e", line: 1, offset: 0, part: 0 };
	const time = NOW - daysAgo * DAY;
	return { text, use: { kind: "prompt", text: hash, origin: ++made, ...place, time, by: "person", ...fields } };
}

/** The texts in an order, with how often they were used. */
function ranked(files: FoundUse[][], { query = "", order = "newest" as UseOrder, limit = 100 } = {}) {
	const parsed = parseUseQuery(query, "prompt", NOW);
	if ("error" in parsed) throw new Error(parsed.error);
	const found = new FoundUses(parsed.dates, files.length);
	for (const one of files.flat()) found.add(one);
	return runToEnd(found.select({ order, limit }));
}

const counts = (files: FoundUse[][], asked?: Parameters<typeof ranked>[1]) =>
	ranked(files, asked).texts.map(({ text, uses }) => [text, uses.length]);

test("the newest first, or the most used", () => {
	const files = [[use("often", 21), use("often", 20), use("now", 0), use("older", 2), use("older", 1)]];
	expect(counts(files)).toEqual([
		["now", 1],
		["older", 2],
		["often", 2],
	]);
	expect(counts(files, { order: "most used" })).toEqual([
		["older", 2],
		["often", 2],
		["now", 1],
	]);
});

test("what a fork has copied counts once, in the session that comes first", () => {
	const original = use("asked", 3);
	const copy = { ...original, use: { ...original.use, path: "/fork.jsonl" } };
	const own = use("asked", 1, { path: "/fork.jsonl" });
	const [text] = ranked([[copy, own], [original]]).texts;
	expect(text && sumUses(text).sessions).toBe(1);
	expect(text?.uses.map(({ path }) => path)).toEqual(["/fork.jsonl", "/fork.jsonl"]);
	expect(text?.uses.map(({ time }) => (NOW - time) / DAY)).toEqual([1, 3]);
});

test("dates are those of the uses; the sums cover all that is found, whatever is shown", () => {
	const files = [[use("run all tests", 0), use("run the tests", 10), use("Fix it", 0), use("Fix it", 9)]];
	expect(counts(files, { query: "before:7d" })).toEqual([
		["Fix it", 1],
		["run the tests", 1],
	]);
	expect(ranked(files, { limit: 1 })).toMatchObject({ texts: [{ length: 13 }], total: 3, uses: 4 });
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
	expect(parseUseQuery("since:never", "prompt", NOW)).toMatchObject({
		error: expect.stringContaining("does not suit since:"),
	});
});

test("of a long text only the beginning is kept", () => {
	const [text] = ranked([[use("x".repeat(50_000), 1)]]).texts;
	expect([text?.text.length, text?.length]).toEqual([2000, 50_000]);
});
