import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { NOTHING_REMEMBERED } from "../../../../src/app/features/memory/memory-state.ts";
import { contextOf } from "../../../../src/app/world/state/binding.ts";
import { FIRST_SETTINGS } from "../../../../src/app/world/state/list-state.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { keys, startOf, stateAfter } from "../../../support/listed-state.ts";
import { searchEvent } from "../../../support/queries.ts";
import { LISTED, makeRow } from "../../../support/rows.ts";

function listed(recent: readonly string[] = []): State {
	const list = { ...FIRST_SETTINGS, recent };
	const start = startOf({ columns: 90, rows: 30 }, { cwd: "/home/me" }, { ...NOTHING_REMEMBERED, list });
	const rows = ["alpha", "beta"].map((name) => makeRow(name, { age: 1, name }));
	return stateAfter(start, { type: "catalog", event: { type: "rows", rows } }, LISTED);
}

/** Types a query and lets its search end. */
function searched(state: State, text: string): State {
	const typed = stateAfter(state, keys(...text));
	const ended = stateAfter(typed, searchEvent(typed, { type: "progress", searched: 2, total: 2 }));
	return stateAfter(ended, searchEvent(ended, { type: "settled", watched: ended.watched, inForms: false }));
}

const recent = (state: State): readonly string[] => state.list.settings.recent;
const rows = (state: State): string[] =>
	(selectScreen(state).panes.find(({ id }) => id === "list")?.rows ?? []).map(({ line }) => textOfRow(line).trimEnd());

test("a query is remembered once it has led to an action, the last 20 of them, each once", () => {
	const typed = searched(listed(["beta", "old"]), "alpha");
	expect(recent(typed)).toEqual(["beta", "old"]);
	const opened = stateAfter(typed, keys("right"));
	expect(opened.focus).toBe("tree");
	expect(recent(opened)).toEqual(["alpha", "beta", "old"]);
	expect(recent(stateAfter(searched(listed(["beta", "alpha"]), "alpha"), keys("ctrl+x")))).toEqual(["alpha", "beta"]);
	const many = Array.from({ length: 20 }, (_, index) => `query ${index}`);
	const full = recent(stateAfter(searched(listed(many), "alpha"), keys("right")));
	expect([full.length, full[0], full.at(-1)]).toEqual([20, "alpha", "query 18"]);
	// Moving about, and actions without a query, add nothing.
	expect(recent(stateAfter(listed(), keys("down", "right")))).toEqual([]);
	expect(recent(stateAfter(searched(listed(), "alpha"), keys("down", "up", "escape")))).toEqual([]);
});

test("up from the first session shows them, the newest next to the list; enter types one", () => {
	const start = listed(["newest", "is:named", "oldest"]);
	expect(rows(start).join()).not.toContain("newest");
	const shown = stateAfter(start, keys("up"));
	expect(contextOf(shown)).toBe("saved");
	expect(rows(shown).filter((row) => row.includes("↑"))).toEqual([" ↑ oldest", " ↑ is:named", "›↑ newest"]);
	const ran = stateAfter(shown, keys("ctrl+p", "enter"));
	expect([ran.list.query.text, contextOf(ran)]).toEqual(["is:named", "list"]);
	const back = stateAfter(shown, keys("down"));
	expect([contextOf(back), rows(back).join().includes("newest")]).toEqual(["list", false]);
	expect(contextOf(stateAfter(listed(), keys("up")))).toBe("list");
});

test.each([
	[40, 10],
	[60, 14],
	[100, 30],
])("at %d by %d cells, up from the first session shows the newest, and enter searches for it", (columns, rowCount) => {
	const start = stateAfter(listed(["newest", "is:named", "oldest"]), { type: "resize", columns, rows: rowCount });
	const shown = stateAfter(start, keys("up"));
	expect(rows(shown)).toContain("›↑ newest");
	const ran = stateAfter(shown, keys("enter"));
	expect([ran.list.query.text, contextOf(ran)]).toEqual(["newest", "list"]);
});

test("one is kept under a name, or forgotten", () => {
	const shown = stateAfter(listed(["newest", "older"]), keys("up"));
	const [, effects] = update(stateAfter(shown, keys("ctrl+r"), { type: "text", text: "mine" }), keys("enter"));
	expect(effects).toMatchObject([{ type: "save-query", changes: [{ name: "mine", text: "newest" }] }]);
	const forgotten = stateAfter(shown, keys("ctrl+d"));
	expect([recent(forgotten), forgotten.overlays]).toEqual([["older"], []]);
	const none = stateAfter(forgotten, keys("ctrl+d"));
	expect([recent(none), contextOf(none)]).toEqual([[], "list"]);
});
