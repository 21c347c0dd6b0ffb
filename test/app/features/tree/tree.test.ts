import { describe, expect, test } from "vitest";
import { parseQuery } from "../../../../src/catalog/query/parse-query.ts";
import { placeOf } from "../../../../src/conversation/entries/place.ts";
import { describeRow } from "../../../../src/conversation/entries/row.ts";
import { ALL_BRANCHES } from "../../../../src/conversation/tree/draw-tree.ts";
import { matchesEntry } from "../../../../src/conversation/tree/match-entry.ts";
import type { TreeFilter } from "../../../../src/conversation/tree/shown-entries.ts";
import { PREAMBLE_KEY } from "../../../../src/conversation/tree/tree-rows.ts";
import { drawn, idsOf, linesOf, rowsOf } from "../../../support/draw-tree.ts";
import { queryOf } from "../../../support/follow-search.ts";
import { assistant, entry, label, message, sessionOf, user } from "../../../support/session-builder.ts";

/** Two abandoned branches after the first answer, one of them branching again; the leaf is e. */
const branched = [
	user("a", null, 1, "start"),
	assistant("b", "a", 2, "answer"),
	user("c1", "b", 3, "first try"),
	assistant("c2", "c1", 4, "no"),
	user("d1", "b", 5, "second try"),
	assistant("d2", "d1", 6, "hm"),
	user("d3", "d2", 7, "and now"),
	user("d4", "d2", 8, "or now"),
	user("e", "b", 9, "third try"),
];

