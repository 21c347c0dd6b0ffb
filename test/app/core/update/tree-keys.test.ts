import { describe, expect, test } from "vitest";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { selectedEntry, selectTree } from "../../../../src/app/world/opened/select-tree.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { withCommands } from "../../../support/command.ts";
import { idsOf } from "../../../support/draw-tree.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { startOf } from "../../../support/listed-state.ts";
import { makeRow } from "../../../support/rows.ts";
import { rulesOf } from "../../../support/screen-text.ts";
import { assistant, label, message, sessionOf, user } from "../../../support/session-builder.ts";

const NOW = Date.UTC(2026, 0, 1, 12);

function pressed(state: State, ...keys: string[]): State {
	return withCommands([{ type: "keys", keys }]).reduce((now, action) => update(now, action)[0], state);
}

/** Two abandoned branches; in the second one a tool failed. The leaf is "end". */
async function inTree(): Promise<State> {
	const start = startOf({ columns: 160, rows: 45 });
	const listed = update(start, { type: "catalog", event: { type: "rows", rows: [makeRow("one")] } })[0];
	const failed = { role: "toolResult", toolCallId: "x", toolName: "bash", content: "no", isError: true };
	const session = await sessionOf(
		user("p1", null, 1, "one"),
		assistant("a1", "p1", 2, "first answer"),
		user("b1", "a1", 3, "aside"),
		assistant("b2", "b1", 4, "of the aside"),
		user("c1", "a1", 5, "another try"),
		message("c2", "c1", 6, failed),
		user("p2", "a1", 7, "two"),
		assistant("a2", "p2", 8, "second answer"),
		user("p3", "a2", 9, "three"),
		label("l", "p3", 10, "a2", "here"),
		assistant("end", "l", 11, "the end"),
	);
	return update({ ...listed, focus: "tree" }, { type: "session-read", request: listed.request, session })[0];
}

const cursor = (state: State) => selectedEntry(state)?.id;
const rows = (state: State) => {
	const tree = selectTree(state);
	return tree && idsOf(tree);
};
const titleOf = (state: State): string => {
	const pane = selectScreen(state).panes.find(({ id }) => id === "tree");
	return textOfRow(rulesOf(state).find(({ y }) => y === (pane?.y ?? 0) - 1)?.line ?? []);
};

describe("jumps", () => {
	test.each([
		["alt+up", ["p3", "p2", "p1", "p1"], "There is no prompt further up"],
		["shift+alt+e", ["c1", "c1"], "No error on this path, 1 on a branch"],
		["shift+alt+m", ["a2", "a2"], "This is the only label here"],
		["<previous-branch>", ["c1", "b1", "b1"], "There is no fork further up"],
	])("%s from the end moves to %j", async (key, ids, said) => {
		let state = await inTree();
		for (const id of ids) {
			state = pressed(state, key);
			expect(cursor(state)).toBe(id);
		}
		expect(state.message?.text).toBe(said);
	});

	test("those to errors and labels go on from the other end, and say what the filter hides", async () => {
		const open = pressed(await inTree(), "<all-branches>");
		const labeled = pressed(open, "alt+m");
		expect([cursor(labeled), labeled.message?.text]).toEqual(["a2", "The first label again"]);
		const prompts = pressed(open, "ctrl+u");
		expect(pressed(prompts, "alt+e").message?.text).toBe("No error here: the filter hides 1");
		expect(pressed(prompts, "alt+m").message?.text).toBe("No label here: the filter hides 1");
	});

	test("and back down", async () => {
		const first = pressed(await inTree(), "home", "down");
		expect(["alt+down", "alt+e", "alt+m", "<next-branch>"].map((key) => cursor(pressed(first, key)))).toEqual([
			"p2",
			"c1",
			"a2",
			"b1",
		]);
	});
});

describe("branches", () => {
	test("are opened and folded in place, also with a blank", async () => {
		const state = pressed(await inTree(), "home", "<next-branch>");
		expect(rows(state)).toEqual(["p1", "a1", "b1", "c1", "p2", "a2", "p3", "end"]);
		const open = ["p1", "a1", "b1", "b2", "c1", "p2", "a2", "p3", "end"];
		for (const key of [" ", "<toggle-branch>", "alt+right"]) expect(rows(pressed(state, key))).toEqual(open);
		expect(rows(pressed(state, " ", " "))).toEqual(rows(state));
		const inside = pressed(state, " ", "down");
		expect([cursor(inside), cursor(pressed(inside, "<toggle-branch>"))]).toEqual(["b2", "b1"]);
		expect(cursor(pressed(inside, "alt+left"))).toBe("b1");
		expect(rows(pressed(inside, "alt+left", "alt+left"))).toEqual(rows(state));
	});

	test("behind a slash a blank is text", async () => {
		expect(pressed(await inTree(), "home", "<next-branch>", "/", "o", " ").tree.query.text).toBe("o ");
	});

	test("all at once", async () => {
		const state = await inTree();
		const open = pressed(state, "<all-branches>");
		expect(rows(open)).toHaveLength(10);
		expect(rows(pressed(open, "<all-branches>"))).toEqual(rows(state));
		const all = pressed(state, "ctrl+a");
		expect(rows(all)).toHaveLength(11);
		expect(rows(pressed(all, "<all-branches>"))).toHaveLength(9);
	});

	test("open branches stay open while the session is shown", async () => {
		const open = pressed(await inTree(), "home", "<next-branch>", " ");
		expect([...open.tree.opened]).toEqual(["b1"]);
		expect(rows(pressed(open, "<filter-turns>", "<filter-turns>"))).toEqual(rows(open));
	});
});

