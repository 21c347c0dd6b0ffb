import { describe, expect, test } from "vitest";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { REPOSITORY } from "../../../../src/app/features/list/git-facts.ts";
import { headingKey, isHeading } from "../../../../src/app/world/list/headings.ts";
import { listColumns } from "../../../../src/app/world/list/list-view.ts";
import { orderInUse, selectList } from "../../../../src/app/world/list/select-list.ts";
import { layoutFor } from "../../../../src/app/world/screen/layout.ts";
import { shownItems } from "../../../../src/app/world/screen/menus.ts";
import { commandFor } from "../../../../src/app/world/state/binding.ts";
import { COLUMNS, SORTS, type Sort, sortOf } from "../../../../src/app/world/state/list-columns.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { NOTHING_IN_IT, type SessionCounts } from "../../../../src/catalog/model/counts.ts";
import { command } from "../../../support/command.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { keys, stateAfter } from "../../../support/listed-state.ts";
import { answerTo, searchEvent } from "../../../support/queries.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";

const environment = { home: "/home/me", cwd: "/home/me/api", demo: false, keymap: KEYMAP, problems: [] } as const;

const rows = [
	makeRow("a", { age: 1, cwd: "/home/me/site", size: 10, messageCount: 9, firstMessage: "Zebra" }),
	makeRow("b", { age: 2, cwd: "/home/me/api", size: 30, messageCount: 1, name: "apple" }),
	makeRow("c", { age: 3, cwd: "/home/me/site", size: 20, messageCount: 5, firstMessage: "Mango" }),
	makeRow("d", {
		age: 4,
		cwd: "/old/api",
		size: 5,
		messageCount: 7,
		firstMessage: "kiwi",
		parentSession: "/x/a.jsonl",
	}),
];
const count = (turns: number, cost: number, model: string): SessionCounts => ({
	...NOTHING_IN_IT,
	turns,
	branches: 1,
	errors: 4 - turns,
	tokens: turns * 100,
	cost,
	labels: 0,
	model,
});
const counts = [
	["a", count(1, 0.5, "opus")],
	["b", count(3, 0.25, "haiku")],
	["c", count(2, 1, "")],
] as const;

const started = (columns = 160, remembered?: Parameters<typeof initialState>[3]): State =>
	stateAfter(
		initialState(environment, { columns, rows: 30 }, NOW, remembered),
		{ type: "catalog", event: { type: "rows", rows } },
		{ type: "catalog", event: { type: "counts", counts: counts.map(([id, each]) => [pathOf(id), each] as const) } },
		LISTED,
	);

const pathOf = (id: string): string => `/sessions/--p--/${id}.jsonl`;
const shown = (state: State): string =>
	selectList(state)
		.items.map((item) => ("heading" in item ? (item.isFolded ? "+" : "-") : isHeading(item) ? "" : item.row.id))
		.join("");
const runOf = (state: State, id: string): State => commandFor(state, id)?.run(state)[0] ?? state;
/** Runs a command that has no key, as the palette does. */
const does = (state: State, id: string): State => stateAfter(runOf(state, id), { type: "tick", now: NOW });
const selected = (state: State): string | undefined => state.catalog.rows.get(state.list.selected ?? "")?.id;
const text = (state: State): string =>
	selectScreen(state)
		.panes.filter(({ id }) => id === "list")
		.flatMap((pane) => pane.rows.map(({ line }) => textOfRow(line)))
		.join("\n");

