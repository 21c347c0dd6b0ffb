import { describe, expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import type { Kind } from "../../../../src/catalog/query/kinds.ts";
import { SearchText, spanOf } from "../../../../src/catalog/query/match.ts";
import { makeSnippet } from "../../../../src/catalog/query/snippet.ts";
import type { Term } from "../../../../src/catalog/query/term.ts";
import type { SearchResult } from "../../../../src/catalog/search/search.ts";
import { drawSnippet } from "../../../../src/conversation/entries/draw-snippet.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { queryOf } from "../../../support/follow-search.ts";
import { startOf, stateAfter } from "../../../support/listed-state.ts";
import { searchEvent } from "../../../support/queries.ts";
import { makeRow, NOW } from "../../../support/rows.ts";

const start = startOf({ columns: 160, rows: 30 });

const a = makeRow("a", { age: 1, name: "Alpha" });
const b = makeRow("b", { age: 2 });
const listed = stateAfter(
	start,
	{ type: "catalog", event: { type: "rows", rows: [a, b] } },
	{ type: "catalog", event: { type: "progress", read: 2, total: 2 } },
);

function result(path: string, kind: Kind, text: string, count: number, more = false): SearchResult {
	const best = { line: 2, entryId: "x", kind, active: true, snippet: { text, ranges: [] } };
	return { path, rank: 2, modified: NOW, count, more, best };
}

/** The list's rows, without the heads of the columns, after a query was typed and these results came. */
function shown(text: string, ...results: readonly SearchResult[]): string[] {
	const typed = stateAfter(listed, { type: "text", text });
	const done = stateAfter(
		typed,
		searchEvent(typed, { type: "results", results }),
		searchEvent(typed, { type: "progress", searched: 2, total: 2 }),
	);
	const pane = selectScreen(done).panes.find(({ id }) => id === "list");
	return (pane?.rows.slice(1) ?? []).map(({ line }) => textOfRow(line).trim());
}

describe("the rows of a search", () => {
	test("have a second line only if there can be a snippet", () => {
		expect(shown("is:named")).toHaveLength(1);
		expect(shown("cwd:project")).toHaveLength(2);
		expect(shown("name:alpha")).toHaveLength(1);
		expect(shown("needle", result(a.path, "user", "the needle", 1))).toHaveLength(2);
	});

	test("say who said it, and how many more hits there are", () => {
		expect(shown("needle", result(a.path, "user", "the needle", 1))[1]).toBe("you: the needle");
		expect(shown("needle", result(a.path, "user", "the needle", 1200))[1]).toMatch(
			/^you: the needle {2,}\+1,199 hits$/,
		);
	});

	test.each([1, 8])("do not say how many more hits there are until all are counted", (count) => {
		expect(shown("needle", result(a.path, "user", "the needle", count, true))[1]).toBe("you: the needle");
	});

	test("do not repeat the title, but show matches beyond its visible part", () => {
		expect(shown("needle", result(b.path, "title", "needle in the title", 1))[1]).toBe("");
		expect(shown("needle", result(b.path, "title", "…far into it the needle", 1))[1]).toBe(
			"you: …far into it the needle",
		);
	});

	test("leave the session's directory out of paths: it does not tell sessions apart", () => {
		expect(shown("needle", result(a.path, "command", `rg needle ${a.cwd}/src`, 1))[1]).toBe("$ rg needle src");
		expect(shown("needle", result(a.path, "path", `${a.cwd}/src/needle.ts`, 1))[1]).toBe("file: src/needle.ts");
		expect(shown("needle", result(a.path, "path", "/home/me/other/needle.ts", 1))[1]).toBe("file: ~/other/needle.ts");
	});

	test("show what follows where the title says it all", () => {
		const titled = result(b.path, "title", "needle", 1);
		const answer = { text: "Found it in the hay.", ranges: [] };
		expect(shown("needle", { ...titled, answer })[1]).toBe("answer: Found it in the hay.");
		// What was asked of the person is not answered by an answer.
		expect(shown("role:user needle", { ...titled, answer })[1]).toMatch(/^you: /);
		expect(shown("alpha", result(a.path, "name", "Alpha", 1))[1]).toBe(`you: ${a.firstMessage}`);
	});

	const drawn = (kind: Kind, text: string, width: number): string => {
		const query = queryOf("needle");
		const source = new SearchText(kind, text);
		const snippet = makeSnippet(source, spanOf(source, query.terms[0] as Term), query.terms);
		const one = { ...result(a.path, kind, "", 1), best: { line: 2, entryId: "x", kind, active: true, snippet } };
		return drawSnippet(one, width, { row: a, home: "/home/me" })
			.map((part) => part.text)
			.join("")
			.trim();
	};

	test.each<[Kind, text: string, width: number, shown: string]>([
		["user", "please look for the small needle that is in the hay", 40, "you: …for the small needle that…"],
		["command", `cd ${a.cwd} && cat a b c d e f | rg needle`, 40, "$ cat a b c d e f | rg needle"],
		["command", "cd needle && rg x", 40, "$ cd needle && rg x"],
		["path", `${a.cwd}/src/very/deep/below/it/needle.test.ts`, 40, "file: …/below/it/needle.test.ts"],
		["path", `${a.cwd}/src/needle/deep/below/all/of/it/here/a.ts`, 40, "file: …needle/deep/below/all/…/a.ts"],
		["output", `${"x".repeat(90)}needle${"y".repeat(90)}`, 40, "output: …xxxxxxxxxxxxxxxxneedleyyy…"],
	])("of %s %o in %i cells is %o", (kind, text, width, expected) => {
		expect(drawn(kind, text, width)).toBe(expected);
	});

	test("highlight what the title has of the words", () => {
		const found = stateAfter(listed, { type: "text", text: "alpha role:user" });
		const done = stateAfter(found, searchEvent(found, { type: "progress", searched: 2, total: 2 }));
		const spans = selectScreen(done).panes.flatMap((pane) => pane.rows.flatMap(({ line }) => line));
		expect(spans.filter(({ tone }) => tone === "match").map(({ text }) => text)).toEqual([]);
		const plain = stateAfter(listed, { type: "text", text: "alpha" });
		const shownNow = stateAfter(plain, searchEvent(plain, { type: "progress", searched: 2, total: 2 }));
		const matched = selectScreen(shownNow).panes.flatMap((pane) => pane.rows.flatMap(({ line }) => line));
		expect(matched.filter(({ tone }) => tone === "match").map(({ text }) => text.toLowerCase())).toContain("alpha");
	});

	test("are sorted newest first for a query without words, whatever it found", () => {
		const old = makeRow("old", { age: 500_000, firstMessage: "asked long ago" });
		const typed = stateAfter(
			listed,
			{ type: "catalog", event: { type: "rows", rows: [old] } },
			{ type: "text", text: "role:user" },
		);
		const results = [old, b, a].map(({ path }) => ({ ...result(path, "user", "x", 1), rank: 0 }));
		const done = stateAfter(typed, searchEvent(typed, { type: "results", results }));
		const pane = selectScreen(done).panes.find(({ id }) => id === "list");
		expect(
			pane?.rows
				.slice(1)
				.filter((_, index) => index % 2 === 0)
				.map(({ key }) => key),
		).toEqual([a.path, b.path, old.path]);
	});
});
