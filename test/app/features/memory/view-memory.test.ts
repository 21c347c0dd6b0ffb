import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { openViewMemory, viewsPath } from "../../../../src/app/features/memory/effects/view-memory.ts";
import {
	firstSelected,
	listedToNote,
	NOTHING_REMEMBERED,
	type SessionView,
} from "../../../../src/app/features/memory/memory-state.ts";
import type { ListSettings } from "../../../../src/app/world/state/list-state.ts";
import { FIRST_SPLIT } from "../../../../src/app/world/state/state.ts";
import { startOf, stateAfter } from "../../../support/listed-state.ts";
import { LISTED, makeRow } from "../../../support/rows.ts";
import { tempDir } from "../../../support/temp-dir.ts";

let dir: string;
let path: string;
let now = 0;
beforeEach(() => {
	dir = tempDir();
	path = viewsPath({ XDG_STATE_HOME: dir }, dir);
	now = 1_000_000;
	failures = [];
});

let failures: unknown[] = [];
const open = () =>
	openViewMemory(
		path,
		() => now++,
		(error) => failures.push(error),
	);
const view = (selected: string | undefined, ...opened: string[]): SessionView => ({
	selected,
	opened: new Set(opened),
	filter: "no-tools",
});

test("the next run has what one run noted; the file is private, and no other file is left", async () => {
	const memory = open();
	expect(memory.remembered).toEqual({ split: undefined, views: new Map() });
	memory.note({ view: ["a /a.jsonl", view("one", "two", "three")] });
	memory.note({ view: ["b /b.jsonl", view(undefined)] });
	memory.note({ split: { ...FIRST_SPLIT, columns: 0.7 } });
	memory.note({ colors: "light" });
	await memory.close();
	expect(open().remembered).toEqual({
		colors: "light",
		split: { ...FIRST_SPLIT, columns: 0.7 },
		views: new Map([
			["a /a.jsonl", view("one", "two", "three")],
			["b /b.jsonl", view(undefined)],
		]),
	});
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(readdirSync(dirname(path))).toEqual(["views.json"]);
});

test("the list begins where its cursor was on leaving, or at what was opened since, within a day", async () => {
	const memory = open();
	memory.note({ last: { id: "a", path: "/a", entry: undefined } });
	memory.note({ listed: "/b" });
	await memory.close();
	expect(firstSelected(open().remembered, now)).toBe("/b");
	const other = open();
	other.note({ last: { id: "c", path: "/c", entry: undefined } });
	await other.close();
	expect(firstSelected(open().remembered, now)).toBe("/c");
	expect(firstSelected(open().remembered, now + 86_400_000)).toBeUndefined();
	const rows = ["x", "y", "z"].map((id, age) => makeRow(id, { age }));
	const event = { type: "rows", rows } as const;
	const listed = stateAfter(startOf({ columns: 80, rows: 24 }), { type: "catalog", event }, LISTED);
	const left = stateAfter(listed, { type: "keys", keys: ["down", "down"] });
	expect(listedToNote(left, NOTHING_REMEMBERED)).toBe(rows[2]?.path);
	// Nothing is written where the list begins there anyway.
	expect(listedToNote(listed, NOTHING_REMEMBERED)).toBeUndefined();
});

test("two windows keep each other's notes", async () => {
	const [one, two] = [open(), open()];
	one.note({ view: ["a", view("from one")] });
	two.note({ view: ["b", view("from two")] });
	one.note({ split: { ...FIRST_SPLIT, rows: 0.3 } });
	await one.close();
	await two.close();
	const { views, split } = open().remembered;
	expect([views.get("a")?.selected, views.get("b")?.selected, split?.rows]).toEqual(["from one", "from two", 0.3]);
});

test("only the sessions left last are kept, and a limited number of open branches", async () => {
	const memory = open();
	for (let index = 0; index < 700; index++) memory.note({ view: [`s${index}`, view("x")] });
	memory.note({ view: ["many", view("x", ...Array.from({ length: 5000 }, (_, id) => `branch${id}`))] });
	await memory.close();
	const { views } = open().remembered;
	expect([views.size, views.has("s200"), views.has("s201"), views.get("many")?.opened.size]).toEqual([
		500,
		false,
		true,
		100,
	]);
	expect(statSync(path).size).toBeLessThan(100_000);
});

test.each([
	["nothing", ""],
	["half of it", '{"version":1,"sessions":[{"key":"a"'],
	["something else", "[1,2,3]"],
	["null", "null"],
	["a later version", '{"version":2,"sessions":[{"key":"a","atMs":1,"filter":"all","opened":[]}]}'],
	[
		"wrong types",
		'{"version":1,"split":7,"sessions":[null,7,{"key":7},{"key":"a","atMs":"x","filter":"all"},{"key":"a","atMs":1,"filter":"none"}]}',
	],
	["bytes", "\u0000\u0001\ufffd"],
])("a file that holds %s is ignored, and replaced by the next note", async (_, text) => {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
	const memory = open();
	expect(memory.remembered).toEqual({ split: undefined, views: new Map() });
	memory.note({ view: ["b", view("one")] });
	await memory.close();
	expect([...open().remembered.views]).toEqual([["b", view("one")]]);
	expect(readFileSync(path, "utf8").endsWith("}\n")).toBe(true);
});

test("invalid divider positions become the defaults", () => {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, '{"version":1,"split":{"list":2,"columns":0.25,"rows":null},"sessions":7}');
	expect(open().remembered.split).toEqual({ ...FIRST_SPLIT, columns: 0.25 });
});

test("what could not be written is reported once, and written with the next note", async () => {
	const blocking = join(dir, "pi-grove");
	writeFileSync(blocking, "");
	const memory = open();
	memory.note({ view: ["a", view("one")], filter: "all" });
	await memory.close();
	memory.note({ colors: "light" });
	await memory.close();
	expect(failures).toEqual([expect.objectContaining({ code: "EEXIST" })]);
	rmSync(blocking);
	memory.note({ last: { id: "a", path: "/a.jsonl", entry: "one" } });
	await memory.close();
	expect(open().remembered).toMatchObject({
		...{ colors: "light", filter: "all" },
		last: { id: "a", path: "/a.jsonl", entry: "one", atMs: expect.any(Number) },
		views: new Map([["a", view("one")]]),
	});
});

test("settings of the list are added to an older file; unknown values count as never chosen", async () => {
	mkdirSync(dirname(path), { recursive: true });
	const before = { version: 1, split: FIRST_SPLIT, sessions: [{ key: "a", atMs: 1, filter: "all", opened: [] }] };
	writeFileSync(path, JSON.stringify(before));
	expect(open().remembered.list).toBeUndefined();
	const list: ListSettings = {
		order: { sort: "cost", reversed: true },
		hereFirst: true,
		folded: new Set(["/work/api", ""]),
		recent: ["stripe 400", "is:named"],
	};
	const memory = open();
	memory.note({ list });
	await memory.close();
	const { views, split } = open().remembered;
	expect(open().remembered.list).toEqual(list);
	expect([views.get("a")?.filter, split]).toEqual(["all", FIRST_SPLIT]);
	const odd = { order: { sort: "relevance", reversed: 5 }, scope: "moon", hidden: ["x", 3], folded: [7, "/a"] };
	for (const [stored, folded] of [
		[odd, ["/a"]],
		[{ order: [], hidden: {}, folded: null }, []],
	] as const) {
		writeFileSync(path, JSON.stringify({ ...before, list: stored }));
		const read = open().remembered.list;
		expect([read?.order, [...(read?.folded ?? [])]]).toEqual([{ sort: "threaded", reversed: false }, folded]);
	}
});
