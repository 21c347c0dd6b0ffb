import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { waitingCount } from "../../../../src/app/world/list/list-counts.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import { commandFor } from "../../../../src/app/world/state/binding.ts";
import type { Ending } from "../../../../src/catalog/model/ending.ts";
import { applyChanges, changedSession } from "../../../../src/changes/noted/marks.ts";
import { caseCount } from "../../../support/cases.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";
import {
	DAY,
	does,
	ended,
	fresh,
	header,
	keys,
	listed,
	pathOf,
	press,
	ROWS,
	run,
	selected,
	shown,
	textOf,
	used,
	whole,
} from "./narrowed-list.ts";

const lineOf = (state: Parameters<typeof selectScreen>[0], text: string): string =>
	selectScreen(state)
		.panes.filter(({ id }) => id === "list")
		.flatMap((pane) => pane.rows.map(({ line }) => textOf(line)))
		.find((line) => line.includes(text)) ?? "";

/** What the row of a session says of its ending. */
const stateIn = (state: Parameters<typeof selectScreen>[0], id: string): string =>
	/ (asks|failed|aborted|no result|no answer) /.exec(lineOf(state, ` ${id} `))?.[1] ?? "";

describe("the header counts what waits", () => {
	test("before what is listed, in a word where there is room; if nothing waits it says nothing", () => {
		const state = whole();
		expect(header(state)).toMatch(/^ pi-grove .* newest ▾ {2}all ▾ +◐ 6 wait for you {2}24 sessions $/);
		const at = (columns: number): string => header(run(state, { type: "resize", columns, rows: 24 }));
		expect(at(80)).toMatch(/^ ❯ type to search +newest ▾ {2}all ▾ +◐ 6 {2}24 sessions $/);
		expect(at(40)).toMatch(/^ ❯ type to search +all ▾ +◐ 6 {2}24 $/);
		expect(header(run(fresh(), listed(ROWS), LISTED))).not.toContain("◐");
	});

	test("what is before the counts stays where it is, whatever they are", () => {
		const state = whole();
		const at = (now: typeof state) => header(now).indexOf("▾ ");
		for (const text of ["is:named", "no such words", "on:today"])
			expect(at(run(state, { type: "text", text })), text).toBeGreaterThan(0);
		expect(at(run(state, { type: "text", text: "is:named" }))).toBe(at(state));
	});

	test("the number of what is marked or listed stays longest; what is damaged goes after the words", () => {
		const bad = makeRow("z", {
			path: pathOf("z"),
			diagnostics: [{ code: "bad-line", severity: "damage", message: "Line 2 is not JSON" }],
		});
		const state = run(whole(), listed([bad]));
		const at = (now: typeof state, columns: number): string => header(run(now, { type: "resize", columns, rows: 24 }));
		expect(at(state, 160)).toMatch(/◐ 6 wait for you {2}1 damaged {2}25 sessions $/);
		expect(at(state, 80)).toMatch(/ ◐ 6 {2}1 damaged {2}25 $/);
		const marked = does(state, "mark");
		expect(at(marked, 80)).toMatch(/ ◐ 6 !1 ✓ 1 marked .*$/);
		// Where there is no room for the word, its sign says it.
		expect(at(state, 40)).toMatch(/ all ▾ +◐ 6 !1 25 $/);
		expect(at(marked, 40)).toMatch(/ ✓ 1 marked $/);
		// A blank is between the scope and the counts.
		const archive = does(state, "scope-archived");
		for (let columns = 40; columns < 160; columns++) expect(at(archive, columns)).toMatch(/▾ +[\d◐!]/);
	});

	test("as many as its query finds, for any sessions", () => {
		const kind = fc.record({
			days: fc.integer({ min: -1, max: 20 }),
			ending: fc.constantFrom<Ending>("", "asks", "failed"),
			isUsed: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(kind, { minLength: 1, maxLength: 20 }), (kinds) => {
				const ids = kinds.map((_, index) => String.fromCharCode(97 + index));
				const rows = kinds.map(({ days }, index) => makeRow(ids[index] ?? "", { age: days * DAY + 30 }));
				const state = run(
					fresh(),
					listed(rows),
					ended(Object.fromEntries(kinds.map(({ ending }, index) => [ids[index] ?? "", ending]))),
					used(ids.filter((_, index) => kinds[index]?.isUsed).join("")),
					LISTED,
				);
				for (const found of [run(state, { type: "text", text: "is:waiting" }), does(state, "only-waiting")])
					expect(selectList(found).rows).toHaveLength(waitingCount(state));
			}),
			{ numRuns: caseCount(40) },
		);
	});

	test("a session does not wait for the person while the run that it has called works", () => {
		const asked = makeRow("a", { path: pathOf("a"), age: 100 });
		const run1 = makeRow("r", { path: pathOf("r"), run: { parent: pathOf("a"), runId: "r", index: 0, isFork: false } });
		const rows = { ...listed([asked, run1]) };
		const state = run(fresh(), rows, ended({ a: "open-call" }), LISTED);
		const waits = (at: typeof state) => [waitingCount(at), stateIn(at, "a")];
		expect(waits(state)).toEqual([1, "no result"]);
		expect(waits(run(state, used("r")))).toEqual([0, ""]);
		expect(waits(run(state, ended({ a: "asks" }), used("r")))).toEqual([1, "asks"]);
	});

	test("and a click, a command or its query lists them", () => {
		const state = run(whole(), used("c"));
		expect(shown(press(state, "5 wait for"))).toBe("bdefh");
		expect(shown(does(state, "only-running"))).toBe("c");
		expect(shown(does(state, "only-waiting"))).toBe("bdefh");
		expect(shown(run(state, { type: "text", text: "is:waiting" }))).toBe("bdefh");
		expect(shown(run(state, { type: "text", text: "today" }))).toBe("a");
	});

	test("not in the archive, where nothing goes on", () => {
		expect(header(does(whole(), "scope-archived"))).not.toContain("◐");
	});
});

