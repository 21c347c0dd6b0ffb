import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SESSION_ACTIONS as actions } from "../../src/store/actions/session-actions.ts";
import { StoreError } from "../../src/store/files/store-error.ts";
import { SessionManager } from "../../src/store/manager/session-manager.ts";
import { readSessionInfo } from "../../src/store/read/list-sessions.ts";
import { extendSession, readSession, type Session } from "../../src/store/read/read-session.ts";
import { pathTo } from "../../src/store/tree/session-table.ts";
import { caseCount, FIRST_SEED } from "../support/cases.ts";
import { fixtureDir } from "../support/fixture.ts";
import { mutateSession, type Random, seededRandom } from "../support/mutate-session.ts";
import { realSession } from "../support/real-session.ts";
import { createTempDir } from "../support/temp-dir.ts";

const COUNT = caseCount(10, 60);

const FIXTURES = [
	"every-entry-type",
	"branches",
	"odd-ids",
	"v1",
	"v2",
	"forked-v1",
	"linear-v3",
	"duplicate-ids",
	"names",
];
const MAX_LINES = 120;

const sources = [...FIXTURES.map((name) => join(fixtureDir, `${name}.jsonl`)), realSession ?? []]
	.flat()
	.map((path) => readFileSync(path, "utf8"));

test(`${COUNT} mutated sessions: every action keeps every byte and every entry`, async () => {
	const count = { actions: 0, refused: 0, whole: 0 };
	for (let index = 0; index < COUNT; index += 1) {
		const seed = FIRST_SEED * 1_000_003 + index;
		const random = seededRandom(seed);
		const text = mutateSession(part(sources[index % sources.length] ?? "", random), random);
		const { path: dir, remove } = createTempDir();
		try {
			await tryAll(join(dir, "session.jsonl"), text, random, count);
		} catch (error) {
			throw new Error(`PI_GROVE_SEED=${FIRST_SEED}, case ${index}: ${String(error)}\n${text.slice(0, 4000)}`, {
				cause: error,
			});
		} finally {
			remove();
		}
	}
	// Otherwise nothing was tested.
	expect(count.actions).toBeGreaterThan(COUNT);
	expect(count.whole).toBeGreaterThan(COUNT / 2);
});

/** The header and some consecutive lines of a long file. */
function part(text: string, random: Random): string {
	const lines = text.split("\n");
	if (lines.length <= MAX_LINES) return text;
	const from = 1 + Math.floor(random() * (lines.length - MAX_LINES));
	return [lines[0], ...lines.slice(from, from + MAX_LINES)].join("\n");
}

interface Count {
	actions: number;
	refused: number;
	whole: number;
}

async function tryAll(path: string, text: string, random: Random, count: Count): Promise<void> {
	writeFileSync(path, text);
	const first = await readSession(path);
	expect((await readSessionInfo(path)).diagnostics).toEqual(first.diagnostics);
	expectWhole(first);
	expect(readFileSync(path, "utf8")).toBe(Buffer.from(text).toString());
	const anyId = () => first.entries[Math.floor(random() * first.entries.length)]?.id ?? "none";
	const appending: readonly (() => unknown)[] = [
		() => actions.renameSession(path, `name ${random()}`),
		() => actions.labelEntry(path, anyId(), `label ${random()}`),
		() => actions.resumePoint(path, anyId()),
		() => actions.restoreLeaf(path, first.tree.leafId),
		() => SessionManager.open(path).appendCompaction("summary", null, 1),
		() => actions.renameSession(path, ""),
	];
	for (const action of appending) await tryAppending(path, action, count);
	const last = await readSession(path);
	const bytes = readFileSync(path);
	const fork = tryTo(() => actions.forkSession(path, "/home/ada", join(path, "../forks")), count);
	if (fork !== undefined) expect(shapeOf(await readSession(fork))).toEqual(shapeOf(last));
	const id = anyId();
	const branch = tryTo(() => actions.branchSession(path, id), count);
	if (branch !== undefined) await expectBranch(last, id, await readSession(branch));
	tryTo(() => useManager(SessionManager.open(path)), count);
	expect(readFileSync(path).equals(bytes)).toBe(true);
	if (last.header !== undefined && fork !== undefined) count.whole += 1;
}

