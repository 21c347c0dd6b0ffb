import { expect, test } from "vitest";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { update } from "../../../../src/app/core/update.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { keys, startOf } from "../../../support/listed-state.ts";
import { makeRow, NOW } from "../../../support/rows.ts";

const [a, b, c] = [makeRow("a", { age: 1 }), makeRow("b", { age: 2 }), makeRow("c", { age: 3 })];
const rows = (...list: (typeof a)[]): Action => ({ type: "catalog", event: { type: "rows", rows: list } });
const complete: Action = { type: "catalog", event: { type: "progress", read: 3, total: 3 } };

/** The state after starting with the session of this path, and further actions. */
function started(open: string, ...actions: readonly Action[]): State {
	const start = startOf({ columns: 80, rows: 24 }, { cwd: "/home/me", open });
	// A second apart, since a key acts on what has been seen.
	return actions.reduce((state, action, index) => update(state, action, NOW + 1000 * index)[0], start);
}

test("the session that the command line names is opened as soon as it is listed", () => {
	expect(started(b.path, rows(a))).toMatchObject({ focus: "list", list: { selected: a.path } });
	const opened = started(b.path, rows(a), rows(b, c), complete);
	expect(opened).toMatchObject({ focus: "tree", list: { selected: b.path }, detail: { row: { path: b.path } } });
	const back = update(opened, { type: "keys", keys: ["left"] })[0];
	expect(update(back, rows(b))[0].focus).toBe("list");
});

test("escape leaves from a session that was opened directly, until the person has been in the list", () => {
	const opened = started(b.path, rows(a), rows(b, c), complete);
	const after = (state: State, ...names: string[]) => {
		const [next, effects] = update(state, { type: "keys", keys: names });
		return { focus: next.focus, types: effects.map(({ type }) => type) };
	};
	for (const key of ["escape", "ctrl+c"]) expect(after(opened, key).types).toContain("leave");
	const typed = update(opened, { type: "keys", keys: ["/", "x"] })[0];
	expect(typed.tree.query.text).toBe("x");
	expect(after(typed, "escape")).toMatchObject({ focus: "tree", types: expect.not.arrayContaining(["leave"]) });
	expect(after(opened, "left", "right").focus).toBe("tree");
	const again = update(opened, { type: "keys", keys: ["left", "right"] })[0];
	expect(after(again, "escape")).toMatchObject({ focus: "list", types: expect.not.arrayContaining(["leave"]) });
});

test("what is typed before the session is listed acts in its tree, once that is there", () => {
	const typed = started(b.path, rows(a), keys("down", "tab"));
	expect(typed).toMatchObject({
		focus: "list",
		list: { selected: a.path },
		waiting: [{ key: "down" }, { key: "tab" }],
	});
	const opened = started(b.path, rows(a), keys("right"), rows(b, c), complete);
	// The tree is not read yet, so the key still waits for it; in the list it would have opened the tree and be gone.
	expect(opened).toMatchObject({ focus: "tree", list: { selected: b.path }, waiting: [{ key: "right" }] });
});

test("esc ends the waiting, and stays in the list", () => {
	const free = started(b.path, rows(a), keys("tab"), keys("escape"), keys("down"), rows(b, c), complete);
	expect(free).toMatchObject({ focus: "list", waiting: [], list: { scope: "all" } });
});

test("if it is not listed, that is reported once everything is", () => {
	const nowhere = started("/home/me/gone.jsonl", rows(a, b, c), complete);
	expect(nowhere).toMatchObject({ focus: "list", message: { text: "The session is not listed: ~/gone.jsonl" } });
});

test("in /grove the cursor begins on the session that is open in pi, in the list", () => {
	const host = {
		pi: "1.6.0",
		busy: false,
		open: { id: b.id, cwd: b.cwd, path: b.path, leaf: null },
		pid: 1,
		reportedMs: NOW,
	};
	const environment = { home: "/home/me", cwd: "/home/me", demo: false, keymap: KEYMAP, problems: [], host };
	const start = initialState(environment, { columns: 80, rows: 24 }, NOW);
	const listed = [rows(a), rows(b, c), complete].reduce((state, action) => update(state, action, NOW)[0], start);
	expect(listed).toMatchObject({ focus: "list", list: { selected: b.path } });
});
