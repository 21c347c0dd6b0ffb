import fc from "fast-check";
import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import {
	STATS,
	STATS_SUM,
	selectedDay,
	selectedStatsRow,
	selectStats,
	statsCursor,
} from "../../../../src/app/features/statistics/stats-rows.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import { bindingFor, commandFor, whyBlocked } from "../../../../src/app/world/state/binding.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { aggregateStats, type CatalogStats } from "../../../../src/catalog/stats/aggregate-stats.ts";
import { emptyNumbers } from "../../../../src/catalog/stats/session-numbers.ts";
import { statsTables } from "../../../../src/conversation/statistics/stats-tables.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import { caseCount } from "../../../support/cases.ts";
import { command } from "../../../support/command.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { run, startOf, stateAfter } from "../../../support/listed-state.ts";
import { answerTo, failureOf, requestsOf } from "../../../support/queries.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";

function stateWith(rows: readonly SessionRow[], size = { columns: 120, rows: 45 }): State {
	const first = startOf(size, { cwd: "/home/me" });
	return stateAfter(first, { type: "catalog", event: { type: "rows", rows } }, LISTED);
}

function press(state: State, ...keys: readonly string[]): State {
	return stateAfter(state, { type: "keys", keys });
}

/** Counts for these sessions: each has spent this much with this model, on its last day. */
function sumOf(
	rows: readonly SessionRow[],
	model: (row: SessionRow) => string,
	cost = (_: SessionRow) => 1,
): CatalogStats {
	const numbersOf = (row: SessionRow) => {
		const numbers = emptyNumbers();
		const spent = { input: 10, output: 0, cacheRead: 0, cacheWrite: 0, cost: cost(row) };
		const day = row.modified.toLocaleDateString("sv-SE");
		numbers.spending.push({ model: model(row), day, ...spent });
		return numbers;
	};
	const counted = new Map(rows.map((row) => [row.path, numbersOf(row)]));
	return aggregateStats(rows, counted, new Map());
}

/** Some more sessions were counted. */
const COUNTING: Action = { type: "catalog", event: { type: "counting", counted: 1, total: 2 } };

/** The state once all was summed up. */
function counted(state: State, stats: CatalogStats): State {
	return stateAfter(state, answerTo(STATS_SUM, state, stats));
}

/** The page with the cursor on a row. */
function opened(state: State, stats: CatalogStats, key: string): State {
	let next = counted(press(state, "<stats>"), stats);
	next = press(next, "home");
	for (let moves = 0; selectedStatsRow(next)?.key !== key; moves++) {
		if (moves > 500) throw new Error(`the cursor cannot reach "${key}"`);
		next = press(next, "down");
	}
	return next;
}

const shownPaths = (state: State): string[] => selectList(state).rows.map(({ row }) => row.path);

test("enter on a project shows exactly the sessions counted for it, and escape goes back", () => {
	const part = fc.constantFrom("a", "A", "b c", "ä", "a.b", 'q"', "=", "a/b", "x", "-v", "model:y", "日本");
	const directory = fc.oneof(
		fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `/home/me/${parts.join("/")}`),
		fc.constantFrom("", "/", "/home/me", "C:\\work\\api"),
	);
	fc.assert(
		fc.property(fc.array(directory, { minLength: 1, maxLength: 12 }), (directories) => {
			const rows = directories.map((cwd, index) => makeRow(`s${index}`, { cwd, age: index }));
			const state = stateWith(rows);
			const stats = sumOf(rows, () => "m");
			for (const { key, sessions } of stats.projects) {
				const shown = press(opened(state, stats, `project ${key}`), "enter");
				const expected = rows.filter(({ cwd }) => cwd === key).map(({ path }) => path);
				// A name with a blank and a quotation mark cannot be typed; searching a part of it finds more.
				if (key.includes('"') && key.includes(" ")) expect(shownPaths(shown)).toEqual(expect.arrayContaining(expected));
				else expect(shownPaths(shown).toSorted()).toEqual(expected.toSorted());
				expect(expected).toHaveLength(sessions);
				expect(shown.overlays).toEqual([]);
				const selected = shown.list.selected;
				const back = press(shown, "escape");
				expect(back.list.query.text).toBe("");
				expect(shownPaths(back)).toHaveLength(rows.length);
				expect(back.list.selected).toBe(selected);
			}
		}),
		{ numRuns: caseCount(10) },
	);
});

