import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wholeDiff } from "../../src/conversation/render/compare-text.ts";
import { changesIn } from "../../src/edits/edit-diff.ts";
import { type SummedChange, sumChange } from "../../src/edits/rebuild-file.ts";
import {
	type EditedFile,
	editedFiles,
	gatherEdits,
	type SessionEdits,
	withRuns,
} from "../../src/edits/session-files.ts";
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
	/** What all edits of a file of /work come to. */
	readonly sum: (name: string) => SummedChange;
}

async function gather({ text }: EditingSession, entryId?: string): Promise<Gathered> {
	const path = join(directory, "session.jsonl");
	writeFileSync(path, text);
	const session = await readSession(path);
	const found = runToEnd(gatherEdits(session, HOME, entryId));
	const files = editedFiles(found.edits);
	const fileOf = (name: string): EditedFile => {
		const file = files.find((one) => one.path === `/work/${name}`);
		if (file === undefined) throw new Error(`${name} is not among the files`);
		return file;
	};
	return { session, found, files, sum: (name) => runToEnd(sumChange(session, fileOf(name), HOME)) };
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
	expect(withRuns(found, [found]).edits).toHaveLength(2);
});

test("all edits of a file together: only what differs at the end", async () => {
	const one = start();
	one.prompt("Go");
	one.disk.set("/work/a.ts", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
	one.read("a.ts");
	one.edit("a.ts", [{ oldText: "2", newText: "two" }]);
	one.edit("a.ts", [{ oldText: "8", newText: "eight" }]);
	one.edit("a.ts", [{ oldText: "two", newText: "2" }]);
	const { sum } = await gather(one);
	const change = sum("a.ts");
	expect(change).toEqual({
		before: "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
		after: "1\n2\n3\n4\n5\n6\n7\neight\n9\n",
		doubt: "",
	});
	if ("why" in change) return;
	expect(
		wholeDiff(change.before, change.after)?.map(({ kind, before, after, text }) => [kind, before, after, text]),
	).toEqual([
		["same", 5, 5, "5"],
		["same", 6, 6, "6"],
		["same", 7, 7, "7"],
		["removed", 8, undefined, "8"],
		["added", undefined, 8, "eight"],
		["same", 9, 9, "9"],
	]);
});

test("a file that was written is all new, with a doubt about what stood there; one that was only edited cannot be summed up", async () => {
	const one = start();
	one.prompt("Go");
	one.write("new.ts", "1\n2\n");
	one.disk.set("/work/old.ts", "1\n2\n");
	one.edit("old.ts", [{ oldText: "2", newText: "two" }]);
	const { sum } = await gather(one);
	expect(sum("new.ts")).toEqual({
		before: "",
		after: "1\n2\n",
		doubt: "what the file held before it was written is not known",
	});
	expect(sum("old.ts")).toEqual({ why: expect.stringContaining("had not yet written it or read it whole") });
});

test("a gap stands between changes that are far apart; texts without a common line differ in all", () => {
	const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
	const changed = lines.with(2, "first").with(30, "second");
	const diff = wholeDiff(lines.join("\n"), changed.join("\n")) ?? [];
	expect(diff.filter(({ kind }) => kind === "gap")).toHaveLength(1);
	expect(diff.filter(({ kind }) => kind === "added").map(({ text, after }) => [text, after])).toEqual([
		["first", 3],
		["second", 31],
	]);
	expect(wholeDiff("a\nb", "a\nb")).toEqual([]);
	expect(wholeDiff("a", "b")?.map(({ kind }) => kind)).toEqual(["removed", "added"]);
});
