import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { knownFiles } from "../../src/edits/files-at.ts";
import type { Known } from "../../src/edits/known.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { EditingSession } from "../support/editing-session.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";

const directory = tempDirOfFile();
const FILE = "/gone/work/a.ts";

/** Of a directory that is not here: neither Git nor the disk tells of its files. */
function start(): EditingSession {
	return new EditingSession("01a10000-0000-7000-8000-00000000aaaa", "/gone/work", Date.UTC(2026, 0, 1));
}

/** What is known of one file, as of entries of a session. */
async function knownOf(one: EditingSession, ...entries: readonly string[]): Promise<readonly Known[]> {
	const path = join(directory, "session.jsonl");
	writeFileSync(path, one.text);
	const session = await readSession(path);
	const asked = entries.map((entryId) => ({ path: FILE, session, entryId }));
	return (await knownFiles(() => asked, session, { home: "/home/x", rows: [] })).map(({ known }) => known);
}

test("a write and the edits after it, as of each entry", async () => {
	const one = start();
	const before = one.prompt("Go");
	const written = one.write("a.ts", "1\n2\n3\n");
	const edited = one.edit("a.ts", [
		{ oldText: "3", newText: "three" },
		{ oldText: "1", newText: "one" },
	]);
	const elsewhere = one.write("b.ts", "b\n");
	const [never, first, second, third] = await knownOf(one, before, written, edited, elsewhere);
	expect(never).toMatchObject({
		answer: "unknown",
		text: undefined,
		isAbsent: false,
		why: expect.stringMatching(/^no session had /),
	});
	expect(first).toMatchObject({ answer: "exact", text: "1\n2\n3\n", base: { step: { entryId: written } }, edits: 0 });
	expect(second).toMatchObject({ answer: "exact", text: "one\n2\nthree\n", edits: 1, why: "" });
	expect(third).toEqual(second);
});

test("a complete read is as good as a write; a partial one only confirms, or shows that something changed the file", async () => {
	const one = start();
	one.prompt("Go");
	one.disk.set(FILE, "1\n2\n3\n4\n");
	const whole = one.read("a.ts");
	const same = one.read("a.ts", [2, 3]);
	one.disk.set(FILE, "1\n2\nthree\n4\n");
	const other = one.read("a.ts", [2, 4]);
	const [first, second, third] = await knownOf(one, whole, same, other);
	expect(first).toMatchObject({ answer: "exact", text: "1\n2\n3\n4\n", base: { step: { entryId: whole } } });
	expect(second).toMatchObject({ answer: "exact", text: "1\n2\n3\n4\n" });
	expect(third?.answer).toBe("unknown");
});

test("commands that ran since make it likely; an edit that does not fit shows that the file was changed", async () => {
	const one = start();
	one.prompt("Go");
	one.write("a.ts", "1\n2\n3\n");
	const ran = one.bash("make");
	const edited = one.edit("a.ts", [{ oldText: "2", newText: "two" }]);
	one.bash("python3 cut.py a.ts", (disk) => disk.set(FILE, "two\n3\n"));
	const misfit = one.edit("a.ts", [{ oldText: "3", newText: "three" }], { plain: true });
	const read = one.read("a.ts");
	const [first, second, third, fourth] = await knownOf(one, ran, edited, misfit, read);
	expect(first).toMatchObject({ text: "1\n2\n3\n" });
	expect(second).toMatchObject({ answer: "exact", text: "1\ntwo\n3\n", edits: 1 });
	// The read confirms the edit before it.
	expect(third).toMatchObject({ answer: "exact", text: "two\nthree\n" });
	expect(fourth).toMatchObject({ answer: "exact", text: "two\nthree\n" });
});

test("only the files that a command names become uncertain, and each says only what may have changed it", async () => {
	const one = start();
	one.prompt("Go");
	one.write("a.ts", "1\n");
	one.bash("cd src && python3 change.py b.ts && echo x > c.ts");
	const other = one.bash("git add . && mkdir -p dist && sed -i s/1/2/ b.ts");
	const named = one.bash("cp b.ts a.ts");
	const [first, second] = await knownOf(one, other, named);
	expect(first).toMatchObject({ text: "1\n", isAbsent: false });
	expect(second).toMatchObject({ answer: "unknown", text: undefined });
});

test("a file that a command has removed does not exist; nor does it probably, where something leaves doubt", async () => {
	const removedBy = async (command: string, fails = false, content: string | undefined = "1\n") => {
		const one = start();
		one.prompt("Go");
		if (content !== undefined) one.write("a.ts", content);
		const [file] = await knownOf(
			one,
			one.bash(command, () => fails),
		);
		return [file?.answer, file?.text, file?.isAbsent];
	};
	const gone = ["exact", undefined, true];
	for (const command of [
		"rm a.ts",
		"cd dir && rm -f ../a.ts && ls",
		"mv a.ts b.ts",
		"rm -rf .",
		"rm a.ts; ls",
		"rm -f a.ts | cat",
	])
		expect([command, ...(await removedBy(command))]).toEqual([command, ...gone]);
	expect(await removedBy("rm a.ts", false, undefined)).toEqual(gone);
	expect(await removedBy("rm a.ts", true)).toEqual(["likely", "1\n", false]);
});

test("failed calls change nothing; a call without a result may have", async () => {
	const one = start();
	one.write("a.ts", "1\n2\n");
	const failed = one.edit("a.ts", [{ oldText: "2", newText: "two" }], { fails: true });
	one.edit("a.ts", [{ oldText: "1", newText: "one" }], { unanswered: true, done: true });
	const later = one.prompt("Go on");
	const part = one.read("a.ts", [1, 2]);
	const [first, second, third] = await knownOf(one, failed, later, part);
	expect(first).toMatchObject({ answer: "exact", text: "1\n2\n" });
	expect(second).toMatchObject({ answer: "likely", why: expect.stringContaining("2 texts are possible") });
	expect(third).toMatchObject({ answer: "likely", text: "one\n2\n", why: expect.stringContaining("a person may") });
});

