import { describe, expect, test } from "vitest";
import { reportsIn } from "../../../src/catalog/families/reports-in.ts";
import { runMarkIn } from "../../../src/catalog/families/run-mark.ts";
import { isSessionPath, runPlaceOf } from "../../../src/catalog/model/run-place.ts";
import { familyCost, type SessionSpending, spendingOf } from "../../../src/catalog/stats/family-cost.ts";
import { usageOf } from "../../../src/catalog/stats/usage.ts";
import { isObject } from "../../../src/shared/is-object.ts";
import type { RawEntry } from "../../../src/store/format/raw-entry.ts";
import { FAMILY_ROOTS, type FamilyFile, familyFiles } from "../../support/family.ts";

/** Sessions as the rule sees them, by path. */
type Sessions = Readonly<Record<string, Partial<SessionSpending> & { readonly paid: SessionSpending["paid"] }>>;

function costIn(sessions: Sessions, path = "p") {
	const sessionAt = (at: string): SessionSpending | undefined => {
		const session = sessions[at];
		return session && { path: at, runs: [], told: [], ...session };
	};
	const parent = sessionAt(path);
	if (parent === undefined) throw new Error("no parent");
	return familyCost(parent, sessionAt);
}

/** Entries that cost as much as their number says: entry 4 costs 4. */
function paid(...entries: readonly number[]): ReadonlyMap<number, number> {
	return new Map(entries.map((entry) => [entry, entry]));
}

/** What the parent was told of a run that has cost 8. */
const TOLD = {
	nothing: {},
	"in the run's result": { cost: 8 },
	"too little in the run's result": { cost: 3 },
	"for all runs of the call": { together: 8 },
	both: { cost: 8, together: 8 },
	"less in the run's result": { cost: 3, together: 8 },
} as const;
/** What the session of the run has of its own. */
const FILES = {
	"no session": undefined,
	"a whole session": [8],
	"a session of which the end is missing": [5],
} as const;
/** The entries of others with which the session of the run begins. */
const CONTEXTS = { "a fresh run": [], "a run with forked context": [1, 2] } as const;

describe("a run that has cost 8, of a session that has cost 3 by itself", () => {
	const combinations = Object.entries(TOLD).flatMap(([how, told]) =>
		Object.entries(FILES).flatMap(([file, own]) =>
			Object.entries(CONTEXTS).map(([context, copied]) => ({ how, told, file, own, context, copied })),
		),
	);
	test.each(combinations)("$context with $file, told of: $how", ({ told, own, copied }) => {
		const { cost, together } = { cost: undefined, together: undefined, ...told };
		const run = { key: "r", cost, path: "c" };
		const sessions: Sessions = {
			p: { paid: paid(1, 2), runs: [run], told: together === undefined ? [] : [{ cost: together, keys: ["r"] }] },
			...(own && { c: { paid: paid(...copied, ...own) } }),
		};
		const expected = Math.max(cost ?? 0, together ?? 0, own?.[0] ?? 0);
		expect(costIn(sessions)).toEqual({ own: 3, runs: new Map([["r", expected]]), total: 3 + expected });
	});

	test.each(combinations)(
		"$context with $file, told of: $how, started by a run with forked context",
		({ told, own, copied }) => {
			const { cost, together } = { cost: undefined, together: undefined, ...told };
			const sessions: Sessions = {
				p: { paid: paid(1, 2), runs: [{ key: "f", cost: 16, path: "f" }] },
				// What it was told of its run is not in what the parent was told of it.
				f: {
					paid: paid(1, 2, 16),
					runs: [{ key: "r", cost, path: "c" }],
					told: together === undefined ? [] : [{ cost: together, keys: ["r"] }],
				},
				...(own && { c: { paid: paid(...copied, ...(copied.length > 0 ? [16] : []), ...own) } }),
			};
			const expected = Math.max(cost ?? 0, together ?? 0, own?.[0] ?? 0);
			expect(costIn(sessions)).toEqual({ own: 3, runs: new Map([["f", 16 + expected]]), total: 19 + expected });
		},
	);
});

