import { describe, expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { LIST_SEARCH, searchOf } from "../../../../src/app/world/list/list-search.ts";
import { listColumns } from "../../../../src/app/world/list/list-view.ts";
import { layoutFor } from "../../../../src/app/world/screen/layout.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { parseQuery } from "../../../../src/catalog/query/parse-query.ts";
import { startOf } from "../../../support/listed-state.ts";
import { LISTED, makeRow } from "../../../support/rows.ts";

const WIDTHS = Array.from({ length: 211 }, (_, index) => 40 + index);
const LETTERS = "abcdefghijklmnopqrstuvwxyz".repeat(10);

/** A list of two projects, one of a long name; no row has a count yet. */
function listed(columns: number): State {
	const rows = [
		makeRow("one", { age: 1, name: LETTERS, cwd: "/home/me/work/api" }),
		makeRow("two", { age: 2, name: LETTERS, cwd: "/home/me/work/a-very-long-name-of-a-project" }),
	];
	const start = startOf({ columns, rows: 40 }, { cwd: "/home/me" });
	return update(update(start, { type: "catalog", event: { type: "rows", rows } })[0], LISTED)[0];
}

/** Letters of the title that the first row shows. */
function shownLetters(state: State): number {
	const pane = selectScreen(state).panes.find(({ id }) => id === "list");
	const row = pane?.rows.find(({ selected }) => selected);
	const text = (row?.line ?? []).map((span) => span.text).join("");
	return /[a-z]{12,}/.exec(text)?.[0].length ?? 0;
}

const listWidth = (state: State): number => layoutFor(state).list?.width ?? 0;

describe.each([
	["beside the tree", (state: State): State => state],
	["alone", (state: State): State => ({ ...state, zoom: true })],
] as const)("a title in the list %s", (_, seen) => {
	test("never gets narrower in a wider terminal", () => {
		let before = 0;
		for (const columns of WIDTHS) {
			const shown = shownLetters(seen(listed(columns)));
			expect(shown, `${columns} columns`).toBeGreaterThanOrEqual(before);
			before = shown;
		}
	});

	test("has 60 % of its pane, and 45 cells where that has 60, but for the cursor and a sign", () => {
		for (const columns of WIDTHS) {
			const state = seen(listed(columns));
			const pane = listWidth(state);
			// Two cells of a row are for the cursor and the mark, one for the dots of a title that is cut.
			const cells = shownLetters(state) + 3;
			expect(cells / pane, `${columns} columns`).toBeGreaterThanOrEqual(0.6);
			if (pane >= 60) expect(cells, `${columns} columns`).toBeGreaterThanOrEqual(45);
		}
	});
});

test("columns come in one order, up to the first that does not fit, and that of the project has at most 12 cells", () => {
	const ORDER = ["age", "project", "cost", "turns", "model", "size", "messages", "branches", "tokens", "git"];
	for (const columns of WIDTHS) {
		const state: State = { ...listed(columns), zoom: true };
		const placed = listColumns(state, listWidth(state));
		expect(placed.map(({ column }) => column).toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))).toEqual(
			ORDER.slice(0, placed.length),
		);
		expect(placed.find(({ column }) => column === "project")?.width ?? 0).toBeLessThanOrEqual(12);
	}
});

test("the columns of the query and of the order come after the age", () => {
	const asked = (text: string): readonly string[] => {
		const state = listed(80);
		const parsed = parseQuery(text);
		if ("error" in parsed) throw new Error(parsed.error);
		const searching = LIST_SEARCH.set(state, { ...searchOf(state), query: parsed.query });
		return listColumns(searching, listWidth(searching)).map(({ column }) => column);
	};
	expect(asked("")).not.toContain("errors");
	for (const text of ["errors:>2", "er:>2", "parser is:error"]) expect(asked(text), text).toContain("errors");
	expect(asked("parser mod:opus")).toContain("model");
	expect(asked("parser size:>1")).toContain("size");
	expect(asked("parser tokens:>1k")).toContain("tokens");
	expect(asked("my tokens")).not.toContain("tokens");
});

test("beside the tree a row has its project from 120 columns on, and its cost from 160", () => {
	const beside = (columns: number): readonly string[] => {
		const state = listed(columns);
		return listColumns(state, listWidth(state)).map(({ column }) => column);
	};
	expect(beside(119)).toEqual(["age"]);
	for (const columns of [120, 140, 159]) expect(beside(columns)).toEqual(["project", "age"]);
	for (const columns of [160, 199, 200]) expect(beside(columns)).toEqual(["project", "cost", "age"]);
});
