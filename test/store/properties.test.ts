import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isObject } from "../../src/shared/json.ts";
import { migrateSessionEntries } from "../../src/store/format/migrate.ts";
import { parseSessionEntries } from "../../src/store/format/parse.ts";
import { patchJson } from "../../src/store/format/patch-json.ts";
import type { SessionEntry } from "../../src/store/format/schema.ts";
import { SessionManager } from "../../src/store/manager/session-manager.ts";
import { readSessionInfo } from "../../src/store/read/list-sessions.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { buildTree, pathTo } from "../../src/store/tree/session-table.ts";
import { caseCount } from "../support/cases.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { tempDir, tempDirOfFile } from "../support/temp-dir.ts";

const files = tempDirOfFile();
const ids = ["00000001", "00000002", "00000003", "00000004", "00000005", "00000006"];
const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-05T09:00:00.000Z", cwd: "/home/ada" };

/** Entries with arbitrary parents: missing ones, themselves, each other. */
const anyEntry = fc
	.record({
		type: fc.constantFrom("message", "custom_message", "label", "compaction", "context_edit", "future_thing", 7),
		id: fc.option(fc.constantFrom(...ids), { nil: undefined, freq: 8 }),
		parentId: fc.oneof(fc.constantFrom(...ids, "missing!", null), fc.constantFrom(undefined, 3)),
		timestamp: fc.constantFrom(
			"2026-01-05T09:00:01.000Z",
			"2026-01-05T09:00:02.000Z",
			"yesterday",
			undefined,
			12,
			1e300,
			{
				toString: 2,
			},
		),
		message: fc.oneof(
			fc.record({
				role: fc.constantFrom("user", "assistant", "system", "martian"),
				content: fc.jsonValue({ maxDepth: 3 }),
				toolsAdded: fc.jsonValue({ maxDepth: 2 }),
				sections: fc.jsonValue({ maxDepth: 1 }),
				timestamp: fc.constantFrom(1, 1e300, -1, "now", null, { toString: 1 }, { valueOf: {}, toString: {} }),
			}),
			fc.jsonValue({ maxDepth: 1 }),
		),
		targetId: fc.constantFrom(...ids, 9),
		label: fc.constantFrom("a", "", null, undefined, 3),
		replacement: fc.jsonValue({ maxDepth: 1 }),
		extra: fc.jsonValue({ maxDepth: 2 }),
	})
	.map((entry) => JSON.stringify(entry));
