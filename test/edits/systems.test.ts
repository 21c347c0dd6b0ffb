import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scanFile } from "../../src/catalog/scan/scan-file.ts";
import { withoutRefused } from "../../src/changes/kinds/checkout.ts";
import { digestWithLines } from "../../src/edits/changed-lines.ts";
import { filesAtEntry } from "../../src/edits/files-at.ts";
import { patchName, patchOf, whyLeftOut } from "../../src/edits/patch.ts";
import { sessionChanges } from "../../src/edits/session-changes.ts";
import { filesOf, touchedFiles } from "../../src/edits/session-files.ts";
import { blameShown, type ShownLine } from "../../src/edits/shown-lines.ts";
import { TimeSlice } from "../../src/shared/steps.ts";
import { LINUX, MACOS, WINDOWS } from "../../src/shared/system.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { SYSTEMS, type SystemCase } from "../support/systems.ts";
import { tempDir } from "../support/temp-dir.ts";

const DAY = Date.UTC(2026, 0, 10);
const ID = "01a10000-0000-7000-8000-00000000dddd";
const A = "const one = 1;\r\nconst two = 2;\r\n";
const COMPOSED = "caf\u00e9.txt";
const DECOMPOSED = "cafe\u0301.txt";

/** A session of that system, and a clone of its repository here, whose Git knows "README.md" and "src/a.ts". */
async function start({ cwd }: SystemCase, does: (session: EditingSession) => void) {
	const clone = new GitRepository(join(tempDir(), "clone"));
	mkdirSync(clone.file("src"));
	writeFileSync(clone.file("README.md"), "read me\n");
	writeFileSync(clone.file("src/a.ts"), A);
	clone.commit(DAY - 3_600_000, "Begin");
	const made = new EditingSession(ID, cwd, DAY);
	made.prompt("Go");
	does(made);
	const path = join(tempDir(), "session.jsonl");
	writeFileSync(path, made.text);
	const session = await readSession(path);
	const options = { home: "/home/reader", rows: [], clone: { top: cwd, here: clone.path } };
	const { files } = await sessionChanges(session, { to: made.leaf ?? "" }, options);
	return { clone, session, files, patch: files.map((file) => patchOf(file, cwd)).join("") };
}

