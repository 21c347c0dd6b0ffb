import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { SESSIONS } from "../../../../src/app/features/list/session-rows.ts";
import { familiesOf } from "../../../../src/app/world/list/families.ts";
import { isHeading } from "../../../../src/app/world/list/headings.ts";
import { needsRuns, showSession, sortBy, toggleFold } from "../../../../src/app/world/list/list-actions.ts";
import { LIST_SEARCH, searchOf } from "../../../../src/app/world/list/list-search.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { RunReport } from "../../../../src/catalog/families/run-report.ts";
import { NOTHING_IN_IT, type SessionCounts } from "../../../../src/catalog/model/counts.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { headOf } from "../../../../src/catalog/model/session-links.ts";
import type { SearchResult } from "../../../../src/catalog/search/search.ts";
import { NO_ENTRY } from "../../../../src/catalog/search/session-matches.ts";
import { caseCount } from "../../../support/cases.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { searchEvent } from "../../../support/queries.ts";
import { LISTED, makeRow } from "../../../support/rows.ts";
import { fresh, keys, listed, pathOf, run } from "./narrowed-list.ts";

/** A run of the session with an id, or of a run. */
function runOf(parent: string | undefined, id: string, fields: Parameters<typeof makeRow>[1] = {}): SessionRow {
	const run = { parent: parent && pathOf(parent), runId: "r1", index: 0, isFork: false };
	return makeRow(id, { run, ...fields });
}

const created = (minute: number) => ({ created: new Date(Date.UTC(2026, 0, 1, 0, minute)) });

/** Session a with the runs s, w and v; w has a run x of its own; session b with a fork c; o is a run of no known session. */
const FAMILY: readonly SessionRow[] = [
	makeRow("a", { age: 1 }),
	makeRow("b", { age: 2 }),
	makeRow("c", { age: 3, parentSession: pathOf("b") }),
	runOf("a", "w", { age: 4, ...created(2) }),
	runOf("a", "s", { age: 5, ...created(1) }),
	runOf("a", "v", { age: 6, ...created(3) }),
	runOf("w", "x", { age: 7 }),
	runOf(undefined, "o", { age: 8 }),
];

const typed = (text: string): Action => ({ type: "text", text });
const family = (rows = FAMILY): State => run(fresh({ columns: 200, rows: 60 }), listed(rows), LISTED);

/** What the list shows: the ids of its rows, each with its level below another one. */
function shown(state: State): string {
	return selectList(state)
		.items.map((item) => {
			if (isHeading(item)) return "#";
			let depth = 0;
			for (let level = item.level; level !== undefined; level = level.above) depth += 1;
			return ">".repeat(depth) + item.row.id;
		})
		.join(" ");
}

/** Results of the search for what was typed, for these sessions. */
function found(state: State, ...ids: readonly string[]): State {
	const results = ids.map(
		(id): SearchResult => ({ path: pathOf(id), count: 1, more: false, rank: 3, modified: 0, best: NO_ENTRY }),
	);
	expect(searchOf(state).requested.text).not.toBe("");
	const total = state.catalog.rows.size;
	return run(
		state,
		searchEvent(state, { type: "results", results }),
		searchEvent(state, { type: "progress", searched: total, total }),
	);
}

function drawn(state: State): string[] {
	const list = selectScreen(state).panes.find(({ id }) => id === "list");
	return (list?.rows ?? []).map(({ line }) => textOfRow(line).trimEnd());
}

