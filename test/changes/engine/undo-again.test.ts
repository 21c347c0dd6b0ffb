import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createStoreClient } from "../../../src/changes/store-thread/store-client.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { ChangedSessions } from "../../support/changed-sessions.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** Three sessions of four entries. */
function setUp() {
	const store = createStoreClient();
	onTestFinished(() => store.close());
	const world = new ChangedSessions(tempDir(), store);
	const paths = ["a", "b", "c"].map((id) =>
		world.agent.write(
			`--x--/${id}.jsonl`,
			lines(header({ id }), user(`${id}1`, null, 1, "hello"), assistant(`${id}2`, `${id}1`, 2, "good day")),
		),
	);
	const [a = "", b = "", c = ""] = paths;
	return { world, paths, a, b, c };
}

/** What the history says of each change, oldest first. */
const fates = async (world: ChangedSessions) => (await world.changes()).map(({ fate }) => fate).reverse();

async function restored(world: ChangedSessions, path: string): Promise<void> {
	const items = (await world.trash()).filter((item) => item.path === path);
	await world.restore({ type: "restore-all", beside: false, items: items.map((item) => ({ item, title: "B" })) });
}

test.skipIf(process.platform !== "linux")(
	"undoing a restore makes the deletion effective again, and it is undone next, with the others of its group",
	async () => {
		const { world, paths, b } = setUp();
		await world.journal.changeSessions({
			type: "change-sessions",
			change: { type: "trash" },
			sessions: world.shown(paths),
		});
		await restored(world, b);
		expect(existsSync(b)).toBe(true);
		expect(await fates(world)).toEqual(["made", "restored", "made", "made"]);

		expect(await world.undo()).toBe("Undone: restore “B” from the trash");
		expect(paths.map(existsSync)).toEqual([false, false, false]);
		expect(await fates(world)).toEqual(["made", "made", "made", "undone"]);
		const ids = (await world.changes()).map(({ id }) => id);
		// All can be undone, and the restore redone.
		expect(new Set((await world.journal.outlooksOf(ids)).values())).toEqual(new Set([{ kind: "clear" }]));

		world.restart();
		expect(await world.undo()).toMatch(/^Undone: move 3 sessions to the trash \(made \w+ at \d+:\d\d\)$/);
		expect(paths.map(existsSync)).toEqual([true, true, true]);
		expect(await fates(world)).toEqual(["undone", "undone", "undone", "undone"]);
		expect(await world.undo()).toBe("There is nothing to undo");
	},
);

test("what undo and redo would do is known: redo ends with the next change", async () => {
	const { world, a, b } = setUp();
	const next = async () => {
		const { undo, redo } = await world.journal.nextSteps();
		return [undo?.what, redo?.what];
	};
	const [one, two] = ["rename “a.jsonl” to “One”", "rename “b.jsonl” to “Two”"];
	expect(await next()).toEqual([undefined, undefined]);
	await world.journal.make({ type: "rename", path: a, name: "One" });
	await world.journal.make({ type: "rename", path: b, name: "Two" });
	expect(await next()).toEqual([two, undefined]);
	await world.undo();
	expect(await next()).toEqual([one, two]);
	await world.undo();
	expect(await next()).toEqual([undefined, one]);
	for (const what of [one, two]) {
		const { redo } = await world.journal.nextSteps();
		expect(redo?.what).toBe(what);
		await world.redo({ type: "redo", of: { id: redo?.changes[0]?.id ?? "" } });
	}
	expect(await next()).toEqual([two, undefined]);
	await world.undo();
	await world.journal.make({ type: "rename", path: a, name: "Three" });
	expect(await next()).toEqual(["rename “a.jsonl” to “Three”", undefined]);
});

test.skipIf(process.platform !== "linux")(
	"a group of which one was restored is undone without it; the restore is undone later, and then the deletion",
	async () => {
		const { world, paths, b } = setUp();
		await world.journal.changeSessions({
			type: "change-sessions",
			change: { type: "trash" },
			sessions: world.shown(paths),
		});
		await restored(world, b);
		const deletion = (await world.changes()).find(({ fate }) => fate === "restored");
		if (deletion?.group === undefined) throw new Error("it is not known as restored");
		expect(await world.undo({ type: "undo", of: { id: deletion.id } })).toMatch(/^It has been restored/);
		const { group } = deletion;
		expect(await world.undo({ type: "undo", of: { group } })).toBe("Undone: move 2 of 3 sessions to the trash");
		expect(paths.map(existsSync)).toEqual([true, true, true]);
		expect(await world.undo()).toBe("Undone: restore “B” from the trash");
		expect(paths.map(existsSync)).toEqual([true, false, true]);
		expect(await world.undo()).toBe("Undone: move 1 of 3 sessions to the trash");
		expect(existsSync(b)).toBe(true);

		// All again, as one step, also the restore, whose session is elsewhere in the trash by now.
		expect(await world.redo({ type: "redo", of: { group } })).toBe("Redone: move 3 sessions to the trash");
		const restore = (await world.changes()).find(({ plan }) => plan?.type === "restore");
		expect(await world.redo({ type: "redo", of: { id: restore?.id ?? "" } })).toMatch(/^Redone: restore/);
		expect(paths.map(existsSync)).toEqual([false, true, false]);
		expect(await world.undo()).toMatch(/^Undone: restore/);
		expect(await world.undo()).toBe("Undone: move 3 sessions to the trash");
		expect(paths.map(existsSync)).toEqual([true, true, true]);
	},
);

