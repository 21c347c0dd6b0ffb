import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editHunks } from "../../src/edits/edit-diff.ts";
import { patchCounts, patchName, patchOf, patchRoot } from "../../src/edits/patch.ts";
import { hunksBetween, hunkText, readHunks, withHunks } from "../../src/edits/patch-hunks.ts";
import type { ChangedFile } from "../../src/edits/session-changes.ts";
import { gatherEdits } from "../../src/edits/session-files.ts";
import { runToEnd } from "../../src/shared/steps.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { caseCount } from "../support/cases.ts";
import { EditingSession } from "../support/editing-session.ts";
import { tempDir } from "../support/temp-dir.ts";

const hasModes = process.platform !== "win32";
const IS_PROGRAM = hasModes ? "+x " : "";

/** The files of a directory with their texts, and "+x " before those of programs. */
type Tree = Readonly<Record<string, string>>;

const BASE = { edits: [], firstMs: 0, answer: "exact", why: "", diffs: [] } as const;

/** A repository with some files. */
class Repository {
	readonly root = tempDir();

	constructor(tree: Tree) {
		this.git(["init", "-q"]);
		for (const [name, held] of Object.entries(tree)) {
			const path = this.path(name);
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, held.replace(/^\+x /, ""));
			if (held.startsWith("+x ")) chmodSync(path, 0o755);
		}
	}

	path(name: string): string {
		return join(this.root, name);
	}

	git(args: readonly string[], input?: string): string {
		return execFileSync("git", ["-c", "core.autocrlf=false", ...args], { cwd: this.root, input, encoding: "utf8" });
	}

	tree(): Tree {
		const names = this.git(["ls-files", "-z", "--others"]).split("\0").slice(0, -1);
		const held = (name: string): string => {
			const isProgram = (statSync(this.path(name)).mode & 0o100) !== 0;
			return `${isProgram ? "+x " : ""}${readFileSync(this.path(name), "utf8")}`;
		};
		return Object.fromEntries(names.map((name) => [name, held(name)]));
	}

	/** The patch of files, each a change of one below the root. */
	patch(files: readonly Partial<ChangedFile>[]): string {
		const all = files.map((file): ChangedFile => ({ ...BASE, path: this.root, ...file }));
		return all.map((file) => patchOf(file, this.root)).join("");
	}
}

/** Expects a patch to turn one tree into the other, and back. */
function expectApplied(repository: Repository, patch: string, before: Tree, after: Tree): void {
	expect(repository.tree()).toEqual(before);
	repository.git(["apply", "--whitespace=nowarn"], patch);
	expect(repository.tree()).toEqual(after);
	repository.git(["apply", "--whitespace=nowarn", "-R"], patch);
	expect(repository.tree()).toEqual(before);
}

/** What a session did to one file, edit by edit. `details`: of its results, made others. */
async function editsOf(
	act: (session: EditingSession) => unknown,
	disk: Tree = {},
	details: (own: object) => object = (own) => own,
): Promise<Pick<ChangedFile, "answer" | "edits" | "diffs">> {
	const texts = Object.entries(disk).map(([name, text]) => [`/w/${name}`, text] as const);
	const made = new EditingSession("01a10000-0000-7000-8000-00000000aaaa", "/w", Date.UTC(2026, 0, 1), new Map(texts));
	made.prompt("Go");
	act(made);
	const path = join(tempDir(), "session.jsonl");
	const lines = made.lines.map((line) => {
		const entry = JSON.parse(line);
		if (entry.message?.details !== undefined) entry.message.details = details(entry.message.details);
		return `${JSON.stringify(entry)}\n`;
	});
	writeFileSync(path, lines.join(""));
	const session = await readSession(path);
	const { edits } = runToEnd(gatherEdits(session, "/home/x"));
	return { answer: "edits", edits, diffs: edits.map((edit) => editHunks(edit, session, "/home/x")) };
}

const NAMES = [
	"a b/c d.ts",
	"ä/ß.ts",
	"q\"uo'te.ts",
	"back\\slash.ts",
	"tab\there.ts",
	" start.ts",
	"end ",
	"-dash.ts",
	"line\nend.ts",
];
const NINE = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

