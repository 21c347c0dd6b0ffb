import { expect, test } from "vitest";
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

const columnsIn = (state: State): readonly string[] => listColumns(state, listWidth(state)).map(({ column }) => column);

test.each([
	["beside the tree", (state: State): State => state],
	["alone", (state: State): State => ({ ...state, zoom: true })],
] as const)("in the list %s columns come with the terminal, and a title keeps 36 cells", (_, seen) => {
	const expected = [
		[160, ["project", "turns", "cost", "errors", "age"]],
		[110, ["project", "cost", "errors", "age"]],
		[100, ["project", "cost", "age"]],
		[80, ["project", "age"]],
		[40, ["age"]],
	] as const;
	for (const columns of WIDTHS) {
		const state = seen(listed(columns));
		const [, names] = expected.find(([from]) => columns >= from) ?? [];
		expect(columnsIn(state), `${columns} columns`).toEqual(names);
		// Two cells of a row are for the cursor and the mark, one for the dots of a title that is cut.
		expect(shownLetters(state) + 3, `${columns} columns`).toBeGreaterThanOrEqual(columns >= 80 ? 36 : 33);
	}
	// A wide terminal has longer titles.
	expect(shownLetters(seen(listed(250)))).toBeGreaterThan(shownLetters(seen(listed(200))));
});

test("the project has at most 12 cells, and the badge of its place besides", () => {
	const here = listed(160);
	const there = makeRow("there", { age: 3, cwd: "/home/me/work/api", path: "mini:/s/there.jsonl" });
	const placed = { ...there, place: "mini" };
	const rows = new Map([...here.catalog.rows, [placed.path, placed]]);
	const everywhere: State = { ...here, catalog: { ...here.catalog, rows } };
	const widthIn = (state: State) => listColumns(state, 120).find(({ column }) => column === "project")?.width;
	expect([widthIn(here), widthIn(everywhere)]).toEqual([12, 12 + " @mini".length]);
});

test("the columns of the query and of the order come after the age", () => {
	const asked = (text: string): readonly string[] => {
		const state = listed(80);
		const parsed = parseQuery(text);
		if ("error" in parsed) throw new Error(parsed.error);
		const searching = LIST_SEARCH.set(state, { ...searchOf(state), query: parsed.query });
		return columnsIn(searching);
	};
	expect(asked("")).not.toContain("errors");
	for (const text of ["errors:>2", "er:>2", "parser is:error"]) expect(asked(text), text).toContain("errors");
	expect(asked("parser mod:opus")).toContain("model");
	expect(asked("parser size:>1")).toContain("size");
	expect(asked("parser tokens:>1k")).toContain("tokens");
	expect(asked("my tokens")).not.toContain("tokens");
});
