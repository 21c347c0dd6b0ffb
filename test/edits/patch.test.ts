import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { patchCounts, patchOf } from "../../src/edits/patch.ts";
import { sessionChanges } from "../../src/edits/session-changes.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { EditingSession } from "../support/editing-session.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";

const directory = tempDirOfFile();
const root = join(directory, "repo");

/** What a session does to a file that holds this text before, if it is there. */
interface Case {
	readonly name: string;
	readonly before?: string;
	readonly act: (session: EditingSession, name: string) => void;
	/** "exact" if absent. */
	readonly answer?: "likely";
}

const NINE = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
const change =
	(oldText: string, newText: string, plain = false) =>
	(session: EditingSession, name: string) => {
		session.read(name);
		session.edit(name, [{ oldText, newText }], { plain });
	};
const rewrite = (content: string) => (session: EditingSession, name: string) => {
	session.read(name);
	session.write(name, content);
};

const CASES: readonly Case[] = [
	{ name: "plain.ts", before: NINE, act: change("5", "five") },
	{ name: "new/file.ts", act: (session, name) => session.write(name, "1\n"), answer: "likely" },
	{ name: "new/looked-for.ts", act: rewrite("1\n2") },
	{ name: "new/empty.ts", act: (session, name) => session.write(name, ""), answer: "likely" },
	{ name: "emptied.ts", before: "1\n2\n", act: change("1\n2\n", "") },
	{ name: "filled.ts", before: "", act: rewrite("1\n") },
	{ name: "less.ts", before: NINE, act: change("4\n5\n6\n", "") },
	{ name: "no-end.ts", before: "1\n2", act: change("2", "two") },
	{ name: "end-lost.ts", before: "1\n2\n", act: rewrite("1\n2") },
	{ name: "end-won.ts", before: "1\n2", act: rewrite("1\n2\n") },
	{
		name: "crlf.ts",
		before: "1\r\n2\r\n3\r\n",
		act: rewrite("1\r\ntwo\r\n3\r\n"),
	},
	{
		name: "to-lf.ts",
		before: "1\r\n2\r\n",
		act: rewrite("1\n2\n"),
	},
	{ name: "cr.ts", before: "1\r2\n\u00a0\f3\n", act: change("\f3", "\f4", true) },
	{ name: "mark.ts", before: "\uFEFF1\n2\n", act: change("2", "two", true) },
	{ name: "a b/c  d.ts", before: "1\n", act: change("1", "one") },
	{ name: "q\"uo'te\\s.ts", before: "1\n", act: change("1", "one") },
	{ name: "größe/日本.ts", before: "1\n", act: change("1", "größer") },
	{ name: "tab\there.ts", before: "1\n", act: change("1", "one") },
	{ name: "-dash.ts", before: "-- a\n++ b\n", act: change("-- a\n++ b", "++ a\n-- b") },
	{
		name: "twice.ts",
		before: NINE,
		act: (session, name) => {
			session.read(name);
			session.edit(name, [{ oldText: "2", newText: "two" }]);
			session.bash("git status");
			session.edit(name, [{ oldText: "8", newText: "eight" }]);
			session.edit(name, [{ oldText: "two", newText: "2" }]);
		},
	},
	{
		name: "only-edited.ts",
		before: NINE,
		act: (session, name) => session.edit(name, [{ oldText: "5", newText: "five" }]),
		answer: "likely",
	},
	{
		name: "edited twice, not read.ts",
		before: NINE,
		act: (session, name) => {
			session.edit(name, [{ oldText: "5", newText: "five\nand" }]);
			session.edit(name, [{ oldText: "6", newText: "six" }]);
		},
		answer: "likely",
	},
];

function put(name: string, text: string): void {
	mkdirSync(dirname(join(root, name)), { recursive: true });
	writeFileSync(join(root, name), text);
}

function git(args: readonly string[], input?: string): string {
	return execFileSync("git", ["-c", "core.autocrlf=false", ...args], { cwd: root, input, encoding: "utf8" });
}

test("git apply takes the patch of every file, forward and back", async () => {
	mkdirSync(root);
	git(["init", "-q"]);
	const disk = new Map<string, string>();
	const session = new EditingSession("01a10000-0000-7000-8000-00000000aaaa", root, Date.UTC(2026, 0, 1), disk);
	session.prompt("Go");
	for (const { name, before, act } of CASES) {
		if (before !== undefined) {
			disk.set(join(root, name), before);
			put(name, before);
		}
		act(session, name);
	}
	const path = join(directory, "session.jsonl");
	writeFileSync(path, session.text);
	session.putDisk();
	const span = { to: session.leaf ?? "" };
	const { files } = await sessionChanges(await readSession(path), span, { home: "/home/x", rows: [] });
	expect(files.map(({ answer }) => answer)).toEqual(CASES.map(({ answer }) => answer ?? "exact"));
	const patch = files.map((file) => patchOf(file, root)).join("");
	// As it was before the session.
	for (const { name, before } of CASES) {
		if (before === undefined) rmSync(join(root, name));
		else put(name, before);
	}
	const state = () => git(["ls-files", "-z", "--others"]).split("\0").sort();
	const namesBefore = state();
	git(["apply", "--whitespace=nowarn"], patch);
	for (const { name } of CASES)
		expect([name, readFileSync(join(root, name), "utf8")]).toEqual([name, disk.get(join(root, name))]);
	git(["apply", "--whitespace=nowarn", "-R"], patch);
	expect(state()).toEqual(namesBefore);
	for (const { name, before } of CASES)
		if (before !== undefined) expect([name, readFileSync(join(root, name), "utf8")]).toEqual([name, before]);
	rmSync(root, { recursive: true });
});

test("texts with next to nothing in common replace each other, in time", () => {
	const lines = (sign: string) =>
		Array.from({ length: 20_000 }, (_, index) => `${sign}${(index * 7919) % 20_011}\n`).join("");
	const file = {
		path: "/w/a.ts",
		edits: [],
		firstMs: 0,
		answer: "exact",
		why: "",
		diffs: [],
	} as const;
	const patch = patchOf({ ...file, before: lines("a"), after: `${lines("b")}x` }, "/w");
	expect(patchCounts(patch)).toEqual({ added: 20_001, removed: 20_000 });
	expect(patch.endsWith("+x\n\\ No newline at end of file\n")).toBe(true);
});