describe("the rows", () => {
	test("each abandoned branch is one row beside the active path", async () => {
		expect(linesOf(drawn(await sessionOf(...branched)))).toEqual([
			" ● start",
			" │ answer",
			" ├╌⊞ left: first try  … no                  2 entries $0.03",
			" ├╌⊞ left: second try  … or now             4 entries $0.03",
			" ◉ third try                            ◂ pi continues here",
		]);
	});

	test("an open branch is beside the line, with its own branches folded", async () => {
		const session = await sessionOf(...branched);
		expect(linesOf(drawn(session, { opened: new Set(["d1"]) }))).toEqual([
			" ● start",
			" │ answer",
			" ├╌⊞ left: first try  … no                  2 entries $0.03",
			" ├╌⊟ second try",
			" │ │ hm",
			" │ ├╌⊞ left: and now                                1 entry",
			" │ ◆ or now",
			" ◉ third try                            ◂ pi continues here",
		]);
	});

	test("all of them can be open", async () => {
		const session = await sessionOf(...branched);
		const lines = linesOf(drawn(session, { opened: new Set([ALL_BRANCHES]) }));
		expect(lines).toEqual([
			" ● start",
			" │ answer",
			" ├╌⊟ first try",
			" │ ○ no",
			" ├╌⊟ second try",
			" │ │ hm",
			" │ ├╌⊟ and now",
			" │ ◆ or now",
			" ◉ third try                            ◂ pi continues here",
		]);
		expect(linesOf(drawn(session, { opened: new Set([ALL_BRANCHES]), folded: new Set(["d1"]) })).at(-2)).toContain("⊞");
	});

	test("a branch below the leaf starts at the end of the line", async () => {
		const session = await sessionOf(
			user("a", null, 1, "start"),
			user("b", "a", 2, "left"),
			entry("custom", "c", "a", 3, { customType: "pi-grove" }),
		);
		expect(linesOf(drawn(session))).toEqual([
			" ◉ start                                ◂ pi continues here",
			" ── left: 1 turn ──────────────────────────────────────────",
		]);
	});

	test("what stands before the first prompt is one row, which opens to what it consists of", async () => {
		const system = {
			role: "system",
			content: "",
			sections: { preamble: "You are an agent." },
			toolsAdded: [{ name: "read" }],
		};
		const session = await sessionOf(
			entry("model_change", "m", null, 1, { modelId: "large", provider: "acme" }),
			entry("thinking_level_change", "t", "m", 2, { thinkingLevel: "high" }),
			message("s", "t", 3, system),
			user("a", "s", 4, "start"),
		);
		const words = "system prompt · 17 characters · 1 tool · large, thinking hi";
		expect(linesOf(drawn(session))[0]).toContain(` ▸ ${words}`.slice(0, 50));
		expect(linesOf(drawn(session, { opened: new Set([PREAMBLE_KEY]) })).slice(0, 4)).toEqual([
			expect.stringContaining("▾ system prompt"),
			" │   acme large, thinking high",
			" │   tools: read",
			" │   preamble · 17 characters",
		]);
	});

	test("a filter shows only branches with matching entries", async () => {
		const session = await sessionOf(...branched);
		expect(linesOf(drawn(session, { filter: "user-only" })).map((line) => line.slice(0, 22).trimEnd())).toEqual([
			" ● start",
			" ├╌⊞ left: first try",
			" ├╌⊞ left: second try",
			" ◉ third try",
		]);
		expect(idsOf(drawn(session, { query: queryOf("now") }).tree)).toEqual(["d3", "d4"]);
	});

	test("an entry with a hit is shown even in a folded branch or against the filter", async () => {
		const session = await sessionOf(...branched, label("l", "e", 10, "a", "start"));
		expect(idsOf(drawn(session, { pinned: "d3" }).tree)).toEqual(["a", "b", "c1", "d1", "d2", "d3", "d4", "e"]);
		expect(idsOf(drawn(session, { pinned: "l" }).tree)).toEqual(["a", "b", "c1", "d1", "e", "l"]);
		expect(idsOf(drawn(session, { filter: "labeled-only", pinned: "c2" }).tree)).toEqual(["a", "c2"]);
	});

	test("typed words do not change the shape: the main child is chosen regardless of them", async () => {
		const session = await sessionOf(
			user("a", null, 1, "start"),
			user("b1", "a", 2, "word"),
			user("b2", "b1", 3, "word"),
			user("c1", "a", 4, "else"),
			user("c2", "c1", 5, "word"),
		);
		expect(linesOf(drawn(session, { query: queryOf("word") }))).toEqual([
			" ┌╌⊟ word",
			" │ ● word",
			" ◉ word                                 ◂ pi continues here",
		]);
	});

	test("several roots: the one with the leaf comes last and straight", async () => {
		const session = await sessionOf(user("a", null, 1, "one"), user("b", null, 2, "two"), user("c", null, 3, "three"));
		expect(linesOf(drawn(session))).toEqual([
			" ┌╌⊞ left: one                                      1 entry",
			" ├╌⊞ left: two                                      1 entry",
			" ◉ three                                ◂ pi continues here",
		]);
	});

	test("20,000 branch points in a row are drawn at once and indented by one level", async () => {
		const lines: string[] = [];
		for (let index = 0; index < 20_000; index++) {
			const parent = index === 0 ? null : `m${index - 1}`;
			lines.push(user(`s${index}`, parent, index, "side"), user(`m${index}`, parent, index, "main"));
		}
		const { tree } = drawn(await sessionOf(...lines), { opened: new Set([ALL_BRANCHES]) });
		const rows = rowsOf(tree).filter(({ selectable }) => selectable);
		expect(rows).toHaveLength(40_000);
		expect(Math.max(...rows.map(({ depth }) => depth))).toBe(1);
	});

	test("an abandoned branch that forks at every step is indented by at most the logarithm of its size", async () => {
		const lines: string[] = [user("root", null, 0, "root")];
		for (let index = 0; index < 1000; index++) {
			const parent = index === 0 ? "root" : `m${index - 1}`;
			lines.push(user(`m${index}`, parent, index, "main"), user(`s${index}`, parent, index, "side"));
		}
		lines.push(user("leaf", "root", 1000, "leaf"));
		const rows = rowsOf(drawn(await sessionOf(...lines), { opened: new Set([ALL_BRANCHES]) }).tree);
		expect(rows.length).toBeGreaterThan(2000);
		expect(Math.max(...rows.map(({ depth }) => depth))).toBeLessThanOrEqual(Math.log2(2001));
	});
});