describe.each(SYSTEMS)("the files of a session on $name", (one) => {
	const { system, cwd, file } = one;
	const ignoresCase = system !== LINUX;

	test("are one by all their spellings, called as Git calls them, else as they were called first", async () => {
		const { session, files, patch, clone } = await start(one, (made) => {
			made.write("Readme.md", "changed\n");
			made.write("docs/New.md", "1\n");
			made.write(file("DOCS/new.md"), "2\n");
			made.write(COMPOSED, "a\n");
			made.write(DECOMPOSED, "b\n");
		});
		const cafes = system === MACOS ? [COMPOSED] : [COMPOSED, DECOMPOSED];
		const names = ignoresCase ? ["README.md", "docs/New.md"] : ["Readme.md", "docs/New.md", "DOCS/new.md"];
		expect(files.map(({ path }) => path)).toEqual([...names, ...cafes].map(file));
		expect(files.map(({ before }) => before)).toEqual([
			ignoresCase ? "read me\n" : undefined,
			...[...names.slice(1), ...cafes].map(() => undefined),
		]);
		expect(files.find(({ path }) => path === file("docs/New.md"))?.after).toBe(ignoresCase ? "2\n" : "1\n");
		expect(filesOf(session)).toHaveLength(files.length);
		const edits = filesOf(session).flatMap((each) => each.edits);
		expect(touchedFiles(edits)).toHaveLength(files.length);
		expect(patch.match(/^\+\+\+ .*/gm)).toHaveLength(files.length);
		const { changed } = await digestWithLines(session, { home: "/home/reader", rows: [] });
		const inDigest = changed.map((each) => [each.path, each.added]);
		expect(inDigest).toHaveLength(files.length);
		expect(inDigest).toContainEqual([system.paths.join("docs", "New.md"), 1]);
		execFileSync("git", ["apply"], { cwd: clone.path, input: patch });
		expect(readFileSync(clone.file("README.md"), "utf8")).toBe(ignoresCase ? "changed\n" : "read me\n");
	});

	test("are found by what commands call them", async () => {
		const { files, clone, patch } = await start(one, (made) => {
			made.write("src/b.ts", "b\n");
			made.bash("mv SRC/B.ts src/c.ts");
			made.bash("rm src/A.ts");
		});
		const known = files.map(({ path, before, after }) => [path, before, after]);
		if (ignoresCase)
			expect(known).toEqual([
				[file("src/c.ts"), undefined, "b\n"],
				[file("src/a.ts"), A, undefined],
			]);
		else expect(known).toContainEqual([file("src/b.ts"), undefined, "b\n"]);
		execFileSync("git", ["apply"], { cwd: clone.path, input: patch });
	});

	test("as of an entry: with slashes, and what cannot be there is named", async () => {
		const { session, clone } = await start(one, (made) => {
			made.disk.set(file("src/a.ts"), A);
			made.read("src/a.ts");
			made.edit(file("src/a.ts"), [{ oldText: "one", newText: "ONE" }]);
			made.write("aux.txt", "x\n");
			made.write("notes/Todo.md", "x\n");
			made.write("notes/todo.md", "y\n");
		});
		const options = { home: "/home/reader", rows: [], clone: clone.path };
		const files = await filesAtEntry(session, session.tree.leafId ?? "", options);
		expect(files).toMatchObject({ root: cwd, inside: "", base: { subject: "Begin" } });
		const known = new Map(files.files.map(({ name, answer, text }) => [name, [answer, text]]));
		expect(known.get("src/a.ts")).toEqual(["exact", A.replace("one", "ONE")]);
		const todos = ignoresCase ? ["notes/Todo.md"] : ["notes/Todo.md", "notes/todo.md"];
		expect([...known.keys()]).toEqual(["src/a.ts", "aux.txt", ...todos]);
		const unread = async (here: typeof system) => (await withoutRefused(files, here)).unread.join("\n");
		expect(await unread(LINUX)).toBe("");
		expect(await unread(MACOS)).toBe(
			ignoresCase ? "" : "Not written: notes/todo.md: here it is the same file as notes/Todo.md.",
		);
		expect(await unread(WINDOWS)).toContain("aux.txt: no file can have that name on Windows");
	});

	test("each line of them has the session that wrote it, however that has named the file", async () => {
		const directory = tempDir();
		const disk = new Map<string, string>();
		const work = (number: number, does: (made: EditingSession) => void): string => {
			const made = new EditingSession(ID.replace(/d$/, String(number)), cwd, DAY + number * 3_600_000, disk);
			made.prompt(`Task ${number}`);
			does(made);
			const path = join(directory, `${made.id}.jsonl`);
			writeFileSync(path, made.text);
			return path;
		};
		const first = work(1, (made) => made.write(file("src/a.ts"), "export const numberOfUsers = 1;\nsecond();\n"));
		const path = work(2, (made) => made.edit("src/a.ts", [{ oldText: "second();", newText: "other();" }]));
		const session = await readSession(path);
		const rows = [first, path].map((each) => scanFile(each).row);
		const { signal } = new AbortController();
		const options = { home: "/home/reader", rows, slice: new TimeSlice(signal), signal };
		const line: ShownLine = { kind: "same", text: "export const numberOfUsers = 1;", before: 1, after: 1 };
		const end = session.tree.leafId ?? "";
		const shown = { session, path: file("src/a.ts"), lines: [line], first: end, last: end, place: undefined };
		const { authors, repository } = await blameShown(shown, options);
		expect(repository).toBeUndefined();
		expect(authors.get(line)?.edits.map((edit) => edit.session)).toEqual([first]);
		expect(authors.get(line)?.answer).toBe("exact");
	});

	test("in a patch: below its root, and what no file there can be called is left out", () => {
		expect(patchName(file("src/a.ts"), cwd)).toBe("src/a.ts");
		for (const name of ["../x", "..", ".", ".git/config", ".GIT. /x"])
			expect(patchName(file(name), cwd)).toBeUndefined();
		expect(patchName(file("src/nul"), cwd)).toBe(system === WINDOWS ? undefined : "src/nul");
		expect(whyLeftOut(file(".git\u200c/config"), cwd, "~")).toBe("in Git's own directory");
		expect(whyLeftOut(file("../x"), cwd, "~")).toBe("outside of ~");
	});
});
