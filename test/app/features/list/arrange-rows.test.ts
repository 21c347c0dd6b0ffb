import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Arrangement, arrangeFound, arrangeRows, withFirst } from "../../../../src/app/world/list/arrange-rows.ts";
import { familiesOf, familyDollars, NO_FAMILIES } from "../../../../src/app/world/list/families.ts";
import { connectorsOf, type ThreadedRow } from "../../../../src/app/world/list/thread.ts";
import type { Sort } from "../../../../src/app/world/state/list-columns.ts";
import { NOTHING_IN_IT, type SessionCounts } from "../../../../src/catalog/model/counts.ts";
import { NO_MARKS } from "../../../../src/catalog/model/marks.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { applyChanges } from "../../../../src/changes/noted/marks.ts";
import { withEntries } from "../../../../src/shared/maps.ts";
import { caseCount, FIRST_SEED } from "../../../support/cases.ts";
import { makeRow } from "../../../support/rows.ts";

const NO_GIT: ReadonlyMap<string, string> = new Map();

function countsOf(turns: number, model: string): SessionCounts {
	const numbers = { turns, branches: turns % 2, errors: 3 - turns, tokens: turns, cost: turns / 4, labels: 0 };
	return { ...NOTHING_IN_IT, ...numbers, model };
}

const pins = (ids: readonly string[]) => applyChanges(ids.map((id) => ({ id, on: true }))).pinned;
const drawn = (rows: readonly ThreadedRow[]): string[] =>
	rows.map(({ row: { id }, level }) => connectorsOf(level, Number.POSITIVE_INFINITY) + id);

