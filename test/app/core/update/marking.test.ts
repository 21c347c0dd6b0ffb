import { describe, expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { chosenRows, markedSum } from "../../../../src/app/world/list/marked.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { MenuOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { leastCpuMs } from "../../../support/cpu-ms.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { keys, startOf, stateAfter } from "../../../support/listed-state.ts";
import { searchEvent } from "../../../support/queries.ts";
import { makeRow, NOW } from "../../../support/rows.ts";
import { headerText } from "../../../support/screen-text.ts";

const gone = (...paths: string[]): Action => ({ type: "catalog", event: { type: "gone", paths } });

/** Even ones are in one project, odd ones in another. */
const rows: readonly SessionRow[] = Array.from({ length: 30 }, (_, index) =>
	makeRow(`s${index}`, {
		age: index,
		size: 1000,
		name: `Number ${index}`,
		cwd: index % 2 === 0 ? "/home/me" : "/other",
	}),
);

function listed(all: readonly SessionRow[] = rows): State {
	const start = startOf({ columns: 90, rows: 24 }, { cwd: "/home/me" });
	const total = all.length;
	return stateAfter(
		start,
		{ type: "catalog", event: { type: "rows", rows: all } },
		{ type: "catalog", event: { type: "progress", read: total, total } },
	);
}

/** Types a query, and lets its search end with what the rows themselves match. */
function search(state: State, text: string): State {
	return endSearch(stateAfter(state, { type: "text", text }));
}

function endSearch(state: State): State {
	const total = state.catalog.rows.size;
	const searched = stateAfter(state, searchEvent(state, { type: "progress", searched: total, total }));
	return stateAfter(searched, searchEvent(searched, { type: "settled", watched: searched.watched, inForms: false }));
}

const names = (state: State): string[] => chosenRows(state).map(({ name }) => name?.slice(7) ?? "");
const firstCells = (state: State): string[] =>
	(selectScreen(state).panes[0]?.rows.slice(1) ?? []).map(({ line }) => textOfRow(line).slice(0, 2));

describe("marking", () => {
	test("marks cleared by escape come back with the key of undo, until something is marked", () => {
		const marked = stateAfter(listed(), keys(" ", " ", " "));
		const cleared = stateAfter(marked, keys("escape"));
		expect([cleared.list.marked.size, cleared.message?.text]).toEqual([0, "3 marks cleared · ctrl+_ brings them back"]);
		const again = stateAfter(cleared, keys("down", "ctrl+_"));
		expect(again.list.marked).toEqual(marked.list.marked);
		expect(stateAfter(cleared, keys(" ", " ", "ctrl+_")).list.marked.size).toBe(2);
		const paths = [...marked.list.marked].slice(1);
		const fewer = stateAfter(cleared, { type: "catalog", event: { type: "gone", paths } }, keys("ctrl+_"));
		expect(fewer.list.marked.size).toBe(1);
	});

	test("the last row stays marked however often the key is pressed there, until another key comes between", () => {
		const pressed = stateAfter(listed(), keys("end", " ", " ", " "));
		expect([names(pressed), pressed.message?.text]).toEqual([["29"], expect.stringContaining("the last row")]);
		expect(stateAfter(pressed, keys("up", "down", " ")).list.marked.size).toBe(0);
	});

	test("a key marks the row under the cursor and moves to the next; pressed again, it unmarks it", () => {
		const marked = stateAfter(listed(), keys("insert", "ctrl+space"));
		expect(names(marked)).toEqual(["0", "1"]);
		expect(firstCells(marked).slice(0, 4)).toEqual([" ✓", " ✓", "› ", "  "]);
		expect(headerText(marked)).toMatch(/✓ 2 marked · 2\.0 KB $/);
		expect(names(stateAfter(marked, keys("up", "insert")))).toEqual(["0"]);
	});

	test("without marks, a command acts on the row under the cursor", () => {
		expect(names(stateAfter(listed(), keys("down")))).toEqual(["1"]);
	});

	test("a click on the sign marks that row, and a second click unmarks it", () => {
		const pane = selectScreen(listed()).panes[0];
		const at = { x: 1, y: (pane?.y ?? 0) + 4 };
		const press: Action = { type: "mouse", event: { kind: "press", ...at } };
		const marked = stateAfter(listed(), press, { type: "mouse", event: { kind: "release", ...at } });
		expect(names(marked)).toEqual(["3"]);
		expect(marked.focus).toBe("list");
		expect(stateAfter(marked, press).list.marked.size).toBe(0);
		const title: Action = { type: "mouse", event: { kind: "press", x: 6, y: at.y } };
		expect(stateAfter(listed(), title).list.marked.size).toBe(0);
	});

	test("all matches of the query are marked, once the search has ended, and marks stay through other queries", () => {
		const typed = stateAfter(listed(), { type: "text", text: "number 2" }, keys("<mark-all>"));
		expect(typed.list.marked.size).toBe(0);
		const ended = endSearch(typed);
		expect(ended.list.marked.size).toBe(12);
		expect(ended.message?.text).toBe("12 sessions marked");
		const other = search(stateAfter(ended, keys("escape")), "number 1");
		expect(headerText(other)).toMatch(/✓ 12 marked · 10 not listed/);
		const both = stateAfter(other, keys("<mark-all>"));
		expect(both.list.marked.size).toBe(22);
		// Everything shown is marked: the same key clears these marks, and no others.
		const less = stateAfter(both, keys("<mark-all>"));
		expect(less.list.marked.size).toBe(10);
		expect(less.message?.text).toBe("12 marks cleared");
	});

	test("marks stay through another scope and order", () => {
		const marked = stateAfter(listed(), keys("insert", "insert", "insert"));
		const here = stateAfter(marked, keys("tab"), keys("ctrl+s", "down", "down", "enter"));
		expect(here.list.scope).toBe("here");
		expect(here.list.marked.size).toBe(3);
		expect(headerText(here)).toContain("3 marked · 1 not listed");
	});

	test("a session that disappears is unmarked, with one message, unless this program moved it", () => {
		const marked = stateAfter(listed(), keys("insert", "insert", "insert"));
		const lost = stateAfter(marked, gone(rows[0]?.path ?? "", rows[5]?.path ?? ""));
		expect(lost.list.marked.size).toBe(2);
		expect(lost.message?.text).toBe("1 marked session disappeared: 2 left");
		expect(stateAfter(lost, keys("down")).message).toBeUndefined();
		const own = stateAfter({ ...marked, changing: 1 }, gone(rows[0]?.path ?? ""));
		expect([own.list.marked.size, own.message]).toEqual([2, undefined]);
	});

	test("the cursor moves to the next remaining session when many disappear", () => {
		const at = stateAfter(listed(), keys(...Array<string>(12).fill("down")));
		const next = stateAfter(at, gone(...rows.slice(3, 14).map(({ path }) => path)));
		expect(next.list.selected).toBe(rows[14]?.path);
		const last = stateAfter(at, gone(...rows.slice(12).map(({ path }) => path)));
		expect(last.list.selected).toBe(rows[11]?.path);
	});

	test("escape clears the marks, and then nothing more", () => {
		const marked = stateAfter(listed(), keys("insert"));
		const [unmarked, effects] = update(marked, keys("escape"));
		expect([unmarked.list.marked.size, effects.some(({ type }) => type === "leave")]).toEqual([0, false]);
		expect(update(unmarked, keys("escape"))).toMatchObject([{ message: { text: /to leave/ } }, []]);
	});
});

test("a folded project is marked as a whole; its sessions are hidden, and not marked with what is shown", () => {
	const start = listed();
	const byProject: State = {
		...start,
		list: {
			...start.list,
			settings: {
				...start.list.settings,
				order: { ...start.list.settings.order, sort: "project" },
				folded: new Set(["/other"]),
			},
		},
	};
	const on = stateAfter(byProject, keys("end"));
	const folded = stateAfter(on, keys("insert"));
	expect(
		names(folded)
			.map(Number)
			.every((number) => number % 2 === 1),
	).toBe(true);
	expect(headerText(folded)).toMatch(/✓ 15 marked · 15 not listed/);
	expect(stateAfter(folded, keys("end", "insert")).list.marked.size).toBe(0);
	expect(
		names(stateAfter(byProject, keys("<mark-all>")))
			.map(Number)
			.every((number) => number % 2 === 0),
	).toBe(true);
});

describe("the stage", () => {
	const marked = stateAfter(search(listed(), "number 2"), keys("insert", "down", "insert"));

	test("shows what is marked and nothing else, whatever the query and the scope hide", () => {
		const other = stateAfter(marked, keys("escape", "tab", "tab", "tab"));
		const stage = stateAfter(search(other, "nothing of the kind"), keys("<stage>"));
		expect(
			selectList(stage)
				.rows.map(({ row }) => row.path)
				.toSorted(),
		).toEqual([...marked.list.marked].toSorted());
		expect(headerText(stage)).toMatch(/ {2}✓ 2 marked · 2\.0 KB/);
		expect(stage.list.query.text).toBe("");
	});

	test("an unmarked row stays until the stage is closed, which restores the query and the cursor", () => {
		const stage = stateAfter(marked, keys("<stage>", "first", "insert"));
		expect(selectList(stage).rows.length).toBe(2);
		expect(stage.list.marked.size).toBe(1);
		const back = stateAfter(stage, keys("escape"));
		expect(back.list.stage).toBeUndefined();
		expect(back.list.query.text).toBe("number 2");
		const again = endSearch(back);
		expect(again.list.selected).toBe(marked.list.selected);
	});

	test("closes by itself when all its sessions are gone", () => {
		const stage = stateAfter(marked, keys("<stage>"));
		expect(stateAfter(stage, gone(...marked.list.marked)).list.stage).toBeUndefined();
	});

	test("does not open while nothing is marked, and says so", () => {
		expect(stateAfter(listed(), keys("<stage>")).message?.text).toMatch(/Nothing is marked: mark sessions with space/);
	});
});

describe("the question about many", () => {
	const pi = { pid: 7, startedMs: NOW - 60_000, cwd: "/far", sessions: [] };
	const live = (...paths: string[]): Action => ({
		type: "catalog",
		event: {
			type: "live",
			report: {
				sessions: new Map(
					paths.map((path) => [path, [{ kind: "open", pid: 7, startedMs: pi.startedMs, program: "vi" }]]),
				),
				pis: [],
			},
		},
	});
	const marked = stateAfter(listed(), keys("insert", "insert", "insert"));
	const menuOf = (state: State): MenuOverlay => state.overlays.at(-1) as MenuOverlay;
	const bodyOf = (state: State): string =>
		menuOf(state)
			.body.map((line) => line.map(({ text }) => text).join(""))
			.join("\n");

	test("changes with its sessions, and then highlights Cancel", () => {
		const asked = stateAfter(marked, keys("ctrl+d"));
		expect([menuOf(asked).title, menuOf(asked).index]).toEqual(["Move 3 sessions to the trash?", 0]);
		const changed = stateAfter(asked, live(rows[2]?.path ?? ""));
		expect([menuOf(changed).title, menuOf(changed).index]).toEqual(["Move 2 sessions to the trash?", 1]);
		expect(bodyOf(changed)).toContain("This has changed since you were asked.");
		const none = stateAfter(changed, live(...rows.slice(0, 3).map(({ path }) => path)));
		expect(menuOf(none).title).toBe("In use: none of these 3 sessions is deleted");
		expect(menuOf(none).items.every(({ effect }) => effect === undefined)).toBe(true);
	});

	test("with two answers has no field: what is typed goes nowhere", () => {
		const asked = stateAfter(marked, keys("ctrl+d"));
		const typed = stateAfter(asked, keys("i", "s"), { type: "text", text: ":archived" });
		expect([menuOf(typed).query.text, menuOf(typed).index]).toEqual(["", 0]);
		expect(selectScreen(typed).cursor).toBeUndefined();
		expect(typed.list.query.text).toBe("");
	});

	test("about a single marked session is the question about that one, wherever the cursor is", () => {
		const asked = stateAfter(listed(), keys("insert", "down", "down", "ctrl+d"));
		expect(menuOf(asked).title).toBe("Move this session to the trash?");
		expect(bodyOf(asked)).toContain("Number 0");
	});
});

test("marking 10,000 sessions takes no longer than a frame", () => {
	const many = Array.from({ length: 10_000 }, (_, index) => makeRow(`m${index}`, { age: index, size: 10 }));
	const state = listed(many);
	headerText(state);
	let all = state;
	const taken = leastCpuMs(() => {
		all = stateAfter(state, keys("<mark-all>"));
		headerText(all);
	});
	expect(markedSum(all)).toEqual({ count: 10_000, bytes: 100_000, hidden: 0 });
	// 8 ms on an idle machine.
	expect(taken).toBeLessThan(150);
});
