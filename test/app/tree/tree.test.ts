import { describe, expect, test } from "vitest";
import { placeOf } from "../../../src/app/conversation/place.ts";
import { describeRow } from "../../../src/app/conversation/row.ts";
import type { TreeFilter } from "../../../src/app/model/state.ts";
import { passesFilter } from "../../../src/app/tree/entry-filter.ts";
import { matchesEntry } from "../../../src/app/tree/match-entry.ts";
import { treeRows } from "../../../src/app/tree/tree-rows.ts";
import { visibleTree } from "../../../src/app/tree/visible-tree.ts";
import { parseQuery } from "../../../src/catalog/query/parse-query.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import type { Session } from "../../../src/store/read/read-session.ts";
import { assistant, entry, label, message, sessionOf, user } from "../../support/session-builder.ts";

function drawn(session: Session, filter: TreeFilter = "default", folded: readonly string[] = []): string[] {
	const tree = runToEnd(visibleTree(session, (each) => passesFilter(each, session, filter)));
	return runToEnd(treeRows(tree, new Set(folded))).map(({ entry, prefix, active, hidden, foldedOnLine }) =>
		[`${prefix}${foldedOnLine ? "⊞" : active ? "•" : " "}${entry.id}`, hidden > 0 ? `+${hidden}` : ""].join(""),
	);
}

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

describe("treeRows", () => {
	test("the active path goes straight down, with branches beside it", async () => {
		expect(drawn(await sessionOf(...branched))).toEqual([
			"•a",
			"•b",
			"├─⊟ c1",
			"│   c2",
			"├─⊟ d1",
			"│   d2",
			"│  ├── d3",
			"│   d4",
			"•e",
		]);
	});

	test("a folded branch is one row with the number of entries in it", async () => {
		const session = await sessionOf(...branched);
		expect(drawn(session, "default", ["d1"])).toEqual(["•a", "•b", "├─⊟ c1", "│   c2", "├─⊞ d1+3", "•e"]);
		expect(drawn(session, "default", ["a"])).toEqual(["⊞a+8"]);
	});

	test("hidden entries leave their children to the nearest visible one above", async () => {
		expect(drawn(await sessionOf(...branched), "user-only")).toEqual([
			"•a",
			"├── c1",
			"├─⊟ d1",
			"│  ├── d3",
			"│   d4",
			"•e",
		]);
	});

	test("several roots: the one with the leaf comes last and straight", async () => {
		expect(
			drawn(await sessionOf(user("a", null, 1, "one"), user("b", null, 2, "two"), user("c", null, 3, "three"))),
		).toEqual(["┌── a", "├── b", "•c"]);
	});

	test("20,000 branch points in a row are drawn at once and indented by one level", async () => {
		const lines: string[] = [];
		for (let index = 0; index < 20_000; index++) {
			const parent = index === 0 ? null : `m${index - 1}`;
			lines.push(user(`s${index}`, parent, index, "side"), user(`m${index}`, parent, index, "main"));
		}
		const rows = drawn(await sessionOf(...lines));
		expect(rows).toHaveLength(40_000);
		expect(Math.max(...rows.map((row) => row.indexOf("s")))).toBeLessThan(6);
	});

	test("an abandoned branch that forks at every step is indented by at most the logarithm of its size", async () => {
		const lines: string[] = [user("root", null, 0, "root")];
		for (let index = 0; index < 1000; index++) {
			const parent = index === 0 ? "root" : `m${index - 1}`;
			lines.push(user(`m${index}`, parent, index, "main"), user(`s${index}`, parent, index, "side"));
		}
		lines.push(user("leaf", "root", 1000, "leaf"));
		const deepest = Math.max(...drawn(await sessionOf(...lines)).map((row) => row.search(/[ms]\d/)));
		expect(deepest).toBeLessThanOrEqual(3 * Math.log2(2001));
	});
});

describe("passesFilter", () => {
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
	])("%s", async (filter, ids) => {
		const session = await sessionOf(...lines);
		expect(session.entries.filter((each) => passesFilter(each, session, filter)).map(({ id }) => id)).toEqual(ids);
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