test("there are no sections: pinned sessions come first in every order, the rest in that order", () => {
	const state = whole({}, "gx");
	expect(shown(state)).toBe("gxabcdefhijklmnopqrstuvw");
	for (const order of ["recent", "title", "created", "size", "cost", "model"])
		expect(
			shown(does(state, `sort-${order}`))
				.slice(0, 2)
				.split("")
				.sort()
				.join(""),
		).toBe("gx");
	expect(shown(run(state, { type: "text", text: "is:waiting" }))).toBe("bcdefh");
});

test("a row says why its session waits, all in one column; where there is none, that it waits", () => {
	const state = whole();
	expect(["b", "c", "p"].map((id) => stateIn(state, id))).toEqual(["asks", "failed", ""]);
	expect(stateIn(run(state, used("e")), "e")).toBe("");
	const ends = ["b", "c", "d", "e"].map((id) => /(asks|failed|aborted|no result) /.exec(lineOf(state, ` ${id} `)));
	expect(new Set(ends.map((match) => (match?.index ?? 0) + (match?.[0].length ?? 0))).size).toBe(1);
	const narrow = run(state, { type: "resize", columns: 50, rows: 24 });
	expect([lineOf(narrow, "name b"), lineOf(narrow, "of p ")]).toEqual([
		expect.stringContaining("◐"),
		expect.not.stringContaining("◐"),
	]);
});

describe("done with it", () => {
	const OF_B = changedSession(makeRow("b", { cwd: "/home/me/api" }));
	const marksOf = (state: ReturnType<typeof whole>, time: number) =>
		run({ ...state, marks: applyChanges([{ ...OF_B, done: time, on: true }]) }, { type: "tick", now: NOW });

	test("takes a session out of what waits, until something more is said in it", () => {
		const state = whole();
		const b = ROWS[1];
		const put = marksOf(state, b?.modified.getTime() ?? 0);
		expect(waitingCount(put)).toBe(waitingCount(state) - 1);
		expect(lineOf(put, "name b")).not.toContain("◐");
		const grown = run(put, listed([makeRow("b", { age: DAY - 60 })]));
		expect(waitingCount(grown)).toBe(waitingCount(state));
	});

	test("is a change of ours that can be undone, and the same command takes it back", () => {
		const onB = run(whole(), keys("down"));
		expect(selected(onB)).toBe("b");
		const time = ROWS[1]?.modified.getTime() ?? 0;
		expect(commandFor(onB, "done-with")?.run(onB)[1]).toEqual([
			{ type: "mark", paths: [pathOf("b")], changes: [{ ...OF_B, done: time, on: true }] },
		]);
		const put = marksOf(onB, time);
		expect(commandFor(put, "done-with")?.run(put)[1]).toEqual([
			{ type: "mark", paths: [pathOf("b")], changes: [{ ...OF_B, done: time, on: false }] },
		]);
		const onA = run(whole(), keys("home"));
		expect(commandFor(onA, "done-with")?.run(onA)[0].message?.text).toBe("This session is not waiting for you");
	});
});
