import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
const ID = "01a10000-0000-7000-8000-00000000cccc";
const CWD = "C:\\Users\\alice\\proj";
const A = "C:\\Users\\alice\\proj\\src\\a.ts";
const B = "export const monthlyInvoiceTotal = sumOfInvoices(invoices);\r\n";
const DAY = Date.UTC(2026, 0, 5, 9);
const AFTER = "const ONE = 1;\r\nconst TWO = 2;\r\nconst THREE = 3;\r\n";
const BEFORE = "const one = 1;\r\nconst two = 2;\r\nconst three = 3;\r\n";

/** What Git's shell gives on, and what a program prints in UTF-16. */
const HERE_STRING = `cd /c/Users/alice/proj && powershell -Command "@'\r\nfirst walrus\r\n'@ | Out-File -Encoding Unicode C:\\\\Users\\\\alice\\\\proj\\\\notes.txt; Get-Content notes.txt"`;
const UTF16 = `\ufeff${[..."second walrus\r\n"].map((letter) => `${letter}\0`).join("")}`;

let elsewhere: string;

/** A session on Windows that names one file in five ways, moves another one, and is read on this system. */
beforeEach(() => {
	const disk = new Map([[A, BEFORE]]);
	const session = new EditingSession(ID, CWD, DAY, disk);
	session.prompt("Do it");
	session.read("src/a.ts");
	session.edit(A, [{ oldText: "one", newText: "ONE" }]);
	session.edit("src\\a.ts", [{ oldText: "two", newText: "TWO" }]);
	session.bash('powershell -Command "Get-ChildItem -Recurse | Select-Object Name"');
	session.write("lib/new.ts", "new\r\n");
	session.bash("mv lib/new.ts /c/Users/alice/proj/src/moved.ts");
	session.write("c:/users/alice/proj/src/b.ts", B);
	session.bash(HERE_STRING, () => undefined, UTF16);
	session.write("D:\\other\\c.ts", "c\r\n");
	session.edit("./src/a.ts", [{ oldText: "three", newText: "THREE" }]);
	session.write("SRC\\A.ts", AFTER);
	sandbox.write(`2026-01-05T09-00-00-000Z_${ID}.jsonl`, ...session.lines);
	elsewhere = new GitRepository(sandbox.directory("elsewhere")).path;
});

test("a file has one name, wherever one stands, and a patch has slashes", () => {
	const files = run(sandbox, ["files", ID, "--json"]);
	const edited = JSON.parse(files.out).map(({ path, edits }: { path: string; edits: readonly object[] }) => [
		path,
		edits.length,
	]);
	expect(edited).toEqual(
		expect.arrayContaining([
			[A, 4],
			["C:\\Users\\alice\\proj\\src\\b.ts", 1],
			["D:\\other\\c.ts", 1],
		]),
	);
	for (const args of [
		["files", ID],
		["diff", ID],
		["diff", ID, "--stat"],
		["show", ID, "--file", "src/a.ts"],
	]) {
		const here = run(sandbox, args, {}, elsewhere);
		expect(here).toEqual(run(sandbox, args));
		expect(here.out + here.err).not.toContain(elsewhere);
	}
	const { out, err } = run(sandbox, ["diff", ID]);
	expect(out.match(/^diff --git .*/gm)).toEqual([
		"diff --git a/src/a.ts b/src/a.ts",
		"diff --git a/src/moved.ts b/src/moved.ts",
		"diff --git a/src/b.ts b/src/b.ts",
	]);
	expect(err).toContain(`not in the patch, because it is outside of ${CWD}: D:\\other\\c.ts`);
	const clone = new GitRepository(sandbox.directory("clone"));
	writeFileSync(join(sandbox.directory("clone/src"), "a.ts"), BEFORE);
	execFileSync("git", ["apply"], { cwd: clone.path, input: out });
	expect(readFileSync(join(clone.path, "src/a.ts"), "utf8")).toBe(AFTER);
	expect(readFileSync(join(clone.path, "src/moved.ts"), "utf8")).toBe("new\r\n");
	for (const name of ["src\\a.ts", "a.ts", A, "c:\\users\\alice\\proj\\src\\a.ts"])
		expect(run(sandbox, ["show", ID, "--file", name]).out).toBe(AFTER);
	expect(run(sandbox, ["diff", ID, "src", "--stat"]).out.split("\n")).toHaveLength(4);
});

