import { describe, expect, test } from "vitest";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { parseTyped } from "../../../../src/app/world/list/select-saved.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import { bindingFor, contextOf } from "../../../../src/app/world/state/binding.ts";
import type { Effect } from "../../../../src/app/world/state/effect.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { applySaved, type SavedQuery } from "../../../../src/changes/noted/saved-queries.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import { withCommands } from "../../../support/command.ts";
import { keys, startOf } from "../../../support/listed-state.ts";
import { searchEvent } from "../../../support/queries.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";

const start = startOf({ columns: 80, rows: 30 });

const QUERIES: readonly SavedQuery[] = [
	{ name: "flaky", text: "is:branched error" },
	{ name: "last week", text: "since:7d" },
	{ name: "Parser", text: "parser role:user" },
];

function listed(queries = QUERIES, size = start.size): State {
	const rows = Array.from({ length: 40 }, (_, index) =>
		makeRow(`s${index}`, { age: index, firstMessage: `parser ${index}` }),
	);
	return act({ ...start, size }, { type: "catalog", event: { type: "rows", rows } }, LISTED, {
		type: "saved",
		read: { queries: applySaved([], queries), problems: [] },
	});
}

function run(state: State, ...actions: Action[]): { readonly state: State; readonly effects: readonly Effect[] } {
	let now = state;
	const effects: Effect[] = [];
	for (const action of withCommands(actions)) {
		const [next, more] = update(now, action, NOW);
		effects.push(...more);
		now = answered(next);
	}
	return { state: now, effects };
}

const act = (state: State, ...actions: Action[]): State => run(state, ...actions).state;

function answered(state: State): State {
	const total = state.catalog.rows.size;
	const events = [
		{ type: "progress", searched: total, total },
		{ type: "settled", watched: state.watched, inForms: false },
	] as const;
	return events.reduce((now, event) => update(now, searchEvent(now, event), NOW)[0], state);
}

const text = (typed: string): Action => ({ type: "text", text: typed });
const typed = (line: string): Action => keys(...line);

function rows(state: State): string[] {
	const pane = selectScreen(state).panes.find(({ id }) => id === "list");
	return (pane?.rows.filter(({ key }) => key !== "heads") ?? []).map(
		({ line, selected }) => `${selected ? ">" : " "}${line.map((span) => span.text).join("")}`,
	);
}

const saving = (effects: readonly Effect[]) => effects.filter(({ type }) => type === "save-query");

describe("text typed in the list", () => {
	test.each([
		["parser", { query: "parser" }],
		["parser :save flaky one", { query: "parser", command: { name: "flaky one" } }],
		[":save flaky", { query: "", command: { name: "flaky" } }],
		[":fla", { query: ":fla" }],
		["parser :", { query: "parser", command: { name: "" } }],
		["parser :sav", { query: "parser", command: { name: "" } }],
		['parser ":save x', { query: 'parser ":save x' }],
		['"one :save two"', { query: '"one :save two"' }],
		["std::vec", { query: "std::vec" }],
		["::vec", { query: "::vec" }],
		["is:named", { query: "is:named" }],
		["a : b", { query: "a : b" }],
	])("%s", (line, expected) => expect(parseTyped(line)).toEqual(expected));
});

describe("saving", () => {
	test("the query before :save is saved as it was typed, and neither search nor cursor change meanwhile", () => {
		const found = act(listed(), typed("parser 1"), keys("down", "down"));
		const { state, effects } = run(found, typed(" :save my parser"), keys("enter"));
		expect(saving(effects)).toEqual([
			{
				type: "save-query",
				what: "save the query “my parser”",
				done: "Saved “my parser”; type : to find it",
				changes: [{ name: "my parser", text: "parser 1" }],
			},
		]);
		expect(effects.filter(({ type }) => type === "load" || type === "resume")).toEqual([]);
		expect(state.list.query.text).toBe("parser 1");
		expect(state.list.selected).toBe(found.list.selected);
	});

	test("without a query, :save saves the last one", () => {
		const { effects, state } = run(listed(), typed("is:named"), keys("ctrl+u"), text(":save named"), keys("enter"));
		expect(saving(effects)).toMatchObject([{ changes: [{ name: "named", text: "is:named" }] }]);
		expect(state.list.query.text).toBe("");
		expect(run(listed(), text(":save x"), keys("enter")).state.message?.text).toMatch(/^There is no query to save/);
	});

	test.each([
		["parser :save", /needs a name/],
		["parser :save :x", /begins with a letter/],
		[`parser :save ${"x".repeat(100)}`, /at most 60/],
		["is:nonsense :save x", /This query is not valid/],
	])("%s says why it is refused, and stays to be corrected", (line, reason) => {
		const { state, effects } = run(listed(), typed(line), keys("enter"));
		expect(saving(effects)).toEqual([]);
		expect(state.message?.text).toMatch(reason);
		expect(state.list.query.text).toBe(line);
	});

	test("an existing name gets the new query, and the message shows the old one", () => {
		const { effects } = run(listed(), typed("x :save FLAKY"), keys("enter"));
		expect(saving(effects)).toMatchObject([{ done: expect.stringContaining("instead of is:branched error") }]);
		expect(
			saving(run(listed(), typed("since:7d"), keys("escape"), text(":save last week"), keys("enter")).effects),
		).toEqual([]);
	});

	test("a command asks for the name", () => {
		const query = act(listed(), text("parser"));
		const command = KEYMAP.find(({ id }) => id === "save-query");
		expect(command?.needs?.(listed())).toBeDefined();
		expect(command?.needs?.(query)).toBeUndefined();
		const [asked = query] = command?.run(query) ?? [];
		expect(saving(run(asked, text("my one"), keys("enter")).effects)).toMatchObject([
			{ changes: [{ name: "my one", text: "parser" }] },
		]);
	});
});