test("enter on a month or a day shows the sessions whose last message is in it, local time", () => {
	const times = fc.array(fc.date({ min: new Date(NOW - 250 * 86_400_000), max: new Date(NOW), noInvalidDate: true }), {
		minLength: 1,
		maxLength: 9,
	});
	fc.assert(
		fc.property(times, (all) => {
			const rows = all.map((modified, index) => makeRow(`s${index}`, { modified }));
			const state = stateWith(rows);
			const localDay = (date: Date): string => date.toLocaleDateString("sv-SE");
			const stats = sumOf(rows, () => "m");
			for (const { key, sessions } of stats.months.length > 1 ? stats.months : []) {
				const shown = shownPaths(press(opened(state, stats, `month ${key}`), "enter"));
				expect(shown).toHaveLength(sessions);
				for (const path of shown) {
					const row = rows.find((each) => each.path === path);
					expect(row && localDay(row.modified).slice(0, 7)).toBe(key);
				}
			}
			for (const { key, sessions } of stats.days) {
				const date = new Date(`${key}T12:00`);
				const weekday = (date.getDay() + 6) % 7;
				let page = opened(state, stats, `weekday ${Math.min(weekday, 5)}`);
				// The Sunday of this week is still to come.
				if (weekday === 6) page = press(page, "left", "down");
				while (selectedDay(page)?.day !== key) page = press(page, "left");
				expect(selectedDay(page)?.line?.sessions).toBe(sessions);
				expect(shownPaths(press(page, "enter"))).toHaveLength(sessions);
			}
		}),
		{ numRuns: caseCount(5) },
	);
});

test("statistics of other sessions than last time open at the top, those of the same ones as they were left", () => {
	const rows = ["/a", "/b", "/c"].map((cwd, index) => makeRow(`s${index}`, { cwd, age: index }));
	const left = press(
		opened(
			stateWith(rows),
			sumOf(rows, () => "m"),
			"project /c",
		),
		"escape",
	);
	const again = press(left, "<stats>");
	expect(STATS.of(again).cursor.selected).toBe("project /c");
	const fewer = stateAfter(left, { type: "text", text: "project:a" });
	expect(STATS.of(press(fewer, "<stats>")).cursor).toMatchObject({ selected: undefined, top: 0 });
});

test("enter on a model searches for it, in quotes where it needs them", () => {
	const rows = [makeRow("one"), makeRow("two"), makeRow("three")];
	const models = new Map([
		["one", "claude-opus-4-1"],
		["two", "my model"],
		["three", "(compaction)"],
	]);
	const stats = sumOf(rows, ({ id }) => models.get(id) ?? "");
	const state = stateWith(rows);
	const typed = (model: string): string => press(opened(state, stats, `model ${model}`), "enter").list.query.text;
	expect(typed("claude-opus-4-1")).toBe("model:claude-opus-4-1");
	expect(typed("my model")).toBe('model:"my model"');
	const page = opened(state, stats, "model (compaction)");
	expect([bindingFor(page, "enter")?.id, whyBlocked(page, "enter")]).toEqual([
		undefined,
		expect.stringContaining("no model"),
	]);
	expect(press(page, "enter").message?.text).toContain("no model");
});

test("what was spent by no model has the words of its entries", () => {
	const row = makeRow("one");
	const stats = sumOf([row], () => "(branch_summary)");
	const models = statsTables(stats, "/home/me", []).find(({ id }) => id === "model");
	expect(models?.at(0).name).toBe("(branch summary)");
});

/** So many agents, of names of any length. */
function agentLines(count: number): CatalogStats["agents"] {
	return Array.from({ length: count }, (_, index) => ({
		...{ key: index === 1 ? "" : `agent ${"長い ".repeat(index)}`.trim(), runs: index * 1000 + 1, failures: index % 3 },
		...{ ms: index * 3_600_000, tokens: 1e6 * index, cost: 10 ** (index % 6) },
	}));
}

