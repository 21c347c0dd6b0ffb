import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Arrangement, arrangeFound, arrangeRows, withFirst } from "../../../../src/app/world/list/arrange-rows.ts";
import { familiesOf, familyDollars, NO_FAMILIES } from "../../../../src/app/world/list/families.ts";
import { NO_PROJECTS, projectNames } from "../../../../src/app/world/list/projects.ts";
import { connectorsOf, type ThreadedRow } from "../../../../src/app/world/list/thread.ts";
import { type Order, SORTS } from "../../../../src/app/world/state/list-columns.ts";
import { NOTHING_IN_IT, type SessionCounts } from "../../../../src/catalog/model/counts.ts";
import { NO_MARKS } from "../../../../src/catalog/model/marks.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { applyChanges } from "../../../../src/changes/noted/marks.ts";
import { withEntries } from "../../../../src/shared/maps.ts";
import { caseCount, FIRST_SEED } from "../../../support/cases.ts";
import { makeRow } from "../../../support/rows.ts";

const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"];
const NO_GIT: ReadonlyMap<string, string> = new Map();
const PROJECTS = ["/x/one", "/x/two", "/y/one"];

const row = fc
	.record({
		name: fc.constantFrom(...NAMES),
		age: fc.nat(5),
		began: fc.nat(5),
		size: fc.nat(3),
		messageCount: fc.nat(2),
		cwd: fc.constantFrom(...PROJECTS),
		title: fc.constantFrom("", "zebra", "Apple", "apple"),
		parent: fc.option(fc.constantFrom(...NAMES, "gone"), { nil: undefined }),
		moved: fc.boolean(),
	})
	.map(({ name, age, began, size, messageCount, cwd, title, parent, moved }) =>
		makeRow(name, {
			age,
			size,
			messageCount,
			cwd,
			created: new Date(began),
			firstMessage: title,
			...(parent === undefined ? {} : { parentSession: moved ? `/old/place/${parent}.jsonl` : makeRow(parent).path }),
		}),
	);

/** Rows added or changed, rows removed, and counts. */
const change = fc.record({
	rows: fc.array(row, { maxLength: 5 }),
	gone: fc.array(fc.constantFrom(...NAMES), { maxLength: 2 }),
	counted: fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.nat(3), fc.constantFrom("", "opus", "haiku")), {
		maxLength: 3,
	}),
	order: fc.record({ sort: fc.constantFrom(...SORTS), reversed: fc.boolean() }),
	hidden: fc.array(fc.constantFrom(...NAMES), { maxLength: 3 }),
	isFound: fc.boolean(),
	pinned: fc.array(fc.constantFrom(...NAMES), { maxLength: 2 }),
});

function countsOf(turns: number, model: string): SessionCounts {
	const numbers = { turns, branches: turns % 2, errors: 3 - turns, tokens: turns, cost: turns / 4, labels: 0 };
	return { ...NOTHING_IN_IT, ...numbers, model };
}

const pins = (ids: readonly string[]) => applyChanges(ids.map((id) => ({ id, on: true }))).pinned;
const drawn = (rows: readonly ThreadedRow[]): string[] =>
	rows.map(({ row: { id }, level }) => connectorsOf(level, Number.POSITIVE_INFINITY) + id);

describe("the order of the list", () => {
	test("equals sorting all rows from scratch, after any changes and from any previous order", () => {
		fc.assert(
			fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
				let rows: ReadonlyMap<string, SessionRow> = new Map();
				let counts: ReadonlyMap<string, SessionCounts> = new Map();
				for (const { rows: come, gone, counted, order, hidden, isFound, pinned } of changes) {
					const paths = gone.map((name) => makeRow(name).path);
					rows = withEntries(
						rows,
						come.map((each) => [each.path, each]),
						paths,
					);
					counts = withEntries(
						counts,
						counted.map(([name, turns, model]) => [makeRow(name).path, countsOf(turns, model)] as const),
						paths,
					);
					const arrangement: Arrangement = {
						order,
						isShown: hidden.length === 0 ? undefined : ({ id }) => !hidden.includes(id),
						pinned: pins(pinned),
						counts,
						families: NO_FAMILIES,
						projects: projectNames(rows),
						git: new Map([["/x/one", "main"]]),
					};
					const { isShown: _, ...rest } = arrangement;
					const families = familiesOf(rows);
					const found = rows.values().filter(({ id }) => !hidden.includes(id));
					const ranks = new Map(found.map((each) => [each, each.size]));
					if (order.sort === "relevance" || isFound) {
						expect(drawn(arrangeFound(rows, ranks, rest, { families, others: new Set() }).rows)).toEqual(
							plain(rows, arrangement),
						);
						// Those with other forms come last, as a list of their own.
						const isOther = ({ size }: SessionRow): boolean => size % 3 === 0;
						const others = new Set([...rows.values()].filter(isOther).map(({ path }) => path));
						const part = (isHere: (row: SessionRow) => boolean) =>
							plain(rows, { ...arrangement, isShown: (row) => !hidden.includes(row.id) && isHere(row) });
						expect(drawn(arrangeFound(rows, ranks, rest, { families, others }).rows)).toEqual([
							...part((row) => !isOther(row)),
							...part(isOther),
						]);
					} else expect(drawn(arrangeRows(rows, arrangement))).toEqual(plain(rows, arrangement));
				}
			}),
			{ numRuns: caseCount(300), seed: FIRST_SEED },
		);
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
					const facts = { order, isShown: undefined, pinned: NO_MARKS.pinned, projects: NO_PROJECTS, git: NO_GIT };
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
		const rows = [
			{ row: makeRow("a", { cwd: "/y" }), level: undefined },
			{ row: makeRow("b", { cwd: "/x" }), level: fork },
			{ row: makeRow("c", { cwd: "/x" }), level: undefined },
			{ row: makeRow("d", { cwd: "/y" }), level: fork },
			{ row: makeRow("e", { cwd: "/y" }), level: undefined },
		];
		expect(drawn(withFirst(rows, "/x", pins(["e"])))).toEqual(["e", "c", "└─ d", "a", "└─ b"]);
	});
});