describe("orders", () => {
	test.each<[Sort, string, string]>([
		["threaded", "adbc", "cbad"],
		["recent", "abcd", "dcba"],
		["created", "abcd", "dcba"],
		["title", "bdca", "acdb"],
		["messages", "adcb", "bcda"],
		["size", "bcad", "dacb"],
		["turns", "bcad", "dacb"],
		["cost", "cabd", "dbac"],
		["errors", "acbd", "dbca"],
		["model", "bacd", "cdab"],
	])("by %s: %s, turned round: %s", (sort, natural, reversed) => {
		const sorted = sort === "threaded" ? started() : does(started(), `sort-${sort}`);
		expect(shown(sorted)).toBe(natural);
		expect(shown(does(sorted, "reverse"))).toBe(reversed);
	});

	test("every order has a command that sorts the list; the cursor stays on its session", () => {
		const at = stateAfter(started(), keys("down"));
		for (const sort of SORTS.filter((each) => each !== "relevance")) {
			const sorted = does(at, `sort-${sort}`);
			expect([sorted.list.settings.order.sort, selected(sorted)]).toEqual([sort, selected(at)]);
		}
	});

	test("at the top the cursor stays at the top, where what comes first is", () => {
		expect(selected(does(started(), "sort-cost"))).toBe("c");
		expect(selected(does(stateAfter(started(), { type: "text", text: "size:>0" }), "sort-title"))).toBe("b");
	});

	test("a search sorts by relevance until another order is chosen for it, and the menu shows the current one", () => {
		const typed = stateAfter(does(started(), "sort-size"), { type: "text", text: "apple " });
		const found = stateAfter(typed, searchEvent(typed, { type: "progress", searched: 0, total: 4 }));
		const open = stateAfter(found, keys("ctrl+s")).overlays.at(-1);
		expect(open).toMatchObject({ kind: "menu", title: "Sort results", index: 1 });
		expect(open?.kind === "menu" && open.items.map(({ label }) => label.split(" ")[0])).not.toContain("Threaded");
		const chosen = stateAfter(found, keys("ctrl+s", "up", "enter"));
		expect(chosen.list.foundOrder.sort).toBe("recent");
		expect(chosen.list.settings.order.sort).toBe("size");
		expect(stateAfter(chosen, keys("escape")).list.settings.order.sort).toBe("size");
	});

	test("a query without words leaves the order as it is, unless it compares a number: then the largest is first", () => {
		const sorted = does(started(), "sort-title");
		const named = stateAfter(sorted, { type: "text", text: "-is:damaged" });
		expect([orderInUse(named), shown(named)]).toEqual([{ sort: "title", reversed: false }, shown(sorted)]);
		const large = stateAfter(sorted, { type: "text", text: "messages:>=0" });
		expect(orderInUse(large)).toEqual({ sort: "messages", reversed: false });
		expect(orderInUse(does(large, "sort-recent")).sort).toBe("recent");
		expect(orderInUse(stateAfter(large, keys("escape"))).sort).toBe("title");
		const failed = stateAfter(sorted, { type: "text", text: "is:error" });
		expect(orderInUse(failed)).toEqual({ sort: "errors", reversed: false });
		const sound = stateAfter(sorted, { type: "text", text: "-is:error" });
		expect(orderInUse(sound).sort).toBe("title");
	});

	test("a query by date is in the order of time, without threads, unless another order is chosen", () => {
		const dated = stateAfter(started(), { type: "text", text: "since:2000" });
		expect([orderInUse(started()).sort, orderInUse(dated).sort]).toEqual(["threaded", "recent"]);
		expect(text(dated)).toContain("▾age");
		for (const sort of ["threaded", "cost"]) {
			const chosen = does(dated, `sort-${sort}`);
			expect(orderInUse(chosen).sort).toBe(sort);
			expect(chosen.list.settings.order.sort).toBe("threaded");
		}
		expect(orderInUse(stateAfter(does(started(), "sort-title"), { type: "text", text: "since:2000" })).sort).toBe(
			"title",
		);
	});

	test("sessions of the current directory can come first; they are highlighted in any case", () => {
		expect(shown(does(does(started(), "sort-recent"), "here-first"))).toBe("bacd");
		expect(text(started())).toContain("me/api ◂");
		expect(text(started())).toContain("old/api  ");
	});
});