describe("the filters", () => {
	const lines = [
		user("user", null, 1, "do it"),
		message("call", "user", 2, {
			role: "assistant",
			content: [{ type: "toolCall", id: "t1", name: "bash", arguments: { command: "ls" } }],
			stopReason: "toolUse",
		}),
		message("result", "call", 3, {
			role: "toolResult",
			toolCallId: "t1",
			toolName: "bash",
			content: [{ type: "text", text: "files" }],
			isError: false,
		}),
		message("failed", "result", 4, { role: "assistant", content: [], stopReason: "error", errorMessage: "overloaded" }),
		entry("model_change", "model", "failed", 5, { provider: "x", modelId: "y" }),
		label("label", "model", 6, "user", "start"),
		user("leaf", "label", 7, "go on"),
	];
	test.each<[TreeFilter, string[]]>([
		["default", ["user", "result", "failed", "leaf"]],
		["no-tools", ["user", "failed", "leaf"]],
		["user-only", ["user", "leaf"]],
		["labeled-only", ["user"]],
		["all", ["user", "call", "result", "failed", "model", "label", "leaf"]],
		["turns", ["user", "failed", "leaf"]],
	])("%s", async (filter, ids) => {
		expect(idsOf(drawn(await sessionOf(...lines), { filter }).tree)).toEqual(ids);
	});

	test.each([
		["FILES", ["result"]],
		["ls", ["call", "result"]],
		["cmd:ls", ["call", "result"]],
		["start", ["user", "label"]],
		["label:start", ["user", "label"]],
		["re:^do.it$", ["user"]],
		["re:overl.aded", ["failed"]],
		["role:user o", ["user", "leaf"]],
		["tool:bash files", ["result"]],
		['"go on" nothing', []],
	])("the search %s finds %j: tool calls, tool output and labels too", async (text, ids) => {
		const session = await sessionOf(...lines);
		const parsed = parseQuery(text);
		const query = "query" in parsed ? parsed.query : undefined;
		const found = session.entries.filter(
			(each) => query !== undefined && matchesEntry(each, session, query, "/home/me"),
		);
		expect(found.map(({ id }) => id)).toEqual(ids);
	});
});

describe("odd entries", () => {
	test.each<[string, string]>([
		["a message without a message", entry("message", "x", null, 1)],
		["content that is null", message("x", null, 1, { role: "user", content: null })],
		["blocks that are not blocks", message("x", null, 1, { role: "assistant", content: [null, 3, "text", {}] })],
		[
			"a call without arguments",
			message("x", null, 1, { role: "assistant", content: [{ type: "toolCall", id: "t", name: "own" }] }),
		],
		["a result without its call", message("x", null, 1, { role: "toolResult", toolCallId: "nowhere", content: null })],
		["a custom message without content", entry("custom_message", "x", null, 1)],
		["a branch summary without a summary", entry("branch_summary", "x", null, 1)],
		["a compaction without numbers", entry("compaction", "x", null, 1)],
		["a context edit without a replacement", entry("context_edit", "x", null, 1)],
		["an unknown type", entry("from_the_future", "x", null, 1, { payload: [1, 2] })],
		["a name that is not a string", entry("session_info", "x", null, 1, { name: 7 })],
	])("%s is described", async (_name, line) => {
		const session = await sessionOf(line);
		expect(session.entries).toHaveLength(1);
		for (const each of session.entries) {
			const { kind, text } = describeRow(each, session, placeOf(session, "/home/me"));
			expect(kind).not.toBe("");
			expect(typeof text).toBe("string");
		}
	});
});