describe("the cursor", () => {
	test("moves to unreadable lines, on which nothing can be done", async () => {
		const environment = { home: "/home/me", cwd: "/home/me/project", demo: false, keymap: KEYMAP, problems: [] };
		const start = initialState(environment, { columns: 160, rows: 45 }, NOW);
		const listed = update(start, { type: "catalog", event: { type: "rows", rows: [makeRow("one")] } })[0];
		const read = async (...lines: string[]) => {
			const session = await sessionOf(...lines);
			return update({ ...listed, focus: "tree" }, { type: "session-read", request: listed.request, session })[0];
		};
		const shown = (state: State) => {
			const pane = selectScreen(state).panes.find(({ id }) => id === "tree");
			const row = pane?.rows.find(({ selected }) => selected);
			return row?.line
				.map(({ text }) => text)
				.join("")
				.trimEnd();
		};
		const broken = pressed(await read(user("p1", null, 1, "one"), "{broken", user("p2", "p1", 2, "two")), "up");
		expect(shown(broken)).toMatch(/^›│ ✗ Line 3 is not JSON/);
		expect(cursor(broken)).toBeUndefined();
		expect(pressed(broken, "alt+l").message?.text).toBe("There is no entry to label");
		const nothing = await read("{broken", "{too");
		expect(shown(nothing)).toMatch(/Line 2/);
		expect(shown(pressed(nothing, "down"))).toMatch(/Line 3/);
	});

	test("is on the leaf if its entry is gone, and near it if a filter hides it", async () => {
		const state = await inTree();
		const at = (selected: string, ...keys: string[]) =>
			cursor(pressed({ ...state, tree: { ...state.tree, selected } }, ...keys));
		expect(at("nowhere")).toBe("end");
		expect([at("a2", "ctrl+u"), at("b2"), at("a2", "/", ..."aside")]).toEqual(["p2", "b1", "b2"]);
	});
});

describe("the title and the rule below", () => {
	test("name the filter, and where the cursor is", async () => {
		const state = await inTree();
		expect(titleOf(state)).toContain("active path ▾");
		expect(titleOf(pressed(state, "<filter-turns>"))).toContain("turns ▾");
		const pane = (now: State) => selectScreen(now).panes.find(({ id }) => id === "tree");
		expect(pane(state)?.position).toBe("9 of 9 · 4 entries folded in 2 branches");
		expect(pane(pressed(state, "home", "<next-branch>", " "))?.position).toBe("4 of 10 · 2 entries folded in 1 branch");
		expect(pane({ ...state, size: { columns: 80, rows: 24 } })?.position).toBe("9/9");
	});

	test("count the entries that match the filter", async () => {
		const state = pressed(await inTree(), "/", ..."answer");
		expect(rows(state)).toEqual(["a1", "a2"]);
		expect(titleOf(state)).toContain("2 hits");
	});
});

test("the digest opens in place; its rows show in the reader what they are about, and lead there by key or click", async () => {
	const pane = (now: State) => selectScreen(now).panes.find(({ id }) => id === "tree");
	const texts = (now: State) => pane(now)?.rows.map(({ line }) => textOfRow(line).trimEnd()) ?? [];
	const folded = pressed(await inTree(), "home");
	expect(texts(folded)[0]).toBe("›▸ asked 3 · edited nothing · last answer “the end”");
	const open = pressed(folded, "enter");
	expect(texts(open).slice(0, 7)).toEqual([
		expect.stringMatching(/^›▾ asked {5}1 one +#p1$/),
		expect.stringMatching(/^ {13}2 two +#p2$/),
		expect.stringMatching(/^ {13}3 three +#p3$/),
		expect.stringMatching(/^ {3}failed {4}\$ {2}no +✗ · not tried again · on a branch left +#c2$/),
		expect.stringMatching(/^ {3}answered {2}the end +#end$/),
		"             nothing changed, nothing open",
		" ● one                                                                 0:00",
	]);
	const onSecond = pressed(open, "down");
	expect([cursor(onSecond), onSecond.reader.through]).toEqual([undefined, "p2"]);
	expect(cursor(pressed(onSecond, "enter"))).toBe("p2");
	expect(pressed(open, ...Array<string>(5).fill("down"), "enter").message?.text).toBe("There is nothing to go to");
	const { x = 0, y = 0 } = pane(open) ?? {};
	const column = texts(open)[3]?.indexOf("#c2") ?? 0;
	const click = (now: State, column: number, row: number): State =>
		update(now, { type: "mouse", event: { kind: "press", x: x + column, y: y + row } })[0];
	const clicked = click(open, column, 3);
	expect(cursor(click(click(open, 20, 1), 20, 1))).toBe("p2");
	expect([cursor(clicked), rows(clicked)?.includes("c2")]).toEqual(["c2", true]);
	expect(texts(pressed(onSecond, " "))).toEqual(texts(folded));
	// A filter that shows no digest leaves the cursor on the conversation.
	expect(cursor(pressed(onSecond, "ctrl+u"))).toBe("p3");
});
