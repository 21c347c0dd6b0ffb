import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { NOTHING_REMEMBERED } from "../../../../src/app/features/memory/memory-state.ts";
import { isHeading, isSectionHeading, keyOf } from "../../../../src/app/world/list/headings.ts";
import { SECTION_INFO } from "../../../../src/app/world/list/home.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import { connectorsOf } from "../../../../src/app/world/list/thread.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import { commandFor } from "../../../../src/app/world/state/binding.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { NOTHING_IN_IT } from "../../../../src/catalog/model/counts.ts";
import type { Ending } from "../../../../src/catalog/model/ending.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { NO_MARKS } from "../../../../src/changes/noted/marks.ts";
import { caseCount } from "../../../support/cases.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";

const environment = { home: "/home/me", cwd: "/home/me/api", demo: false, keymap: KEYMAP, problems: [] } as const;
const DAY = 24 * 60;

/** Sessions a, b, c …, each a day older than the one before, the first from now. */
const LETTERS = "abcdefghijklmnopqrstuvwx";
const rows = [...LETTERS].map((id, days) =>
	makeRow(id, { age: days * DAY, cwd: `/home/me/${days % 3 ? "api" : "site"}` }),
);
const pathOf = (id: string): string => `/sessions/--p--/${id}.jsonl`;

const keys = (...pressed: readonly string[]): Action => ({ type: "keys", keys: pressed });
const listed = (some: readonly SessionRow[]): Action => ({ type: "catalog", event: { type: "rows", rows: some } });
const gone = (paths: readonly string[]): Action => ({ type: "catalog", event: { type: "gone", paths } });
const ended = (endings: Readonly<Record<string, Ending>>): Action => ({
	type: "catalog",
	event: {
		type: "counts",
		counts: Object.entries(endings).map(([id, ending]) => [pathOf(id), { ...NOTHING_IN_IT, ending }] as const),
	},
});
const used = (ids: string): Action => ({
	type: "catalog",
	event: {
		type: "live",
		report: {
			sessions: new Map(
				[...ids].map((id) => [pathOf(id), [{ kind: "open", pid: 7, startedMs: NOW - 1000, program: "pi" }]]),
			),
			pis: [],
		},
	},
});

const fresh = (size: Partial<State["size"]> = {}, pinned = ""): State =>
	initialState(environment, { columns: 160, rows: 45, ...size }, NOW, {
		...NOTHING_REMEMBERED,
		marks: { ...NO_MARKS, pinned: new Set(pinned) },
	});
function run(state: State, ...actions: readonly Action[]): State {
	return actions.reduce((before, action) => update(before, action, NOW)[0], state);
}
const ENDINGS = {
	b: "asks",
	c: "failed",
	d: "aborted",
	e: "open-call",
	f: "unanswered",
	h: "asks",
	p: "asks",
} as const;
const home = (size: Partial<State["size"]> = {}, pinned = ""): State =>
	run(fresh(size, pinned), listed(rows), ended(ENDINGS), LISTED);

/** "a b | c d": the sessions, with the first letters of their headings. */
const shown = (state: State): string =>
	selectList(state)
		.items.map((item) => {
			if (isSectionHeading(item)) return ` ${item.section}:`;
			return isHeading(item) ? (item.isFolded ? "+" : "-") : item.row.id;
		})
		.join("")
		.trim();
const selected = (state: State): string | undefined => state.catalog.rows.get(state.list.selected ?? "")?.id;
const lines = (state: State): string[] =>
	selectScreen(state)
		.panes.filter(({ id }) => id === "list")
		.flatMap((pane) => pane.rows.map(({ line }) => line.map(({ text }) => text).join("")));
const lineOf = (state: State, text: string): string => lines(state).find((line) => line.includes(text)) ?? "";
const does = (state: State, id: string): State =>
	run(commandFor(state, id)?.run(state)[0] ?? state, { type: "tick", now: NOW });