test("agents have their runs, failures, time and cost; enter on one searches for its runs", () => {
	const row = makeRow("one");
	const stats = { ...sumOf([row], () => "m"), sessions: 8, runs: 7, agents: agentLines(3) };
	const state = stateWith([row]);
	const page = opened(state, stats, "agent agent");
	const text = (selectScreen(page).panes[0]?.rows ?? []).map(({ line }) => textOfRow(line));
	expect(text[0]).toContain("1 session and 7 runs, ");
	const at = text.findIndex((line) => line.startsWith(" By agent"));
	expect(text.slice(at, at + 4).map((line) => line.replaceAll(/[━╸ ]+/g, " ").trim())).toEqual([
		"By agent cost tokens time failed runs",
		"› agent $1.00 0 1",
		"(not named) $10.00 1.0M 1h 1 1,001",
		"agent 長い 長い $100.00 2.0M 2h 2 2,001",
	]);
	expect(press(page, "enter").list.query.text).toBe("agent:agent");
	expect(press(opened(state, stats, "agent "), "enter").message?.text).toContain("not known");
});

test("the page keeps its cursor, and is counted again when it is opened", () => {
	const rows = [makeRow("one"), makeRow("two", { cwd: "/other" })];
	const stats = sumOf(rows, () => "m");
	const page = opened(stateWith(rows), stats, "project /other");
	const closed = press(page, "escape");
	expect(closed.overlays).toEqual([]);
	const [search, name, enter] = command("stats");
	const [again, effects] = update(stateAfter(closed, search, name), enter, NOW);
	expect(selectedStatsRow(again)?.key).toBe("project /other");
	expect(requestsOf(STATS_SUM, effects)).toHaveLength(1);
	// One count at a time; changes meanwhile are counted afterwards.
	const [waiting, more] = update(again, COUNTING, NOW);
	expect(requestsOf(STATS_SUM, more)).toEqual([]);
	const [, next] = update(waiting, answerTo(STATS_SUM, waiting, stats), NOW);
	expect(requestsOf(STATS_SUM, next)).toHaveLength(1);
	const [failed] = update(waiting, failureOf(STATS_SUM, waiting, "The index is gone"), NOW);
	expect([failed.message?.text, selectStats(failed)?.sum.sessions]).toEqual(["The index is gone", 2]);
});

test("while sessions are being counted, the line under the cursor stays where it is on the screen", () => {
	const rows = Array.from({ length: 60 }, (_, index) => makeRow(`s${index}`, { cwd: `/p/${index}` }));
	const ascending = sumOf(
		rows,
		() => "m",
		({ id }) => Number(id.slice(1)) + 1,
	);
	const some = sumOf(
		rows,
		() => "m",
		({ id }) => (Number(id.slice(1)) % 7) + 1,
	);
	const page = opened(stateWith(rows), ascending, "project /p/30");
	const place = (state: State): number => {
		const shown = selectStats(state);
		return shown === undefined ? -1 : statsCursor(state, shown.rows).index - STATS.of(state).cursor.top;
	};
	const later = counted(stateAfter(page, COUNTING), some);
	expect(selectedStatsRow(later)?.key).toBe("project /p/30");
	expect(place(later)).toBe(place(page));
	// Without a moved cursor, the page is shown from its start.
	const first = counted(press(stateWith(rows), "<stats>"), ascending);
	const unmoved = counted(stateAfter(first, COUNTING), some);
	expect([STATS.of(unmoved).cursor.top, selectedStatsRow(unmoved)?.key]).toEqual([0, "weekday 5"]);
});

test("in the heatmap the arrows move by days, and down leaves it to the projects", () => {
	const rows = [makeRow("one")];
	const page = opened(
		stateWith(rows),
		sumOf(rows, () => "m"),
		"weekday 5",
	);
	// Today is a Saturday.
	expect(selectedDay(page)).toMatchObject({ day: "2026-11-21", isPast: true, line: { sessions: 1 } });
	expect(selectedDay(press(page, "right"))?.day).toBe("2026-11-21");
	expect(selectedDay(press(page, "left", "up"))?.day).toBe("2026-11-13");
	// The cursor skips the days to come.
	expect(selectedDay(press(page, "left", "down"))?.day).toBe("2026-11-15");
	expect(selectedDay(press(page, "left", "down", "right"))?.day).toBe("2026-11-15");
	expect(press(page, "left", "enter").message?.text).toBe("Nothing was answered on that day");
	expect(selectedStatsRow(press(page, "down"))?.key).toBe("project /home/me/project");
	expect(selectedDay(press(page, "down", "up"))?.day).toBe("2026-11-21");
	expect(press(page, "down", "left").overlays).toEqual([]);
});

