import { expect, test } from "vitest";
import { changesOf, digestOf, readSession } from "../../src/index.ts";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

/** The lines added and removed of each file, "1 0"; "- -" where they are not known. */
type Said = Readonly<Record<string, string>>;

const DAY = Date.UTC(2026, 0, 5, 9);
const COMMITTED = "one\ntwo\nthree\nfour\nfive\n";

/** A session of rewrites, whose steps come to far more lines than the files differ in; returns its path. */
function writeSession(git: GitRepository): string {
	const names = ["over.ts", "twice.ts", "undone.ts", "same.ts", "moved.ts", "gone.ts"];
	const disk = new Map(names.map((name) => [git.file(name), COMMITTED]));
	git.put(disk);
	git.commit(DAY - 3_600_000, "Begin");
	const one = new EditingSession("01a10000-0000-7000-8000-00000000aaaa", git.path, DAY, disk);
	one.prompt("Write over all of it");
	for (const name of names) one.read(name);
	one.write("over.ts", COMMITTED.replace("two", "two\nand a half"));
	one.edit("twice.ts", [{ oldText: "three", newText: "drei" }]);
	one.edit("undone.ts", [{ oldText: "four\n", newText: "vier\nund mehr\n" }]);
	one.write("same.ts", "nothing of it\n");
	one.write("new.ts", "new\nlines\n");
	const fork = one.leaf;
	one.prompt("Another way");
	one.write("left.ts", "left\n");
	one.disk.delete(git.file("left.ts"));
	one.leaf = fork;
	one.prompt("And again");
	one.edit("twice.ts", [{ oldText: "drei", newText: "trois" }]);
	one.edit("undone.ts", [{ oldText: "vier\nund mehr\n", newText: "four\n" }]);
	one.write("same.ts", COMMITTED);
	one.write("new.ts", "new\nother\nlines\n");
	one.edit("moved.ts", [{ oldText: "five", newText: "cinq" }]);
	one.bash("mv moved.ts away.ts", (files) => {
		files.set(git.file("away.ts"), files.get(git.file("moved.ts")) ?? "");
		files.delete(git.file("moved.ts"));
	});
	one.bash("rm gone.ts", (files) => void files.delete(git.file("gone.ts")));
	one.putDisk();
	return one.save(sandbox.agentDir);
}

test("all who say lines of a change say what Git says of it, and nobody else says lines", async () => {
	const git = new GitRepository(sandbox.directory("work/api"));
	const path = writeSession(git);
	const runIn = (...args: readonly string[]): string => {
		const { code, out } = run(sandbox, args, { GIT_CONFIG_GLOBAL: "/dev/null" }, git.path);
		expect([args, code]).toEqual([args, 0]);
		return out;
	};
	const json = (...args: readonly string[]) => JSON.parse(runIn(...args, "--json"));
	const nameOf = (whole: string): string => whole.replace(`${git.path}/`, "");
	const said = (files: readonly { readonly path: string; readonly added?: unknown; readonly removed?: unknown }[]) =>
		Object.fromEntries(files.map((file) => [nameOf(file.path), `${file.added ?? "-"} ${file.removed ?? "-"}`]));
	const inTable = (text: string) =>
		said(
			text
				.trimEnd()
				.split("\n")
				.map((line) => {
					const [name = "", added, removed] = line.split("\t");
					return { path: name, added, removed };
				}),
		);
	/** "`over.ts` +1", "▸ over.ts   +1   turns 1": what is zero is left out. */
	const inRows = (text: string, names: readonly string[]) =>
		said(
			names.map((name) => {
				const [, rest = ""] = new RegExp(`${name.replace(".", "\\.")}(.*)`).exec(text) ?? [];
				return { path: name, added: /\+(\d+)/.exec(rest)?.[1] ?? 0, removed: /−(\d+)/.exec(rest)?.[1] ?? 0 };
			}),
		);

	const byGit: Said = { "over.ts": "1 0", "twice.ts": "1 1", "new.ts": "3 0", "away.ts": "1 1", "gone.ts": "0 5" };
	git.git("add", "--all");
	const numstat = git.git("diff", "--cached", "--numstat", "--find-renames=50%", "HEAD");
	expect(
		numstat
			.split("\n")
			.map((line) => line.split("\t", 2).join(" "))
			.sort(),
	).toEqual(Object.values(byGit).sort());
	// In the end as they began.
	const inPatch: Said = { ...byGit, "undone.ts": "0 0", "same.ts": "0 0" };
	// Where edits are listed, a moved file has the name that it had then.
	const { "away.ts": moved, "gone.ts": _, ...stayed } = inPatch;
	const byEdits = { ...stayed, "moved.ts": moved, "left.ts": "- -" };

	const session = await readSession(path);
	const options = { env: sandbox.env, home: sandbox.home };
	expect(inTable(runIn("diff", "01a1", "--stat"))).toEqual(inPatch);
	expect(said(json("diff", "01a1"))).toEqual(inPatch);
	expect(said((await changesOf(session, options)).files)).toEqual(inPatch);
	expect(inTable(runIn("files", "01a1"))).toEqual(byEdits);
	expect(said(json("files", "01a1"))).toEqual(byEdits);
	const inDigest = { ...inPatch, "left.ts": "- -" };
	expect(said((await digestOf(session, options)).changed)).toEqual(inDigest);
	expect(said(json("show", "01a1", "--digest").digest.changed)).toEqual(inDigest);
	const drawn = { ...inDigest, "left.ts": "0 0" };
	for (const text of [runIn("show", "01a1", "--digest"), runIn("show", "01a1", "--digest", "--markdown")])
		expect(inRows(text, Object.keys(drawn))).toEqual(drawn);

	// Of one edit, that is drawn as one, what it did; of all others how many files.
	const silent = [
		...[["standup", "--since", "2000"], ["list"], ["files"], ["stats"]],
		...[
			["show", "01a1"],
			["show", "01a1", "--tree"],
			["show", "01a1", "--markdown"],
			["export", "01a1", "--html"],
		],
	];
	// A line of a drawn diff begins with its sign.
	for (const args of silent) {
		const rows = runIn(...args).split(/\n|<summary>|<li>/);
		const sums = rows.filter((row) => /(?<!^)[+−]\d/.test(row.replace(/\bedit\b.*(?:undone|twice|moved)\.ts.*/, "")));
		expect([args, sums]).toEqual([args, []]);
	}

	const terminal = sandbox.start([path], { cwd: git.path, columns: 120, rows: 40 });
	await terminal.waitFor("── tree");
	terminal.press("tab");
	await terminal.waitFor("── branches");
	terminal.press("tab");
	const screen = await terminal.waitFor("7 files +6 −7 · 6 of them exact");
	expect(inRows(screen, Object.keys(inPatch))).toEqual(inPatch);
});