test("a result that says what several runs have cost together adds only what they do not account for", () => {
	const runs = [
		{ key: "a", cost: 2, path: "a" },
		{ key: "b", path: "b" },
	];
	const sessions = { p: { paid: paid(1), runs, told: [{ cost: 10, keys: ["a", "b"] }] }, b: { paid: paid(5) } };
	expect(costIn(sessions).total).toBe(11);
	expect(costIn({ ...sessions, b: { paid: paid(9) } }).total).toBe(12);
	// The same said again, by another result.
	expect(costIn({ ...sessions, p: { ...sessions.p, told: [...sessions.p.told, ...sessions.p.told] } }).total).toBe(11);
});

test("a session that goes on in later runs counts once", () => {
	const runs = [
		{ key: "a", cost: 4, path: "c" },
		{ key: "b", cost: 5, path: "c" },
	];
	expect(costIn({ p: { paid: paid(1), runs }, c: { paid: paid(4, 5) } })).toMatchObject({ total: 10 });
	expect(costIn({ p: { paid: paid(1), runs } })).toMatchObject({ total: 10 });
});

test("a session that two parents name counts for the first, and one that names itself is not followed", () => {
	const runs = [
		{ key: "a", path: "a" },
		{ key: "c", path: "c" },
	];
	const sessions = {
		p: { paid: paid(1), runs },
		a: { paid: paid(2), runs: [{ key: "c", path: "c" }] },
		c: { paid: paid(4), runs: [{ key: "p", path: "p" }] },
	};
	expect(costIn(sessions).total).toBe(7);
});

describe("families of the packages", () => {
	/** The sessions of a family, with what each says; `isGone`: the sessions of runs are not there. */
	function costOfFamily(name: string, isGone = false): number {
		const [parent, ...others] = familyFiles(name).filter(({ path }) => isSessionPath(path, FAMILY_ROOTS));
		const files = new Map(
			[parent, ...(isGone ? [] : others)].flatMap((file) => (file ? [[file.path, file] as const] : [])),
		);
		const sessionAt = (path: string): SessionSpending | undefined => {
			const file = files.get(path);
			const above = files.get(runPlaceOf(path, FAMILY_ROOTS)?.parent ?? "");
			const ids = new Set(above?.entries.map(({ id }) => id));
			return (
				file &&
				spendingOf(
					path,
					file.entries,
					({ id }) => ids.has(id),
					({ file: named, key }) => named ?? fileOf(key),
				)
			);
		};
		const fileOf = (key: string): string | undefined =>
			[...files.values()].find(({ entries }) =>
				entries.some((entry) => key.startsWith(runMarkIn(entry)?.agentId ?? "nobody")),
			)?.path;
		return familyCost(sessionAt(parent?.path ?? "") ?? spendingOf("", []), sessionAt).total;
	}

	/** What the provider was paid for: each answer, once. */
	function paidIn(files: readonly FamilyFile[]): number {
		const answers = new Map<unknown, RawEntry>();
		for (const { path, entries } of files)
			for (const entry of entries)
				if (isSessionPath(path, FAMILY_ROOTS) && isObject(entry.message) && entry.message.role === "assistant")
					answers.set(entry.id, entry);
		return [...answers.values()].reduce((sum, entry) => sum + (usageOf(entry)?.spent.cost ?? 0), 0);
	}

	test.each(["fresh", "fork", "nested", "parallel", "chain", "background", "waited", "agent-session"])(
		"%s costs what its answers have cost",
		(name) => {
			expect(costOfFamily(name)).toBeCloseTo(paidIn(familyFiles(name)), 10);
		},
	);

	test.each(["fresh", "fork", "parallel", "chain", "waited", "old-parallel", "old-chain"])(
		"%s costs the same without the sessions of its runs",
		(name) => {
			expect(costOfFamily(name, true)).toBeCloseTo(paidIn(familyFiles(name)), 10);
		},
	);

	test("what runs have cost that nobody was told of is lost with their sessions", () => {
		for (const name of ["nested", "background", "agent-session"])
			expect(costOfFamily(name, true)).toBeLessThan(paidIn(familyFiles(name)) - 0.001);
	});

	test("what a run with forked context has copied of its parent is about the parent's runs", () => {
		const [parent, fork] = familyFiles("fork").filter(({ path }) => isSessionPath(path, FAMILY_ROOTS));
		const ids = new Set(parent?.entries.map(({ id }) => id));
		expect(fork?.entries.flatMap(reportsIn)).toMatchObject([{ agent: "adviser", state: "running" }]);
		expect(spendingOf("f", fork?.entries ?? [], ({ id }) => ids.has(id)).runs).toEqual([]);
	});
});
