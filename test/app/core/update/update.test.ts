import { describe, expect, test } from "vitest";
import { applyKeybindings } from "../../../../src/app/core/keys/keybindings.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { HITS } from "../../../../src/app/features/reader/search-results.ts";
import { addToQuery, toggleTerm } from "../../../../src/app/world/list/list-actions.ts";
import { LIST_SEARCH } from "../../../../src/app/world/list/list-search.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import { selectedEntry } from "../../../../src/app/world/opened/select-tree.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { a, b, c, complete, keys, listed, opened, rows, run, start } from "../../../support/listed-state.ts";
import { answerTo, askedOf, searchEvent } from "../../../support/queries.ts";
import { listedRows, makeRow, NOW } from "../../../support/rows.ts";

/** Types a filter, and lets the search find nothing beyond the rows themselves. */
function filtered(state: State, text: string): State {
	const typed = run(state, { type: "text", text }).state;
	return settled(typed, 3);
}

/** The state after the search has ended, but perhaps for other forms of the words. */
function settled(state: State, total: number, inForms = false): State {
	const searched = run(state, searchEvent(state, { type: "progress", searched: total, total })).state;
	return run(searched, searchEvent(searched, { type: "settled", watched: searched.watched, inForms })).state;
}

describe("the cursor of the list", () => {
	test("several keys in one chunk all count", () => {
		expect(run(listed, keys("down", "down")).state.list.selected).toBe(c.path);
		const { state, effects } = run(listed, keys("down", "enter"));
		expect(state.list.selected).toBe(b.path);
		expect(effects).toContainEqual({
			type: "resume",
			request: { path: b.path, cwd: b.cwd, shown: { row: b, uses: [] } },
		});
	});

	test("stays on the newest session while sessions are being listed, then on its session", () => {
		const newer = makeRow("newer", { age: 0 });
		const listing = run(start, rows(a, b)).state;
		expect(run(listing, rows(newer)).state.list.selected).toBe(newer.path);
		expect(run(listing, complete, rows(newer)).state.list.selected).toBe(a.path);
		expect(run(listed, keys("down"), rows(newer)).state.list.selected).toBe(b.path);
	});

	test("begins on the newest session, not on a newer file that is not one", () => {
		const broken = { code: "not-a-session", severity: "damage", message: "It has no header." } as const;
		const junk = makeRow("junk", { age: 0, id: "", messageCount: 0, diagnostics: [broken] });
		expect(run(start, rows(a, junk)).state.list.selected).toBe(a.path);
		expect(run(start, rows(a, junk), complete, keys("up")).state.list.selected).toBe(junk.path);
		expect(run(start, rows(junk)).state.list.selected).toBe(junk.path);
	});

	test("moves to the neighbor when its session is gone", () => {
		const gone: Action = { type: "catalog", event: { type: "gone", paths: [b.path] } };
		expect(run(listed, keys("down"), gone).state.list.selected).toBe(c.path);
		expect(
			run(listed, keys("end"), { type: "catalog", event: { type: "gone", paths: [c.path] } }).state.list.selected,
		).toBe(b.path);
	});

	test("does not leave an empty list in a broken state", () => {
		const none = run(filtered(listed, "nothing has this"), keys("down", "pageDown", "end", "enter", "ctrl+d"));
		expect(none.state.list.selected).toBeUndefined();
		expect(none.effects).toEqual([]);
		// The first one ends the wait for what else would be found.
		expect(run(none.state, keys("escape", "escape")).state.list.selected).toBe(a.path);
	});

	test("stays on the session that was found when the filter is cleared", () => {
		expect(run(filtered(listed, "elsewhere"), keys("escape")).state.list.selected).toBe(c.path);
	});
});

describe("the list", () => {
	const shown = (state: State) => selectList(state).rows.map(({ row }) => row.id);
	test.each<[string, string[]]>([
		["alpha", ["a"]],
		["FIRST message", ["a", "b", "c"]],
		["is:named", ["a"]],
		["is:named elsewhere", []],
		['"message of c"', ["c"]],
		["re:^first.*b$", ["b"]],
		["is:constructor", ["a", "b", "c"]],
	])("the filter %s shows %j", (text, ids) => expect(shown(filtered(listed, text))).toEqual(ids));

	test("tab cycles through the scopes, a chip hides unnamed sessions", () => {
		expect(shown(run(listed, keys("tab")).state)).toEqual(["a", "b"]);
		expect(shown(run(listed, keys("tab", "tab")).state)).toEqual(["a", "b", "c"]);
		expect(shown(run(toggleTerm(listed, "is:named"), { type: "tick", now: NOW }).state)).toEqual(["a"]);
	});

	test("the sort menu changes the order", () => {
		const sorted = run(
			listed,
			rows(makeRow("big", { age: 9, size: 9e9 })),
			keys("ctrl+s", ...Array<string>(10).fill("down"), "enter"),
		);
		expect(sorted.state.list.settings.order).toEqual({ sort: "size", reversed: false });
		expect(shown(sorted.state)[0]).toBe("big");
	});
});

