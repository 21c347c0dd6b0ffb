import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
	branchSession,
	forkSession,
	labelEntry,
	renameSession,
	restoreLeaf,
	resumePoint,
} from "../../../src/store/actions/session-actions.ts";
import { SessionManager } from "../../../src/store/manager/session-manager.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { pathTo } from "../../../src/store/tree/session-table.ts";
import { copyOfFixture } from "../../support/fixture.ts";
import { lines } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

const HEADER = '{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/home/ada"}';

/** The lines that were appended to a file; fails if anything before them has changed. */
function appendedTo(path: string, before: string): readonly Record<string, unknown>[] {
	const now = readFileSync(path, "utf8");
	expect(now.slice(0, before.length)).toBe(before);
	return now
		.slice(before.length)
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line));
}

async function pathOf(path: string, id?: string): Promise<readonly string[]> {
	const { tree } = await readSession(path);
	return pathTo(tree, id ?? tree.leafId ?? "").map((entry) => entry.id);
}

function written(...entries: readonly unknown[]): string {
	const path = `${tempDir()}/session.jsonl`;
	writeFileSync(path, lines(HEADER, ...entries.map((entry) => JSON.stringify(entry))));
	return path;
}

const say = (id: unknown, parentId: unknown, content: string) => ({
	type: "message",
	id,
	parentId,
	message: { role: "user", content, timestamp: 1 },
});

test("branches at an entry whose id is empty", async () => {
	const path = written(say("a", null, "before"), say("", "a", "here"), say("b", "", "after"));
	expect(await pathOf(branchSession(path, ""))).toEqual(["a", ""]);
});

describe("ids that are not strings", () => {
	test("are read as pi reads them: the number 4 is not the string 4", async () => {
		const path = copyOfFixture("odd-ids");
		// As pi 1.5.2: getBranch() gives 1, 2, 3, 4, "4", 5, 6.
		expect(await pathOf(path)).toEqual(["1", "2", "3", "4~", "4", "5", "6"]);
		const { tree } = await readSession(path);
		expect(tree.labels.get("1")?.text).toBe("numbered");
		expect(tree.parentOf.get("true")).toBe("2");
		const manager = SessionManager.open(path);
		expect(manager.getBranch().map(({ id }) => id)).toEqual(await pathOf(path));
		expect(manager.buildContextEntries().map(({ id }) => id)).toEqual(["5", "4~", "4", "6"]);
	});

	test("stay: every change is one appended line that refers to them as the file does", async () => {
		const path = copyOfFixture("odd-ids");
		const before = readFileSync(path, "utf8");
		const name = renameSession(path, "New");
		const label = labelEntry(path, "4~", "here");
		const resumed = resumePoint(path, "true");
		const answered = resumePoint(path, "4");
		restoreLeaf(path, name.entryId ?? "");
		expect(appendedTo(path, before)).toMatchObject([
			{ type: "session_info", parentId: 6 },
			{ type: "label", parentId: name.entryId, targetId: 4 },
			{ type: "custom", parentId: 2 },
			{ type: "custom", parentId: "4" },
			{ type: "custom", parentId: name.entryId },
		]);
		expect(label.before).toBeUndefined();
		expect(resumed.text).toBe("Another branch.");
		expect(answered.text).toBeUndefined();
		expect((await readSession(path)).tree.labels.get("4~")?.text).toBe("here");
	});

	test("are the same in a fork, byte for byte, and in a branch", async () => {
		const path = copyOfFixture("odd-ids");
		const text = readFileSync(path, "utf8");
		const fork = readFileSync(forkSession(path, "/home/ada", tempDir()), "utf8").split("\n");
		const source = text.split("\n");
		for (const line of [1, 2, 3, 4, 7, 8, 9, 10]) expect(fork[line]).toBe(source[line]);

		const branch = branchSession(path, "6");
		const copied = appendedTo(branch, "").slice(1);
		expect(copied.map(({ id, parentId }) => [id, parentId])).toEqual([
			[1, null],
			[2, 1],
			[4, 2],
			["4", 4],
			[5, "4"],
			[6, 5],
			[copied.at(-1)?.id, 6],
		]);
		expect(copied.at(-1)).toMatchObject({ type: "label", targetId: 1, label: "numbered" });
		renameSession(branch, "Branch");
		expect(appendedTo(branch, "").at(-1)?.parentId).toBe(copied.at(-1)?.id);
	});
});