test("of a part of the sessions it is about that, which a chip says and a command or a click takes away; ctrl+o limits the time", () => {
	const rows = [makeRow("one", { name: "parser" }), makeRow("two"), makeRow("three", { name: "lexer" })];
	const listed = stateAfter(stateWith(rows), { type: "keys", keys: ["<named>"] });
	const asked = (state: State) => {
		const { only, on } = STATS_SUM.of(state).asked ?? {};
		return [
			only
				?.map(({ id }) => id)
				.toSorted()
				.join(" "),
			on,
		];
	};
	const title = (state: State) => textOfRow(selectScreen(state).panes[0]?.title ?? []);
	const whyNoListed = (state: State) => commandFor(state, "stats-listed")?.needs?.(state);
	const stats = sumOf(rows, () => "m");
	const part = counted(press(listed, "<stats>"), stats);
	expect(asked(part)).toEqual(["one three", ""]);
	expect(title(part)).toContain("[listed ×]");
	const today = press(part, "ctrl+o", "ctrl+o");
	expect(asked(today)).toEqual(["one three", "2026-11-21"]);
	// What was summed up for another time is not shown for this one.
	expect(selectStats(today)).toBeUndefined();
	const month = counted(press(counted(today, stats), "ctrl+o", "ctrl+o"), stats);
	expect([asked(month)[1], title(month)]).toEqual(["2026-11", expect.stringContaining("[listed ×] [this month ×]")]);
	const found = press(opened(month, stats, "project /home/me/project"), "<stats>");
	expect(found.overlays).toHaveLength(1);
	expect(asked(press(month, "ctrl+o"))[1]).toBe("2026-11-21");
	const all = press(month, "<stats-listed>", "escape");
	expect(asked(all)).toEqual([undefined, ""]);
	expect(asked(press(counted(all, stats), "<stats-listed>"))).toEqual(["one three", ""]);
	expect(whyNoListed(counted(press(stateWith(rows), "<stats>"), stats))).toBe("The list shows all sessions");
	const none = stateAfter(stateWith([makeRow("two")]), { type: "keys", keys: ["<named>"] });
	expect(whyNoListed(counted(press(none, "<stats>"), stats))).toBe("The list shows no session");
	// Enter stays within what was summed up.
	const shown = press(opened(listed, stats, "project /home/me/project"), "enter");
	expect([shown.list.query.text, shown.list.terms, shownPaths(shown).length]).toEqual([
		"project:=/home/me/project ",
		["is:named"],
		2,
	]);
});

test("a session that continued later is counted on the day of its answers, and found by its last message", () => {
	const rows = [makeRow("one"), makeRow("two", { age: 60 }), makeRow("put away", { age: 90, archived: true })];
	const stats = sumOf(
		rows.map((row) => ({ ...row, modified: row.id === "one" ? new Date("2026-10-02T12:00") : row.modified })),
		() => "m",
	);
	const state = stateWith(rows);
	const month = opened(state, stats, "month 2026-10");
	expect(press(month, "enter").message?.text).toContain("were continued later");
	const now = opened(state, stats, "month 2026-11");
	expect(shownPaths(press(now, "enter"))).toEqual([rows[0]?.path, rows[1]?.path]);
	const drawn = selectScreen(opened(state, stats, "weekday 5")).panes[0]?.rows ?? [];
	const text = drawn.map(({ line }) => textOfRow(line)).join("\n");
	expect(text).toContain("Sat 21 Nov · $2.00 · 20 tokens · 2 sessions\n");
	const friday = press(opened(state, stats, "weekday 4"), ...Array.from({ length: 7 }, () => "left"));
	expect(selectedDay(friday)?.day).toBe("2026-10-02");
	const note = selectScreen(friday).panes[0]?.rows.find(({ key }) => key === "day-note");
	expect(note?.line.map((span) => span.text).join("")).toContain("1 session, 0 last used then");
	expect(selectScreen(friday).panes[0]?.settings).toEqual([[expect.objectContaining({ text: "1 of them archived" })]]);
});