describe("headings", () => {
	const byProject = does(started(), "sort-project");

	test("stand above each project, with its count; the cursor skips them", () => {
		expect(shown(byProject)).toBe("-ac--b--d");
		expect(text(byProject)).toMatch(/▾ ~\/site {2}2 sessions · \$1\.50 · 1m\n.*Zebra/);
		expect(text(byProject)).toMatch(/▾ ~\/api ◂ {2}1 session · \$0\.25 · 2m\n.*apple/);
		const walked = ["up", "up", "up", "up"].map((key, index) =>
			stateAfter(byProject, keys("home", ...Array<string>(index).fill("down"), key === "up" ? "down" : key)),
		);
		expect(walked.map(selected)).toEqual(["c", "b", "d", "d"]);
	});

	test("fold with the cursor on them, and open on enter, with the cursor on the first session", () => {
		const at = stateAfter(byProject, keys("end"));
		expect(selected(at)).toBe("d");
		const folded = stateAfter(at, keys("<fold-project>"));
		expect([shown(folded), folded.list.selected]).toEqual(["-ac--b-+", headingKey("/old/api")]);
		expect(
			selectScreen(folded)
				.header.map((span) => span.text)
				.join(""),
		).toContain("4 sessions");
		for (const key of ["enter", "right", "<fold-project>"]) {
			const opened = stateAfter(folded, keys(key));
			expect([shown(opened), selected(opened), opened.focus]).toEqual(["-ac--b--d", "d", "list"]);
		}
		expect(shown(stateAfter(folded, keys("up", "<fold-project>", "up", "<fold-project>")))).toBe("+++");
		expect(shown(does(folded, "fold-projects"))).toBe("+++");
		expect(shown(does(does(folded, "fold-projects"), "fold-projects"))).toBe("-ac--b--d");
	});

	test("on a folded one, no key acts on a hidden session", () => {
		const folded = stateAfter(byProject, keys("end", "<fold-project>"));
		for (const key of ["ctrl+d", "ctrl+r", "ctrl+x"]) {
			const [next, effects] = update(folded, keys(key), NOW);
			expect([next.overlays, effects.filter(({ type }) => type !== "watch-visible")]).toEqual([[], []]);
			expect(next.message?.text).toMatch(/^There is no session/);
		}
	});

	test("a new session is shown even if its project is folded", () => {
		const folded = does(byProject, "fold-projects");
		const made = stateAfter(folded, { type: "done", message: { text: "Made", tone: "text" }, select: pathOf("c") });
		expect([selected(made), shown(made)]).toEqual(["c", "-ac-++"]);
	});
});

describe("one project", () => {
	test("alt+p shows only the project of the cursor, then all again, with the cursor on the same session", () => {
		const at = stateAfter(started(), keys("end"));
		const one = stateAfter(at, keys("<only-project>"));
		expect([shown(one), selected(one), one.list.scope]).toEqual(["ac", "c", "project"]);
		expect(
			selectScreen(one)
				.header.map((span) => span.text)
				.join(""),
		).toContain("2 of 4 sessions");
		const back = stateAfter(one, keys("<only-project>"));
		expect([shown(back), selected(back), back.list.scope]).toEqual(["adbc", "c", "all"]);
		expect(stateAfter(one, keys("tab")).list.scope).toBe("all");
	});

	test("is not remembered, nor is any other scope: the next run starts with all", () => {
		const [search, name, enter] = command("only-project");
		const [, effects] = update(stateAfter(started(), search, name), enter, NOW);
		for (const all of [effects, update(started(), keys("tab"), NOW)[1]])
			expect(all.filter(({ type }) => type === "remember")).toEqual([]);
	});
});