describe("escape", () => {
	test("clears the filter, then moves back, then says what leaves, however often it is pressed", () => {
		const typed = run(filtered(listed, "a"), keys("right", "/"), { type: "text", text: "x" }, keys("enter"));
		const cleared = run(typed.state, keys("escape"));
		expect([cleared.state.tree.query.text, cleared.state.focus]).toEqual(["", "tree"]);
		const back = run(cleared.state, keys("escape"));
		expect([back.state.focus, back.state.list.query.text]).toEqual(["list", "a"]);
		const all = run(back.state, keys("escape"));
		expect([all.state.list.query.text, all.effects]).toMatchObject([
			"",
			[{ type: "stop-load", query: LIST_SEARCH.name }],
		]);
		for (let stayed = all, presses = 0; presses < 3; presses++) {
			stayed = run(stayed.state, keys("escape"));
			expect([stayed.effects, stayed.state.message?.text]).toEqual([[], "Press ctrl+c or ctrl+q to leave"]);
		}
		const leaving = { type: "leave", outcome: { kind: "quit" } };
		for (const key of ["ctrl+c", "ctrl+q"]) expect(run(all.state, keys(key)).effects).toEqual([leaving]);
		// A shell that waits for a choice gets its terminal back at once, as from other pickers.
		const picking = { ...listed, environment: { ...listed.environment, picks: true } } as State;
		expect(run(picking, keys("escape")).effects).toEqual([leaving]);
	});
});

describe("delete", () => {
	test("ctrl+d in the list asks first, and enter confirms, as in pi", () => {
		const asked = run(listed, keys("ctrl+d"));
		// So far the session is only checked.
		expect(asked.effects).toEqual([{ type: "refresh-live", path: a.path }]);
		expect(asked.state.overlays).toMatchObject([{ kind: "menu", danger: true }]);
		expect(run(asked.state, keys("enter")).effects).toMatchObject([
			{ type: "change-sessions", change: { type: "trash" }, sessions: [{ row: { path: a.path } }] },
		]);
		expect(run(asked.state, keys("escape")).effects).toEqual([]);
		expect(run(asked.state, keys("down", "enter")).effects).toEqual([]);
	});

	test.each(["tree", "reader"] as const)("from the %s the question begins at Cancel", (focus) => {
		const asked = run({ ...listed, focus }, keys("<delete>"));
		expect(asked.state.overlays).toMatchObject([{ kind: "menu", danger: true }]);
		const trashes = [{ type: "change-sessions", change: { type: "trash" }, sessions: [{ row: { path: a.path } }] }];
		expect(run(asked.state, keys("enter")).effects).toEqual([]);
		expect(run(asked.state, keys("up", "enter")).effects).toMatchObject(trashes);
		// Two answers have no field: no letter leads away from it, not even one that only the other has.
		for (const letter of ["e", "m"]) expect(run(asked.state, keys(letter, "enter")).effects).toEqual([]);
	});

	test.each(["tree", "reader"] as const)("ctrl+d and enter never delete from the %s", async (focus) => {
		const { state } = await opened();
		const pressed = run({ ...state, focus }, keys("ctrl+d", "enter", "enter"));
		expect(pressed.effects.filter(({ type }) => type === "change-sessions")).toEqual([]);
	});

	test("ctrl+d in the tree is the default filter", () => {
		expect(run({ ...listed, focus: "tree" }, keys("ctrl+u", "ctrl+d")).state.tree.filter).toBe("default");
	});

	test("the question names the session, its size, and its forks", () => {
		const { state } = run(listed, rows(makeRow("fork", { age: 5, parentSession: a.path })), keys("ctrl+d"));
		const [overlay] = state.overlays;
		const text =
			overlay?.kind === "menu" ? overlay.body.flatMap((line) => line.map((span) => span.text)).join("\n") : "";
		expect(text).toContain("Alpha");
		expect(text).toContain("1.0 KB");
		expect(text).toContain("1 fork of it stays");
	});

	test("other keys do nothing while the question is open", () => {
		expect(run(listed, keys("ctrl+d", "x", "ctrl+r", "tab")).state.overlays).toHaveLength(1);
	});
});

