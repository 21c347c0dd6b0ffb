import { expect, test } from "vitest";
import { listLines } from "../../../src/catalog/places/list-lines.ts";
import { PlaceSessions } from "../../../src/catalog/places/listed-sessions.ts";
import { MAX_LINE_BYTES, parseAnswer } from "../../../src/catalog/places/protocol.ts";
import { countsToWire, resultFromWire, resultToWire, rowToWire } from "../../../src/catalog/places/wire.ts";
import { ROW } from "../../support/fake-ssh.ts";
import { makeRow } from "../../support/rows.ts";

const COUNTS = {
	turns: 1,
	branches: 0,
	errors: 0,
	tokens: 5,
	cost: 0.5,
	labels: 0,
	model: "m",
	ending: "asks",
	endedMs: 7,
} as const;
const row = (fields: object = {}) => ({ ...ROW, ...fields });
const rows = (...all: readonly unknown[]) => ({ id: 1, type: "rows", rows: all as unknown[] }) as const;
const counts = (...all: readonly unknown[]) => ({ id: 1, type: "counts", counts: all as unknown[] }) as const;

test("answers change what they name, and nothing else", () => {
	const sessions = new PlaceSessions("mini");
	expect(sessions.apply(rows(row(), row({ path: "/s/two.jsonl" })))).toEqual(["/s/one.jsonl", "/s/two.jsonl"]);
	expect(sessions.apply(counts(["/s/one.jsonl", COUNTS], ["/s/unknown.jsonl", COUNTS]))).toEqual(["/s/one.jsonl"]);
	expect(sessions.apply({ id: 1, type: "live", paths: ["/s/one.jsonl"] })).toEqual([]);
	expect(sessions.live).toEqual(new Set(["/s/one.jsonl"]));
	expect(sessions.apply({ id: 1, type: "gone", paths: ["/s/one.jsonl", "/s/unknown.jsonl"] })).toEqual([
		"/s/one.jsonl",
	]);
	expect([...sessions.rows.keys()]).toEqual(["/s/two.jsonl"]);
	expect(sessions.counts.size).toBe(0);
	expect(sessions.apply({ id: 1, type: "busy" })).toEqual([]);
});

test("what only this side says of a row is not taken from there", () => {
	const sessions = new PlaceSessions("mini");
	sessions.apply(
		rows(
			row({ place: "here", alsoIn: ["old"], archived: true, run: { isFork: false, parent: "/s/p.jsonl", place: "x" } }),
		),
	);
	const [one] = sessions.rows.values();
	expect(one).not.toHaveProperty("place");
	expect(one).not.toHaveProperty("alsoIn");
	expect(one).toMatchObject({ archived: true, run: { parent: "/s/p.jsonl" } });
	expect(one?.run).not.toHaveProperty("place");
});

test.each([
	["no path", { path: "" }],
	["a relative path", { path: "../../etc/passwd" }],
	["the path of another place", { path: "here:/x" }],
	["a path of two lines", { path: "/s/a\nb" }],
	["a path that ends in C", { path: "/s/a\0b" }],
	["a size below nothing", { size: -1 }],
	["a time that is none", { modified: 9e15 }],
	["a text that is none", { firstMessage: 5 }],
	[
		"more diagnostics than are sent",
		{ diagnostics: Array(51).fill({ code: "bad-line", severity: "note", message: "" }) },
	],
])("a row with %s is odd, and costs no others", (_, fields) => {
	const sessions = new PlaceSessions("mini");
	expect(sessions.apply(rows(row(fields), row()))).toEqual(["/s/one.jsonl"]);
	expect(sessions.isWhole).toBe(false);
	expect(sessions.problems).toEqual([
		"mini: 1 session could not be understood; pi-grove may be newer there than here.",
	]);
});

test("their number is bounded, those that are odd included; one that is replaced counts once", () => {
	const sessions = new PlaceSessions("mini", 3);
	for (let turn = 0; turn < 10; turn++) sessions.apply(rows(row(), row({ path: "/s/two.jsonl" })));
	sessions.apply(rows(5));
	expect(() => sessions.apply(rows(row({ path: "/s/three.jsonl" })))).toThrow("mini: it lists more than 3 sessions");
});

/** Far more than a line has; the bound is on their sum. */
const LONG = "x".repeat(32 * 1024 * 1024);