describe("of files with any name, git apply takes, forward and back,", () => {
	/** For each name, files in these directories. */
	const treeOf = (directories: Tree): Tree =>
		Object.fromEntries(
			NAMES.flatMap((name) => Object.entries(directories).map(([directory, held]) => [`${directory}/${name}`, held])),
		);

	test("a new name, with and without a change", () => {
		const changed = NINE.replace("5", "five");
		const before = treeOf({ old: NINE, same: NINE, empty: "" });
		const repository = new Repository(before);
		const moved = (from: string, to: string, text: string, result = text): readonly Partial<ChangedFile>[] =>
			NAMES.map((name) => ({
				...{ path: repository.path(`${to}/${name}`), renamedFrom: repository.path(`${from}/${name}`) },
				...{ before: text, after: result },
			}));
		const patch = repository.patch([
			...moved("old", "new", NINE, changed),
			...moved("same", "same too", NINE),
			...moved("empty", "no more", ""),
		]);
		expect(patch.match(/^similarity index .*/gm)).toEqual(
			[76, 100, 100].flatMap((share) => NAMES.map(() => `similarity index ${share}%`)),
		);
		expectApplied(repository, patch, before, treeOf({ new: changed, "same too": NINE, "no more": "" }));
	});

	test.runIf(hasModes)("modes, with and without a change", () => {
		const before = treeOf({ a: "1\n", b: "+x 1\n", gone: "+x 1\n", o: "1\n" });
		const repository = new Repository(before);
		const [plain, program] = ["100644", "100755"] as const;
		const patch = repository.patch(
			NAMES.flatMap((name): readonly Partial<ChangedFile>[] => {
				const path = (directory: string): string => repository.path(`${directory}/${name}`);
				const modes = { before: plain, after: program };
				return [
					{ path: path("a"), before: "1\n", after: "1\n", modes },
					{ path: path("b"), before: "1\n", after: "2\n", modes: { before: program, after: plain } },
					{ path: path("gone"), before: "1\n", modes: { before: program } },
					{ path: path("new"), after: "1\n", modes: { after: program } },
					{ path: path("p"), renamedFrom: path("o"), before: "1\n", after: "1\n", modes },
				];
			}),
		);
		expectApplied(repository, patch, before, treeOf({ a: "+x 1\n", b: "2\n", new: "+x 1\n", p: "+x 1\n" }));
	});

	test("edit by edit, writes, a new name and modes", async () => {
		const before = treeOf({ a: NINE, twice: NINE });
		const after = treeOf({
			b: NINE.replace("8", "eight"),
			twice: `${IS_PROGRAM}${NINE.replace("2", "two").replace("3", "three")}`,
			new: `${IS_PROGRAM}b\nc\n`,
		});
		const repository = new Repository(before);
		const modes = { before: "100644", after: hasModes ? "100755" : "100644" } as const;
		const edited = await editsOf((session) => session.edit("a", [{ oldText: "8", newText: "eight" }]), { a: NINE });
		const twice = await editsOf(
			(session) => {
				session.edit("a", [{ oldText: "2", newText: "two" }]);
				session.edit("a", [{ oldText: "3", newText: "three" }]);
			},
			{ a: NINE },
		);
		const written = await editsOf((session) => {
			session.write("a", "a\n");
			session.edit("a", [{ oldText: "a", newText: "b" }]);
			session.write("a", "b\nc\n");
		});
		const patch = repository.patch(
			NAMES.flatMap((name): readonly Partial<ChangedFile>[] => [
				{ ...edited, path: repository.path(`b/${name}`), renamedFrom: repository.path(`a/${name}`) },
				{ ...twice, path: repository.path(`twice/${name}`), modes },
				{ ...written, path: repository.path(`new/${name}`), modes: { after: modes.after } },
			]),
		);
		expect(patch.match(/^(?:new file|rename from|#)/gm)).toEqual(NAMES.flatMap(() => ["rename from", "new file"]));
		expectApplied(repository, patch, before, after);
	});
});

describe("edit by edit", () => {
	const lines = (...texts: readonly string[]): string => texts.map((text) => `${text}\r\n`).join("");

	test("lines have the ends of the file, if it is known how they end", async () => {
		const before = {
			"file.txt": lines("1", "2", "3"),
			"open.txt": `${lines("1", "2")}3`,
			"shown.txt": lines("1", "2"),
		};
		const after = {
			"file.txt": lines("1", "two", "3"),
			"open.txt": `${lines("1", "2")}three`,
			"shown.txt": lines("1", "two"),
		};
		const repository = new Repository(before);
		// As pi does, the diff of its result has line feeds.
		const edit = (name: keyof typeof before, oldText: string, newText: string) =>
			editsOf((session) => session.edit(name, [{ oldText, newText }]), { [name]: before[name].replaceAll("\r", "") });
		const shown = await editsOf(
			(session) => session.edit("shown.txt", [{ oldText: "2\r\n", newText: "two\r\n" }]),
			before,
			() => ({ diff: " 1 1\n-2 2\n+2 two" }),
		);
		const patch = repository.patch([
			{ ...(await edit("file.txt", "2", "two")), path: repository.path("file.txt"), lineEnd: "\r\n" },
			{ ...(await edit("open.txt", "3", "three")), path: repository.path("open.txt"), lineEnd: "\r\n" },
			{ ...shown, path: repository.path("shown.txt") },
		]);
		expectApplied(repository, patch, before, after);
	});

	test("what was written is known, with its line ends, until something does not fit to it", async () => {
		const path = "/w/a.txt";
		const all = await editsOf((session) => {
			session.write("a.txt", lines("1", "2"));
			session.disk.set(path, "1\n2\n");
			session.edit("a.txt", [{ oldText: "2", newText: "two" }]);
			session.disk.set(path, "one\ntwo\n");
			session.edit("a.txt", [{ oldText: "two", newText: "2" }]);
			session.write("a.txt", "end\n");
		});
		const parts = patchOf({ ...BASE, ...all, path }, "/w").split(/^(?=diff --git)/m);
		expect(parts.map((part) => part.split("\n").slice(1).join("\n"))).toEqual([
			"new file mode 100644\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+1\r\n+two\r\n",
			"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\r\n-two\r\n+2\r\n",
			"new file mode 100644\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+end\n",
		]);
	});

	test("of a file with another name that was edited more than once, the new name is a comment", async () => {
		const twice = await editsOf(
			(session) => {
				session.edit("a.txt", [{ oldText: "2", newText: "two" }]);
				session.edit("a.txt", [{ oldText: "3", newText: "three" }]);
			},
			{ "a.txt": NINE },
		);
		const patch = patchOf({ ...BASE, ...twice, path: "/w/b.txt", renamedFrom: "/w/a.txt" }, "/w");
		expect(patch.match(/^(?:#|diff|rename).*/gm)).toEqual([
			"# a/a.txt was renamed to b/b.txt",
			"diff --git a/b.txt b/b.txt",
			"diff --git a/b.txt b/b.txt",
		]);
		const repository = new Repository({ "b.txt": NINE });
		expectApplied(repository, patch, { "b.txt": NINE }, { "b.txt": NINE.replace("2", "two").replace("3", "three") });
	});

	const HUNK = "@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n";
	const NUMBERED = "  ...\n 4 4\n-5 5\n+5 five\n 6 6\n  ...";
	const OTHERS =
		"diff --git a/.vscode/tasks.json b/.vscode/tasks.json\nnew file mode 100755\n--- /dev/null\n+++ b/.vscode/tasks.json\n@@ -0,0 +1,1 @@\n+{}\ndiff --git a/link b/link\nnew file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1,1 @@\n+/etc\n\\ No newline at end of file\ndiff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-b\n";

	test.each<readonly [what: string, details: object]>([
		["other files behind it", { patch: `${HUNK}${OTHERS}` }],
		["other files behind it in the diff", { diff: `${HUNK}${OTHERS}` }],
		["other files before it", { patch: `${OTHERS}${HUNK}`, diff: NUMBERED }],
		["other files in it", { patch: `@@ -4,9 +4,9 @@\n 4\n-5\n+five\n 6\n${OTHERS}`, diff: NUMBERED }],
		["a name in the middle", { patch: `${HUNK}--- a/b.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-b\n`, diff: NUMBERED }],
		["counts that are too small", { patch: "@@ -4,2 +4,2 @@\n 4\n-5\n+five\n 6\n", diff: NUMBERED }],
		["no hunk", { patch: `rename from a.txt\nrename to b.txt\n${NUMBERED}`, diff: NUMBERED }],
		["an end that is none", { patch: `${HUNK.replace(" 4\n", " 4\n\\ No newline at end of file\n")}`, diff: NUMBERED }],
	])("of a result with %s only the change of the file is there", async (_, details) => {
		const before = { "a.txt": NINE, "b.txt": "b\n" };
		const repository = new Repository(before);
		const act = (session: EditingSession): unknown => session.edit("a.txt", [{ oldText: "5", newText: "five" }]);
		const patch = repository.patch([
			{ ...(await editsOf(act, before, () => details)), path: repository.path("a.txt") },
		]);
		expect(patchCounts(patch)).toEqual({ added: 1, removed: 1 });
		expectApplied(repository, patch, before, { ...before, "a.txt": NINE.replace("5", "five") });
	});

	test.each<readonly [what: string, details: object]>([
		["of nothing", {}],
		["without a place", { patch: OTHERS.slice(0, 40), diff: "+five" }],
		["whose lines do not follow each other", { diff: " 4 4\n-7 5\n+5 five" }],
		["of other files", { diff: OTHERS }],
	])("a result %s leaves what was asked for, as a comment", async (_, details) => {
		const oldText = "5\ndiff --git a/x b/x\nnew file mode 100644\n";
		const act = (session: EditingSession): unknown => session.edit("a.txt", [{ oldText, newText: "five\n" }]);
		const all = await editsOf(
			act,
			{ "a.txt": `${NINE}${oldText.replace("5\n", "")}`.replace("5\n6\n7\n8\n9\n", "5\n") },
			() => details,
		);
		const patch = patchOf({ ...BASE, ...all, path: "/w/a.txt" }, "/w");
		expect(patch).toBe(
			"# b/a.txt, an edit whose place is not known:\n# -5\n# -diff --git a/x b/x\n# -new file mode 100644\n# +five\n",
		);
	});
});

test.each([
	["/w", "/w/a/b.ts", "a/b.ts"],
	["/w", "/w/a\\b.ts", "a\\b.ts"],
	["/w", "/w/..a", "..a"],
	["/", "/etc/x", "etc/x"],
	["C:\\Users\\bob\\m7", "C:\\Users\\bob\\m7\\src\\a.ts", "src/a.ts"],
	["C:\\Users\\bob\\m7", "c:/users/bob/m7/src/a.ts", "src/a.ts"],
	["/w", "/w", undefined],
	["/w", "/v/a", undefined],
	["/w", "/w/../a", undefined],
	["/w", "/w/C:\\Users\\bob\\m7\\a.ts", undefined],
	["/w", "C:\\Users\\bob\\m7\\a.ts", undefined],
	["C:\\w", "D:\\w\\a.ts", undefined],
	["C:\\w", "C:\\v\\a.ts", undefined],
	["/w", "/w/.git/info/exclude", undefined],
	["/w", "/w/sub/.GIT/config", undefined],
	["/w", "/w/.gi\u200ct/config", undefined],
	["/w", "/w/git~1/config", undefined],
	["/w", "/w/.git::$INDEX_ALLOCATION/config", undefined],
	["/w", "/w/.git. /config", undefined],
	["/w", "/w/a\0b", undefined],
	["/w", `/w/${"n".repeat(256)}`, undefined],
	["/w", "/w/.github/x", ".github/x"],
	["/w", "/w/.gitignore", ".gitignore"],
])("from %j, the name of %j is %j", (root, path, name) => {
	expect(patchName(path, root)).toBe(name);
});

test("the paths of a session of another system begin at its directory, wherever this one is", async () => {
	const cwd = process.platform === "win32" ? "relative" : "C:\\Users\\bob";
	const made = new EditingSession("01a10000-0000-7000-8000-00000000aaaa", cwd, Date.UTC(2026, 0, 1));
	made.prompt("Go");
	const path = join(tempDir(), "session.jsonl");
	writeFileSync(path, made.text);
	expect(await patchRoot(await readSession(path), false)).toBe(cwd);
});

const texts = fc
	.tuple(
		fc.array(fc.constantFrom("a", "b", "c", "", "-- a", "++ b", "\\ c", "@@ d"), { maxLength: 14 }),
		fc.constantFrom("", "\n"),
	)
	.map(([all, end]) => (all.length === 0 ? "" : all.join("\n") + end));

test("the hunks of a patch are read as they were, and make one text of the other", () => {
	fc.assert(
		fc.property(texts, texts, (before, after) => {
			const hunks = hunksBetween(before, after).map(hunkText).join("");
			expect(hunks === "").toBe(before === after);
			if (hunks === "") return;
			const read = readHunks(hunks) ?? [];
			expect(read.map(hunkText).join("")).toBe(hunks);
			expect(withHunks(before, read)).toBe(after);
			expect(withHunks(`z\n${before}`, read)).not.toBe(after);
		}),
		{ numRuns: caseCount(500) },
	);
});

test("a line before the hunks that could be read in many ways takes no time", () => {
	expect(readHunks(`${"--- ".repeat(5000)}\nnone\n@@ -1 +1 @@\n-a\n+b\n`)).toBeUndefined();
	expect(readHunks(`${"--- ".repeat(5000)}\n@@ -1 +1 @@\n-a\n+b\n${"\n".repeat(30_000)}`)).toHaveLength(1);
}, 20_000);

test("of texts that differ too much to be compared, what is the same before and after the differences is kept", () => {
	const many = (sign: string): string => Array.from({ length: 1200 }, (_, index) => `${sign}${index}\n`).join("");
	const [before, after] = [`${NINE}${many("a")}${NINE}`, `${NINE}${many("b")}more\n${NINE}`];
	const repository = new Repository({ a: before });
	const patch = repository.patch([{ path: repository.path("a"), before, after }]);
	expect(patchCounts(patch)).toEqual({ added: 1201, removed: 1200 });
	expectApplied(repository, patch, { a: before }, { a: after });
});