describe("the sort menu", () => {
	const lit = (state: State): string | undefined => {
		const [menu] = run(state, keys("ctrl+s")).state.overlays;
		return menu?.kind === "menu" ? menu.items[menu.index]?.label.split("  ")[0] : undefined;
	};
	test("the order in use is highlighted: search results are ordered by relevance", () => {
		expect([lit(listed), lit(filtered(listed, "alpha"))]).toEqual(["Recent", "Best match"]);
	});

	test("letters narrow it to the items that they name, and enter chooses the best of them", () => {
		const shown = (state: State) => {
			const { overlay } = selectScreen(state);
			return overlay?.kind === "menu"
				? [textOfRow(overlay.title), overlay.items.map((item) => item.split("  ")[0])]
				: [];
		};
		const typed = run(listed, keys("ctrl+s", ..."cost")).state;
		expect(shown(typed)).toEqual(["Sort sessions ❯ cost", ["Cost"]]);
		expect(run(typed, keys("enter")).state.list.settings.order).toEqual({ sort: "cost", reversed: false });
		// Of what they begin before what they are within.
		expect(shown(run(listed, keys("ctrl+s", "m", "e", "s")).state)).toEqual(["Sort sessions ❯ mes", ["Messages"]]);
		const none = run(typed, keys("q")).state;
		expect(shown(none)).toEqual(["Sort sessions ❯ costq  nothing matches", []]);
		expect(run(none, keys("enter")).state.overlays).toEqual(none.overlays);
		expect(run(none, keys("ctrl+u")).state.overlays).toMatchObject([{ index: 0, query: { text: "" } }]);
		const box = (state: State) => {
			const { x, y, width, height } = selectScreen(state).overlay ?? {};
			return [x, y, width, height];
		};
		expect(box(none)).toEqual(box(run(listed, keys("ctrl+s")).state));
	});

	test("a check box that is shown among others is the one that is toggled", () => {
		const { state } = run(listed, keys("ctrl+s", ..."directory", " "));
		expect(state.list.settings.hereFirst).toBe(true);
		const menu = state.overlays[0];
		expect(menu?.kind === "menu" && menu.items.filter(({ checked }) => checked)).toHaveLength(1);
	});

	test("a letter that the person has given it acts", () => {
		const { keymap } = applyKeybindings({ "tui.select.down": ["down", "j"] });
		const state = { ...listed, environment: { ...listed.environment, keymap } };
		expect(run(state, keys("ctrl+s", "j")).state.overlays).toMatchObject([{ index: 1, query: { text: "" } }]);
	});
});

describe("rename and label", () => {
	test("the prompt contains the present name, and an empty text clears it", () => {
		const prompt = run(listed, keys("ctrl+r"));
		expect(prompt.state.overlays).toMatchObject([{ kind: "prompt", value: { text: "Alpha" } }]);
		const rename = (...pressed: string[]) => run(prompt.state, keys(...pressed, "enter")).effects;
		expect(rename("ctrl+u", "N", "e", "w")).toMatchObject([{ type: "rename", path: a.path, name: "New" }]);
		expect(rename("ctrl+u")).toMatchObject([{ type: "rename", path: a.path, name: "" }]);
	});

	test("a pasted name is one line without control characters", () => {
		const typed = run(listed, keys("ctrl+r", "ctrl+u"), { type: "text", text: "two\nlines\u001b[31m" }, keys("enter"));
		expect(typed.effects).toMatchObject([{ type: "rename", name: "two lines" }]);
	});

	test("a label is for the entry under the cursor", async () => {
		const { state, session } = await opened();
		const labeled = run(state, keys("right", "up", "alt+l", "k", "enter"));
		expect(labeled.effects).toMatchObject([{ type: "label", path: session.path, entryId: "two", label: "k" }]);
	});
});

describe("the visible sessions", () => {
	const seen = (state: State, action: Action) =>
		update(state, action)[1].filter(({ type }) => type === "watch-visible");

	test("are reported to the catalog when they change, and only then", () => {
		expect(seen(start, rows(a, b, c))).toEqual([
			{ type: "watch-visible", paths: [a.path, b.path, c.path], watched: 1 },
		]);
		const { state } = run(start, rows(a, b, c));
		expect(seen(state, keys("down"))).toEqual([]);
		expect(seen(state, keys("tab"))).toEqual([{ type: "watch-visible", paths: [a.path, b.path], watched: 2 }]);
	});
});

