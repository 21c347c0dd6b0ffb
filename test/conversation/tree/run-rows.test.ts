import { expect, test } from "vitest";
import type { RunLine } from "../../../src/conversation/entries/run-line.ts";
import { drawn, linesOf } from "../../support/draw-tree.ts";
import { queryOf } from "../../support/follow-search.ts";
import { runCall } from "../../support/made-family.ts";
import { assistant, label, sessionOf, toolResult, user } from "../../support/session-builder.ts";

const LINES_OF_SESSION = [
	user("a", null, 1, "start"),
	assistant("b", "a", 2, "", [{ type: "toolCall", id: "c1", name: "subagent", arguments: { agent: "x" } }]),
	toolResult("c", "b", 3, "found", "subagent"),
	user("d", "c", 4, "and now"),
	runCall("e", "d", 5, [{ agent: "y", task: "more" }]),
	user("f", "e", 6, "never mind"),
	user("g", "a", 7, "another way"),
	label("h", "f", 8, "c", "here"),
];

const runOf = (key: string, entryId: string, fields: Partial<RunLine> = {}): RunLine => ({
	...{ key, entryId, agent: "worker", task: `task ${key.at(-1)}`, state: "done", tookMs: 60_000, answers: 2 },
	...{ cost: 0.5, error: undefined, path: "/run.jsonl", isGone: false },
	...fields,
});
const LINES = new Map(
	[runOf("\0run 1", "c"), runOf("\0run 2", "c", { state: "failed" }), runOf("\0run 3", "e", { state: "running" })].map(
		(line) => [line.key, line],
	),
);
const RUNS = new Map([
	["c", { keys: ["\0run 1", "\0run 2"], isOne: false, failed: 1 }],
	["e", { keys: ["\0run 3"], isOne: false, failed: 0 }],
]);

async function shown(fields: Parameters<typeof drawn>[1] = {}, width = 72): Promise<readonly string[]> {
	const session = await sessionOf(...LINES_OF_SESSION);
	return linesOf(drawn(session, { runs: RUNS, ...fields }), { runs: LINES, width });
}

async function runsShown(fields: Parameters<typeof drawn>[1]): Promise<number> {
	return (await shown(fields)).filter((line) => line.includes("◫")).length;
}

test("runs are below their step, and those of a call without a result where that would be", async () => {
	expect(await shown()).toMatchInlineSnapshot(`
		[
		  " ● start",
		  " ├╌⊞ left: another way                                          1 entry",
		  " ├   subagent agent=x                                             ⚑here",
		  " │   ◫ worker  task 1            2 answers  ✓ 1m          $0.50  → open",
		  " │   ◫ worker  task 2            2 answers  ✗ 1m          $0.50  → open",
		  " ● and now",
		  " │   ◫ worker  task 3            2 answers  ● running 1m  $0.50  → open",
		  " ◉ never mind                                       ◂ pi continues here",
		]
	`);
});

test("a folded branch counts the runs that failed in it", async () => {
	const runs = new Map([["g", { keys: ["\0run 4", "\0run 5"], isOne: false, failed: 2 }]]);
	expect((await shown({ runs })).find((line) => line.includes("⊞"))).toMatch(/ another way +1 entry 2✗$/);
});

test("a filter that shows a step shows its runs, and no others", async () => {
	for (const filter of ["user-only", "no-tools"] as const) expect(await runsShown({ filter })).toBe(0);
	expect(await runsShown({ filter: "labeled-only" })).toBe(2);
	expect(await runsShown({ filter: "all" })).toBe(3);
	expect(await runsShown({ query: queryOf("found") })).toBe(2);
	expect(await runsShown({ query: queryOf("never") })).toBe(0);
});

test("the rows of runs are no rows of entries: their step has its own, and each has its key", async () => {
	const { rows } = drawn(await sessionOf(...LINES_OF_SESSION), { runs: RUNS }).tree;
	const at = rows.indexOf("c");
	expect(rows.kindAt(at)).toBe("entry");
	expect([1, 2].map((below) => rows.at(at + below)?.key)).toEqual(["\0run 1", "\0run 2"]);
	expect(rows.indexOf("\0run 2")).toBe(at + 2);
	expect(rows.at(at + 2)?.entry?.id).toBe("c");
});

test("a line says less where there is less room, and what it says last is how the run ended", async () => {
	const said: string[] = [];
	for (const width of [90, 60, 45, 30]) said.push((await shown({}, width)).find((line) => line.includes("✗")) ?? "");
	expect(said).toMatchInlineSnapshot(`
		[
		  " │   ◫ worker  task 2                              2 answers  ✗ 1m          $0.50  → open",
		  " │   ◫ worker  task 2           ✗ 1m          $0.50  → open",
		  " │   ◫ worker  task 2    ✗ 1m          $0.50",
		  " │   ◫ worker  task 2    ✗ 1m",
		]
	`);
});
