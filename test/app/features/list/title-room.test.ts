import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { sortBy, toggleColumn } from "../../../../src/app/world/list/list-actions.ts";
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
	["beside the text", (state: State): State => state],
	["alone", (state: State): State => ({ ...state, zoom: true })],
] as const)("in the list %s columns come with the terminal, and a title keeps its cells", (_, seen) => {
	const expected = [
		[160, ["errors", "state", "project", "cost", "age"]],
		[140, ["state", "project", "cost", "age"]],
		[111, ["state", "project", "age"]],
		[100, ["state", "age"]],
		[80, ["state", "project", "age"]],
		[60, ["state", "age"]],
		[40, ["age"]],
	] as const;
	for (const columns of WIDTHS) {
		const state = seen(listed(columns));
		const [, names] = expected.find(([from]) => columns >= from) ?? [];
		if (!state.zoom) expect(columnsIn(state), `${columns} columns`).toEqual(names);
		// Two cells of a row are for the cursor and the mark, one for the dots of a title that is cut.
		expect(shownLetters(state) + 3, `${columns} columns`).toBeGreaterThanOrEqual(28);
	}
	// A wide terminal has longer titles.
	expect(shownLetters(seen(listed(250)))).toBeGreaterThan(shownLetters(seen(listed(200))));
});

test("what is typed, found, or empty moves no divider and no column", () => {
	const placesOf = (state: State): unknown => {
		const width = listWidth(state);
		return [layoutFor(state), listColumns(state, width)];
	};
	for (const columns of [40, 80, 120, 160, 200]) {
		const start = listed(columns);
		for (const text of ["e", "errors:>2", "cost>1", "model:opus", "nothing like this", "project:api"]) {
			const [typed] = update(start, { type: "text", text });
			const parsed = parseQuery(text);
			if ("error" in parsed) throw new Error(parsed.error);
			const answered = LIST_SEARCH.set(typed, { ...searchOf(typed), query: parsed.query });
			expect([placesOf(typed), placesOf(answered)], text).toEqual([placesOf(start), placesOf(start)]);
		}
	}
});

test("the person chooses the columns, and the one that the list is sorted by is there, too", () => {
	const chosen = toggleColumn(toggleColumn(listed(160), "model"), "cost");
	expect(columnsIn(chosen)).toEqual(["errors", "state", "project", "model", "age"]);
	// A column for which there is no room is left out.
	expect(columnsIn(sortBy(chosen, "cost"))).toEqual(["errors", "state", "project", "cost", "age"]);
	// It takes none away that has room.
	const narrow = toggleColumn(listed(160), "messages");
	expect(columnsIn(narrow)).toContain("messages");
	expect(columnsIn(toggleColumn(narrow, "git"))).toEqual(columnsIn(narrow));
	expect(columnsIn(toggleColumn(toggleColumn(chosen, "model"), "cost"))).toEqual(columnsIn(listed(160)));
});