const DAY_MS = 86_400_000;

/** Sessions of three days in two months, the second of which cost most. */
function threeDays() {
	const rows = [0, 1, 40].map((days) => makeRow(`s${days}`, { modified: new Date(NOW - days * DAY_MS) }));
	const costOf = ({ id }: SessionRow): number => (id === "s1" ? 0.97 : 0.2);
	const sums = (some: readonly SessionRow[]) => sumOf(some, () => "m", costOf);
	return { rows, stats: sums(rows), november: sums(rows.slice(0, 2)) };
}

const textsOf = (state: State): readonly string[] =>
	(selectScreen(state).panes[0]?.rows ?? []).map(({ line }) => textOfRow(line));

test("which day cost most is named below the calendar, and in a month above its days", () => {
	const { rows, stats, november } = threeDays();
	const all = counted(press(stateWith(rows), "<stats>"), stats);
	expect(
		textsOf(all)
			.slice(10, 13)
			.map((line) => line.trim()),
	).toEqual(["less ░▒▓█ more $ · highest: Fri 20 Nov $0.97", "Sat 21 Nov · $0.20 · 10 tokens · 1 session", ""]);
	const month = press(opened(stateWith(rows), stats, "month 2026-11"), "right");
	expect(STATS_SUM.of(month).asked?.on).toBe("2026-11");
	const days = counted(month, november);
	expect(
		textsOf(days)
			.slice(2, 5)
			.map((line) => line.replaceAll(/ {2,}/g, "  ").trim()),
	).toEqual([
		"By day  highest: Fri 20 Nov $0.97  cost  tokens  left  sessions",
		expect.stringMatching(/^› Fri 20 Nov {2}━+ {2}\$0\.97 {2}10 {2}1$/),
		expect.stringMatching(/^Sat 21 Nov /),
	]);
	expect(selectedStatsRow(days)?.key).toBe("day 2026-11-20");
	expect(shownPaths(press(days, "enter"))).toEqual([rows[1]?.path]);
	// Back is a step: first to all time, with the cursor on that month.
	const back = counted(press(days, "escape"), stats);
	expect([STATS.of(back).period, selectedStatsRow(back)?.key]).toEqual(["", "month 2026-11"]);
	for (const key of ["q", "left"]) expect(STATS.of(press(days, key))).toEqual(STATS.of(press(days, "escape")));
	// Each period that was opened from another one leads back to that.
	const today = press(days, "ctrl+o");
	expect(["2026-11", ""]).toEqual(
		[press(today, "escape"), press(today, "escape", "q")].map((state) => STATS.of(state).period),
	);
	// The period key leads back to where the cursor was as well.
	const cursor = STATS.of(all).cursor;
	expect(STATS.of(press(all, "ctrl+o", "down", "escape"))).toMatchObject({ period: "", cursor });
	expect(press(back, "escape").overlays).toEqual([]);
});

test("on a day its sessions can be deleted or saved at once", () => {
	const { rows, stats } = threeDays();
	const page = opened(stateWith(rows), stats, "weekday 4");
	const [top] = press(page, "ctrl+d").overlays.slice(-1);
	expect(top?.kind === "menu" ? top.title : "").toBe("Move this session to the trash?");
	expect(press(page, "x").overlays.at(-1)?.kind).toBe("menu");
	const { effects } = run(page, { type: "keys", keys: ["<standup>"] });
	expect(effects).toContainEqual(expect.objectContaining({ type: "read-standup", title: "Fri 20 Nov" }));
	const read = stateAfter(page, { type: "standup-read", title: "Fri 20 Nov", text: "# Fri 20 Nov" });
	expect(read.overlays.map(({ kind }) => kind)).toEqual(["statistics", "help"]);
	expect(whyBlocked(press(page, "left"), "ctrl+d")).toContain("on which a session was used last");
});