describe("the saved queries", () => {
	test("are above the list once up moves to them from the first session, and no key there acts on a session", () => {
		expect(rows(listed())[0]).toMatch(/^>.*parser 0/);
		const state = act(listed(), keys("up"));
		expect(rows(state).slice(0, 2)).toEqual([
			expect.stringMatching(/^ {2}: flaky {6}is:branched error/),
			expect.stringMatching(/^ {2}: last week {2}since:7d/),
		]);
		expect(contextOf(state)).toBe("saved");
		expect(rows(state)[2]).toMatch(/^>›: Parser/);
		expect(rows(state)[3]).toMatch(/^>?.*parser 0/);
		for (const key of ["ctrl+x", "alt+n", "tab", "right", "insert"])
			expect(bindingFor(state, key), key).toBeUndefined();
		expect(contextOf(act(state, keys("down")))).toBe("list");
		expect(contextOf(act(state, keys("escape")))).toBe("list");
		expect(contextOf(act(state, keys("x")))).toBe("list");
		const ran = act(state, keys("up", "enter"));
		expect(ran.list.query.text).toBe("since:7d");
		expect(contextOf(ran)).toBe("list");
	});

	test(": chooses one by its name, and leaves the session under the cursor in place", () => {
		const moved = act(listed(), keys("down", "down"));
		const state = act(moved, typed(":par"));
		expect(state.list.selected).toBe(moved.list.selected);
		expect(act(state, keys("enter")).list.query.text).toBe("parser role:user");
		expect(act(state, keys("escape")).list.query.text).toBe("");
		expect(act(state, keys("escape")).list.selected).toBe(moved.list.selected);
		// As in vi, unless a saved query begins so.
		const leaving = { type: "leave", outcome: { kind: "quit" } };
		expect(run(listed(), typed(":q"), keys("enter")).effects).toContainEqual(leaving);
		const saved = listed([{ name: "quick", text: "parser" }]);
		expect(act(saved, typed(":q"), keys("enter")).list.query.text).toBe("parser");
	});

	test("are renamed and deleted by the keys for sessions, without a question: undo brings them back", () => {
		const state = act(listed(), keys("up"));
		const deleted = run(state, keys("ctrl+d"));
		expect(deleted.effects.filter(({ type }) => type !== "watch-visible")).toEqual([
			{
				type: "save-query",
				what: "delete the saved query “Parser”",
				done: "Deleted the saved query “Parser”",
				changes: [{ name: "Parser", text: null }],
			},
		]);
		const renamed = run(state, keys("ctrl+r", "ctrl+u"), text("Lexer"), keys("enter"));
		expect(saving(renamed.effects)).toMatchObject([
			{
				changes: [
					{ name: "Parser", text: null },
					{ name: "Lexer", text: "parser role:user" },
				],
			},
		]);
		const taken = run(state, keys("ctrl+r", "ctrl+u"), text("FLAKY"), keys("enter"));
		expect(saving(taken.effects)).toEqual([]);
		expect(taken.state.message?.text).toMatch(/already/);
	});

	test("a click selects one, a second click runs it; a click on a session leaves them", () => {
		const state = act(listed(), keys("up"));
		const y = (selectScreen(state).panes.find(({ id }) => id === "list")?.y ?? 0) + 1;
		const press: Action = { type: "mouse", event: { kind: "press", x: 10, y } };
		const once = act(state, press);
		expect(rows(once)[1]).toMatch(/^>›: last week/);
		expect(act(once, press).list.query.text).toBe("since:7d");
		const back = act(once, { type: "mouse", event: { kind: "press", x: 10, y: y + 6 } });
		expect(contextOf(back)).toBe("list");
		expect(back.list.selected).not.toBe(state.list.selected);
	});

	test.each([
		[40, 10],
		[40, 16],
		[80, 24],
		[200, 60],
	])("fit in %i×%i, and those that do not are counted", (columns, height) => {
		const many = Array.from({ length: 30 }, (_, index) => ({
			name: `query ${index} 日本語`,
			text: `word ${"x".repeat(index * 9)}`,
		}));
		let state = act(listed(many, { columns, rows: height }), keys("up"));
		const pane = selectScreen(state).panes.find(({ id }) => id === "list");
		expect(pane?.rows.length).toBeLessThanOrEqual(pane?.height ?? 0);
		for (const { line } of pane?.rows ?? []) expect(lineWidth(line)).toBeLessThanOrEqual(pane?.width ?? 0);
		expect(rows(state).some((row) => row.startsWith(">"))).toBe(true);
		expect(rows(state)[0]).toContain("of 30");
		for (let index = 0; index < 30; index++) {
			expect(rows(state).filter((row) => row.startsWith(">›:"))).toHaveLength(1);
			state = act(state, keys("up"));
		}
		expect(act(state, keys("enter")).list.query.text).toBe(state.saved.queries[0]?.text);
	});
});
