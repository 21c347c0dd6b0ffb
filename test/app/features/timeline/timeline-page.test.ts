import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { openCommands } from "../../../../src/app/features/commands/commands-box.ts";
import { shownCommands } from "../../../../src/app/features/commands/list-commands.ts";
import { SESSIONS } from "../../../../src/app/features/list/session-rows.ts";
import { selectedTimelineRow, selectTimelineRows } from "../../../../src/app/features/timeline/timeline-rows.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import { bindingFor, bindingsFor, whyBlocked } from "../../../../src/app/world/state/binding.ts";
import { pageOf } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { RunReport, RunState } from "../../../../src/catalog/families/run-report.ts";
import { NOTHING_IN_IT, type SessionCounts } from "../../../../src/catalog/model/counts.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { editedText } from "../../../../src/ui/field/edit.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import { caseCount } from "../../../support/cases.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { keys, run, startOf } from "../../../support/listed-state.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";
import { ruleTexts } from "../../../support/screen-text.ts";

const MINUTE = 60_000;

const pathOf = (id: string): string => `/sessions/--p--/${id}.jsonl`;
const ago = (minutes: number): number => NOW - minutes * MINUTE;

/** A session that began and ended so many minutes ago; the run of `parent`, if that is given. */
function session(id: string, from: number, to: number, parent?: string): SessionRow {
	const place = parent === undefined ? {} : { run: { parent: pathOf(parent), runId: id, index: 0, isFork: false } };
	return makeRow(id, { path: pathOf(id), created: new Date(ago(from)), modified: new Date(ago(to)), ...place });
}

/** What is told of a run that began and ended so many minutes ago. */
function report(
	id: string,
	from: number | undefined,
	to: number | undefined,
	fields: Partial<RunReport> = {},
): RunReport {
	return {
		key: id,
		entryId: "e",
		runId: id,
		index: 0,
		agent: `agent ${id}`,
		task: `do ${id}`,
		state: "done",
		...(from === undefined ? {} : { startedMs: ago(from) }),
		...(to === undefined ? {} : { endedMs: ago(to) }),
		...fields,
	};
}

type Counted = Readonly<Record<string, Partial<SessionCounts>>>;

function counts(counted: Counted): Action {
	const all = Object.entries(counted).map(([id, fields]) => [pathOf(id), { ...NOTHING_IN_IT, ...fields }] as const);
	return { type: "catalog", event: { type: "counts", counts: all } };
}

function live(...ids: readonly string[]): Action {
	const use = [{ kind: "grew", grewMs: NOW }] as const;
	return {
		type: "catalog",
		event: { type: "live", report: { sessions: new Map(ids.map((id) => [pathOf(id), use])), pis: [] } },
	};
}

/** The list with these sessions. */
function listed(rows: readonly SessionRow[], counted: Counted = {}, size = { columns: 120, rows: 30 }): State {
	const first = startOf(size, { cwd: "/home/me" });
	return run(first, { type: "catalog", event: { type: "rows", rows } }, LISTED, counts(counted)).state;
}

/** The state with the cursor of the list on a session. */
function on(state: State, id: string): State {
	return run({ ...state, list: { ...state.list, pendingSelection: pathOf(id) } }, { type: "tick", now: NOW }).state;
}

const opened = (state: State, id: string): State => run(on(state, id), keys("alt+t")).state;

/** The page: the text of its rows, the axis first. */
function page(state: State): readonly string[] {
	const list = selectScreen(state).panes.find(({ id }) => id === "list");
	return (list?.rows ?? []).map(({ line }) => textOfRow(line).trimEnd());
}

const text = (state: State): string =>
	[
		...ruleTexts(state),
		...selectScreen(state).panes.flatMap(({ rows }) => rows.map(({ line }) => textOfRow(line))),
	].join("\n");

/** The keys of the rows, indented by their depth. */
const shown = (state: State): string =>
	selectTimelineRows(state)
		.map(({ key, depth }) => ">".repeat(depth) + key.replace(/^.*[/\n]/, "").replace(".jsonl", ""))
		.join(" ");

/** Session a with the runs s (with a run t of its own, with a run u) and v, which overlap; and session b without runs. */
const ROWS = [
	session("a", 60, 0),
	session("s", 50, 30, "a"),
	session("t", 45, 35, "s"),
	session("u", 42, 40, "t"),
	session("v", 40, 20, "a"),
	session("b", 300, 290),
];
const COUNTS: Counted = {
	a: {
		cost: 4,
		runs: [report("s", 50, 30, { cost: 1 }), report("v", 40, 20, { state: "timed out", error: "It took too long" })],
	},
	s: { runs: [report("t", 45, 35)] },
	t: { runs: [report("u", 42, 40)] },
	u: {},
	v: {},
	b: {},
};