describe("the order of the list", () => {
	const rows = ["a", "b", "c", "d", "e", "f"].map((name, age) =>
		makeRow(name, { age, cwd: age % 2 === 0 ? "/x/one" : "/y/two", ...(age === 4 && { place: "mini" }) }),
	);
	const all = new Map(rows.map((row) => [row.path, row]));
	const arrangement = (sort: Sort, pinned = "", reversed = false): Arrangement => ({
		order: { sort, reversed },
		isShown: undefined,
		pinned: pins([...pinned]),
		counts: new Map(),
		families: NO_FAMILIES,
		git: new Map([["/x/one", "main"]]),
	});
	const ids = (some: readonly ThreadedRow[]): string => drawn(some).join("");

	test.each<[Sort, string, string]>([
		["project", "acebdf", "bdface"],
		["git", "acebdf", "bdface"],
		["place", "abcdfe", "eabcdf"],
	])("by %s: %s, turned round: %s; of equal ones the newer is first", (sort, natural, reversed) => {
		expect(ids(arrangeRows(all, arrangement(sort)))).toBe(natural);
		expect(ids(arrangeRows(all, arrangement(sort, "", true)))).toBe(reversed);
	});

	test("pinned sessions come first, by project first of their project; what is hidden is left out", () => {
		expect(ids(arrangeRows(all, arrangement("recent", "ce")))).toBe("ceabdf");
		expect(ids(arrangeRows(all, arrangement("project", "cf")))).toBe("caefbd");
		expect(ids(arrangeRows(all, { ...arrangement("recent", "c"), isShown: ({ id }) => id > "b" }))).toBe("cdef");
	});

	test("what was found is by its rank, else in the order; what has the words in other forms comes behind, in parts alike", () => {
		const ranks = new Map(["d", "b", "f", "a"].map((id, rank) => [rows.find((row) => row.id === id) ?? never(), rank]));
		const found = (sort: Sort, pinned: string, reversed: boolean, others: string) => {
			const paths = new Set([...others].map((id) => makeRow(id).path));
			const order = arrangement(sort, pinned, reversed);
			return ids(arrangeFound(all, ranks, order, { families: familiesOf(all), others: paths }).rows);
		};
		expect(found("relevance", "", false, "")).toBe("dbfa");
		expect(found("relevance", "f", true, "")).toBe("fabd");
		expect(found("recent", "", false, "")).toBe("abdf");
		expect(found("relevance", "a", false, "db")).toBe("afdb");
		expect(found("recent", "d", false, "da")).toBe("bfda");
	});

	test("by cost and by time counts runs for the sessions above them, however rows and counts change", () => {
		const names = Array.from({ length: 20 }, (_, at) => `s${at}`);
		// Each but the first three is a run of one before it.
		const runRow = (at: number, parent: number, age: number): SessionRow => {
			const run = { parent: makeRow(names[parent % at] ?? "").path, runId: "r", index: 0, isFork: false };
			return makeRow(names[at] ?? "", at < 3 ? { age } : { age, run });
		};
		const index = fc.nat(names.length - 1);
		const step = fc.oneof(
			fc.record({ counted: index, turns: fc.nat(40) }),
			fc.record({ changed: index, parent: fc.nat(), age: fc.nat(9) }),
			fc.record({ gone: index }),
		);
		fc.assert(
			fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), fc.boolean(), (steps, reversed) => {
				let rows: ReadonlyMap<string, SessionRow> = new Map(
					names.map((name, at) => [makeRow(name).path, runRow(at, at >> 1, at)]),
				);
				let counts: ReadonlyMap<string, SessionCounts> = new Map(
					names.map((name, at) => [makeRow(name).path, countsOf(at, "opus")]),
				);
				for (const each of steps) {
					if ("gone" in each) rows = withEntries(rows, [], [makeRow(names[each.gone] ?? "").path]);
					else if ("counted" in each)
						counts = withEntries(counts, [[makeRow(names[each.counted] ?? "").path, countsOf(each.turns, "opus")]]);
					else {
						const changed = runRow(each.changed, each.parent, each.age);
						rows = withEntries(rows, [[changed.path, changed]]);
					}
					const families = familiesOf(rows);
					const order = { sort: "cost", reversed } as const;
					const facts = { order, isShown: undefined, pinned: NO_MARKS.pinned, git: NO_GIT };
					const sorted = arrangeRows(rows, { ...facts, counts, families }).map(({ row: { id } }) => id);
					const cost = ({ path }: SessionRow): number =>
						(families.runs.get(path) ?? []).reduce((sum, run) => sum + cost(run), counts.get(path)?.cost ?? 0);
					for (const one of rows.values()) expect(familyDollars(one, families, counts)).toBe(cost(one));
					const turn = reversed ? -1 : 1;
					const time = ({ path, modified }: SessionRow): number =>
						Math.max(modified.getTime(), ...(families.runs.get(path) ?? []).map(time));
					const byLatest = (a: SessionRow, b: SessionRow): number => time(b) - time(a) || (a.path < b.path ? -1 : 1);
					const expected = [...rows.values()].sort((a, b) => turn * (cost(b) - cost(a)) || byLatest(a, b));
					expect(sorted).toEqual(expected.map(({ id }) => id));
					const recent = arrangeRows(rows, { ...facts, order: { sort: "recent", reversed: false }, counts, families });
					expect(recent.map(({ row: { id } }) => id)).toEqual([...rows.values()].sort(byLatest).map(({ id }) => id));
				}
			}),
			{ numRuns: caseCount(200), seed: FIRST_SEED },
		);
	});

	test("has whole threads of a directory first, below pinned ones", () => {
		const fork = { above: undefined, isLast: true };
		const item = (key: string, cwd: string, level?: typeof fork) => ({ key, row: makeRow(key, { cwd }), level });
		const rows = [item("a", "/y"), item("b", "/x", fork), item("c", "/x"), item("d", "/y", fork), item("e", "/y")];
		expect(drawn(withFirst(rows, "/x", pins(["e"])))).toEqual(["e", "c", "└─ d", "a", "└─ b"]);
	});
});

function never(): never {
	throw new Error("there is no such row");
}