/** Does something that appends entries, or is refused with a reason. */
async function tryAppending(path: string, action: () => unknown, count: Count): Promise<void> {
	const bytes = readFileSync(path);
	const before = await readSession(path);
	const leaf = before.tree.leafId;
	const done = tryTo(() => ({ result: action() }), count);
	const now = readFileSync(path);
	if (done === undefined) expect(now.equals(bytes)).toBe(true);
	// An old version is rewritten, by a rename; nothing else ever is.
	else if (before.version >= 3) expect(now.subarray(0, bytes.length).equals(bytes)).toBe(true);
	const after = await readSession(path);
	expectWhole(after);
	expectKept(before, after);
	// If every line before is in pi's form, pi and we continue from the same entry.
	// pi does not follow an entry whose id is false, 0 or "": what is appended to it has its nearest ancestor as the parent.
	const hasOtherIds = /"id":(?:""|[^"])/.test(bytes.toString());
	const isRename = action.toString().includes("renameSession");
	if (done !== undefined && isRename && before.diagnostics.length === 0 && !hasOtherIds) {
		const added = after.entries[before.entries.length];
		if (added !== undefined) expect(after.tree.parentOf.get(added.id) ?? null).toBe(leaf);
	}
	const grown = await extendSession(before);
	if (grown === undefined) return;
	expect(shapeOf(grown)).toEqual(shapeOf(after));
	expect(grown.entries.map(({ id }) => id)).toEqual(after.entries.map(({ id }) => id));
	expect([grown.tree.leafId, grown.tree.name]).toEqual([after.tree.leafId, after.tree.name]);
}

function tryTo<Result>(action: () => Result, count: Count): Result | undefined {
	try {
		const result = action();
		count.actions += 1;
		return result;
	} catch (error) {
		if (!(error instanceof StoreError)) throw error;
		expect(error.message.length).toBeGreaterThan(20);
		count.refused += 1;
		return undefined;
	}
}

/** Every entry is reached from the roots exactly once. */
function expectWhole({ entries, tree }: Session): void {
	const stack = [...tree.roots];
	let reached = 0;
	for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
		reached += 1;
		for (const child of tree.children.get(entry.id) ?? []) stack.push(child);
	}
	expect([reached, tree.byId.size]).toEqual([entries.length, entries.length]);
}

/** Every earlier entry is still there, on its line and with its parent. */
function expectKept(before: Session, after: Session): void {
	for (const [index, { id, type }] of before.entries.entries()) {
		const entry = after.entries[index];
		expect([entry?.id, entry?.type, after.lines.get(id)]).toEqual([id, type, before.lines.get(id)]);
		expect(after.tree.parentOf.get(id)).toBe(before.tree.parentOf.get(id));
	}
	expect(after.entries.length - before.entries.length).toBeLessThanOrEqual(1);
}

/** The tree without its ids: the type of each entry and the position of its parent. */
function shapeOf({ entries, tree }: Session): unknown {
	const position = new Map(entries.map(({ id }, index) => [id, index]));
	return entries.map(({ id, type }) => [type, position.get(tree.parentOf.get(id) ?? "") ?? null]);
}

/** The branch is the path to the entry, without its labels; in a cycle pi has no path. */
async function expectBranch(source: Session, id: string, branch: Session): Promise<void> {
	expectWhole(branch);
	if (source.diagnostics.some(({ code }) => code === "parent-cycle" || code === "duplicate-id")) return;
	const types = pathTo(source.tree, id)
		.filter(({ type }) => type !== "label")
		.map(({ type }) => type);
	expect(branch.entries.slice(0, types.length).map(({ type }) => type)).toEqual(types);
	expect(pathTo(branch.tree, branch.tree.leafId ?? "")).toHaveLength(branch.entries.length);
}

function useManager(manager: SessionManager): void {
	manager.getTree();
	manager.getSessionName();
	manager.getEntryCount();
	for (const { id } of manager.getEntries()) {
		manager.branch(id);
		manager.getBranch();
		manager.getChildren(id);
	}
	manager.buildSessionContext();
}