const anyLine = fc.oneof(
	{ weight: 6, arbitrary: anyEntry },
	{ weight: 1, arbitrary: fc.constant(JSON.stringify(header)) },
	{ weight: 1, arbitrary: fc.string() },
	{ weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
);
const anyFile = fc.array(anyLine, { maxLength: 15 }).map((lines) => lines.join("\n"));

/** A valid tree: every parent is an earlier entry or null. */
const soundEntries = fc
	.array(
		fc.record({
			// Usually the entry before, so that paths are long.
			parent: fc.oneof(
				{ weight: 6, arbitrary: fc.constant("before" as const) },
				{ weight: 2, arbitrary: fc.nat({ max: 30 }) },
				{ weight: 1, arbitrary: fc.constant(null) },
			),
			kind: fc.constantFrom("user", "assistant", "label", "compaction", "context_edit", "branch_summary", "custom"),
			target: fc.nat({ max: 30 }),
		}),
		{ minLength: 1, maxLength: 30 },
	)
	.map((plan) =>
		plan.map(({ parent, kind, target }, index) => {
			const name = (place: number) => (place % index).toString(16).padStart(8, "0");
			const parentId = parent === null || index === 0 ? null : name(parent === "before" ? index - 1 : parent);
			const aim = index === 0 ? "00000000" : name(target);
			const base = { id: index.toString(16).padStart(8, "0"), parentId, timestamp: header.timestamp };
			return { ...base, ...contentOf(kind, aim, index) };
		}),
	);

function contentOf(kind: string, target: string, index: number): object {
	if (kind === "user") return { type: "message", message: { role: "user", content: `say ${index}`, timestamp: index } };
	if (kind === "assistant") {
		const content = [{ type: "text", text: `answer ${index}` }];
		return {
			type: "message",
			message: { role: "assistant", content, provider: "p", model: `m${index}`, timestamp: 1 },
		};
	}
	if (kind === "label") return { type: "label", targetId: target, label: index % 3 === 0 ? "" : `label ${index}` };
	if (kind === "compaction") return { type: "compaction", summary: "s", firstKeptEntryId: target, tokensBefore: 1 };
	if (kind === "context_edit") {
		return { type: "context_edit", targetId: target, replacement: index % 2 === 0 ? null : { content: "edited" } };
	}
	if (kind === "branch_summary") return { type: "branch_summary", fromId: target, summary: `left ${index}` };
	return { type: "custom", customType: "t", data: index };
}

function written(folder: string, text: string): string {
	const path = join(folder, "session.jsonl");
	writeFileSync(path, text);
	return path;
}

test("reads anything without throwing, losing an entry or touching the file", async () => {
	const folder = tempDir();
	await fc.assert(
		fc.asyncProperty(anyFile, async (text) => {
			const path = written(folder, text);
			const before = fingerprint(path);
			const session = await readSession(path);
			const info = await readSessionInfo(path);
			expect(fingerprint(path)).toEqual(before);
			expect(info.diagnostics).toEqual(session.diagnostics);

			const objects = parseSessionEntries(text).filter(({ type }) => type !== "session");
			expect(session.entries).toHaveLength(objects.length);
			expect(session.tree.byId.size).toBe(objects.length);
			const reached: string[] = [];
			const stack = [...session.tree.roots];
			for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
				reached.push(entry.id);
				stack.push(...(session.tree.children.get(entry.id) ?? []));
			}
			expect(reached.sort()).toEqual([...session.tree.byId.keys()].sort());
			for (const { id } of session.entries) {
				expect(session.tree.roots).toContain(pathTo(session.tree, id)[0]);
				expect(text.split("\n")[(session.lines.get(id) ?? 0) - 1]).toBeDefined();
			}
		}),
		{ numRuns: caseCount(100) },
	);
});

test("opens anything that has a header, and every method works", () => {
	fc.assert(
		fc.property(anyFile, (text) => {
			const manager = SessionManager.open(written(files, `${JSON.stringify(header)}\n${text}`));
			manager.getTree();
			manager.getSessionName();
			for (const { id } of manager.getEntries()) {
				manager.branch(id);
				manager.buildSessionContext();
				manager.getChildren(id);
				manager.getLabel(id);
			}
			const branch = manager.getBranch();
			try {
				manager.appendCompaction("summary", null, 1);
				expect(manager.getBranch().slice(0, -1)).toEqual(branch);
			} catch (error) {
				// Nothing can be appended to an entry that has no id in the file.
				expect(error).toMatchObject({ code: "no-id" });
				expect(manager.getBranch()).toEqual(branch);
			}
			manager.createBranchedSession(manager.getLeafId() ?? "");
		}),
		{ numRuns: caseCount(100) },
	);
});

test("reads the same entries under the same ids every time", async () => {
	const folder = tempDir();
	await fc.assert(
		fc.asyncProperty(anyFile, async (text) => {
			const path = written(folder, text);
			expect((await readSession(path)).entries).toEqual((await readSession(path)).entries);
		}),
		{ numRuns: caseCount(30) },
	);
});

test("migrating twice is the same as migrating once", () => {
	fc.assert(
		fc.property(anyFile, fc.constantFrom(undefined, 1, 2, 3), (text, version) => {
			const entries = parseSessionEntries(`${JSON.stringify({ ...header, version })}\n${text}`);
			migrateSessionEntries(entries);
			const once = structuredClone(entries);
			migrateSessionEntries(entries);
			expect(entries).toEqual(once);
		}),
	);
});