test.each([false, true])(
	"calls of one answer run beside each other: which one changed a file last is not known until it is read (%s)",
	async (isLast) => {
		const one = start();
		one.write("a.ts", "0\n");
		const beside = { path: "a.ts", content: "1\n2\n", isLast };
		const changes = (disk: Map<string, string>) => disk.set(FILE, "1\ntwo\n");
		const both = one.bash("printf '1\\ntwo\\n' > a.ts", changes, "", { beside });
		const later = one.prompt("Go on");
		const [first, second] = await knownOf(one, both, later);
		expect([first?.answer, second?.answer]).not.toContain("exact");
		const read = one.read("a.ts");
		const shown = { answer: "exact", text: isLast ? "1\n2\n" : "1\ntwo\n" };
		expect(await knownOf(one, later, read)).toMatchObject([shown, shown]);
	},
);

test("a disk has no branches: changes of another one are there or were put back, until something decides", async () => {
	const one = start();
	const written = one.write("a.ts", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
	one.edit("a.ts", [{ oldText: "1", newText: "one" }]);
	one.leaf = written;
	const later = one.prompt("Another way");
	const far = one.edit("a.ts", [{ oldText: "9", newText: "nine" }]);
	const near = one.edit("a.ts", [{ oldText: "3", newText: "three" }]);
	one.read("a.ts");
	const [first, second, third] = await knownOf(one, later, far, near);
	expect(first).toMatchObject({ text: "one\n2\n3\n4\n5\n6\n7\n8\n9\n" });
	expect(second).toMatchObject({ text: "one\n2\n3\n4\n5\n6\n7\n8\nnine\n" });
	expect(third).toMatchObject({ answer: "exact", text: "one\n2\nthree\n4\n5\n6\n7\n8\nnine\n" });
});

test("calls of scripts count as far as they are recorded; other tools count as commands", async () => {
	const one = start();
	one.write("a.ts", "1\n");
	const nested = (calls: readonly object[], complete: boolean): string => {
		const fields = { role: "toolResult", toolCallId: "s", toolName: "codemode", content: [] };
		const message = { ...fields, nestedCalls: { calls, complete } };
		const id = `s${one.lines.length}`;
		const timestamp = `2026-01-01T01:00:${String(one.lines.length).padStart(2, "0")}Z`;
		one.lines.push(JSON.stringify({ type: "message", id, parentId: one.leaf, timestamp, message }));
		one.leaf = id;
		return id;
	};
	const edit = { name: "edit", arguments: { path: "a.ts", edits: [{ oldText: "1", newText: "2" }] } };
	const done = nested([{ id: "s/1", status: "ok", ...edit }], true);
	const ran = nested([{ id: "s/2", name: "bash", status: "ok", arguments: { command: "make" } }], true);
	const lost = nested([], false);
	const [first, second, third] = await knownOf(one, done, ran, lost);
	expect(first).toMatchObject({ answer: "exact", text: "2\n" });
	expect(second).toMatchObject({ answer: "likely", text: "2\n", commands: [{ text: "make", step: { entryId: ran } }] });
	expect(third).toMatchObject({ answer: "likely", why: expect.stringMatching(/^2 commands ran since/) });
});

test("where a command removed it, and where it was written, both ends of a branch are known", async () => {
	const one = start();
	const fork = one.prompt("Go");
	const written = one.write("a.ts", "1\n");
	one.leaf = fork;
	one.prompt("Another way");
	const removed = one.bash("rm a.ts");
	expect(await knownOf(one, written, removed)).toMatchObject([
		{ answer: "exact", text: "1\n", isAbsent: false },
		{ answer: "exact", text: undefined, isAbsent: true },
	]);
});

const LINES = Array.from({ length: 12 }, (_, index) => `line ${index + 1}\n`).join("");

test("a text that fits by chance is only likely, and so is a copy of it: an edit does not show the lines far from it", async () => {
	const one = start();
	one.write("b.ts", LINES);
	one.bash("node change.mjs > b.ts", (disk) => disk.set("/gone/work/b.ts", LINES.replace("line 12", "twelve")));
	one.edit("b.ts", [{ oldText: "line 1\n", newText: "one\n" }]);
	const copied = one.bash("cp b.ts a.ts", (disk) => disk.set(FILE, disk.get("/gone/work/b.ts") ?? ""));
	one.write("a.ts", "over\n");
	one.write("b.ts", "over\n");
	const [known] = await knownOf(one, copied);
	expect(known).toMatchObject({
		answer: "likely",
		why: expect.stringContaining("what it was made from is not certain"),
	});
	expect(known?.why).toContain("part of it is as it had been before");
});

test("what is written over unseen may have been changed by hand since the last turn; what was removed stays so", async () => {
	const one = start();
	const written = one.write("a.ts", LINES);
	const later = one.prompt("Go on");
	one.write("a.ts", "over\n");
	one.bash("rm a.ts", (disk) => void disk.delete(FILE));
	const gone = one.prompt("Go on");
	one.write("a.ts", "again\n");
	const again = one.prompt("Go on");
	one.edit("a.ts", [{ oldText: "again", newText: "once more" }]);
	expect(await knownOf(one, written, later, gone, again)).toMatchObject([
		{ answer: "exact", text: LINES },
		{ answer: "likely", text: LINES, why: expect.stringContaining("a person may have changed it") },
		{ answer: "exact", isAbsent: true },
		// The diff of a small file shows all of it.
		{ answer: "exact", text: "again\n" },
	]);
});
