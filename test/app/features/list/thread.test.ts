import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arrangeRows } from "../../../../src/app/world/list/arrange-rows.ts";
import { NO_FAMILIES } from "../../../../src/app/world/list/families.ts";
import { connectorsOf, type Level, type ThreadedRow } from "../../../../src/app/world/list/thread.ts";
import { NO_MARKS } from "../../../../src/catalog/model/marks.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { makeRow } from "../../../support/rows.ts";

function threadRows(rows: readonly SessionRow[]): readonly ThreadedRow[] {
	const order = { sort: "threaded", reversed: false } as const;
	const nothing = {
		isShown: undefined,
		without: new Set<string>(),
		pinned: NO_MARKS.pinned,
		counts: new Map(),
		families: NO_FAMILIES,
		git: new Map(),
	};
	return arrangeRows(new Map(rows.map((row) => [row.path, row])), { order, ...nothing });
}

const drawn = (...rows: readonly SessionRow[]) =>
	threadRows(rows).map(({ row, level }) => connectorsOf(level, Number.POSITIVE_INFINITY) + row.id);

describe("threads", () => {
	test("forks follow their parents; families are sorted by their latest activity", () => {
		const parent = makeRow("parent", { age: 50 });
		const older = makeRow("older fork", { age: 20, parentSession: parent.path });
		const newer = makeRow("newer fork", { age: 5, parentSession: parent.path });
		const grandchild = makeRow("grandchild", { age: 1, parentSession: older.path });
		expect(drawn(makeRow("other", { age: 3 }), parent, older, newer, grandchild)).toEqual([
			"parent",
			"├─ older fork",
			"│  └─ grandchild",
			"└─ newer fork",
			"other",
		]);
	});

	test("a fork whose parent is not listed starts a thread", () => {
		expect(drawn(makeRow("fork", { parentSession: "/gone/x.jsonl" }))).toEqual(["fork"]);
	});

	test("a parent is found by its file name when the directory was moved", () => {
		const parent = makeRow("parent", { age: 9 });
		expect(drawn(parent, makeRow("fork", { parentSession: "/old/directory/parent.jsonl" }))).toEqual([
			"parent",
			"└─ fork",
		]);
	});

	test("every row appears once, even if parents form cycles or a row is its own parent", () => {
		const names = ["a", "b", "c", "d", "e"];
		const parents = fc.array(fc.option(fc.constantFrom(...names), { nil: undefined }), { minLength: 5, maxLength: 5 });
		fc.assert(
			fc.property(parents, (chosen) => {
				const rows = names.map((name, index) => {
					const parent = chosen[index];
					return makeRow(name, { age: index, parentSession: parent && makeRow(parent).path });
				});
				expect(
					threadRows(rows)
						.map(({ row }) => row.id)
						.toSorted(),
				).toEqual(names);
			}),
		);
	});

	test("a chain of 2,000 forks works", () => {
		const rows = Array.from({ length: 2000 }, (_, index) =>
			makeRow(`s${index}`, index === 0 ? {} : { parentSession: makeRow(`s${index - 1}`).path }),
		);
		expect(threadRows(rows)).toHaveLength(2000);
	});

	test("a long chain draws only the connectors that fit before a title", () => {
		let looked = 0;
		let level: Level | undefined;
		for (let depth = 0; depth < 20_000; depth++) {
			const above: Level | undefined = level;
			level = {
				isLast: true,
				get above() {
					looked++;
					return above;
				},
			};
		}
		expect(connectorsOf(level, 24)).toBe(`${" ".repeat(24)}└─ `);
		expect(looked).toBeLessThan(30);
	});

	test("130,000 forks of one session work", () => {
		const parent = makeRow("parent");
		const rows = Array.from({ length: 130_000 }, (_, index) => makeRow(`s${index}`, { parentSession: parent.path }));
		expect(threadRows([parent, ...rows])).toHaveLength(130_001);
	});
});