test("a checkout asks where to, and takes a clone of the repository", () => {
	const asked = run(sandbox, ["checkout", ID, "--yes"], {}, elsewhere);
	expect(asked).toMatchObject({ code: 2, out: "" });
	expect(asked.err).toMatch(/C:\\Users\\alice\\proj is on another system: name .* --repo DIR; or .* --into DIR/);
	expect(readdirSync(elsewhere)).toEqual([".git"]);

	const into = join(sandbox.home, "plain");
	expect(run(sandbox, ["checkout", ID, "--into", into, "--yes"])).toMatchObject({ code: 0, out: `${into}\n` });
	expect(readdirSync(into)).toEqual(["src"]);
	expect(readdirSync(join(into, "src")).sort()).toEqual(["a.ts", "b.ts", "moved.ts"]);
	expect(readFileSync(join(into, "src/a.ts"), "utf8")).toBe(AFTER);

	const clone = new GitRepository(sandbox.directory("clone"));
	writeFileSync(join(sandbox.directory("clone/src"), "a.ts"), BEFORE);
	writeFileSync(join(clone.path, "kept.ts"), "kept\n");
	clone.commit(DAY - 3_600_000, "Begin");
	const worktree = join(sandbox.home, "worktree");
	const made = run(sandbox, ["checkout", ID, "--repo", clone.path, "--into", worktree, "--yes"]);
	expect(made).toMatchObject({ code: 0, err: expect.stringContaining("“Begin”") });
	expect(readFileSync(join(worktree, "src/a.ts"), "utf8")).toBe(AFTER);
	expect(readFileSync(join(worktree, "kept.ts"), "utf8")).toBe("kept\n");
});

/** A clone of its repository with one file. */
function cloneWith(name: string, text: string): GitRepository {
	const clone = new GitRepository(sandbox.directory("clone"));
	writeFileSync(join(sandbox.directory("clone/src"), name), text);
	return clone;
}

test("it is listed, shown, searched, exported, diffed and blamed, and its files are written into a clone", () => {
	const [row] = JSON.parse(run(sandbox, ["list", "--json", "--cwd", "c:\\users\\Alice\\PROJ"], {}, elsewhere).out);
	expect(row).toMatchObject({ id: ID, cwd: CWD });
	expect(run(sandbox, ["list", "--cwd", "C:\\Users\\alice"]).out).toBe("");

	const shown = run(sandbox, ["show", ID]);
	expect(shown.code).toBe(0);
	expect(shown.out).toContain("src\\a.ts");
	expect(shown.out).not.toContain(A);
	expect(shown.out).toContain("powershell -Command");
	expect(shown.out).not.toContain("cd /c/Users/alice/proj");
	expect(shown.out).not.toMatch(/[\0\ufeff\r]/);
	const { digest } = JSON.parse(run(sandbox, ["show", ID, "--digest", "--json"]).out);
	expect(digest.changed.map(({ path }: { path: string }) => path)).toEqual([
		"src\\a.ts",
		"src\\moved.ts",
		"src\\b.ts",
		"D:\\other\\c.ts",
	]);

	const found = ["project:proj", "project:alice/proj", "project:alice\\proj", `project:=${CWD}`];
	for (const query of [...found, "Get-ChildItem", "walrus", "file:a.ts monthlyInvoiceTotal"])
		expect([query, run(sandbox, ["search", query]).out]).toEqual([query, expect.stringContaining(ID)]);
	for (const query of ["project:bob/proj", "is:gone"])
		expect([query, run(sandbox, ["search", query]).out]).toEqual([query, ""]);

	for (const format of ["--html", "--markdown"]) {
		const made = run(sandbox, ["export", ID, format]);
		expect([made.code, made.out]).toEqual([0, expect.stringMatching(/\/do-it\.(?:html|md)\n$/)]);
		expect(made.err).toMatch(/masked/);
		expect(readFileSync(made.out.trim(), "utf8")).not.toMatch(/alice/i);
	}

	expect(run(sandbox, ["diff", ID, "src/b.ts"]).out).toContain("+++ b/src/b.ts\n");

	const clone = cloneWith("b.ts", B);
	const b = join(clone.path, "src/b.ts");
	expect(run(sandbox, ["blame", b]).out).toMatch(/^1\tcandidates\t.*01a10000/);
	writeFileSync(b, `${B}const other = "not of that session";\r\n`);
	clone.commit(DAY + 3_600_000, "Take it over");
	const [first = "", second = ""] = run(sandbox, ["blame", b]).out.split("\n");
	expect([first, second].map((line) => line.includes("01a10000"))).toEqual([true, false]);

	writeFileSync(join(clone.path, "src/a.ts"), BEFORE);
	const applied = run(sandbox, ["apply", ID, "src/a.ts", "--repo", clone.path, "--yes"]);
	expect([applied.code, readFileSync(join(clone.path, "src/a.ts"), "utf8")]).toEqual([0, AFTER]);
});

test("its sessions move to where its project is now", () => {
	const clone = new GitRepository(sandbox.directory("clone"));
	const moved = run(sandbox, ["move", "c:\\users\\alice\\Proj\\", clone.path, "--yes"], {}, elsewhere);
	expect(moved).toMatchObject({ code: 0, err: expect.stringContaining("Forked “Do it” into ~/clone and archived") });
	const rows = JSON.parse(run(sandbox, ["list", "--json", "--cwd", clone.path]).out);
	expect(rows).toMatchObject([{ cwd: clone.path, title: "Do it" }]);
	expect(run(sandbox, ["move", "C:\\Users\\bob", clone.path, "--yes"])).toMatchObject({
		code: 1,
		err: expect.stringContaining("There is no session of C:\\Users\\bob"),
	});
});
