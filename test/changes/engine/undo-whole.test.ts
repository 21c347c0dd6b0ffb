import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { dependentsOf } from "../../../src/changes/engine/depends.ts";
import { type Change, isMade } from "../../../src/changes/kinds/change.ts";
import type { ChangeRequest, SessionsChange } from "../../../src/changes/kinds/kinds.ts";
import { applyChanges, changedSession } from "../../../src/changes/noted/marks.ts";
import { applySaved } from "../../../src/changes/noted/saved-queries.ts";
import { CannotError } from "../../../src/changes/reason.ts";
import { createStoreClient } from "../../../src/changes/store-thread/store-client.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { agentMessageOf } from "../../../src/store/tree/context.ts";
import { rewindOf } from "../../../src/store/tree/rewind.ts";
import { buildTree } from "../../../src/store/tree/session-table.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { ChangedSessions } from "../../support/changed-sessions.ts";
import { DATA_HOME } from "../../support/data-home.ts";
import { makeRow } from "../../support/rows.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { createTempDir } from "../../support/temp-dir.ts";

/** What is done, to which of what there is, and with which words. */
interface Step {
	readonly act: (typeof CHANGES | typeof UNDOING)[number];
	readonly which: number;
	readonly other: number;
	readonly text: string;
}

// biome-ignore format: a table
const CHANGES = [
	"rename", "label", "branch", "fork", "repair", "trash", "go-on", "forward", "pin", "tag", "done", "save-query", "drop-query", "bring",
	"archive", "bring-back", "trash-all", "label-all", "fork-all", "move-all", "repair-all", "restore",
	"restore-all",
] as const;
const UNDOING = ["undo", "undo-chosen", "undo-group", "redo", "redo-group", "undo-redo", "restart"] as const;

/** Few kinds of change in each case, so that they meet. */
const STEPS: fc.Arbitrary<Step[]> = fc.shuffledSubarray([...CHANGES], { minLength: 1, maxLength: 5 }).chain((changes) =>
	fc.array(
		fc.record({
			act: fc.oneof(fc.constantFrom(...changes), fc.constantFrom(...UNDOING)),
			which: fc.nat(11),
			other: fc.nat(11),
			text: fc.constantFrom("", "One", "Two"),
		}),
		{ minLength: 4, maxLength: 20, size: "max" },
	),
);

const store = createStoreClient();

test("after undoing everything all is as in the beginning, and what the history says is true at each step", async () => {
	onTestFinished(() => store.close());
	const property = fc.asyncProperty(STEPS, async (steps) => {
		const { path: base, remove } = createTempDir();
		try {
			const world = withSessions(base);
			const beginning = await world.seenOfAll();
			for (const step of steps) {
				await carriedOut(step, world);
				await expectTrue(world);
			}
			await undoAll(world);
			expect(await world.seenOfAll()).toEqual(beginning);
			expect((await world.changes()).filter(({ fate }) => fate !== "undone" && fate !== "not-made")).toEqual([]);
		} finally {
			remove();
		}
	});
	await fc.assert(property, { numRuns: caseCount(4, 30), seed: FIRST_SEED });
});

/** Three sessions, of which one has a branch and one a line that cannot be read. */
function withSessions(base: string): ChangedSessions {
	const world = new ChangedSessions(base, store);
	for (const name of ["a", "b", "c"]) {
		const id = (number: number): string => `${name}000000${number}`;
		const said = [user(id(1), null, 1, "hello"), assistant(id(2), id(1), 2, "good day")];
		const more = [user(id(3), id(2), 3, "how are you"), assistant(id(4), id(3), 4, "well")];
		const branch = name === "b" ? [user(id(5), id(2), 5, "and otherwise")] : [];
		const bad = name === "c" ? ["{damaged"] : [];
		world.agent.write(`--x--/${name}.jsonl`, lines(header({ id: name }), ...said, ...bad, ...more, ...branch));
	}
	mkdirSync(join(base, "work"));
	return world;
}

/** Does what there is to do it to; what is refused changes nothing. */
async function carriedOut(step: Step, world: ChangedSessions): Promise<void> {
	try {
		await carryOut(step, world);
	} catch (error) {
		if (!(error instanceof CannotError)) throw error;
	}
}