test("/ goes to the row that has the words, n and N to the others; escape ends it where it is", () => {
	const rows = ["/work/alpha", "/work/beta", "/lab/alphabet"].map((cwd, index) => makeRow(`s${index}`, { cwd }));
	const stats = sumOf(rows, () => "m");
	const page = opened(stateWith(rows), stats, "project /work/beta");
	const found = press(page, "/", "a", "l", "p", "h", "enter");
	const title = (state: State) => textOfRow(selectScreen(state).panes[0]?.title ?? []);
	expect([selectedStatsRow(found)?.key, title(found)]).toEqual([
		"project /lab/alphabet",
		expect.stringMatching(/❯ alph {2}\d of \d$/),
	]);
	const keys = [found, press(found, "n"), press(found, "n", "n"), press(found, "N")].map(
		(state) => selectedStatsRow(state)?.key,
	);
	expect(new Set(keys.slice(0, 2)).size).toBe(2);
	expect(keys[3]).toBe(keys[1]);
	const ended = press(found, "escape");
	expect([title(ended), selectedStatsRow(ended)?.key, ended.overlays.length]).toEqual([title(page), keys[0], 1]);
	expect(press(page, "/", "z", "z").message).toBeUndefined();
	expect(title(press(page, "/", "z", "z"))).toContain("not found");
	expect(whyBlocked(page, "n")).toContain("/ finds rows here");
});

test("a press puts the cursor on a line or a day, a second one opens it; elsewhere it does nothing", () => {
	const rows = [makeRow("one"), makeRow("two", { cwd: "/other" })];
	const page = opened(
		stateWith(rows),
		sumOf(rows, () => "m"),
		"project /other",
	);
	const screen = selectScreen(page);
	const rowOf = (text: string): number => {
		const pane = screen.panes[0];
		const at = pane?.rows.findIndex(({ line }) => line.some((span) => span.text.includes(text))) ?? -1;
		return at + (pane?.y ?? 0);
	};
	const click = (state: State, x: number, y: number): State =>
		stateAfter(
			state,
			{ type: "mouse", event: { kind: "press", x, y } },
			{ type: "mouse", event: { kind: "release", x, y } },
		);
	const onProject = click(page, 10, rowOf("~/project"));
	expect(selectedStatsRow(onProject)?.key).toBe("project /home/me/project");
	expect(click(onProject, 10, rowOf("~/project")).list.query.text).toBe("project:=/home/me/project");
	const heatmap = selectStats(page)?.heatmap;
	const onDay = click(page, 2 + 4 + ((heatmap?.weeks ?? 0) - 1) * 2, rowOf("Sat"));
	expect(selectedDay(onDay)?.day).toBe("2026-11-21");
	const onHeads = click(click(page, 3, rowOf("By model")), 3, rowOf("By model"));
	expect([selectedStatsRow(onHeads)?.key, onHeads.overlays.length]).toEqual(["project /other", 1]);
});

test("at any size nothing on the page is wider than the screen", () => {
	const rows = Array.from({ length: 30 }, (_, index) =>
		makeRow(`s${index}`, { cwd: `/日本/${"long ".repeat(index)}`, size: index * 1e7 }),
	);
	const sums = sumOf(
		rows,
		({ id }) => `model-${id}`,
		({ id }) => 10 ** (Number(id.slice(1)) % 6),
	);
	const stats = { ...sums, agents: agentLines(20) };
	for (const columns of [40, 41, 56, 63, 64, 75, 76, 80, 99, 100, 139, 160, 300]) {
		for (const height of [10, 16, 21, 22, 45]) {
			const state = stateWith(rows, { columns, rows: height });
			const page = counted(press(state, "<stats>"), stats);
			for (const keys of [[], ["home"], ["end"], ["home", "down", "down", "pageDown"]]) {
				const [pane] = selectScreen(press(page, ...keys)).panes;
				if (pane === undefined) throw new Error("no page");
				expect(pane.rows.length).toBeLessThanOrEqual(pane.height);
				expect(pane.rows.some(({ line }) => line[0]?.text.startsWith("›"))).toBe(true);
				for (const { line } of pane.rows) expect(lineWidth(line)).toBeLessThanOrEqual(columns);
			}
		}
	}
});