describe("the timeline of a session", () => {
	test("has a bar for it, for its runs as they began, and for theirs below them", () => {
		const state = opened(listed(ROWS, COUNTS), "a");
		expect(pageOf(state)).toBe("timeline");
		expect(shown(state)).toBe("a >s >>t >>>u >v");
		const [axis = "", head = "", s = "", t = "", , v = ""] = page(state);
		expect(axis).toMatch(/╷11:00 +╷11:15 +╷11:30/);
		expect(head).toContain("first message of a");
		expect(s).toMatch(/ agent s +do s +[╺━]+╾?─+╼?━+╸? +✓ 20m +\$1\.00$/);
		expect(v).toMatch(/ agent v +do v +[╺━]+✗ +✗ timed out 20m$/);
		// They overlap.
		expect(v.indexOf("━")).toBeLessThan(s.lastIndexOf("━"));
		expect(v.indexOf("━")).toBeGreaterThan(s.indexOf("━"));
		expect(t.indexOf("━")).toBe(s.indexOf("─"));
		expect(text(run(state, keys("end")).state)).toContain("── agent v · It took too long · ");
	});

	test("of a run is that of its family, with the cursor on the run", () => {
		const state = opened(listed(ROWS, COUNTS), "a");
		const deep = run(state, keys("down", "down", "enter"), LISTED).state;
		const again = run(deep, keys("alt+t")).state;
		expect(shown(again)).toBe(shown(state));
		expect(selectedTimelineRow(again)?.key).toBe(pathOf("t"));
	});

	test("is not offered where a session has no runs", () => {
		const [of, without] = ["a", "b"].map((id) => on(listed(ROWS, COUNTS), id));
		const offers = (state: State = listed([])) => {
			const box = openCommands(state);
			const overlay = box.overlays.at(-1);
			const shown = overlay?.kind === "palette" ? shownCommands(box, { ...overlay, query: editedText("time") }) : [];
			return [bindingFor(state, "alt+t")?.id, shown[0]?.command.id === "timeline"];
		};
		expect(offers(of)).toEqual(["timeline", true]);
		expect(offers(without)).toEqual([undefined, false]);
		expect(offers()).toEqual([undefined, false]);
	});

	test("of marked sessions has each with its runs, once, as they began", () => {
		let state = listed(ROWS, COUNTS);
		for (const id of ["a", "b"]) state = SESSIONS.mark(on(state, id));
		expect(shown(run(state, keys("alt+t")).state)).toBe("b a >s >>t >>>u >v");
		state = run({ ...state, list: { ...state.list, marked: new Set(["s", "a"].map(pathOf)) } }, keys("alt+t")).state;
		expect(shown(state)).toBe("a >s >>t >>>u >v");
	});

	test("opens a run, and comes back to the same bar", () => {
		const state = run(opened(listed(ROWS, COUNTS), "a"), keys("end", "up")).state;
		expect(selectedTimelineRow(state)?.key).toBe(pathOf("u"));
		const there = run(state, keys("enter")).state;
		expect(pageOf(there)).toBeUndefined();
		expect([there.focus, there.list.selected]).toEqual(["tree", pathOf("u")]);
		const back = run(there, keys("escape")).state;
		expect(pageOf(back)).toBe("timeline");
		expect(selectedTimelineRow(back)?.key).toBe(pathOf("u"));
		expect(page(back)).toEqual(page(state));
		const left = run(back, keys("escape")).state;
		expect([pageOf(left), left.focus, left.list.selected]).toEqual([undefined, "list", pathOf("a")]);
		expect(left.list.unfolded).toEqual(state.list.unfolded);
	});

	test("shows below the bars what the run under the cursor did, or why that cannot be seen", () => {
		const state = run(opened(listed(ROWS, COUNTS), "a"), keys("end")).state;
		expect(state.detail).toMatchObject({ status: "loading", row: { path: pathOf("v") } });
		const told = report("x", 50, 30, { model: "local/small" });
		const alone = run(opened(listed([session("a", 60, 0)], { a: { runs: [told] } }), "a"), keys("down")).state;
		expect(text(alone)).toContain("This run has no session of its own.");
		expect(text(alone)).toMatch(/── agent x · 11:10 – 11:30 · local\/small ──/);
		expect(text(run(alone, keys("up")).state)).toContain("waited for its runs 20m");
	});

	test("shows whatever a file says as text, in its row", () => {
		const odd = "\u001b[31mred\u0007\n\r\u202e日本\u200b";
		const told = report("x", 50, 30, { agent: odd, task: odd.repeat(30), error: odd, state: "failed", model: odd });
		const state = run(opened(listed([session("a", 60, 0)], { a: { runs: [told] } }), "a"), keys("down")).state;
		const lines = selectScreen(state).panes.flatMap(({ rows, width }) => rows.map(({ line }) => ({ line, width })));
		for (const { line, width } of lines) {
			expect(textOfRow(line)).not.toMatch(/[\p{Cc}\u202e]/u);
			expect(lineWidth(line)).toBeLessThanOrEqual(width);
		}
	});

	test("closes by itself for nobody: a session that is gone leaves a sentence, a run that is gone its bar", () => {
		const state = opened(listed(ROWS, COUNTS), "a");
		const gone = (id: string): Action => ({ type: "catalog", event: { type: "gone", paths: [pathOf(id)] } });
		expect(shown(run(state, gone("v")).state)).toBe("a >s >>t >>>u >v");
		expect(text(run(state, gone("a")).state)).toContain("The session is no longer in the list.");
	});

	test("goes to the runs that failed, round and round", () => {
		const state = opened(listed(ROWS, { ...COUNTS, s: { runs: [report("t", 45, 35, { state: "failed" })] } }), "a");
		const at = (...pressed: readonly string[]): string =>
			selectedTimelineRow(run(state, keys(...pressed)).state)?.key ?? "";
		expect([at("e"), at("e", "e"), at("e", "e", "e"), at("E"), at("E", "E")]).toEqual(
			["t", "v", "t", "v", "t"].map(pathOf),
		);
		expect(whyBlocked(opened(listed(ROWS, { ...COUNTS, a: {}, s: {} }), "a"), "e")).toBe("No run has failed");
	});
});