describe("runs of subagents", () => {
	test("are folded below the session that started them; a run whose parent is not known is a row of its own", () => {
		const state = family();
		expect(shown(state)).toBe("a b >c o");
		expect(textOfRow(selectScreen(state).header)).toContain("  4 sessions");
		expect(drawn(state)[1]).toContain("first message of a ◫4");
		expect(drawn(state)[4]).toContain("◫ first message of o  parent unknown");
	});

	test("are shown by key in the order in which they began, and hidden on their session or on one of them", () => {
		const open = run(family(), keys("alt+right"));
		expect(shown(open)).toBe("a >s >w >v b >c o");
		expect(
			drawn(open)
				.slice(2, 5)
				.map((row) => row.slice(0, 8)),
		).toEqual(["  ├─ ◫ f", "  ├─ ◫ f", "  └─ ◫ f"]);
		const deeper = run(open, keys("down", "down", "alt+right"));
		expect([shown(deeper), deeper.list.selected]).toEqual(["a >s >w >>x >v b >c o", pathOf("w")]);
		const folded = run(deeper, keys("alt+left"));
		expect([shown(folded), folded.list.selected]).toEqual(["a >s >w >v b >c o", pathOf("w")]);
		const closed = run(folded, keys("alt+left"));
		expect([shown(closed), closed.list.selected]).toEqual(["a b >c o", pathOf("a")]);
		expect(shown(run(closed, keys("down", "alt+right")))).toBe("a b >c o");
	});

	test("are counted with how many failed", () => {
		const ended: Action = {
			type: "catalog",
			event: {
				type: "counts",
				counts: [
					[pathOf("x"), { ...NOTHING_IN_IT, ending: "failed" }],
					[pathOf("s"), { ...NOTHING_IN_IT, ending: "asks" }],
				],
			},
		};
		const state = run(family(), ended);
		expect(drawn(state)[1]).toContain("◫4 ✗1");
		// Whatever a run asked, it asked the session.
		expect(textOfRow(selectScreen(state).header)).not.toContain("waiting");
	});

	test("are counted with those that have no session, and with what they do", () => {
		const reported = (key: string, fields: Partial<RunReport>): RunReport => ({
			...{ key, entryId: key, agent: "scout", task: `task ${key}`, state: "done", startedMs: 1, endedMs: 61_001 },
			...fields,
		});
		const { path } = makeRow("b");
		const runs = [
			reported("in memory", {}),
			reported("gone", { file: "/gone.jsonl", state: "failed" }),
			reported("works", { state: "running" }),
		];
		const counts = (at: string, of: readonly RunReport[], own: Partial<SessionCounts> = {}): Action => ({
			type: "catalog",
			event: { type: "counts", counts: [[at, { ...NOTHING_IN_IT, ...own, runs: of }]] },
		});
		const live = (at: string): Action => ({
			type: "catalog",
			event: { type: "live", report: { sessions: new Map([[at, [{ kind: "grew", grewMs: 0 }]]]), pis: [] } },
		});
		const state = run(family(), counts(path, runs));
		const badge = (now: State): string => drawn(now).find((row) => row.includes("message of b")) ?? "";
		// Nobody uses its session, so the run that is reported as running was interrupted.
		expect(badge(state)).toMatch(/message of b ◫3 ✗1 1 gone {2}/);
		expect(badge(run(state, live(path)))).toMatch(/message of b ◫3 ●1 ✗1 1 gone {2}/);
		const [failed, labeled] = [
			run(state, counts(path, runs, { errors: 2 })),
			run(state, counts(path, runs, { labels: 1 })),
		];
		// The failures of the session itself have a column; without it they do not read as those of its runs.
		expect(badge(failed)).toMatch(/message of b ◫3 ✗1 1 gone {2}.* 2 +project +2m$/);
		expect(badge(run(failed, { type: "resize", columns: 80, rows: 24 }))).toMatch(/message of b ✗2 ◫3 ✗1 1 gone {2}/);
		expect(badge(labeled)).toMatch(/message of b ⚑1 ◫3 ✗1 1 gone {2}/);
		const narrow = run(state, live(path), { type: "resize", columns: 40, rows: 10 });
		expect(drawn(narrow).find((row) => row.includes("◫3"))).toMatch(/first mess.* ◫3 ●1 ✗1 {2}/);
		const asked = run(state, keys("down", "alt+right"));
		expect(shown(asked)).toBe("a b >c o");
		expect(needsRuns(asked)).toBe("The runs of this session have no sessions of their own");
		// A run works for a run that works.
		const nested = run(
			family(),
			counts(pathOf("a"), [reported("w", { state: "running", file: pathOf("w") })]),
			counts(pathOf("w"), [reported("x", { state: "running", file: pathOf("x") })]),
			live(pathOf("a")),
			keys("alt+right"),
		);
		expect(drawn(nested)[1]).toContain("◫4 ●2");
		expect(drawn(nested).find((row) => row.includes("task w"))).toContain("scout  task w ◫1 ●1  ● running");
	});

	test("cost what they and their runs cost, those that are gone too; the sessions above them cost it with them", () => {
		const gone = { key: "g", entryId: "e", agent: "scout", task: "", state: "done", cost: 0.5 } as const;
		const counted: Action = {
			type: "catalog",
			event: {
				type: "counts",
				counts: [
					...["a", "b", "c", "s", "w", "v", "o"].map((id) => [pathOf(id), NOTHING_IN_IT] as const),
					[pathOf("b"), { ...NOTHING_IN_IT, cost: 3 }],
					[pathOf("a"), { ...NOTHING_IN_IT, cost: 1, runs: [gone] }],
					[pathOf("w"), { ...NOTHING_IN_IT, cost: 3, copied: { tokens: 0, cost: 1 } }],
					[pathOf("x"), { ...NOTHING_IN_IT, cost: 4 }],
				],
			},
		};
		const state = run(family(), counted, keys("alt+right"));
		const costs = (of: State) => drawn(of).flatMap((row) => /\$[\d.]+/.exec(row) ?? []);
		expect(costs(state)).toEqual(["$7.50", "$6.00", "$3.00"]);
		const byCost = sortBy(state, "cost");
		expect(shown(byCost)).toBe("a >s >w >v b c o");
		const more = [[pathOf("x"), { ...NOTHING_IN_IT, cost: 0.1 }]] as const;
		const changed = run(byCost, { type: "catalog", event: { type: "counts", counts: more } });
		expect(costs(changed)).toEqual(["$3.60", "$2.10", "$3.00"]);
		const less = [[pathOf("w"), NOTHING_IN_IT]] as const;
		expect(shown(run(changed, { type: "catalog", event: { type: "counts", counts: less } }))).toBe("b a >s >w >v c o");
	});

	test("in which a search found something stand below their session, and the cursor is on the first of them", () => {
		const state = found(run(family(), typed("word")), "x", "b");
		expect(shown(state)).toBe("a >w >>x b");
		expect(state.list.selected).toBe(pathOf("x"));
		expect(textOfRow(selectScreen(state).header)).toContain("  2 of 4 sessions");
	});

	test("are found by is:run, and left out by -is:run", () => {
		const state = run(family(), typed("is:run"));
		expect(shown(state)).toBe("a >s >w >>x >v o");
		expect(shown(run(family(), typed("-is:run")))).toBe("a b >c");
	});

	test("of a session that goes are rows of their own, as are those of an archived one beside it", () => {
		const gone = run(family(), { type: "catalog", event: { type: "gone", paths: [pathOf("a")] } });
		expect(shown(gone)).toBe("b >c w >s >v o".replace("w >s >v", "w s v"));
		expect(drawn(gone).find((row) => row.includes("message of s"))).toContain("run of a deleted session");
		const archive = family([...FAMILY.slice(1), makeRow("a", { age: 1, archived: true })]);
		expect(shown(archive)).toBe("b >c o");
		expect(textOfRow(selectScreen(archive).header)).toContain("  3 sessions");
	});

	test("are marked one by one; a session that is only listed for its runs is not among all that was found", () => {
		const marked = run(family(), keys("alt+right", "down", "insert", "insert"));
		expect(marked.list.marked.size).toBe(2);
		const all = SESSIONS.markAll(found(run(family(), typed("word")), "x", "b"));
		expect([...all.list.marked].toSorted()).toEqual([pathOf("b"), pathOf("x")]);
	});

	test("that have the words in other forms do not take the sessions along that have them as typed", () => {
		const state = found(run(family(), typed("word")), "a", "b", "s");
		const withOthers = (...ids: readonly string[]) =>
			LIST_SEARCH.set(state, { ...searchOf(state), others: new Set(ids.map(pathOf)) });
		expect(shown(withOthers("s"))).toBe("a >s b");
		expect(shown(withOthers("s", "a"))).toBe("b # a >s");
	});

	test("are shown when one of them is to be shown, also where it worked elsewhere and the project is folded", () => {
		const rows = FAMILY.map((row) => (row.id === "x" ? { ...row, cwd: "/elsewhere" } : row));
		const more = [...rows, makeRow("z", { cwd: "/home/me/other" })];
		const state = family(more);
		expect(run(showSession(state, pathOf("x")), LISTED).list.selected).toBe(pathOf("x"));
		const byProject = sortBy(state, "project");
		const folded = toggleFold(byProject, "/home/me/project");
		const after = run(showSession(folded, pathOf("x")), LISTED);
		expect(after.list.selected).toBe(pathOf("x"));
	});

	test("whose run is gone are of no other family, though all have files of one name", () => {
		const named = (path: string, parent: string): SessionRow =>
			makeRow(path, { path, run: { parent, runId: "r", index: 0, isFork: false } });
		const rows = [
			named("/s/p/a/r/run-0/session.jsonl", "/s/p/a.jsonl"),
			named("/s/p/b/r/run-0/session/q/run-0/session.jsonl", "/s/p/b/r/run-0/session.jsonl"),
		];
		expect(familiesOf(new Map(rows.map((row) => [row.path, row]))).parents.size).toBe(0);
	});
});