async function carryOut(step: Step, world: ChangedSessions): Promise<void> {
	const { act, which, other } = step;
	const { journal } = world;
	const pick = <Value>(values: readonly Value[]): Value | undefined => values[which % values.length];
	const changes = await world.changes();
	const some = <Value>(values: readonly Value[]): readonly Value[] =>
		values.filter((_, index) => (which >> (index % 6)) % 2 === 0);
	switch (act) {
		case "undo":
			await world.undo();
			return;
		case "undo-chosen": {
			const change = pick(changes);
			if (change !== undefined) await world.undo({ type: "undo", of: { id: change.id } });
			return;
		}
		case "undo-group": {
			const group = pick(changes.flatMap((change) => change.group ?? []));
			if (group !== undefined) await world.undo({ type: "undo", of: { group } });
			return;
		}
		case "redo": {
			const change = pick(changes.filter(({ fate }) => fate === "undone"));
			if (change !== undefined) await world.redo({ type: "redo", of: { id: change.id } });
			return;
		}
		case "redo-group": {
			const group = pick(changes.flatMap(({ fate, group }) => (fate === "undone" && group) || []));
			if (group !== undefined) await world.redo({ type: "redo", of: { group } });
			return;
		}
		case "undo-redo": {
			const [last] = changes.filter(isMade);
			if (last === undefined) return;
			const before = await world.seenOfAll();
			expect(await world.undo()).toMatch(/^Undone: /);
			const of = last.group === undefined ? { id: last.id } : { group: last.group };
			// What of the group had been undone before is made again, too.
			const isWhole = changes.every(({ fate, group }) => group?.id !== last.group?.id || fate !== "undone");
			if (last.group !== undefined && !isWhole) return;
			expect(await world.redo({ type: "redo", of })).toMatch(/^Redone: /);
			expect(await world.seenOfAll()).toEqual(before);
			return;
		}
		case "restart":
			world.restart();
			return;
		case "restore":
		case "restore-all": {
			const items = await world.trash();
			const chosen = act === "restore" ? items.slice(which % items.length).slice(0, 1) : some(items);
			const named = chosen.map((item) => ({ item, title: "T" }));
			if (named.length > 0) await world.restore({ type: "restore-all", items: named, beside: false });
			return;
		}
		case "archive":
			await changeAll({ type: "archive" }, some(world.paths().filter((path) => !isArchived(path))), world);
			return;
		case "bring-back":
			await changeAll({ type: "bring-back" }, some(world.paths().filter(isArchived)), world);
			return;
		case "trash-all":
		case "label-all":
		case "fork-all":
		case "move-all":
		case "repair-all": {
			const to = join(world.agent.base, "work");
			const change = {
				"trash-all": { type: "trash" },
				"label-all": { type: "label", label: step.text },
				"fork-all": { type: "fork", to, archives: false },
				"move-all": { type: "fork", to, archives: true },
				"repair-all": { type: "repair" },
			} as const;
			await changeAll(change[act], some(world.paths()), world);
			return;
		}
		default: {
			const request = await requested({ ...step, act }, world);
			if (request !== undefined) await journal.make(request);
		}
	}
	void other;
}

/** Changes sessions alike, as the browser and the shell do. */
async function changeAll(change: SessionsChange, paths: readonly string[], world: ChangedSessions): Promise<void> {
	await world.journal.changeSessions({ type: "change-sessions", change, sessions: world.shown(paths) });
}

type Single = Extract<Step["act"], ChangeRequest["type"] | "pin" | "tag" | "done" | "drop-query">;

