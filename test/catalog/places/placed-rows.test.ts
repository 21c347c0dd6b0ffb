import fc from "fast-check";
import { expect, test } from "vitest";
import type { SessionRow } from "../../../src/catalog/model/row.ts";
import { directoryHere, eachOnce, RowsOnce, rowOfPlace } from "../../../src/catalog/places/placed-rows.ts";
import { caseCount } from "../../support/cases.ts";
import { makeRow } from "../../support/rows.ts";

const PLACES = [undefined, "mini", "old"] as const;

/** A step: a row of a place that appears, changes, gets another id or loses it; or one that goes. */
const STEP = fc.record({
	place: fc.constantFrom(...PLACES),
	file: fc.constantFrom("/a", "/b", "/c"),
	// The last one looks like what stands for a row without an id.
	id: fc.constantFrom("one", "two", "", "\0mini:/a", "path mini:/a"),
	size: fc.integer({ min: 1, max: 3 }),
	isGone: fc.boolean(),
});

type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;

const rowOf = ({ place, file, id, size }: Omit<Step, "isGone">): SessionRow =>
	makeRow(file, { id, size, path: place === undefined ? file : `${place}:${file}`, ...(place && { place }) });

test("kept up to date by changes, the list is the same as one made of all rows", () => {
	const property = fc.property(fc.array(fc.array(STEP, { maxLength: 5 }), { maxLength: 12 }), (batches) => {
		const all = new Map<string, SessionRow>();
		const once = new RowsOnce();
		const shown = new Map<string, SessionRow>();
		for (const batch of batches) {
			const rows = batch.filter(({ isGone }) => !isGone).map(rowOf);
			const gone = batch.filter(({ isGone }) => isGone).map((step) => rowOf(step).path);
			for (const path of gone) all.delete(path);
			for (const row of rows) all.set(row.path, row);
			const changes = once.change(rows, gone);
			for (const path of changes.gone) expect(shown.delete(path), "what is gone was shown").toBe(true);
			for (const row of changes.rows) shown.set(row.path, row);
			// What has gone and come back in one step is told once, as a row.
			expect(changes.gone.filter((path) => changes.rows.some((row) => row.path === path))).toEqual([]);
			const expected = eachOnce([...all.values()]);
			expect([...shown.values()].map(comparable).toSorted()).toEqual(expected.map(comparable).toSorted());
		}
	});
	fc.assert(property, { numRuns: caseCount(200) });
});

const comparable = ({ path, id, size, alsoIn }: SessionRow): string =>
	JSON.stringify({ path, id, size, alsoIn: alsoIn?.toSorted() });

test("which of two equal sessions is shown does not depend on which place answers first", () => {
	const [mini, old] = [
		rowOf({ place: "mini", file: "/a", id: "one", size: 1 }),
		rowOf({ place: "old", file: "/b", id: "one", size: 1 }),
	];
	for (const rows of [
		[mini, old],
		[old, mini],
	])
		expect(eachOnce(rows)).toMatchObject([{ path: "mini:/a", alsoIn: ["old"] }]);
});

test("what has not changed is not told again", () => {
	const once = new RowsOnce();
	const here = makeRow("a", { id: "x" });
	const mirror = rowOfPlace(makeRow("b", { id: "x" }), "mini");
	expect(once.change([here])).toMatchObject({ rows: [{ path: here.path }], gone: [] });
	expect(once.change([here])).toEqual({ rows: [], gone: [] });
	expect(once.change([mirror])).toMatchObject({ rows: [{ path: here.path, alsoIn: ["mini"] }], gone: [] });
	expect(once.change([mirror])).toEqual({ rows: [], gone: [] });
	expect(once.change([], ["mini:/nothing"])).toEqual({ rows: [], gone: [] });
	expect(once.change([], [here.path])).toMatchObject({ rows: [{ path: mirror.path }], gone: [here.path] });
});

test("a row of a place is called by it, with what it names; its home is the one here", () => {
	const row = makeRow("a", {
		path: "/s/a.jsonl",
		cwd: "/home/bo/work",
		parentSession: "/s/b.jsonl",
		run: { parent: "/s/c.jsonl", runId: "r", index: 1, isFork: false },
	});
	const homes = { there: "/home/bo", here: "/home/ada" };
	expect(rowOfPlace(row, "mini", homes)).toMatchObject({
		path: "mini:/s/a.jsonl",
		place: "mini",
		cwd: "/home/ada/work",
		parentSession: "mini:/s/b.jsonl",
		run: { parent: "mini:/s/c.jsonl" },
	});
	expect(rowOfPlace(row, "mini").cwd).toBe("/home/bo/work");
	for (const [cwd, expected] of [
		["/home/bo", "/home/ada"],
		["/home/bob", "/home/bob"],
		["/srv", "/srv"],
		["", ""],
	])
		expect(rowOfPlace({ ...row, cwd: cwd ?? "" }, "mini", homes).cwd).toBe(expected);
	// A home that is no directory of its own has nothing in it.
	for (const there of ["", "/"])
		expect(rowOfPlace({ ...row, cwd: "/srv" }, "mini", { there, here: "/home/ada" }).cwd).toBe("/srv");
});

test.skipIf(process.platform === "win32")("a directory there is found here with the home directory replaced", () => {
	const cases: readonly (readonly [cwd: string, homeThere: string, here: string | undefined])[] = [
		["/home/ada/work/api", "/home/ada", "/Users/ada/work/api"],
		["/home/ada", "/home/ada/", "/Users/ada"],
		["/home/ada2/work", "/home/ada", "/home/ada2/work"],
		["/srv/app", "/home/ada", "/srv/app"],
		// A home that is no directory of its own has nothing in it.
		["/srv/app", "/", "/srv/app"],
		["/home/ada/..x", "/home/ada", "/Users/ada/..x"],
		// Nothing that says more than its names is followed.
		["/home/ada/../bob", "/home/ada", undefined],
		["/home//ada", "/home/ada", undefined],
		["work/api", "/home/ada", undefined],
		["~/work", "/home/ada", undefined],
		["file:///etc", "/home/ada", undefined],
		["C:\\work", "C:\\Users\\ada", undefined],
		["/home/a\0b", "/home/ada", undefined],
		["", "/home/ada", undefined],
		["/srv/app", "../..", "/srv/app"],
	];
	for (const [cwd, home, here] of cases)
		expect([cwd, directoryHere(cwd, { there: home, here: "/Users/ada" })]).toEqual([cwd, here]);
});