describe("the sections above the list", () => {
	test("show each session once, in the first section it belongs to; the others are below", () => {
		const state = run(home({}, "gx"), used("cq"));
		expect(shown(state)).toBe("running:cq waiting:bdefh today:a pinned:gx others:ijklmnoprstuvw");
		expect(selectList(state).rows).toHaveLength(rows.length);
	});

	test("show their counts and rules, and why each session waits", () => {
		const state = run(home({ rows: 30 }), used("c"));
		expect(shown(state)).toBe("running:c waiting:bde today:a others:fghijklmnopqrstuvwx");
		expect(lineOf(state, "waiting")).toMatch(
			/^ {2}waiting for you {2}3 of 5 so far {2}asks or stopped midway, 14 days /,
		);
		expect(lineOf(state, "today")).toMatch(/^ {2}today {2}1 {2}last message since midnight ─+$/);
		expect(lineOf(state, "others")).toMatch(/^ {2}all others {2}19 ─+$/);
		const why = "bde"
			.split("")
			.map((id) => / {2}(asks|failed|aborted|no result) /.exec(lineOf(state, `of ${id} `))?.[1]);
		expect(why).toEqual(["asks", "aborted", "no result"]);
		const counted = run(state, { type: "catalog", event: { type: "counting", counted: 24, total: 24 } });
		expect(lineOf(counted, "waiting")).toContain("3 of 5  asks");
	});

	test("show whether a running session waits for an answer or is at work", () => {
		const state = run(home(), used("be"));
		expect(lineOf(state, "of b ")).toContain("of b  asks ");
		expect(lineOf(state, "of e ")).not.toContain("no result");
	});

	test("are no wider than the list, at any width", () => {
		for (let columns = 40; columns < 160; columns += 7) {
			const state = run(home({ columns }), used("c"));
			const width = selectScreen(state).panes.find(({ id }) => id === "list")?.width ?? 0;
			expect(Math.max(...lines(state).map(({ length }) => length))).toBeLessThanOrEqual(width);
		}
	});

	test("respect the scope and the filter", () => {
		const here = run(home(), { type: "keys", keys: ["tab"] });
		expect([here.list.scope, shown(here)]).toEqual(["here", "waiting:bcefh others:iklnoqrtuwx"]);
	});

	test.each<[string, (state: State) => State]>([
		["while something is searched", (state) => run(state, { type: "text", text: "is:fork" })],
		["before what is marked", (state) => run(state, keys("insert", "alt+s"))],
		["on a low screen", (state) => run(state, { type: "resize", columns: 160, rows: 12 })],
		["where the person does not want them", (state) => run(state, keys("alt+t"))],
		["above few sessions", (state) => run(state, gone(rows.slice(11).map(({ path }) => path)))],
	])("are not there %s", (_, change) => {
		expect(selectList(change(home())).sections).toEqual([]);
		expect(shown(change(home()))).not.toContain(":");
	});

	test("are hidden when empty", () => {
		const old = rows.map((row) => ({ ...row, modified: new Date(NOW - 30 * DAY * 60_000) }));
		expect(shown(run(fresh(), listed(old), LISTED))).toBe(LETTERS);
	});

	test("show no more than their query finds, and no session twice, for any sessions", () => {
		const kind = fc.record({
			days: fc.integer({ min: -1, max: 20 }),
			ending: fc.constantFrom<Ending>("", "asks", "failed"),
			isUsed: fc.boolean(),
			isPinned: fc.boolean(),
		});
		const many = fc.array(kind, { minLength: 12, maxLength: LETTERS.length });
		fc.assert(
			fc.property(many, (kinds) => {
				const some = kinds.map(({ days }, index) => makeRow(LETTERS.charAt(index), { age: days * DAY + 30 }));
				const lettersOf = (test: (one: (typeof kinds)[number]) => boolean): string =>
					kinds.map((one, index) => (test(one) ? LETTERS.charAt(index) : "")).join("");
				const endings = Object.fromEntries(kinds.map(({ ending }, index) => [LETTERS.charAt(index), ending]));
				const state = run(
					fresh(
						{},
						lettersOf(({ isPinned }) => isPinned),
					),
					listed(some),
					ended(endings),
					used(lettersOf(({ isUsed }) => isUsed)),
					LISTED,
				);
				const { items, sections, rows: all } = selectList(state);
				const paths = items.flatMap((item) => (isHeading(item) ? [] : [item.row.path]));
				expect(paths.toSorted()).toEqual(some.map(({ path }) => path).sort());
				expect(all.map(({ row }) => row.path)).toEqual(paths);
				for (const { name, rows: own, total } of sections) {
					const found = run(state, { type: "text", text: SECTION_INFO[name].query });
					const foundPaths = selectList(found).rows.map(({ row }) => row.path);
					expect(foundPaths).toHaveLength(total);
					expect(own.every(({ row }) => foundPaths.includes(row.path))).toBe(true);
				}
			}),
			{ numRuns: caseCount(60) },
		);
	});

	test("keep the identity of the list through changes that do not concern them", () => {
		const state = run(home(), used("c"));
		expect(selectList(run(state, used("c")))).toBe(selectList(state));
		expect(selectList(run(state, ended({ w: "asks", x: "failed" })))).toBe(selectList(state));
	});
});

