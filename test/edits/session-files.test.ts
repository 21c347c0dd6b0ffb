import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wholeDiff } from "../../src/conversation/render/edit-lines.ts";
import { loadRenderers } from "../../src/conversation/render/renderers.ts";
import { changesIn } from "../../src/edits/edit-diff.ts";
import { type EditedFile, editedFiles, gatherEdits, type SessionEdits } from "../../src/edits/session-files.ts";
import { runToEnd } from "../../src/shared/steps.ts";
import { readSession, type Session } from "../../src/store/read/read-session.ts";
import { EditingSession } from "../support/editing-session.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";

const directory = tempDirOfFile();
const HOME = "/home/x";

function start(): EditingSession {
	return new EditingSession("01a10000-0000-7000-8000-00000000aaaa", "/work", Date.UTC(2026, 0, 1));
}

interface Gathered {
	readonly session: Session;
	readonly found: SessionEdits;
	readonly files: readonly EditedFile[];
}

async function gather({ text }: EditingSession, entryId?: string): Promise<Gathered> {
	const path = join(directory, "session.jsonl");
	writeFileSync(path, text);
	const session = await readSession(path);
	const found = runToEnd(gatherEdits(session, HOME, entryId));
	return { session, found, files: editedFiles(found.edits) };
}

test("the files of a session, most changed first, each edit with its turn, on all branches", async () => {
	const one = start();
	one.prompt("Write both");
	const first = one.write("a.ts", "1\n2\n3\n");
	one.write("b.ts", "1\n2\n3\n4\n5\n");
	const fork = one.prompt("Change one");
	const left = one.edit("a.ts", [{ oldText: "2", newText: "two" }]);
	one.leaf = fork;
	const kept = one.edit("a.ts", [{ oldText: "3", newText: "three" }]);
	one.bash("make");

	const { found, files } = await gather(one);
	expect(files.map(({ path, edits }) => [path, edits.length])).toEqual([
		["/work/a.ts", 3],
		["/work/b.ts", 1],
	]);
	expect(files[0]?.edits.map(({ entryId, turn, isActive, tool }) => [entryId, turn, isActive, tool])).toEqual([
		[first, 1, true, "write"],
		[left, 2, false, "edit"],
		[kept, 2, true, "edit"],
	]);
	expect(found).toMatchObject({ unplaced: 0, commands: 1 });

	const upToFork = await gather(one, fork);
	expect(upToFork.found.edits.map(({ entryId }) => entryId)).not.toContain(kept);
	expect(upToFork.found.commands).toBe(0);
});

test("two edits of a file by one script of the model each show what they changed", async () => {
	const one = start();
	one.prompt("Go");
	const edit = (oldText: string, newText: string) => {
		return { id: newText, name: "edit", status: "ok", arguments: { path: "a.ts", edits: [{ oldText, newText }] } };
	};
	const nestedCalls = { calls: [edit("1", "one"), edit("2", "two")], complete: true };
	const message = { role: "toolResult", toolCallId: "s", toolName: "codemode", content: [], nestedCalls };
	const timestamp = "2026-01-01T01:00:00Z";
	one.lines.push(JSON.stringify({ type: "message", id: "s1", parentId: one.leaf, timestamp, message }));

	const { found, session } = await gather(one);
	const texts = found.edits.map((each) => changesIn(each, session, HOME).map(({ text }) => text));
	expect(texts).toEqual([["one"], ["two"]]);
	expect(new Set(found.edits.map(({ key }) => key)).size).toBe(2);
});

test("a gap stands between changes that are far apart; texts without a common line differ in all", async () => {
	const renderers = await loadRenderers();
	const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
	const changed = lines.with(2, "first").with(30, "second");
	const diff = wholeDiff(lines.join("\n"), changed.join("\n"), renderers) ?? [];
	expect(diff.filter(({ kind }) => kind === "gap")).toHaveLength(1);
	expect(diff.filter(({ kind }) => kind === "added").map(({ text, after }) => [text, after])).toEqual([
		["first", 3],
		["second", 31],
	]);
	expect(wholeDiff("a\nb", "a\nb", renderers)).toEqual([]);
	expect(wholeDiff("a", "b", renderers)?.map(({ kind }) => kind)).toEqual(["removed", "added"]);
});