describe("the scope of a repository", () => {
	test("includes its worktrees, and the header counts them", () => {
		const state = stateAfter(
			initialState({ ...environment, repo: "/home/me/api" }, { columns: 160, rows: 30 }, NOW),
			{ type: "catalog", event: { type: "rows", rows } },
			LISTED,
			keys("tab", "tab"),
		);
		expect(shown(state)).toBe("b");
		const known = stateAfter(state, answerTo(REPOSITORY, state, ["/home/me/api", "/old/api"]));
		expect(shown(known)).toBe("bd");
		const header = selectScreen(known)
			.header.map((span) => span.text)
			.join("");
		expect(header).toContain("2 of 4 sessions");
	});
});

describe("columns", () => {
	test("come with the room, the one that is sorted by right after the age", () => {
		expect(text(started(40))).not.toContain("title");
		expect(text(started(80))).toMatch(/title .* project .* age/);
		expect(text(does(started(80), "sort-tokens"))).toMatch(/project .*▾tokens .* age/);
		const wide = stateAfter(started(260), keys("<zoom>"));
		expect(text(wide)).toMatch(/title .*✗ .*project .*cost .*age/);
	});

	test("give way to the path, which has more room than the titles", () => {
		const path = "/sessions/--home-me-api--/2026-11-19T05-20-00-000Z_019a9c5e-7b64-8101-0f42-907a70c30000.jsonl";
		const named = makeRow("long", { path, firstMessage: "x".repeat(200) });
		const state = stateAfter(started(), { type: "catalog", event: { type: "rows", rows: [named] } });
		const shownPath = text(stateAfter(state, keys("<path>")));
		expect(shownPath).toContain("2026-11-19T05-20-00_019a");
		expect(shownPath).toMatch(/xxxxxxxxxx/);
	});
});

describe("the mouse", () => {
	/** A press on the first cell of a text in the list's pane. */
	const pressOn = (state: State, wanted: string): State => {
		const pane = selectScreen(state).panes.find(({ id }) => id === "list");
		const lines = (pane?.rows ?? []).map(({ line }) => textOfRow(line));
		const row = lines.findIndex((line) => line.includes(wanted));
		const at = { x: (pane?.x ?? 0) + (lines[row]?.indexOf(wanted) ?? 0), y: (pane?.y ?? 0) + row };
		return stateAfter(state, { type: "mouse", event: { kind: "press", ...at } });
	};

	test("on the head of a column sorts by it, and on the same one again reverses", () => {
		const once = pressOn(started(160), "cost");
		expect(once.list.settings.order).toEqual({ sort: "cost", reversed: false });
		const later = { ...once, mouse: { ...once.mouse, pressed: undefined } };
		expect(pressOn(later, "cost").list.settings.order).toEqual({ sort: "cost", reversed: true });
		expect(pressOn(started(80), "title").list.settings.order.sort).toBe("title");
	});

	test("on a heading folds its project, and on a session puts the cursor there", () => {
		const byProject = does(started(), "sort-project");
		expect(shown(pressOn(byProject, "~/site"))).toBe("+-b--d");
		expect(selected(pressOn(byProject, "Mango"))).toBe("c");
	});
});

test.each([160, 100, 80, 60, 40])("at %i columns the list shows what it is sorted by", (columns) => {
	const columnsOf = (state: State): readonly string[] =>
		listColumns(state, layoutFor(state).list?.width ?? 0).map(({ column }) => column);
	for (const column of COLUMNS) {
		const sort = sortOf(column);
		if (sort === undefined || sort === "project") continue;
		expect(columnsOf(does(started(columns), `sort-${sort}`))).toContain(column);
	}
	expect(columnsOf(does(stateAfter(started(columns), { type: "text", text: "size:>0 " }), "sort-cost"))).toContain(
		"cost",
	);
});

test("who wants the longest sessions finds the orders for that", () => {
	const box = stateAfter(started(), keys("ctrl+s"), { type: "text", text: "sort:longest" }).overlays.at(-1);
	const names = box?.kind === "menu" ? shownItems(box).map(({ label }) => label.split(" ")[0]) : [];
	expect(names).toEqual(["Messages", "Turns", "Tokens", "Size"]);
});