test("no session is lost or listed twice, whichever started which, and every run is below its session", () => {
	const ids = ["a", "b", "c", "d", "e", "f"];
	const parents = fc.array(fc.option(fc.constantFrom(...ids), { nil: undefined }), { minLength: 6, maxLength: 6 });
	fc.assert(
		fc.property(parents, fc.subarray(ids), (asked, open) => {
			const rows = ids.map((id, at) => (asked[at] === undefined ? makeRow(id) : runOf(asked[at], id)));
			const state = family(rows);
			const families = familiesOf(state.catalog.rows);
			for (const row of state.catalog.rows.values()) expect(families.parents.has(headOf(row, families))).toBe(false);
			const unfolded = new Set(open.map(pathOf));
			const all = new Set(families.runs.keys());
			const listOf = (shownRuns: ReadonlySet<string>): readonly SessionRow[] =>
				selectList({ ...state, list: { ...state.list, unfolded: shownRuns } }).rows.map(({ row }) => row);
			expect(
				listOf(all)
					.map(({ id }) => id)
					.toSorted(),
			).toEqual(ids);
			const some = listOf(unfolded);
			expect(new Set(some).size).toBe(some.length);
			for (const row of some) {
				const parent = families.parents.get(row);
				if (parent !== undefined) expect(some.indexOf(parent)).toBeLessThan(some.indexOf(row));
			}
		}),
		{ numRuns: caseCount(20, 1000) },
	);
});