test("prints an object as it was written, except for what has changed", () => {
	const written = fc
		.tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat({ max: 3 }))
		.map(([value, indent]) => ({ value, text: JSON.stringify(value, null, indent) }));
	fc.assert(
		fc.property(written, fc.string(), fc.option(fc.jsonValue(), { nil: undefined }), ({ value, text }, key, change) => {
			const same: unknown = JSON.parse(text);
			if (!isObject(same)) throw new Error("not an object");
			expect(patchJson(text, same)).toBe(text);
			const changed = { ...same, [key]: change };
			expect(JSON.parse(patchJson(text, changed))).toEqual(JSON.parse(JSON.stringify(changed)));
			for (const key of Object.keys(value)) {
				const { [key]: _, ...less } = same;
				expect(JSON.parse(patchJson(text, less))).toEqual(less);
			}
		}),
	);
	const exact =
		'{ "n": 2.50, "big": 12345678901234567890, "e": 1E3, "o": {"2":  1.0, "1": 0, "2": 1.0}, "s": "\\u0041" }';
	const parsed: unknown = JSON.parse(exact);
	if (!isObject(parsed)) throw new Error("not an object");
	expect(patchJson(exact, { ...parsed, parentId: "a", e: 5 })).toBe(
		'{ "n": 2.50, "big": 12345678901234567890, "e": 5, "o": {"2":  1.0, "1": 0, "2": 1.0}, "s": "\\u0041","parentId":"a" }',
	);
});

test("getBranch begins at a root, goes from parent to child and ends at the entry", () => {
	fc.assert(
		fc.property(anyFile, (text) => {
			const entries = parseSessionEntries(`${JSON.stringify(header)}\n${text}`).filter(
				({ id }) => typeof id === "string",
			);
			const manager = SessionManager.inMemory("/", {}, entries);
			for (const { id } of manager.getEntries()) {
				const branch = manager.getBranch(id);
				expect(branch.at(-1)?.id).toBe(id);
				expect(new Set(branch).size).toBe(branch.length);
				for (const [index, entry] of branch.entries()) {
					if (index > 0) expect(entry.parentId).toBe(branch[index - 1]?.id);
				}
			}
		}),
	);
});

test("gives a branched session the context that its source has at that entry", () => {
	fc.assert(
		fc.property(soundEntries, fc.nat(), (entries, pick) => {
			const path = written(files, [header, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
			const before = fingerprint(path);
			const source = SessionManager.open(path);
			const target = source.getEntries()[pick % entries.length];
			if (target === undefined) throw new Error("no entries");
			const branched = SessionManager.open(path);
			branched.createBranchedSession(target.id);
			source.branch(target.id);
			expect(branched.buildSessionContext()).toEqual(source.buildSessionContext());
			for (const { id } of branched.getEntries()) {
				if (source.getEntry(id)) expect(branched.getLabel(id)).toBe(source.getLabel(id));
			}
			expect(fingerprint(path)).toEqual(before);
			// With a message in it, every session gets its file.
			branched.appendMessage({ role: "user", content: "on", timestamp: 0 });
			const reread = SessionManager.open(branched.getSessionFile() ?? "");
			expect(JSON.stringify(reread.getEntries())).toBe(JSON.stringify(branched.getEntries()));
		}),
		{ numRuns: caseCount(60) },
	);
});

test("forks every entry byte for byte", () => {
	fc.assert(
		fc.property(fc.array(anyEntry, { minLength: 1, maxLength: 8 }), (lines) => {
			const withIds = lines.map((line, index) => `{"exact":2.50,"id":"x${index}",${line.slice(1)}`);
			const path = written(files, `${JSON.stringify(header)}\n${withIds.join("\n")}\n`);
			const fork = SessionManager.forkFrom(path, "/home/ada/other", files);
			const copied = readFileSync(fork.getSessionFile() ?? "", "utf8")
				.split("\n")
				.slice(1, -1);
			for (const [index, line] of copied.entries()) {
				expect(JSON.parse(line)).toMatchObject(JSON.parse(withIds[index] ?? ""));
				expect(line).toContain('"exact":2.50');
			}
			expect(copied).toHaveLength(lines.length);
		}),
	);
});

test("in a tree of valid entries each has the parent that it names", () => {
	fc.assert(
		fc.property(soundEntries, (entries) => {
			// Generated according to the types.
			const tree = buildTree(entries as unknown as SessionEntry[]);
			for (const { id, parentId } of entries) expect(tree.parentOf.get(id) ?? null).toBe(parentId);
			expect(tree.leafId).toBe(entries.at(-1)?.id);
		}),
	);
});