test.skipIf(process.platform !== "linux")(
	"what was done before a deletion is undone after it, though it has been restored, and nothing of it stays behind",
	async () => {
		const { world, b } = setUp();
		const beginning = await world.seenOfAll();
		const { id = "" } = await world.journal.make({ type: "rename", path: b, name: "One" });
		await world.journal.make({ type: "trash", path: b, size: world.rowOf(b)?.size ?? 0 });
		await restored(world, b);
		await world.changes();
		expect(await world.undo({ type: "undo", of: { id } })).toMatch(
			/Undo first what depends on it: .*restore .*, move /,
		);
		expect(await fates(world)).toEqual(["made", "restored", "made"]);
		for (const _ of [1, 2, 3]) expect(await world.undo()).toMatch(/^Undone: /);
		expect(await fates(world)).toEqual(["undone", "undone", "undone"]);
		expect(await world.seenOfAll()).toEqual(beginning);
	},
);

test("a place to go on from whose prompt was to be said again is taken back", async () => {
	const { world, a } = setUp();
	const { entries } = await readSession(a);
	const last = entries.at(-1)?.id ?? "";
	await world.journal.make({ type: "branch", path: a, entryId: "a1" });
	const copy = world.paths().find((path) => !["a", "b", "c"].includes(basename(path, ".jsonl"))) ?? "";
	const before = [await world.seen(a), await world.seen(copy)];
	await world.journal.make({ type: "go-on", path: copy, entryId: "a1" });
	await world.journal.make({ type: "go-on", path: a, entryId: "a1" });
	expect(await world.undo()).toMatch(/^Undone: continue/);
	expect(await world.undo()).toMatch(/^Undone: continue/);
	expect([await world.seen(a), await world.seen(copy)]).toEqual(before);
	expect(before).toMatchObject([{ leaf: last }, { leaf: "a1" }]);
});

test("where the conversation has gone on since, a place to go on from is not made again", async () => {
	const { world, a } = setUp();
	const { id = "" } = await world.journal.make({ type: "go-on", path: a, entryId: "a1" });
	await world.undo();
	appendFileSync(a, lines(user("a3", "a2", 3, "and then?")));
	const before = readFileSync(a, "utf8");
	expect(await world.redo({ type: "redo", of: { id } })).toMatch(
		/^Not redone: .*\. The conversation has continued since then/,
	);
	expect(readFileSync(a, "utf8")).toBe(before);
});

test("an earlier pin or saved query is undone only after what depends on it, so that all is as before", async () => {
	const { world, a, b } = setUp();
	const mark = (on: boolean) => ({ type: "mark", paths: [a], changes: [{ id: "a", on }] }) as const;
	const save = (text: string) =>
		({ type: "save-query", what: `save ${text}`, done: "Saved", changes: [{ name: "x", text }] }) as const;
	const beginning = await world.seenOfAll();
	const pinned = await world.journal.make(mark(true));
	const unpinned = await world.journal.make(mark(false));
	const saved = await world.journal.make(save("one"));
	const savedAgain = await world.journal.make(save("two"));
	// Nobody else's mark is concerned.
	await world.journal.make({ type: "mark", paths: [b], changes: [{ id: "b", tag: "wip", on: true }] });
	await world.changes();
	for (const [{ id = "" }, { id: later = "" }] of [
		[pinned, unpinned],
		[saved, savedAgain],
	] as const) {
		expect(await world.undo({ type: "undo", of: { id } })).toContain("Undo first what depends on it");
		for (const each of [later, id]) expect(await world.undo({ type: "undo", of: { id: each } })).toMatch(/^Undone: /);
	}
	expect(await fates(world)).toEqual(["undone", "undone", "undone", "undone", "made"]);
	expect(world.marks.content().tags.get("b")?.get("")).toEqual(["wip"]);
	expect(await world.redo({ type: "redo", of: { id: saved.id ?? "" } })).toBe("Redone: save one");
	expect(world.saved.content()).toEqual([{ name: "x", text: "one" }]);
	await world.undo();
	await world.undo();
	expect(await world.seenOfAll()).toEqual(beginning);
});

test("a session that was done as of an earlier message is so again after an undo", async () => {
	const { world, a } = setUp();
	const done = (time: number) => ({ type: "mark", paths: [a], changes: [{ id: "a", done: time, on: true }] }) as const;
	await world.journal.make(done(1));
	expect((await world.journal.make(done(2))).message.text).toBe("Marked “a.jsonl” as done");
	expect(await world.undo()).toBe("Undone: mark “a.jsonl” as done");
	expect(world.marks.content().done.get("a")?.get("")).toBe(1);
});

test("a fork that was renamed is undone after its rename", async () => {
	const { world, a } = setUp();
	const { created = "" } = await world.journal.make({ type: "fork", path: a, cwd: world.agent.base });
	await world.journal.make({ type: "rename", path: created, name: "Named here" });
	expect(await world.undo()).toMatch(/^Undone: rename/);
	expect(await world.undo()).toMatch(/^Undone: fork/);
	expect(existsSync(created)).toBe(false);
});
