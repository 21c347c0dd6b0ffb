import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { sessionRewind } from "../../../src/conversation/entries/leaf.ts";
import {
	forwardLeaf,
	labelEntry,
	renameSession,
	restoreLeaf,
	resumePoint,
} from "../../../src/store/actions/session-actions.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { staleName, turns } from "../../support/rewound-session.ts";
import { assistant, entry, header, label, lines, name, sessionOf, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** Runs once, after a session was read for an action: another program appends just then. */
const whenRead = vi.hoisted((): { run: (() => void) | undefined } => ({ run: undefined }));
vi.mock("../../../src/store/manager/session-outline.ts", async (original) => {
	const outlines = await original<typeof import("../../../src/store/manager/session-outline.ts")>();
	const openOutline: typeof outlines.openOutline = (...args) => {
		const outline = outlines.openOutline(...args);
		const { run } = whenRead;
		whenRead.run = undefined;
		run?.();
		return outline;
	};
	return { ...outlines, openOutline };
});

const rewound = async (...entries: readonly string[]) => sessionRewind(await sessionOf(...entries));

test("a name that a stale window appended: where pi continues, what is hidden, and where the conversation ended", async () => {
	expect(await rewound(...turns(40), staleName(3, 500))).toEqual({
		by: "session_info",
		byMs: Date.UTC(2026, 0, 1) + 500_000,
		turn: 3,
		turns: 40,
		aside: false,
		hidden: 74,
		endId: "a40",
	});
});

const model = (id: string, parent: string, second: number) =>
	entry("model_change", id, parent, second, { provider: "p", modelId: "m" });
const custom = (id: string, parent: string, second: number) => entry("custom", id, parent, second, { customType: "x" });

test.each<[what: string, entries: readonly string[], expected: object | undefined]>([
	["a label", [label("l", "a1", 90, "u1", "x")], { by: "label", turn: 1, turns: 3, endId: "a3" }],
	["the state of an extension", [custom("c", "a2", 90)], { by: "custom", turn: 2, hidden: 2 }],
	["a line without a parent", [staleName(0, 90)], { turn: 0, turns: 3, hidden: 6 }],
	["a second one after it", [staleName(1, 90), label("l", "stale", 91, "u1", "x")], { by: "session_info", turn: 1 }],
	[
		"what pi writes when it is opened there",
		[staleName(1, 90), model("m", "stale", 91)],
		{ by: "session_info", turn: 1 },
	],
	["two stale windows", [staleName(2, 90), label("l", "a1", 91, "u1", "x")], { by: "label", turn: 1, endId: "a3" }],
	["a model at the end stays", [model("m", "a3", 89), staleName(1, 90)], { endId: "m" }],
	[
		"a message went on at the end",
		[staleName(1, 90), user("u4", "a3", 95, "more"), label("l", "stale", 96, "u1", "x")],
		{ endId: "u4", turns: 4 },
	],
	[
		"an old name in between",
		[name("n", "a3", 80, "Old"), user("u4", "n", 85, "more"), label("l", "n", 90, "u1", "x")],
		{ by: "label", turn: 3, turns: 4, hidden: 1 },
	],
	[
		"an abandoned branch",
		[user("b", "a1", 50, "other"), assistant("c", "b", 51, "yes"), label("l", "a3", 90, "u1", "x")],
		{ aside: true, turn: 3, turns: 2, endId: "c" },
	],
	["a name at the end", [name("n", "a3", 90, "Name")], undefined],
	[
		"names and labels at the end, two windows",
		[name("n", "a3", 90, "Name"), label("l", "a3", 91, "u1", "x"), label("k", "n", 92, "u2", "y")],
		undefined,
	],
	["a message after it", [staleName(1, 90), user("u4", "stale", 95, "I want it here")], undefined],
	[
		"a summary of the branch that was left",
		[entry("branch_summary", "s", "a1", 90, { fromId: "a3", summary: "…" })],
		undefined,
	],
	[
		"a name after such a summary",
		[entry("branch_summary", "s", "a1", 90, { fromId: "a3", summary: "…" }), name("n", "s", 91, "Name")],
		undefined,
	],
	[
		"a resume point",
		[entry("custom", "r", "a1", 90, { customType: "pi-grove:resume-point", data: { entryId: "a1" } })],
		undefined,
	],
	[
		"a name after one",
		[
			entry("custom", "r", "a1", 90, { customType: "pi-grove:resume-point", data: { entryId: "a1" } }),
			name("n", "r", 91, "Name"),
		],
		undefined,
	],
	["a model that was chosen there", [model("m", "a1", 90)], undefined],
	["a name after such a model", [model("m", "a1", 90), name("n", "m", 91, "Name")], undefined],
	["a context edit", [entry("context_edit", "e", "a1", 90, { targetId: "a1", replacement: null })], undefined],
	["nothing", [], undefined],
	[
		"a parent that comes later",
		[name("n", "z", 90, "Name"), name("z", "a1", 91, "Name"), label("l", "n", 92, "u1", "x")],
		undefined,
	],
])("after three turns: %s", async (_what, entries, expected) => {
	const found = await rewound(...turns(3), ...entries);
	if (expected === undefined) expect(found).toBeUndefined();
	else expect(found).toMatchObject(expected);
});

test("a stale label after a resume point at an earlier turn, from the end: nothing of what was chosen is hidden", async () => {
	const point = entry("custom", "r", "a1", 90, { customType: "pi-grove:resume-point", data: { entryId: "a1" } });
	expect(await rewound(...turns(3), point, label("l", "a3", 91, "u1", "x"))).toBeUndefined();
});

function written(...entries: readonly string[]): string {
	const path = join(tempDir(), "session.jsonl");
	writeFileSync(path, lines(header(), ...entries));
	return path;
}

const now = async (path: string) => sessionRewind(await readSession(path));

test("one appended line takes pi to the end again, undo takes that back, and doing it again works", async () => {
	const path = written(...turns(5), model("m", "a5", 89), staleName(2, 90));
	const before = readFileSync(path, "utf8");
	const found = await now(path);
	const done = forwardLeaf(path, found?.endId ?? "");
	const after = readFileSync(path, "utf8");
	expect(after.startsWith(before)).toBe(true);
	expect(after.slice(before.length).trimEnd().split("\n")).toHaveLength(1);
	expect(JSON.parse(after.slice(before.length))).toMatchObject({ type: "custom", parentId: "m" });
	expect(await now(path)).toBeUndefined();
	expect(forwardLeaf(path, "m")).toEqual({ entryId: undefined, leafId: done.entryId });
	expect(readFileSync(path, "utf8")).toBe(after);

	restoreLeaf(path, done.leafId);
	expect(await now(path)).toEqual(found);
	// A name that is set meanwhile does not change that.
	renameSession(path, "Another");
	expect(await now(path)).toMatchObject({ turn: 2, turns: 5, by: "session_info" });
	forwardLeaf(path, (await now(path))?.endId ?? "");
	expect(await now(path)).toBeUndefined();
});

test("a resume point at a prompt, whose parent is a name, is a choice, not the return to that name", async () => {
	const path = written(
		...turns(2),
		name("n", "a2", 30, "Name"),
		user("u3", "n", 40, "Third"),
		assistant("a3", "u3", 45, "Yes"),
	);
	resumePoint(path, "u3");
	expect(await now(path)).toBeUndefined();
});

test("the undo of a resume point does not count as a moved leaf", async () => {
	const path = written(...turns(3), label("l", "a3", 80, "u1", "x"));
	const { leafId } = resumePoint(path, "a1");
	restoreLeaf(path, leafId);
	expect(await now(path)).toBeUndefined();
});

test("if the conversation has continued meanwhile, nothing is written", async () => {
	const path = written(...turns(5), staleName(2, 90));
	appendFileSync(path, lines(user("u6", "a5", 95, "more"), label("l", "stale", 96, "u1", "x")));
	const before = readFileSync(path, "utf8");
	expect(() => forwardLeaf(path, "a5")).toThrow("another program has written to the file since it was read");
	expect(readFileSync(path, "utf8")).toBe(before);
});

test("a name and a label follow what was appended while the session was read: they move no leaf", async () => {
	const next = lines(user("u3", "a2", 50, "Third"));
	for (const change of [(path: string) => renameSession(path, "Name"), (path: string) => labelEntry(path, "u1", "x")]) {
		const path = written(...turns(2));
		whenRead.run = () => appendFileSync(path, next);
		change(path);
		expect(whenRead.run).toBeUndefined();
		const { tree } = await readSession(path);
		expect(tree.parentOf.get(tree.leafId ?? "")).toBe("u3");
	}
});
