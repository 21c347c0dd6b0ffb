import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { COUNTED_TERMS, headerCounts } from "../../../../src/app/world/list/list-counts.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import { commandFor } from "../../../../src/app/world/state/binding.ts";
import { CHIP_TERMS } from "../../../../src/app/world/state/list-state.ts";
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

describe("the header counts what runs, what waits, and what is of today", () => {
	test("at its right end, each only if there is any, shorter where there is less room", () => {
		const state = run(whole(), used("c"));
		expect(header(state)).toMatch(/^ pi-grove {2}24 sessions .* {2}● 1 running {2}◐ 5 waiting {2}1 today $/);
		expect(header(run(state, used("")))).not.toContain("running");
		const at = (columns: number): string => header(run(state, { type: "resize", columns, rows: 24 })).trim();
		expect(at(56)).toMatch(/● 1 running {2}◐ 5 waiting$/);
		expect(at(40)).toMatch(/24 sessions +● 1 running$/);
	});

	test("while the text is no query, the header names the query that is still listed", () => {
		const state = run(whole(), { type: "text", text: "is:named" });
		expect(header(state)).toMatch(/^ pi-grove {2}3 of 24 sessions ·? /);
		const wrong = run(state, { type: "text", text: "x" });
		expect(header(wrong)).toMatch(/^ pi-grove {2}3 of 24 sessions for is:named /);
	});

	test("as many as their queries find, for any sessions", () => {
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
				for (const term of COUNTED_TERMS)
					for (const found of [run(state, { type: "text", text: term }), does(state, CHIP_TERMS[term].command)])
						expect(selectList(found).rows).toHaveLength(headerCounts(state)[term]);
			}),
			{ numRuns: caseCount(40) },
		);
	});

	test("a session does not wait for the person while the run that it has called works", () => {
		const asked = makeRow("a", { path: pathOf("a"), age: 100 });
		const run1 = makeRow("r", { path: pathOf("r"), run: { parent: pathOf("a"), runId: "r", index: 0, isFork: false } });
		const rows = { ...listed([asked, run1]) };
		const state = run(fresh(), rows, ended({ a: "open-call" }), LISTED);
		const waits = (at: typeof state) => [headerCounts(at)["is:waiting"], lineOf(at, "◐")];
		expect(waits(state)).toEqual([1, expect.stringContaining("◐ no result")]);
		expect(waits(run(state, used("r")))).toEqual([0, ""]);
		expect(waits(run(state, ended({ a: "asks" }), used("r")))).toEqual([1, expect.stringContaining("◐ asks")]);
	});

	test("and a click, a command or its query lists them", () => {
		const state = run(whole(), used("c"));
		expect(shown(press(state, "waiting"))).toBe("bdefh");
		expect(shown(press(state, "running"))).toBe("c");
		expect(shown(press(state, "1 today"))).toBe("a");
		expect(shown(does(state, "only-waiting"))).toBe("bdefh");
		expect(shown(run(state, { type: "text", text: "is:waiting" }))).toBe("bdefh");
		expect(shown(run(state, { type: "text", text: "today" }))).toBe("a");
	});

	test("not in the archive, where nothing goes on", () => {
		expect(header(does(run(whole(), used("c")), "scope-archived"))).not.toContain("running");
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

test("a row says that its session waits, and why; one at work does not wait", () => {
	const state = whole();
	expect(lineOf(state, "name b")).toContain("◐ asks");
	expect(lineOf(state, "name c")).toContain("◐ failed");
	expect(lineOf(state, "of p ")).not.toContain("◐");
	const atWork = run(state, used("e"));
	expect(lineOf(atWork, "of e ")).not.toContain("◐");
});

describe("done with it", () => {
	const OF_B = changedSession(makeRow("b", { cwd: "/home/me/api" }));
	const marksOf = (state: ReturnType<typeof whole>, time: number) =>
		run({ ...state, marks: applyChanges([{ ...OF_B, done: time, on: true }]) }, { type: "tick", now: NOW });

	test("takes a session out of what waits, until something more is said in it", () => {
		const state = whole();
		const b = ROWS[1];
		const put = marksOf(state, b?.modified.getTime() ?? 0);
		expect(headerCounts(put)["is:waiting"]).toBe(headerCounts(state)["is:waiting"] - 1);
		expect(lineOf(put, "name b")).not.toContain("◐");
		const grown = run(put, listed([makeRow("b", { age: DAY - 60 })]));
		expect(headerCounts(grown)["is:waiting"]).toBe(headerCounts(state)["is:waiting"]);
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