describe("the cursor", () => {
	test("begins on the newest session that is not in use, in any section, and stays there as more becomes known", () => {
		const first = run(fresh(), listed(rows), used("a"));
		expect([selected(first), shown(first)]).toEqual(["b", "running:a others:bcdefghijklmnopqrstuvwx"]);
		const known = run(first, ended(ENDINGS));
		expect([selected(known), shown(known).slice(0, 24)]).toEqual(["b", "running:a waiting:bcdef "]);
		const newer = run(known, listed([makeRow("z", { age: -1 })]));
		expect([selected(newer), selected(run(newer, LISTED, listed([makeRow("y", { age: -2 })])))]).toEqual(["z", "z"]);
	});

	test("begins in the current directory if that comes first", () => {
		const state = run(fresh(), listed(rows));
		expect(selected(does({ ...state, list: { ...state.list, cursorSet: false } }, "here-first"))).toBe("a");
		const settings = { ...state.list.settings, hereFirst: true };
		const again = initialState(environment, state.size, NOW, {
			...NOTHING_REMEMBERED,
			list: { settings, scope: "all" },
		});
		expect(selected(run(again, listed(rows), used("b")))).toBe("c");
	});

	test("stays on its session once a key has moved it, wherever that session moves", () => {
		const moved = run(fresh(), listed(rows), LISTED, keys("down", "down"));
		expect(selected(moved)).toBe("c");
		const known = run(moved, ended(ENDINGS), used("bcd"));
		expect([
			selected(known),
			keyOf(selectList(known).items[known.list.index] ?? { row: makeRow("?"), level: undefined }),
		]).toEqual(["c", pathOf("c")]);
	});

	test("stays on its session in another scope, and starts over if that lacks it", () => {
		const onSite = home();
		expect([selected(onSite), selected(run(onSite, keys("tab")))]).toEqual(["a", "b"]);
		const onApi = run(onSite, keys("down", "down"));
		expect([selected(onApi), selected(run(onApi, keys("tab")))]).toEqual(["h", "h"]);
		expect(selected(run(run(onApi, keys("tab", "end")), keys("ctrl+n")))).toBeUndefined();
	});

	test("skips headings", () => {
		const walk = (key: string, from: State): (string | undefined)[] => {
			const seen: (string | undefined)[] = [];
			for (let state = from; seen.at(-1) !== state.list.selected; state = run(state, keys(key)))
				seen.push(state.list.selected);
			return seen.map((path) => /([a-z]+)(?:\.jsonl)?$/.exec(path ?? "")?.[1]);
		};
		const state = run(home({ rows: 30 }, "ab"), keys("home"));
		expect(shown(state)).toBe("waiting:bcd today:a others:efghijklmnopqrstuvwx");
		const down = [..."bcdaefghijklmnopqrstuvwx"];
		expect(walk("down", state)).toEqual(down);
		expect(walk("up", run(state, keys("end")))).toEqual(down.toReversed());
		// A heading that the cursor skips may be followed by another one.
		const byProject = run(does(home({ rows: 30 }), "sort-project"), keys("home", "down", "down", "down"));
		expect([shown(byProject), selected(byProject), selected(run(byProject, keys("down")))]).toEqual([
			"waiting:bcd today:a others:-efhiklnoqrtuwx-gjmpsv",
			"a",
			"e",
		]);
	});
});

