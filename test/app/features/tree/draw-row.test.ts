import { describe, expect, test } from "vitest";
import { placeOf } from "../../../../src/conversation/entries/place.ts";
import { drawTreeRow } from "../../../../src/conversation/tree/draw-row.ts";
import { drawn, linesOf } from "../../../support/draw-tree.ts";
import { queryOf } from "../../../support/follow-search.ts";
import { assistant, entry, label, message, sessionOf, toolResult, user } from "../../../support/session-builder.ts";

const HOUR = 3600;

/** A call of the shell and its result. */
function step(id: string, parentId: string, second: number, command: string, output: string): string[] {
	const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command } };
	return [
		message(`${id}c`, parentId, second, { role: "assistant", content: [call], stopReason: "toolUse" }),
		toolResult(id, `${id}c`, second + 2, output),
	];
}

describe("between the entries", () => {
	test("a turn of four steps or more ends with what it comes to, without tokens; a short one does not", async () => {
		const session = await sessionOf(
			user("p1", null, 1, "one"),
			...step("s1", "p1", 2, "ls", "a"),
			assistant("a1", "s1", 6, "done"),
			user("p2", "a1", 7, "two"),
			...step("s2", "p2", 8, "cd /home/me/project && ls src", "b"),
			...step("s3", "s2", 10, "ls", "c"),
			...step("s4", "s3", 12, "ls", "d"),
			...step("s5", "s4", 14, "ls", "e"),
			assistant("a2", "s5", 16, "done again"),
			user("p3", "a2", 20, "three"),
		);
		expect(linesOf(drawn(session), { details: "outcome" }).map((line) => line.replace(/ {4,}.*/, ""))).toEqual([
			" ● one",
			" │   $ ls  a",
			" │ done",
			" ● two",
			" │   $ ls src  b",
			" │   $ ls  c",
			" │   $ ls  d",
			" │   $ ls  e",
			" │ done again",
			" │  └ 4 steps · 9.0s · $0.03",
			" ◉ three",
		]);
	});

	test("a change of model or thinking level is a divider; the first choice is not", async () => {
		const set = { provider: "anthropic" };
		const session = await sessionOf(
			entry("model_change", "m0", null, 0, { ...set, modelId: "small" }),
			entry("thinking_level_change", "t0", "m0", 0, { thinkingLevel: "low" }),
			user("a", "t0", 1, "one"),
			entry("model_change", "m1", "a", 2, { ...set, modelId: "large" }),
			entry("thinking_level_change", "t1", "m1", 2, { thinkingLevel: "high" }),
			user("b", "t1", 3, "two"),
			entry("model_change", "m2", "b", 4, { ...set, modelId: "large" }),
			user("c", "m2", 5, "three"),
		);
		expect(linesOf(drawn(session), { width: 44 })).toEqual([
			" ● one",
			" │ ── model large · thinking high ─────────",
			" ● two",
			" ◉ three                              ◂ end",
		]);
		expect(linesOf(drawn(session, { filter: "all" })).filter((line) => line.includes("──"))).toEqual([]);
	});

	test("so is a pause of an hour, and a new day", async () => {
		const session = await sessionOf(
			user("a", null, 1, "one"),
			user("b", "a", HOUR, "soon"),
			user("c", "b", 3 * HOUR, "later"),
			label("l", "c", 20 * HOUR, "c", "mark"),
			user("d", "l", 30 * HOUR, "the next day"),
		);
		const lines = linesOf(drawn(session), { width: 44 });
		expect(lines.filter((line) => line.includes("──"))).toEqual([
			" │ ── 2h later ────────────────────────────",
			" │ ── 6:00 · 10h later ────────────────────",
		]);
		expect(lines).toHaveLength(6);
	});

	test("a filter shows none of them", async () => {
		const session = await sessionOf(user("a", null, 1, "one"), user("b", "a", 3 * HOUR, "one"));
		expect(linesOf(drawn(session, { query: queryOf("one") }))).toHaveLength(2);
	});
});