describe("entries without id", () => {
	test("are kept, and what is appended follows the last entry that has one", async () => {
		for (const stray of ["{}", '{"type":"message","message":null}', '{"type":"message","id":null}', '{"id":{"a":1}}']) {
			const path = written(say("a", null, "one"), say("b", "a", "two"), JSON.parse(stray));
			const before = readFileSync(path, "utf8");
			renameSession(path, "Name");
			expect(appendedTo(path, before)).toMatchObject([{ type: "session_info", parentId: "b", name: "Name" }]);
			expect((await pathOf(path)).slice(0, 2)).toEqual(["a", "b"]);
			expect((await readSession(path)).entries).toHaveLength(4);
		}
	});

	test("in a file that has no ids at all, the next entry names no parent, as in pi, and follows the last line", async () => {
		const path = copyOfFixture("forked-v1");
		const before = readFileSync(path, "utf8");
		const path1 = await pathOf(path);
		expect(path1.length).toBeGreaterThan(1);
		renameSession(path, "Name");
		expect(appendedTo(path, before)).toHaveLength(1);
		expect(appendedTo(path, before)[0]).not.toHaveProperty("parentId");
		expect((await pathOf(path)).slice(0, -1)).toEqual(path1);
		expect(
			SessionManager.open(path)
				.getBranch()
				.map(({ id }) => id),
		).toEqual(await pathOf(path));
		renameSession(path, "Another");
		expect((await pathOf(path)).slice(0, -2)).toEqual(path1);
	});

	test("nothing can be attached to them, and the error says so; a branch gives them ids", async () => {
		const path = copyOfFixture("forked-v1");
		const before = readFileSync(path, "utf8");
		const [first, second] = (await readSession(path)).entries;
		const none = expect.objectContaining({
			code: "no-id",
			message: expect.stringContaining("branch or fork the session"),
		});
		expect(thrown(() => labelEntry(path, first?.id ?? "", "x"))).toEqual(none);
		expect(thrown(() => resumePoint(path, second?.id ?? ""))).toEqual(none);
		expect(readFileSync(path, "utf8")).toBe(before);

		const branch = branchSession(path, second?.id ?? "");
		const copied = appendedTo(branch, "").slice(1);
		expect(copied.map(({ id, parentId }) => [id, parentId])).toEqual([
			[first?.id, null],
			[second?.id, first?.id],
		]);
		labelEntry(branch, first?.id ?? "", "x");
		expect((await readSession(branch)).tree.labels.get(first?.id ?? "")?.text).toBe("x");
	});
});

test("a version 2 session with ids that are numbers keeps them when it is migrated", async () => {
	const path = written(say(1, null, "one"), say(2, 1, "two"), { ...say(undefined, undefined, "three") });
	writeFileSync(path, readFileSync(path, "utf8").replace('"version":3', '"version":2'));
	const before = await pathOf(path);
	renameSession(path, "Name");
	const [, ...entries] = appendedTo(path, "");
	expect(entries.map(({ id, parentId }) => [id, parentId])).toEqual([
		[1, null],
		[2, 1],
		[expect.stringMatching(/^[0-9a-f]{8}$/), 2],
		[expect.any(String), entries[2]?.id],
	]);
	expect((await pathOf(path)).slice(0, -1)).toEqual(before);
});

test.each([
	['"3"', 3],
	["null", 1],
	['"x"', 3],
	["1e999", 3],
	["{}", 3],
])(
	'a header with "version": %s has version %s, as in pi, and only a file older than 3 is rewritten',
	async (version, read) => {
		const path = written(say("a", null, "one"), say("b", "a", "two"));
		writeFileSync(path, readFileSync(path, "utf8").replace('"version":3', `"version":${version}`));
		const before = readFileSync(path, "utf8");
		expect((await readSession(path)).version).toBe(read);
		renameSession(path, "Name");
		expect(readFileSync(path, "utf8").startsWith(before)).toBe(read >= 3);
		expect(await pathOf(path)).toHaveLength(3);
	},
);

function thrown(action: () => unknown): unknown {
	try {
		action();
		return undefined;
	} catch (error) {
		return error;
	}
}