test.each([
	["a first message", (text: string) => rows(row({ path: `/s/${text.length}.jsonl`, firstMessage: text }))],
	[
		"the run that it is",
		(text: string) => rows(row({ path: `/s/${text.length}.jsonl`, run: { isFork: false, runId: text } })),
	],
])("their text is bounded, in %s", (_, withText) => {
	const sessions = new PlaceSessions("mini");
	// Replaced and removed ones take nothing.
	for (let turn = 0; turn < 5; turn++) sessions.apply(withText(LONG));
	for (let turn = 0; turn < 5; turn++) {
		sessions.remove([`/s/${LONG.length}.jsonl`]);
		sessions.apply(withText(LONG));
	}
	expect(() => sessions.apply(withText(`${LONG} and more`))).toThrow(
		"mini: its list is larger than what can be kept here",
	);
});

test("the text of counts is bounded, too", () => {
	const sessions = new PlaceSessions("mini");
	sessions.apply(rows(row(), row({ path: "/s/two.jsonl" })));
	for (let turn = 0; turn < 5; turn++) sessions.apply(counts(["/s/one.jsonl", { ...COUNTS, model: LONG }]));
	expect(() => sessions.apply(counts(["/s/two.jsonl", { ...COUNTS, model: LONG }]))).toThrow(
		"larger than what can be kept",
	);
});

test("rows and counts are the same after they were sent, in lines of bounded length", () => {
	const run = { parent: "/s/p.jsonl", runId: "r", index: 2, isFork: true };
	const all = Array.from({ length: 400 }, (_, index) =>
		makeRow(`s${index}`, {
			name: index % 2 === 0 ? undefined : `name ${index}\u2028\ud800`,
			firstMessage: "é".repeat(index * 10),
			...(index % 3 === 0 && { run, archived: true, parentSession: "/s/x.jsonl", prompt: "go" }),
			diagnostics: index % 5 === 0 ? [{ code: "torn-tail", severity: "damage", line: 3, message: "half" }] : [],
		} as const),
	);
	const lines = [
		...listLines(7, "rows", all.map(rowToWire)),
		...listLines(
			7,
			"counts",
			all.map(({ path }) => [path, countsToWire({ ...COUNTS })]),
		),
	];
	expect(lines.length).toBeGreaterThan(10);
	const sessions = new PlaceSessions("mini");
	for (const line of lines) {
		expect(Buffer.byteLength(line)).toBeLessThan(MAX_LINE_BYTES / 2);
		const answer = parseAnswer(line);
		expect(answer?.id).toBe(7);
		if (answer !== undefined) sessions.apply(answer);
	}
	expect(sessions.isWhole).toBe(true);
	expect([...sessions.rows.values()].map(rowToWire)).toEqual(all.map(rowToWire));
	expect(sessions.counts.get(all[9]?.path ?? "")).toEqual(COUNTS);
	expect([...listLines(1, "gone", [])]).toEqual([]);
});

test("whatever a session says, its row and its result fit into a line", () => {
	const text = "\u0001é".repeat(1_000_000);
	const odd = makeRow("odd", {
		id: text,
		cwd: text,
		name: text,
		firstMessage: text,
		prompt: text,
		parentSession: text,
	});
	const diagnostics = Array.from(
		{ length: 200 },
		() => ({ code: "bad-line", severity: "note", message: "odd" }) as const,
	);
	for (const line of listLines(1, "rows", [
		rowToWire({ ...odd, diagnostics, run: { parent: text, runId: text, index: 1, isFork: false } }),
	])) {
		expect(Buffer.byteLength(line)).toBeLessThan(MAX_LINE_BYTES);
		const sessions = new PlaceSessions("mini");
		const answer = parseAnswer(line);
		expect(answer && sessions.apply(answer)).toEqual([odd.path]);
	}
	const best = { line: 1, entryId: text, kind: "user", active: true, snippet: { text: "x", ranges: [] } } as const;
	const sent = resultToWire({ path: odd.path, rank: 1, modified: 1, count: 1, more: false, best });
	expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThan(MAX_LINE_BYTES);
	expect(resultFromWire(JSON.parse(JSON.stringify(sent)))).toMatchObject({ path: odd.path, count: 1 });
	const long = { ...best, entryId: "a", snippet: { text: "x".repeat(5000), ranges: [] } };
	expect(resultFromWire({ path: "/a", rank: 1, modified: 1, count: 1, more: false, best: long })).toBeUndefined();
});
