import { expect, test } from "vitest";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { update } from "../../../../src/app/core/update.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { Effect } from "../../../../src/app/world/state/effect.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { keys } from "../../../support/listed-state.ts";
import { makeRow, NOW } from "../../../support/rows.ts";

const environment = { home: "/home/me", cwd: "/home/me/project", demo: false, keymap: KEYMAP, problems: [] };
const a = makeRow("a", { age: 1, name: "Alpha" });
const b = makeRow("b", { age: 2 });

function run(state: State, ...actions: readonly Action[]): { readonly state: State; readonly effects: Effect[] } {
	const effects: Effect[] = [];
	for (const action of actions) {
		const [next, more] = update(state, action, NOW + 1000);
		state = next;
		effects.push(...more);
	}
	return { state, effects };
}

const started = (tmux: boolean): State =>
	run(
		initialState({ ...environment, tmux }, { columns: 80, rows: 24 }, NOW),
		{ type: "catalog", event: { type: "rows", rows: [a, b] } },
		{ type: "catalog", event: { type: "progress", read: 2, total: 2 } },
	).state;
const back = (path: string, hasRun = true): Action => ({ type: "back", path, hasRun, message: undefined });

test("keys typed while pi starts are not for the browser, and are dropped when pi is back", () => {
	const typed = run(started(false), keys("enter", "h", "i", "down", "enter")).state;
	expect([typed.list.query.text, typed.list.selected]).toEqual(["", a.path]);
	const { state, effects } = run(typed, back(a.path), { type: "changed" });
	expect(state).toMatchObject({ handingOver: false, waiting: [], list: { query: { text: "" }, selected: a.path } });
	expect(effects.filter(({ type }) => type === "resume")).toEqual([]);
	expect(run(state, keys("x")).state.list.query.text).toBe("x");
});

test("if pi does not start after all, they are handled", () => {
	const failed: Action = { type: "done", message: { text: "Cannot resume", tone: "error" } };
	const { state } = run(started(false), keys("enter", "h", "i"), failed, { type: "changed" });
	expect(state.list.query.text).toBe("hi");
});

test("ctrl+c still leaves", () => {
	const { effects } = run(started(false), keys("enter", "ctrl+c"));
	expect(effects.at(-1)).toEqual({ type: "leave", outcome: { kind: "quit" } });
});

test("the cursor stays on the resumed session even if pi has started a newer one, or moves to the fork made for it", () => {
	const newer = makeRow("c", { age: 0 });
	const first = run(started(false), keys("enter")).state;
	const rows: Action = { type: "catalog", event: { type: "rows", rows: [newer] } };
	expect(run(first, back(a.path), rows, { type: "changed" }).state.list.selected).toBe(a.path);
	expect(run(first, back(newer.path), rows, { type: "changed" }).state.list.selected).toBe(newer.path);
});

test("in the tree, the cursor is at the end after pi, where that went on", () => {
	const opened = run(started(false), keys("right")).state;
	const elsewhere: State = { ...opened, tree: { ...opened.tree, selected: "old", pinned: "old" } };
	const { tree } = run(elsewhere, back(a.path)).state;
	expect(tree).toMatchObject({ selected: undefined, pinned: undefined });
	expect(tree.savedCursors.get(a.path)).toBeUndefined();
	expect(run(elsewhere, back(a.path, false)).state.tree).toMatchObject({ selected: "old", pinned: "old" });
});

test("alt+enter resumes in a window of tmux, while the browser stays; elsewhere it says why not", () => {
	const outside = run(started(false), keys("alt+enter"));
	expect(outside.effects).toEqual([]);
	expect(outside.state.message?.text).toContain("this terminal is not in tmux");
	const inside = run(started(true), keys("alt+enter", "x"));
	expect(inside.effects).toContainEqual({
		type: "resume",
		request: { path: a.path, cwd: a.cwd, shown: { row: a, uses: [] }, inWindow: true },
	});
	expect(inside.state).toMatchObject({ handingOver: false, list: { query: { text: "x" } } });
});