describe("messages", () => {
	test("stay until the next key", () => {
		const said = run(listed, { type: "done", message: { text: "Renamed", tone: "text" } });
		expect(run(said.state, { type: "tick", now: NOW + 1 }).state.message?.text).toBe("Renamed");
		expect(run(said.state, keys("down")).state.message).toBeUndefined();
	});

	test("a problem of the catalog is shown once", () => {
		const event = { type: "problems", problems: [{ path: "/x", message: "Cannot read /x" }] } as const;
		const next = run(listed, { type: "catalog", event });
		expect(next.state.message?.text).toBe("Cannot read /x");
		expect(run(next.state, keys("down"), { type: "catalog", event }).state.message).toBeUndefined();
	});
});

describe("the search", () => {
	const hit = (entryId: string, line: number) =>
		({ line, entryId, kind: "assistant", active: true, snippet: { text: "the answer", ranges: [[4, 10]] } }) as const;
	const found = (path: string, entryId: string) =>
		({ path, rank: 2, modified: 0, count: 2, more: false, best: hit(entryId, 2) }) as const;

	test("the list does not change until the first event of the search for the new query", () => {
		const typed = run(listed, { type: "text", text: "zzz" });
		expect(askedOf(LIST_SEARCH, typed.state)).toMatchObject({ query: { text: "zzz" } });
		expect(selectList(typed.state).rows).toHaveLength(3);
		const event = { type: "results", results: [found(b.path, "x")] } as const;
		const next = run(typed.state, searchEvent(typed.state, event));
		expect(selectList(next.state).rows.map(({ row }) => row.id)).toEqual(["b"]);
		expect(run(typed.state, searchEvent(listed, event)).state).toBe(typed.state);
	});

	test("what is added to a query is not joined to the word before it by an or at its end", () => {
		for (const text of ["error or ", "error |", "error"])
			expect(addToQuery(run(listed, { type: "text", text }).state, "is:failed").list.query.text).toBe(
				"error is:failed ",
			);
	});

	test("the cursor stays on the best row until no other form of the words can be found", () => {
		const finding = (state: State, path: string, rank: number): State => {
			const results = [{ ...found(path, "x"), rank, other: [] }];
			return run(state, searchEvent(state, { type: "results", results })).state;
		};
		const typed = settled(run(listed, { type: "text", text: "zzz" }).state, 3, true);
		const first = finding(typed, c.path, 5);
		expect(first.list.selected).toBe(c.path);
		const better = finding(settled(first, 3, true), b.path, 1);
		expect(selectList(better).rows.map(({ row }) => row.id)).toEqual(["b", "c"]);
		expect(better.list.selected).toBe(b.path);
		expect(finding(settled(better, 3), a.path, 0).list.selected).toBe(b.path);
	});

	test("the tree moves to the best hit, → enters it, Enter resumes, ctrl+n and ctrl+p move through all hits", async () => {
		const { state, session } = await opened();
		const typed = run(state, { type: "text", text: "answer" });
		const event = { type: "results", results: [{ ...found(a.path, "two"), path: a.path }] } as const;
		const row = { ...a, path: session.path };
		const there = { ...typed.state, catalog: { ...typed.state.catalog, ...listedRows(row) } };
		const next = run(there, searchEvent(there, { ...event, results: [found(row.path, "two")] }));
		const read = run(next.state, { type: "session-read", request: next.state.request, session });
		expect(selectedEntry(read.state)?.id).toBe("two");
		expect(HITS.of(read.state).asked).toMatchObject({ path: session.path, query: { text: "answer" } });
		const hits = [hit("one", 2), hit("two", 3)];
		const better = answerTo(HITS, read.state, { hits, best: hit("one", 2) });
		expect(selectedEntry(run(read.state, better).state)?.id).toBe("one");
		// Where the person has gone meanwhile, the cursor stays.
		const gone = { ...read.state, tree: { ...read.state.tree, selected: "three" } };
		expect(selectedEntry(run(gone, better).state)?.id).toBe("three");
		const inTree = run(
			settled(run(read.state, answerTo(HITS, read.state, { hits, best: hit("two", 3) })).state, 1),
			keys("right"),
		);
		expect(inTree.state.focus).toBe("tree");
		expect(inTree.effects).toMatchObject([{ type: "remember", noted: { list: { recent: ["answer"] } } }]);
		const at = (...pressed: string[]) => selectedEntry(run(inTree.state, keys(...pressed)).state)?.id;
		expect([at("<next-hit>"), at("<next-hit>", "<next-hit>"), at("<previous-hit>")]).toEqual(["one", "two", "one"]);
		expect(at("home", "down", "<next-hit>")).toBe("two");
	});
});
