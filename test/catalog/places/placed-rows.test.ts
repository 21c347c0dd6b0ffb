import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SessionRow } from "../../../src/catalog/model/row.ts";
import { placedPath } from "../../../src/catalog/places/place.ts";
import { directoryHere, eachOnce, rowOfPlace } from "../../../src/catalog/places/placed-rows.ts";
import { isOfThisSystem } from "../../../src/shared/paths.ts";
import { makeRow } from "../../support/rows.ts";
import { SYSTEMS } from "../../support/systems.ts";

const inPlace = (place: string | undefined, file: string, id: string, size = 1): SessionRow =>
	makeRow(file, { id, size, path: placedPath(place, file), ...(place && { place }) });

const once = (rows: readonly SessionRow[]): unknown[] =>
	[...eachOnce(rows).values()].map(({ row, alsoIn }) => [row.path, ...alsoIn]).toSorted();

test("a session of several places is one row: of this machine, else the longest, else of the place whose name comes first", () => {
	const rows = [
		inPlace(undefined, "/a", "one"),
		inPlace("mini", "/a", "one", 9),
		inPlace("old", "/b", "two", 2),
		inPlace("mini", "/b", "two"),
		inPlace("old", "/c", "three"),
		inPlace("mini", "/c", "three"),
	];
	for (const each of [rows, rows.toReversed()])
		expect(once(each)).toEqual([
			["/a", "mini"],
			["mini:/c", "old"],
			["old:/b", "mini"],
		]);
});

test("what has no id is no other session, nor are copies in one place", () => {
	const rows = [
		inPlace(undefined, "/a", ""),
		inPlace("mini", "/a", ""),
		inPlace("mini", "/b", "one", 2),
		inPlace("mini", "/c", "one"),
		inPlace("old", "/b", "one"),
	];
	expect(once(rows)).toEqual([["/a"], ["mini:/a"], ["mini:/b", "old"], ["mini:/c", "old"]]);
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

describe.each(SYSTEMS)("a home on $name", ({ home, cwd, file, system }) => {
	test("is the one here, for what is in it", () => {
		const homes = { there: home, here: join("/", "here") };
		expect(directoryHere(cwd, homes)).toBe(join("/", "here", "work", "api"));
		expect(directoryHere(home, { ...homes, there: `${home}${system.paths.sep}` })).toBe(join("/", "here"));
		expect(rowOfPlace(makeRow("a", { cwd }), "mini", homes).cwd).toBe(join("/", "here", "work", "api"));
		const outside = system.paths.resolve(home, "..", "bob");
		expect(directoryHere(outside, homes)).toBe(isOfThisSystem(outside) ? outside : undefined);
		expect(directoryHere(`${file("x")}${system.paths.sep}..`, homes)).toBeUndefined();
	});
});

test("a directory there is found here with the home directory replaced", () => {
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