/** A change of one session, or of what is noted. */
async function requested(
	{ act, which, other, text }: Omit<Step, "act"> & { readonly act: string },
	world: ChangedSessions,
): Promise<ChangeRequest | undefined> {
	const paths = world.paths();
	const path = paths[which % paths.length];
	if (act === "save-query" || act === "drop-query") {
		const name = which % 2 === 0 ? "x" : "Y";
		const changes = [{ name, text: act === "save-query" ? `query ${other % 3}` : null }];
		return { type: "save-query", what: `${act} ${name}`, done: "Done", changes };
	}
	const row = path === undefined ? undefined : world.rowOf(path);
	if (path === undefined || row === undefined) return undefined;
	const { entries } = await readSession(path);
	const said = entries.filter(({ type }) => type === "message");
	const entryId = said[other % said.length]?.id ?? "";
	const cwd = join(world.agent.base, "work");
	switch (act as Single) {
		case "rename":
			return { type: "rename", path, name: text };
		case "label":
			return { type: "label", path, entryId, label: text };
		case "branch":
		case "go-on":
			return { type: act as "branch" | "go-on", path, entryId };
		case "forward": {
			const isPrompt = (entry: (typeof entries)[number]): boolean => agentMessageOf(entry)?.role === "user";
			const rewind = rewindOf(buildTree(entries).table, isPrompt);
			return rewind && { type: "forward", path, entryId: rewind.endId };
		}
		case "fork":
			return { type: "fork", path, cwd };
		case "repair":
			return { type: "repair", path, index: 0 };
		case "trash":
			return { type: "trash", path, size: row.size };
		case "bring": {
			const copy = join(world.agent.base, "copy.jsonl");
			writeFileSync(copy, lines(header({ id: "there" }), user("e0000001", null, 1, "from there")));
			return { type: "bring", path: copy, from: "mini:/x.jsonl", title: "There", cwd };
		}
		default: {
			const mark = act === "tag" ? { tag: text || "wip" } : act === "done" ? { done: row.modified.getTime() } : {};
			// Others have the same id, in another project, or in none that is known.
			const twin = { ...row, cwd: "/elsewhere" };
			const changed = [row, ...(other % 3 === 0 ? [twin, makeRow("a"), makeRow("b")] : [])];
			const changes = changed.map((one) => ({ ...changedSession(one), ...mark, on: other % 2 === 0 }));
			return { type: "mark", paths: [path], changes };
		}
	}
}

const isArchived = (path: string): boolean => path.includes("session-archive");

/** Undoes the last change until there is none. */
async function undoAll(world: ChangedSessions): Promise<void> {
	const count = (await world.changes()).length;
	for (let times = 0; times <= count; times++) {
		const said = await world.undo();
		if (said === "There is nothing to undo") return;
		expect(said).toMatch(/^Undone: /);
		await expectTrue(world);
	}
	expect.fail("there is no end of changes to undo");
}

/** What is in effect according to the history is so on the disk, and nothing else is. */
async function expectTrue(world: ChangedSessions): Promise<void> {
	const changes = (await world.changes()).toReversed();
	const made = changes.filter(isMade);
	expect(made.filter(({ fate }) => fate === "unclear")).toEqual([]);

	const there = new Set(["a", "b", "c"].map((name) => join(world.agent.root, `--x--/${name}.jsonl`)));
	const inTrash = new Set<string>();
	for (const { fate, undo, receipt } of changes) {
		if (fate === "undone" && receipt?.trashed) inTrash.add(receipt.trashed.path);
		if (fate === "made" && undo?.type === "restore" && undo.receipt.trashed) inTrash.add(undo.receipt.trashed.path);
		if (!isMade({ fate }) || undo === undefined) continue;
		if (undo.type === "restore") there.delete(undo.path ?? undo.receipt.path);
		if (undo.type === "moved") there.delete(undo.path);
		if (undo.type === "moved") there.add(undo.to);
		if (undo.type === "created") there.add(undo.path);
	}
	expect(world.paths(), "sessions").toEqual([...there].sort());
	const trash = join(DATA_HOME, "Trash", "files");
	const trashed = existsSync(trash) ? readdirSync(trash).map((name) => join(trash, name)) : [];
	expect(trashed.sort(), "trash").toEqual([...inTrash].sort());

	const marks = made.flatMap(({ undo }) => (undo?.type === "mark" ? world.marks.notedAs(undo.token) : []));
	expect(world.marks.content(), "marks").toEqual(applyChanges(marks));
	const saved = made.flatMap(({ undo }) => (undo?.type === "query" ? world.saved.notedAs(undo.token) : []));
	expect(world.saved.content(), "saved queries").toEqual(applySaved([], saved));
	for (const [index, change] of made.entries())
		if (dependentsOf([change], made.slice(index).reverse()).length === 0) await expectEffect(change);
}

/** What a change has set is set, where nothing later has to do with it. */
async function expectEffect({ undo, what }: Change): Promise<void> {
	if (undo?.type === "rename") expect((await readSession(undo.path)).tree.name ?? "", what).toBe(undo.set);
	if (undo?.type === "label")
		expect((await readSession(undo.path)).tree.labels.get(undo.entryId)?.text ?? "", what).toBe(undo.set);
}
