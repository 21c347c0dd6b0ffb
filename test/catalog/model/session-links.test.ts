import { expect, test } from "vitest";
import { belowTest, runsIn } from "../../../src/catalog/model/session-links.ts";
import { makeRow } from "../../support/rows.ts";

const below = (links: Readonly<Record<string, string | undefined>>): string[] => {
	const isBelow = belowTest(
		new Map(Object.entries(links).map(([path, parent]) => [path, parent === undefined ? undefined : { parent }])),
	);
	return Object.keys(links).filter(isBelow);
};

test("runs are below what asked for them, at its path or where it was moved to, and below runs", () => {
	expect(below({ "/s/a.jsonl": undefined, "/s/r": "/s/a.jsonl", "/s/q": "/s/r" })).toEqual(["/s/r", "/s/q"]);
	expect(below({ "/archive/a.jsonl": undefined, "/s/r": "/s/a.jsonl" })).toEqual(["/s/r"]);
});

test("a run whose parent is gone is below none, and its own runs are below it", () => {
	expect(below({ "/s/r": "/s/a.jsonl", "/s/q": "/s/r" })).toEqual(["/s/q"]);
	// All runs with a number have files of this name.
	expect(below({ "/s/x/session.jsonl": undefined, "/s/q": "/s/y/session.jsonl" })).toEqual([]);
});

test("sessions that tell of each other as their runs are hidden by none", () => {
	expect(below({ "/s/a": "/s/b", "/s/b": "/s/a", "/s/c": "/s/c" })).toEqual([]);
});

test("runs that began at the same time are in the order of their numbers", () => {
	const parent = makeRow("p");
	const runs = [10, 2, 1].map((index) =>
		makeRow(`run-${index}`, { run: { parent: parent.path, runId: "r", index, isFork: false } }),
	);
	const created = parent.created;
	const rows = [parent, ...runs.map((row) => ({ ...row, created }))];
	expect(
		runsIn(rows)
			.get(parent.path)
			?.map(({ run }) => run?.index),
	).toEqual([1, 2, 10]);
});