describe("a bar of the timeline", () => {
	/** The bar of a run of which this is told, without a session of its own. */
	function barOf(
		told: Partial<RunReport> & { readonly from?: number; readonly to?: number },
		...actions: readonly Action[]
	): string {
		const { from, to, ...fields } = told;
		const only = report("x", from, to, fields);
		const state = opened(listed([session("a", 60, 0)], { a: { runs: [only] } }), "a");
		return (page(run(state, ...actions).state)[2] ?? "").replace(/^.*do x +/, "").replace(/[╺╸]/g, "━");
	}

	test("says by its sign how the run ended", () => {
		const bar = (state: RunState, ...actions: readonly Action[]): string =>
			barOf({ from: 30, to: 20, state }, ...actions);
		expect(bar("done")).toMatch(/^━+ +✓ 10m$/);
		expect(bar("failed")).toMatch(/^━+✗ +✗ 10m$/);
		expect(bar("turn limit")).toMatch(/^━+✗ +✗ turn limit 10m$/);
		expect(bar("stopped")).toMatch(/^━+■ +✗ stopped 10m$/);
		expect(bar("running")).toMatch(/^━+■ +✗ interrupted 10m$/);
		expect(barOf({ from: 30, state: "running" }, live("a"))).toMatch(/^━+▸ +● running 30m$/);
		expect(barOf({ state: "queued" }, live("a"))).toMatch(/^┈ +queued$/);
	});

	test("of a session goes on while it is in use, or one of its runs is, although nothing writes to the session itself", () => {
		const rows = [session("a", 60, 40), session("s", 50, 0, "a")];
		const state = opened(listed(rows, { a: {}, s: { ending: "open-call" } }), "a");
		const isOpen = (...used: readonly string[]): boolean =>
			(page(run(state, live(...used)).state)[1] ?? "").includes("▸");
		expect([isOpen(), isOpen("s"), isOpen("a")]).toEqual([false, true, true]);
	});

	test("of a run that is not reported does not work only because its parent is in use", () => {
		const rows = [session("a", 60, 0), session("s", 50, 30, "a")];
		const bar = (...used: readonly string[]): string | undefined =>
			page(run(opened(listed(rows, { a: {}, s: {} }), "a"), live(...used)).state)[2]
				?.trimEnd()
				.split(/ +/)
				.at(-1);
		expect([bar("a"), bar("s")]).toEqual(["20m", "50m"]);
	});

	test("does not wait for runs in the background", () => {
		const told = report("x", 30, 20);
		const bar = (fields: Partial<RunReport>): string | undefined => {
			const nested = { a: { runs: [report("s", 50, 10)] }, s: { runs: [{ ...told, ...fields }] } };
			return page(opened(listed([session("a", 60, 0), session("s", 50, 10, "a")], nested), "a"))[2];
		};
		expect(bar({})).toMatch(/━╾?─+╼?━/);
		expect(bar({ isBackground: true })).not.toContain("─");
	});

	test("is broken if its session is gone, and does not say so of an agent that had none", () => {
		expect(barOf({ from: 30, to: 20, file: "/gone.jsonl" })).toMatch(/^╍+ +✓ 10m gone$/);
		expect(barOf({ from: 30, to: 20, sessionName: "x#12345678" })).toMatch(/^━+ +✓ 10m$/);
		const [gone, none] = [{ file: "/gone.jsonl" }, {}].map((fields) => {
			const state = opened(listed([session("a", 60, 0)], { a: { runs: [report("x", 30, 20, fields)] } }), "a");
			return whyBlocked(run(state, keys("down")).state, "enter");
		});
		expect([gone, none]).toEqual(["The session of this run is gone", "This run has no session of its own"]);
	});

	test("is a question mark where its times are unknown or cannot be true, and says so", () => {
		const cases = [
			{},
			{ startedMs: 0, endedMs: 10 },
			{ from: 20, to: 30 },
			{ startedMs: NOW + 1e12, endedMs: NOW + 2e12 },
			{ startedMs: Number.NaN },
		];
		for (const told of cases) expect(barOf(told)).toMatch(/^\? +✓$/);
		const state = opened(listed([session("a", 60, 0)], { a: { runs: [report("x", 20, 30)] } }), "a");
		expect(text(run(state, keys("down")).state)).toContain("its times are incomplete or implausible");
	});
});