describe("a section", () => {
	test("shows all of its sessions on alt+h from any of its rows; escape goes back", () => {
		const all = run(home({ rows: 30 }), keys("up", "alt+h"));
		expect(all.list.query.text).toBe("is:waiting -is:live since:14d");
		expect([shown(all), selected(all), all.focus]).toEqual(["bcdefh", "d", "list"]);
		const back = run(all, keys("down", "escape"));
		expect([shown(back), selected(back)]).toEqual(["waiting:bcd today:a others:efghijklmnopqrstuvwx", "e"]);
	});

	test("is opened by a click on its heading; that of all others does nothing", () => {
		const press = (state: State, text: string): State => {
			const pane = selectScreen(state).panes.find(({ id }) => id === "list");
			const row = lines(state).findIndex((line) => line.includes(text));
			return run(state, { type: "mouse", event: { kind: "press", x: (pane?.x ?? 0) + 4, y: (pane?.y ?? 0) + row } });
		};
		expect(press(home(), "today").list.query.text).toBe("on:today");
		expect(press(home(), "all others").list).toEqual(home().list);
		expect(selected(press(home(), "message of d "))).toBe("d");
	});

	test('is named in the row of heads once its heading is scrolled out; below the sections that row says "title"', () => {
		const low = run(home({ rows: 18 }), keys("end"));
		expect(lines(low)[0]).toMatch(/^ {2}title/);
		const inWaiting = { ...low, list: { ...low.list, top: 2, index: 2, selected: pathOf("c") } };
		expect(lines(inWaiting)[0]).toMatch(/^ {2}waiting for you {2}3 of 6/);
	});

	test("takes a fork out of its thread; forks of a session in it start threads, sorted by time", () => {
		const forks = [
			makeRow("parent", { age: 5 }),
			makeRow("old", { age: 40 * DAY, parentSession: pathOf("parent") }),
			makeRow("grandchild", { age: 41 * DAY, parentSession: pathOf("old") }),
		];
		const { items } = selectList(run(fresh(), listed([...rows, ...forks]), LISTED));
		const drawn = items.flatMap((item) => (isHeading(item) ? [] : [`${connectorsOf(item.level, 80)}${item.row.id}`]));
		expect(drawn.slice(0, 3)).toEqual(["a", "parent", "b"]);
		expect(drawn.slice(-2)).toEqual(["old", "└─ grandchild"]);
	});
});

describe("with sections", () => {
	test("a range of marks is what is shown between two rows, and all rows can be marked", () => {
		const state = run(home({ rows: 30 }), keys("home", "down", "insert"));
		expect(selected(state)).toBe("d");
		const range = run(state, keys("down", "down", "alt+m"));
		expect([...range.list.marked].map((path) => path.at(-7)).join("")).toBe("cdae");
		expect(run(range, keys("alt+u")).list.marked.size).toBe(rows.length);
	});

	test("a folded project counts and marks what is below its heading, and opens on the first of these", () => {
		const state = does(does(home({ rows: 30 }), "sort-project"), "fold-projects");
		expect(shown(state)).toBe("waiting:bcd today:a others:++");
		expect(lineOf(state, "▸ ~/site")).toContain("~/site  6 sessions");
		const marked = run(state, keys("end", "insert"));
		expect(marked.list.marked.size).toBe(6);
		expect(selected(run(state, keys("end", "enter")))).toBe("g");
		expect(selectScreen(run(state, keys("end"))).panes[0]?.position).toBe("19/24");
	});

	test("alt+t hides them, keeps the cursor on its session, and is remembered", () => {
		const at = run(home({}, "x"), keys("end"));
		expect([shown(at), selected(at)]).toEqual(["waiting:bcdef today:a pinned:x others:ghijklmnopqrstuvw", "w"]);
		const [hidden, effects] = update(at, keys("alt+t"), NOW);
		expect([shown(hidden), selected(hidden)]).toEqual(["xabcdefghijklmnopqrstuvw", "w"]);
		expect(effects.filter(({ type }) => type !== "watch-visible")).toMatchObject([
			{ type: "remember-list", list: { settings: { home: false } } },
		]);
		expect(shown(run(hidden, keys("alt+t")))).toBe(shown(at));
	});

	test("where sections are impossible, alt+t says why", () => {
		const found = run(home(), { type: "text", text: "is:fork" }, keys("alt+t"));
		expect([found.message?.text, found.list.settings.home]).toEqual([
			"Sections are for the list without a query",
			true,
		]);
		const few = run(fresh(), listed(rows.slice(0, 3)), LISTED, keys("alt+t"));
		expect(few.message?.text).toBe("Sections are for lists of 12 sessions and more");
	});

	test("up leads from the first row to the saved queries", () => {
		const saved = { ...home().saved, queries: [{ name: "n", text: "x" }], shown: true };
		const state = run({ ...home(), saved }, keys("home", "down", "up"));
		expect([state.list.index, state.saved.index]).toEqual([1, undefined]);
		expect(run(state, keys("up")).saved.index).toBe(0);
	});
});
