import { expect, test } from "vitest";
import { update } from "../../../../src/app/core/update.ts";
import {
	MEMORY,
	NOTHING_REMEMBERED,
	type RememberedState,
	viewKey,
} from "../../../../src/app/features/memory/memory-state.ts";
import { selectedEntry } from "../../../../src/app/world/opened/select-tree.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { Effect } from "../../../../src/app/world/state/effect.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { FIRST_SPLIT } from "../../../../src/app/world/state/state.ts";
import { withCommands } from "../../../support/command.ts";
import { startOf } from "../../../support/listed-state.ts";
import { makeRow, NOW } from "../../../support/rows.ts";
import { assistant, sessionOf, user } from "../../../support/session-builder.ts";

const row = makeRow("a", { age: 1 });
const key = viewKey(row);

/** Opens a session of three entries after an earlier run, and presses keys. */
async function after(
	remembered: RememberedState,
	...keys: string[]
): Promise<{ readonly state: State; readonly noted: readonly Effect[] }> {
	const session = await sessionOf(
		user("one", null, 1, "question"),
		assistant("two", "one", 2, "answer"),
		user("three", "two", 3, "more"),
	);
	let state = startOf({ columns: 160, rows: 45 }, { cwd: "/home/me" }, remembered);
	const noted: Effect[] = [];
	const run = (action: Action): void => {
		const [next, effects] = update(state, action);
		state = next;
		noted.push(...effects.filter(({ type }) => type.startsWith("remember")));
	};
	run({ type: "catalog", event: { type: "rows", rows: [row] } });
	run({ type: "catalog", event: { type: "progress", read: 1, total: 1 } });
	run({ type: "session-read", request: state.request, session });
	for (const action of withCommands([{ type: "keys", keys }])) run(action);
	return { state, noted };
}

/** That the session was opened, and the entry under its cursor. */
const opened = (entry: string | undefined) =>
	({ type: "remember", noted: { last: { id: row.id, path: row.path, entry } } }) as const;

const left = (selected: string | undefined, filter: "default" | "all" = "default"): RememberedState => ({
	split: undefined,
	views: new Map([[key, { selected, opened: new Set(), filter }]]),
});

test("a session opens as it was left, with its cursor and its filter", async () => {
	const { state, noted } = await after(left("two", "all"));
	expect([selectedEntry(state)?.id, state.tree.filter, noted]).toEqual(["two", "all", []]);
});

test("an entry that is no longer there is forgotten", async () => {
	const { state } = await after(left("gone"));
	expect([selectedEntry(state)?.id, state.tree.selected]).toEqual(["three", undefined]);
});

test("what the person does in a session is remembered; viewing it from the list is not", async () => {
	expect((await after(NOTHING_REMEMBERED)).noted).toEqual([]);
	expect((await after(NOTHING_REMEMBERED, "right")).noted).toEqual([opened(undefined)]);
	const { noted, state } = await after(NOTHING_REMEMBERED, "right", "up", "ctrl+t");
	const view = (filter: string) => [key, { selected: "two", opened: new Set(), filter }];
	expect(noted).toEqual([
		opened(undefined),
		{ type: "remember", noted: { ...opened("two").noted, view: view("default") } },
		{ type: "remember", noted: { filter: "no-tools", view: view("no-tools") } },
	]);
	expect(MEMORY.of(state).filter).toBe("no-tools");
});

test("the position of a divider is remembered and restored", async () => {
	const { state } = await after(NOTHING_REMEMBERED, "right");
	const dragging: State = { ...state, mouse: { ...state.mouse, dragged: "columns" } };
	const [{ split }, effects] = update(dragging, { type: "mouse", event: { kind: "drag", x: 110, y: 10 } }, NOW);
	expect(split.columns).toBeGreaterThan(FIRST_SPLIT.columns);
	expect(effects).toContainEqual({ type: "remember", noted: { split } });
	const again = await after({ split, views: new Map() });
	expect([again.state.split, again.noted]).toEqual([split, []]);
});

test("the full page is not remembered: a session that was left in it opens in its tree", async () => {
	const { noted, state } = await after(NOTHING_REMEMBERED, "right", "<full-page>");
	expect([state.focus, state.zoom, noted]).toEqual(["reader", true, [opened(undefined)]]);
	const later = await after({ split: undefined, views: MEMORY.of(state).views }, "right");
	expect([later.state.focus, later.state.zoom]).toEqual(["tree", false]);
	// As it is within a run.
	const again = await after(NOTHING_REMEMBERED, "right", "<full-page>", "left", "left", "right");
	expect([again.state.focus, again.state.zoom]).toEqual(["tree", false]);
});

test("the filter of the tree that was chosen last is that of sessions not opened before, whatever pi's is", async () => {
	const { state } = await after({ ...NOTHING_REMEMBERED, filter: "all" });
	expect(state.tree.filter).toBe("all");
});

const HOUR_MS = 3_600_000;
const older = makeRow("b", { age: 2 });
const lastAt = (path: string, hoursAgo: number): RememberedState => ({
	...NOTHING_REMEMBERED,
	last: { id: "b", path, entry: undefined, atMs: NOW - hoursAgo * HOUR_MS },
});

test.each([
	["opened within a day", older.path, lastAt(older.path, 23), {}, []],
	["opened before that", row.path, lastAt(older.path, 25), {}, []],
	["that is not listed", row.path, lastAt("/gone.jsonl", 1), {}, []],
	["while one searches", row.path, lastAt(older.path, 1), { query: "title" }, []],
	["in a choice for a shell", row.path, lastAt(older.path, 1), { picks: true } as const, []],
	["after a key", row.path, lastAt(older.path, 1), {}, ["home"]],
])("the list begins at the session that was opened last: %s", (_, path, remembered, environment, keys) => {
	const actions: readonly Action[] = [
		{ type: "catalog", event: { type: "rows", rows: [row] } },
		{ type: "keys", keys },
		{ type: "catalog", event: { type: "rows", rows: [older] } },
		{ type: "catalog", event: { type: "progress", read: 2, total: 2 } },
	];
	const state = actions.reduce(
		(now, action) => update(now, action)[0],
		startOf({ columns: 160, rows: 45 }, environment, remembered),
	);
	expect(state.list.selected).toBe(path);
});