test("a tick changes nothing while nothing works, and only the bars that grow while something does", () => {
	const state = opened(listed(ROWS, COUNTS), "a");
	const later = run(state, { type: "tick", now: NOW + 20_000 }).state;
	expect(selectTimelineRows(later)).toBe(selectTimelineRows(state));
	const working = { ...COUNTS, a: { runs: [report("s", 50, 30), report("v", 40, undefined, { state: "running" })] } };
	const tick = (seconds: number): Action => ({ type: "tick", now: NOW + seconds * 1000 });
	const before = run(opened(listed(ROWS, working), "a"), live("v"), tick(10)).state;
	const after = run(before, tick(20)).state;
	const changed = page(after).flatMap((row, index) => (row === page(before)[index] ? [] : [row]));
	expect(changed.length).toBe(1);
	expect(changed[0]).toMatch(/do v +╺?━+▸ +● running 40m 20s/);
});

test("of any families, every bar is in its place at any size, and is in the same place again", () => {
	const state = fc.constantFrom<RunState>("queued", "running", "done", "failed", "stopped", "timed out", "interrupted");
	const time = fc.option(fc.oneof(fc.integer({ min: -10, max: 600 }), fc.constantFrom(1e7, -1e7, Number.NaN)), {
		nil: undefined,
	});
	const made = fc.record({
		parent: fc.nat(20),
		from: time,
		to: time,
		state,
		hasFile: fc.boolean(),
		isReported: fc.boolean(),
	});
	const size = fc.constantFrom([200, 60], [120, 30], [80, 24], [40, 10]);
	fc.assert(
		fc.property(
			fc.array(made, { minLength: 1, maxLength: 20 }),
			size,
			fc.boolean(),
			(plan, [columns = 0, rows = 0], isLive) => {
				const sessions = [session("0", 600, 1)];
				const counted: Record<string, Partial<SessionCounts>> = { 0: {} };
				for (const [index, { parent, from, to, state: how, hasFile, isReported }] of plan.entries()) {
					const id = String(index + 1);
					const known = sessions[parent % sessions.length]?.id ?? "0";
					if (hasFile) sessions.push(session(id, Number.isFinite(from) ? (from ?? 5) : 5, 0, known));
					if (hasFile) counted[id] ??= {};
					const told = report(id, from, to, { state: how });
					if (isReported || !hasFile)
						counted[known] = { ...counted[known], runs: [...(counted[known]?.runs ?? []), told] };
				}
				const start = opened(listed(sessions, counted, { columns, rows }), "0");
				const open = isLive ? run(start, live("0")).state : start;
				const all = selectTimelineRows(open);
				expect(all.length).toBe(plan.length + 1);
				expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
				for (const { bar } of all) expect(bar.period?.endMs ?? 0).toBeGreaterThanOrEqual(bar.period?.startMs ?? 0);
				const list = selectScreen(open).panes.find(({ id }) => id === "list");
				for (const { line } of list?.rows ?? []) expect(lineWidth(line)).toBeLessThanOrEqual(columns);
				for (const line of page(open).slice(1)) expect(line).toMatch(/[━─┈·╸╺╴╶╾╼╍✗■▸?]/);
				const again = run(open, { type: "catalog", event: { type: "rows", rows: sessions.toReversed() } }).state;
				expect(selectTimelineRows(again).map(({ key }) => key)).toEqual(all.map(({ key }) => key));
			},
		),
		{ numRuns: caseCount(100) },
	);
});

test("the footer shows what the page can do", () => {
	const state = opened(listed(ROWS, COUNTS), "a");
	expect(textOfRow(selectScreen(state).footer).trim()).toBe(
		"enter open  / find  e next failed  q back  ctrl+k commands",
	);
	expect(bindingFor(state, "right")?.id).toBe("go-to-run");
	expect(bindingsFor(state).filter(({ section }) => section === "Timeline").length).toBe(3);
});
