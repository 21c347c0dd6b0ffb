import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { applyChanges } from "../../../../src/changes/noted/marks.ts";
import { searchEvent } from "../../../support/queries.ts";
import { keys, pathOf, run, shown, textOf, whole } from "./narrowed-list.ts";

const TAGS = { b: "billing", c: "billing", d: "bikeshed", e: "wip" } as const;

const tagged = (size: Partial<State["size"]> = {}): State => ({
	...whole(size),
	marks: applyChanges(Object.entries(TAGS).map(([id, tag]) => ({ id, tag, on: true }))),
});
const typed = (text: string) => ({ type: "text", text }) as const;
const query = (state: State): string => state.list.query.text;

function listRows(state: State): readonly { readonly text: string; readonly x: number; readonly y: number }[] {
	const pane = selectScreen(state).panes.find(({ id }) => id === "list");
	return (pane?.rows ?? []).map(({ line }, index) => ({
		text: textOf(line),
		x: pane?.x ?? 0,
		y: (pane?.y ?? 0) + index,
	}));
}

/** A click on the last place in the list where a row that says `of` has this text. */
function click(state: State, text: string, of = text): State {
	const row = listRows(state).find((one) => one.text.includes(of));
	if (row === undefined) throw new Error(`no row says ${of}`);
	const event = { kind: "press", x: row.x + row.text.lastIndexOf(text) + 1, y: row.y } as const;
	return run(state, { type: "mouse", event });
}

test.each([
	["#bi", /^ {2}#billing 2 sessions {3}#bikeshed 1 session .*tab completes/, "bcd", "#bi"],
	["#bil", /^ {2}#billing 2 sessions /, "bc", "#billing "],
	["tag:w", /^ {2}#wip 1 session /, "e", "tag:wip "],
	["is:as", /^ {2}asks 2 /, undefined, "is:asks "],
	["asks", /^ {2}is:asks 2 sessions .*tab completes/, undefined, "is:asks "],
	["◐", /^ {2}is:waiting 6 sessions .*tab completes/, undefined, "is:waiting "],
	["wip", /^ {2}#wip 1 session /, undefined, "#wip "],
	["api", /^ {2}project api 16 sessions /, undefined, "project:api "],
] as const)("%s is answered with what begins so, with counts; tab completes it", (text, first, ids, completed) => {
	const state = run(tagged(), typed(text));
	expect(listRows(state)[0]?.text).toMatch(first);
	if (ids !== undefined) expect(shown(state)).toBe(ids);
	expect(query(run(state, keys("tab")))).toBe(completed);
});

test("words that name a date, or conditions and nothing else, are offered as these while something is found, and keep their place", () => {
	const found = (text: string): State => {
		const state = run(tagged(), typed(text));
		const best = {
			entryId: "x",
			line: 2,
			kind: "assistant",
			active: true,
			snippet: { text: "x", ranges: [] },
		} as const;
		const results = [{ path: pathOf("b"), rank: 2, modified: 0, count: 1, more: false, best } as const];
		return run(state, searchEvent(state, { type: "results", results }));
	};
	for (const [text, completed] of [
		["deploy this month", "deploy on:this-month "],
		["deploy since yesterday", "deploy since:yesterday "],
		["failed this month", "is:failed on:this-month "],
		["asks of this month", "is:asks on:this-month "],
	] as const) {
		const state = found(text);
		expect([text, listRows(state)[0]?.text]).toEqual([
			text,
			expect.stringMatching(/^ {2}[^ ].* sessions? .*tab completes/),
		]);
		expect(query(run(state, keys("tab")))).toBe(completed);
	}
	for (const text of ["deploy 3 years ago", "this month ", "deploy sun"])
		expect(listRows(found(text))[0]?.text, text).not.toContain("tab completes");
});

test("every state that a row shows is listed with its number, at every width", () => {
	for (const columns of [160, 80]) {
		const rows = listRows(run(tagged({ columns, rows: 45 }), typed("is:")));
		const all = rows
			.slice(0, 4)
			.map(({ text }) => text)
			.join(" ");
		for (const state of [
			"waiting 6",
			"asks 2",
			"failed 1",
			"aborted 1",
			"no-result 1",
			"no-answer 1",
			"tagged 4",
			"gone 0",
		])
			expect(all).toContain(state);
		expect(all).not.toMatch(/rewound|orphan/);
	}
	expect(listRows(run(tagged({ columns: 40, rows: 10 }), typed("is:")))[1]?.text).not.toContain("waiting");
});

test("nothing is offered for a whole tag, another word, and behind a blank", () => {
	for (const text of ["#billing", "name", "api ", "is:asks", "#zzz"])
		expect(listRows(run(tagged(), typed(text)))[0]?.text ?? "", text).not.toContain("tab completes");
});

test.each([
	["#billing", "#billing ", "bc"],
	["asks", "is:asks ", "bh"],
	["failed", "is:failed ", "c"],
	["api", "project:api ", undefined],
] as const)("a click on %s types it, once, and the cursor stays on its row", (text, part, ids) => {
	const row = text === "#billing" || text === "failed" ? "name c" : "name b";
	const once = click(tagged(), text, row);
	expect(query(once)).toBe(part);
	if (ids !== undefined) expect(shown(once)).toBe(ids);
	expect(once.list.selected).toBe(pathOf(row.slice(-1)));
	const later = { ...once, mouse: { ...once.mouse, pressed: undefined } };
	expect(query(click(later, text, row))).toBe(part);
});

test("after a click the cursor goes to its session even if a search finds that one later than others", () => {
	const resultOf = (id: string) => {
		const best = {
			entryId: "x",
			line: 2,
			kind: "assistant",
			active: true,
			snippet: { text: "zzz", ranges: [] },
		} as const;
		return { path: pathOf(id), rank: 2, modified: 0, count: 1, more: false, best } as const;
	};
	const finding = (state: State, ...ids: readonly string[]): State =>
		run(state, searchEvent(state, { type: "results", results: ids.map(resultOf) }));
	const clicked = click(finding(run(tagged(), typed("zzz")), "b", "c"), "#billing", "name c");
	expect(query(clicked)).toBe("zzz #billing ");
	const first = finding(clicked, "b");
	expect([shown(first), first.list.selected]).toEqual(["b", pathOf("b")]);
	expect(finding(first, "c").list.selected).toBe(pathOf("c"));
});

test("a click on what is offered takes the place of the word", () => {
	expect(query(click(run(tagged(), typed("name #bi")), "#bikeshed"))).toBe("name #bikeshed ");
	expect(query(click(run(tagged(), typed("name is:")), "failed 1"))).toBe("name is:failed ");
});