/** The same without caches: filters, sorts and threads everything from scratch. */
function plain(rows: ReadonlyMap<string, SessionRow>, facts: Arrangement): readonly string[] {
	const { order, isShown = () => true, pinned } = facts;
	const shown = [...rows.values()].filter((each) => isShown(each));
	if (order.sort === "threaded") return plainThreads(rows, shown, facts);
	const turn = order.reversed ? -1 : 1;
	const pin = ({ id }: SessionRow): number => (pinned.has(id) ? 0 : 1);
	const key = (a: SessionRow, b: SessionRow): number => turn * compareBy(order.sort, a, b, facts);
	const compare = (a: SessionRow, b: SessionRow): number =>
		order.sort === "project"
			? key(a, b) || pin(a) - pin(b) || byTime(a, b)
			: pin(a) - pin(b) || key(a, b) || byTime(a, b);
	return shown.sort(compare).map(({ id }) => id);
}

function byTime(a: SessionRow, b: SessionRow): number {
	return b.modified.getTime() - a.modified.getTime() || (a.path < b.path ? -1 : 1);
}

function titleOf({ firstMessage, messageCount }: SessionRow): string {
	return firstMessage.toLowerCase() || (messageCount === 0 ? "(no messages)" : "(no text)");
}

function compareBy(sort: Order["sort"], a: SessionRow, b: SessionRow, { counts, projects, git }: Arrangement): number {
	const texts = (one: string, two: string): number =>
		one === two ? 0 : one === "" ? 1 : two === "" ? -1 : one < two ? -1 : 1;
	const numbers = (of: (each: SessionRow) => number): number => of(b) - of(a);
	switch (sort) {
		case "threaded":
		case "recent":
			return numbers(({ modified }) => modified.getTime());
		case "created":
			return numbers(({ created }) => created.getTime());
		case "relevance":
			return a.size - b.size;
		case "messages":
			return numbers(({ messageCount }) => messageCount);
		case "size":
			return numbers(({ size }) => size);
		case "place":
			return texts(a.place ?? "here", b.place ?? "here");
		case "title":
			return texts(titleOf(a), titleOf(b));
		case "git":
			return texts(git.get(a.cwd) ?? "", git.get(b.cwd) ?? "");
		case "model":
			return texts(counts.get(a.path)?.model ?? "", counts.get(b.path)?.model ?? "");
		case "project": {
			const name = ({ cwd }: SessionRow): string => `${projects.names.get(cwd)?.text.toLowerCase()} ${cwd}`;
			return texts(name(a), name(b));
		}
		default:
			return numbers(({ path }) => counts.get(path)?.[sort] ?? -1);
	}
}

function plainThreads(
	rows: ReadonlyMap<string, SessionRow>,
	shown: readonly SessionRow[],
	{ order, pinned }: Arrangement,
): readonly string[] {
	const parents = new Map<string, SessionRow>();
	for (const each of rows.values()) {
		const name = each.parentSession?.split("/").at(-1);
		const parent = [...rows.values()].find(({ path }) => path.split("/").at(-1) === name);
		if (name !== undefined && parent !== undefined) parents.set(each.path, parent);
	}
	for (const path of rows.keys()) {
		const way: string[] = [];
		for (let at: string | undefined = path; at !== undefined && !way.includes(at); at = parents.get(at)?.path)
			way.push(at);
		const last = parents.get(way.at(-1) ?? "")?.path;
		if (last === undefined) continue;
		const cycle = way.slice(way.indexOf(last)).flatMap((at) => rows.get(at) ?? []);
		cycle.sort((a, b) => a.created.getTime() - b.created.getTime() || (a.path < b.path ? -1 : 1));
		parents.delete(cycle[0]?.path ?? "");
	}
	const above = (each: SessionRow): SessionRow | undefined => {
		const parent = pinned.has(each.id) ? undefined : parents.get(each.path);
		return parent && shown.includes(parent) ? parent : undefined;
	};
	const below = (each: SessionRow): SessionRow[] => shown.filter((other) => above(other) === each);
	const latest = (each: SessionRow): number => Math.max(each.modified.getTime(), ...below(each).map(latest));
	const turn = order.reversed ? -1 : 1;
	const sorted = (some: SessionRow[]): SessionRow[] =>
		some.sort((a, b) => turn * (latest(b) - latest(a)) || (a.path < b.path ? -1 : 1));
	const draw = (each: SessionRow, prefix: string, gutter: string): string[] => {
		const children = sorted(below(each));
		return [
			prefix + each.id,
			...children.flatMap((child, at) => {
				const isLast = at === children.length - 1;
				return draw(child, gutter + (isLast ? "└─ " : "├─ "), gutter + (isLast ? "   " : "│  "));
			}),
		];
	};
	const roots = sorted(shown.filter((each) => above(each) === undefined));
	const [pins, others] = [roots.filter(({ id }) => pinned.has(id)), roots.filter(({ id }) => !pinned.has(id))];
	return [...pins, ...others].flatMap((root) => draw(root, "", ""));
}