describe("the right end of a row", () => {
	test("shows the outcome, also the time, or only labels", async () => {
		const session = await sessionOf(
			user("p", null, 1, "one"),
			...step("s", "p", 2, "ls", "a\nb"),
			label("l", "s", 3, "s", "mark"),
			user("q", "l", 9, "two"),
		);
		const row = (details: "outcome" | "times" | "none") => linesOf(drawn(session), { details })[1];
		expect(row("outcome")).toBe(" │   $ ls                                ⚑mark 2 lines 2.0s");
		expect(row("times")).toMatch(/ \$ ls {2,}⚑mark 2 lines 2\.0s +\d+:00$/);
		expect(row("none")).toBe(" │   $ ls                                             ⚑mark");
	});

	test("in turns, the last answer shows the totals", async () => {
		const session = await sessionOf(
			user("p", null, 1, "one"),
			...step("s", "p", 2, "ls", "a"),
			assistant("a", "s", 5, "first"),
			...step("t", "a", 6, "ls", "a"),
			assistant("b", "t", 9, "last"),
			user("q", "b", 10, "two"),
		);
		expect(linesOf(drawn(session, { filter: "turns" }), { details: "outcome" }).map((line) => line.trim())).toEqual([
			"● one                                                 0:00",
			"│ last                                  2 steps 8.0s $0.06",
			"◉ two                            ◂ pi continues here  0:00",
		]);
	});
});

describe("what a filter finds", () => {
	async function matchIn(text: string, words: string): Promise<readonly string[]> {
		const session = await sessionOf(user("p", null, 1, "one"), toolResult("r", "p", 2, text));
		const drawing = drawn(session, { query: queryOf(words) });
		const { line } = drawTreeRow(drawing.tree.rows, 0, {
			width: 60,
			selected: false,
			session,
			columns: drawing.tree.rows.columns,
			place: placeOf(session, "/home/me"),
			details: "none",
			isTurns: false,
			query: drawing.input.query,
			isHit: true,
			now: 0,
		});
		return [
			line.map(({ text: part }) => part).join(""),
			...line.filter(({ tone }) => tone === "match").map(({ text: part }) => part),
		];
	}

	test("is marked in its row, even if it is far into the text", async () => {
		const [row, ...marks] = await matchIn(`${"hay ".repeat(5000)}needle ${"hay ".repeat(50)}`, "needle");
		expect(row).toContain("…hay");
		expect(row).toContain("needle");
		expect(marks).toEqual(["needle"]);
	});

	test("leaves the gap between a command and what it printed, wherever the match is", async () => {
		const session = await sessionOf(user("p", null, 1, "one"), ...step("s", "p", 2, "npm test", "FAIL keeps it"));
		for (const words of ["test", "FAIL", "keeps"]) {
			const lines = linesOf(drawn(session, { query: queryOf(words) }));
			expect(lines.join("\n"), words).toContain("$ npm test  FAIL keeps it");
		}
	});

	test("is in sight behind a command that would fill the row", async () => {
		const call = ["s", "p", 2, `grep -rn ${"x".repeat(100)}`, "one needle"] as const;
		const session = await sessionOf(user("p", null, 1, "one"), ...step(...call));
		const lines = linesOf(drawn(session, { query: queryOf("needle") }), { width: 60 });
		expect(lines.join("\n")).toMatch(/\$ grep -rn x+ {2}one needle/);
	});
});

test("a folded branch keeps the beginning of its words where there is little room for what it comes to", async () => {
	const session = await sessionOf(
		user("a", null, 1, "start"),
		user("b", "a", 2, "Then let us try zod"),
		...step("s1", "b", 3, "ls", "x"),
		assistant("c", "s1", 6, "Too slow."),
		user("d", "a", 7, "Go on."),
		label("l", "d", 8, "c", "rejected"),
	);
	const branchAt = (width: number): string | undefined =>
		linesOf(drawn(session), { width }).find((line) => line.includes("⊞"));
	expect(branchAt(70)).toMatch(/⊞ left: Then let us try zod {2,}… .*⚑rejected 1 step \$0\.03$/);
	expect(branchAt(46)).toMatch(/⊞ left: Then let us try… +⚑rejected 1 step$/);
	expect(branchAt(36)).toMatch(/⊞ left: Then let us… +⚑rejected$/);
	expect(branchAt(28)).toMatch(/⊞ left: Then let us try…$/);
});
