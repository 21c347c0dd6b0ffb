import { describe, expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { toggleTerm } from "../../../../src/app/world/list/list-actions.ts";
import { LIST_SEARCH, searchOf } from "../../../../src/app/world/list/list-search.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import { selectTree } from "../../../../src/app/world/opened/select-tree.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { applyChanges } from "../../../../src/changes/noted/marks.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import { idsOf } from "../../../support/draw-tree.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { keys, startOf, stateAfter } from "../../../support/listed-state.ts";
import { requestsOf, searchEvent } from "../../../support/queries.ts";
import { makeRow, NOW } from "../../../support/rows.ts";
import { headerText } from "../../../support/screen-text.ts";
import { assistant, message as messageEntry, sessionOf, user } from "../../../support/session-builder.ts";

const start = startOf({ columns: 160, rows: 30 });

const type = (text: string): Action => ({ type: "text", text });
const read = (done: number, total: number): Action => ({
	type: "catalog",
	event: { type: "progress", read: done, total },
});
const a = makeRow("a", { age: 1, name: "Alpha" });
const b = makeRow("b", { age: 2 });
const c = makeRow("c", { age: 3, cwd: "/elsewhere" });
const found = stateAfter(start, { type: "catalog", event: { type: "rows", rows: [a, b, c] } });
const listed = stateAfter(found, read(3, 3));

function searched(state: State, count: number): State {
	const event = { type: "progress", searched: count, total: 3 } as const;
	return stateAfter(state, searchEvent(state, event));
}

/** The rows of a pane as text. */
function shown(state: State, id: string): string {
	const pane = selectScreen(state).panes.find((one) => one.id === id);
	return (pane?.rows ?? []).map(({ line }) => textOfRow(line).trim()).join(" ");
}

const list = (state: State): string => shown(state, "list");
const search = (state: State): string => /❯ .*?(?= {2,}|$)/.exec(headerText(state))?.[0] ?? "";
const message = (state: State): string =>
	(selectScreen(state).message ?? [])
		.flat()
		.map(({ text }) => text)
		.join("")
		.trim();
const ids = (state: State): string[] => selectList(state).rows.map(({ row }) => row.id);

describe("an empty list says why", () => {
	test("nothing is reported missing before everything has been listed and searched", () => {
		const early = searched(stateAfter(found, read(1, 3), type("walrus")), 3);
		expect(list(early)).toBe("Nothing found yet; reading sessions, 1 of 3");
		const typed = stateAfter(listed, type("walrus"));
		expect(list(searched(typed, 1))).toBe("Nothing found yet; searched 1 of 3");
		expect(search(searched(typed, 1))).toBe("❯ walrus searched 1 of 3 …");
		expect(search(searched(typed, 3))).toBe("❯ walrus");
		expect(headerText(searched(typed, 3))).toContain("  0 of 3 sessions");
		expect(list(searched(typed, 3))).toBe("No session has “walrus”; looking for what comes near …");
		expect(list(start)).toBe("Reading sessions …");
	});

	test("a filter alone can empty it too; less of it is offered, with its count", () => {
		const none = stateAfter(start, { type: "catalog", event: { type: "rows", rows: [b, c] } }, read(2, 2));
		const named = stateAfter(toggleTerm(none, "is:named"), { type: "tick", now: NOW });
		expect(list(named)).toMatch(/^No session is named › without \[named\] +2 sessions$/);
		expect(ids(stateAfter(named, keys("enter")))).toEqual(["b", "c"]);
	});

	test.each([
		["is:running", "No session matches is:running"],
		["yesterday", "No session matches on:yesterday"],
	])("%s: %s", (text, why) => expect(list(searched(stateAfter(listed, type(text)), 3))).toContain(why));

	test("a failed search is not an answer", () => {
		const typed = stateAfter(listed, type("walrus"));
		const event = { type: "error", message: "ripgrep is missing" } as const;
		const failed = stateAfter(typed, searchEvent(typed, event));
		expect(list(failed)).toContain("could not be searched");
	});

	test("sessions that could not be searched are named until another query, and while they are listed", () => {
		const typed = stateAfter(listed, type("walrus"));
		const left = (state: State, ...paths: readonly string[]) => {
			const reasons = new Map(paths.map((path) => [path, "permission denied"]));
			return stateAfter(state, searchEvent(state, { type: "unread", reasons }));
		};
		const one = searched(left(typed, a.path, "/elsewhere/gone.jsonl"), 3);
		expect(message(one)).toContain(`not searched: ${a.path} (permission denied)`);
		expect(message(one)).not.toContain("other");
		expect(message(left(one, b.path, c.path))).toContain("and 2 other sessions");
		expect(message(searched(stateAfter(one, type("s")), 3))).not.toContain("not searched");
	});
});

describe("an invalid or incomplete query", () => {
	test.each(["re:(", "role:x", "role:usre", "is:foo", "in:constructor", "is:__proto__", "since:", "role:u"])(
		"%s leaves the results of the query before it, and says what is wrong",
		(text) => {
			const before = searched(stateAfter(listed, type("alpha")), 3);
			expect(ids(before)).toEqual(["a"]);
			const typed = stateAfter(before, keys(" "), type(text));
			expect(searchOf(typed).mistake?.text).toBe(`alpha ${text}`);
			expect(ids(typed)).toEqual(["a"]);
			expect(headerText(typed)).toContain(" ✗ ");
			// What may still be typed is no mistake to the person yet, until the cursor leaves the query.
			expect(message(typed)).toMatch(/:$|:u$/.test(text) ? /a date: 7d|user, assistant/ : /not valid|not known/);
			expect(message(stateAfter(typed, keys("down")))).toMatch(/not valid|not known|needs/);
		},
	);

	test("the name of a field stops being a word when its colon is typed", () => {
		const typed = stateAfter(listed, keys(..."alpha role:u"));
		expect(searchOf(typed).requested.text).toBe("alpha");
		expect(ids(searched(typed, 3))).toEqual(["a"]);
		expect(searchOf(typed).mistake?.text).toBe("alpha role:u");
		const pattern = stateAfter(listed, keys(..."re:("));
		expect(ids(pattern)).toEqual(["a", "b", "c"]);
		const wrong = stateAfter(searched(stateAfter(listed, keys(..."re:alpha")), 3), keys("("));
		expect(ids(wrong)).toEqual(["a"]);
		expect(searchOf(wrong).requested.text).toBe("re:alpha");
		expect(list(searched(stateAfter(listed, keys(..."walrus role:")), 3))).toBe(
			"No session matches walrus, the last valid query",
		);
	});

	test("the search for the previous query continues, and is not restarted when the text is that query again", () => {
		const before = stateAfter(listed, type("alpha"));
		const [typed, effects] = update(stateAfter(before, keys(" ")), type("re:("));
		expect(requestsOf(LIST_SEARCH, effects)).toEqual([]);
		const { request } = LIST_SEARCH.of(typed);
		expect(request).toBe(LIST_SEARCH.of(before).request);
		const answered = searched(typed, 3);
		expect(ids(answered)).toEqual(["a"]);
		expect(searchOf(answered).mistake).toBeDefined();
		const [after, more] = update(answered, keys("ctrl+w"));
		expect(requestsOf(LIST_SEARCH, more)).toEqual([]);
		expect([LIST_SEARCH.of(after).request, searchOf(after).mistake]).toEqual([request, undefined]);
		expect(message(after)).toBe("");
	});

	test("in the tree the entries found before remain", async () => {
		const session = await sessionOf(user("one", null, 1, "question"), assistant("two", "one", 2, "answer"));
		const tree = stateAfter(
			listed,
			{ type: "session-read", request: listed.request, session },
			keys("right", "/"),
			type("quest"),
		);
		const entries = (state: State) => {
			const shownTree = selectTree(state);
			return shownTree && idsOf(shownTree);
		};
		expect(entries(tree)).toEqual(["one"]);
		const broken = stateAfter(tree, keys(" "), type("re:["));
		expect(entries(broken)).toEqual(["one"]);
		expect(message(broken)).toContain("not valid");
		expect(shown(stateAfter(tree, keys(" "), type("walrus")), "tree")).toContain(
			"No entry matches all 2 words in the filter “active path”: esc clears the query",
		);
		expect(shown(stateAfter(tree, keys(" "), type("lable:x")), "tree")).toContain("did you mean label:x?");
	});
});

describe("words about the session in the tree", () => {
	const inTree = async (text: string): Promise<State> => {
		const failed = { role: "bashExecution", command: "npm test", output: "FAIL", exitCode: 1, cancelled: false };
		const session = await sessionOf(
			user("one", null, 1, "question"),
			assistant("two", "one", 2, "answer"),
			messageEntry("three", "two", 3, failed),
		);
		const tags = { ...listed, marks: applyChanges([{ id: "a", tag: "todo", on: true }]) };
		return stateAfter(tags, { type: "session-read", request: tags.request, session }, keys("right", "/"), type(text));
	};
	const entries = (state: State): readonly string[] => {
		const tree = selectTree(state);
		return tree === undefined ? [] : idsOf(tree);
	};
	const treeTitle = (state: State): string =>
		(selectScreen(state).panes.find(({ id }) => id === "tree")?.title ?? []).map(({ text }) => text).join("");

	test.each(["#todo", "cost:>100", "-is:pinned", "pr:elsewhere"])(
		"%s hides no entry, and a note says why",
		async (text) => {
			const state = await inTree(text);
			expect(entries(state)).toEqual(["one", "two", "three"]);
			expect(treeTitle(state)).toContain("is about the ses");
			expect([state.tree.mistake, message(state)]).toEqual([undefined, ""]);
			expect(entries(await inTree(`${text} answ`))).toEqual(["two"]);
		},
	);

	test("is:error finds the entries that failed, and the tag of no session is text", async () => {
		expect(entries(await inTree("is:error"))).toEqual(["three"]);
		expect(entries(await inTree("-is:error"))).toEqual(["one", "two"]);
		expect(shown(await inTree("#other"), "tree")).toContain("No entry matches");
	});

	test("a word for a date is one there, too, and is shown as such", async () => {
		const state = await inTree("yesterday");
		expect(treeTitle(state)).toContain("on:yesterday");
		expect(state.tree.parsed.conditions).toHaveLength(1);
		expect((await inTree('"yesterday"')).tree.parsed.conditions).toEqual([]);
	});
});

describe("what the field under the cursor takes", () => {
	const rowsOf = (state: State): readonly unknown[] => selectScreen(state).panes.map(({ rows }) => rows);

	test("stands in one row at the bottom, at every width, and moves nothing", () => {
		for (const [columns, rows] of [
			[160, 45],
			[100, 30],
			[40, 10],
		] as const) {
			const before = stateAfter(listed, { type: "resize", columns, rows }, type("mes"));
			const typed = stateAfter(before, keys(":"));
			const said = selectScreen(typed).message ?? [];
			expect(said).toHaveLength(1);
			expect(message(typed)).toBe("messages: >100, <=10, 1k");
			expect(lineWidth(said[0] ?? [])).toBeLessThanOrEqual(columns);
			expect(selectScreen(typed).panes.map(({ x, y, width, height }) => [x, y, width, height])).toEqual(
				selectScreen(before).panes.map(({ x, y, width, height }) => [x, y, width, height]),
			);
			expect(rowsOf(typed).length).toBe(rowsOf(before).length);
		}
		const narrow = stateAfter(listed, { type: "resize", columns: 40, rows: 10 }, type("is:"));
		expect(message(narrow)).toMatch(/^is: what the session is/);
	});

	test("goes once the value is complete, comes back with the cursor, and goes with it", () => {
		const typed = stateAfter(listed, type("cost:>1"));
		expect(message(typed)).toBe("");
		const back = stateAfter(typed, keys("left"));
		expect(message(back)).toBe("cost: >1, <=0.50, in dollars");
		expect(message(stateAfter(back, keys("down")))).toBe("");
	});

	test("in the tree as well; a mistake elsewhere in the query comes first", () => {
		expect(message(stateAfter(listed, keys("right", "/"), type("on:")))).toContain("on: a date: 7d, monday");
		expect(message(stateAfter(listed, type("role:xyz since:")))).toContain("role:xyz is not known");
	});
});
