import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LineHistory } from "../../src/edits/lines.ts";
import { openLedger } from "../../src/edits/open-ledger.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import type { EditingSession } from "../support/editing-session.ts";
import { SharedWork } from "../support/shared-work.ts";
import { tempDir } from "../support/temp-dir.ts";

/** The tools that keep snapshots, each with the refs and commits that it makes. */
const TOOLS = {
	"pi-rewind": (work: SharedWork, one: EditingSession) => {
		const [head, index] = [work.repository.git("rev-parse", "HEAD"), work.repository.git("write-tree")];
		const tree = treeOf(work, "HEAD");
		const created = new Date(one.now).toISOString();
		const id = `${one.id}-turn-0-${one.now}`;
		const message = [
			...[`pi-rewind:${id}`, `sessionId ${one.id}`, "trigger tool", "turn 0", "toolName bash"],
			...["description do it\ncreated 2001-01-01T00:00:00.000Z", "branch main", `head ${head}`, `index-tree ${index}`],
			...[`worktree-tree ${tree}`, `created ${created}`, "untracked []", "largeFiles []", "largeDirs []"],
		];
		keep(work, one, `refs/pi-checkpoints/${id}`, tree, [], message.join("\n"));
	},
	"pi-rewind-hook": (work: SharedWork, one: EditingSession) => {
		const ref = `refs/pi-checkpoints/checkpoint-${one.id}-${one.now}-${one.leaf}`;
		keep(work, one, ref, treeOf(work), [], "rewind backup");
	},
	"pi-rewind-hook since 1.8": (work: SharedWork, one: EditingSession) => {
		const store = "refs/pi-rewind/store";
		const snapshot = keep(work, one, undefined, treeOf(work), [], "pi rewind snapshot");
		const head = work.repository.git("for-each-ref", "--format=%(objectname)", store);
		const empty = work.repository.git("hash-object", "-t", "tree", "-w", "/dev/null");
		keep(work, one, store, empty, head === "" ? [snapshot] : [head, snapshot], "pi rewind store");
	},
	atomic: (work: SharedWork, one: EditingSession) => {
		const [id, tree, index] = [`${one.now}-000000-ab-turn`, treeOf(work, "HEAD"), work.repository.git("write-tree")];
		const parent = keep(work, one, undefined, index, [], "Atomic checkpoint index tree retention");
		const facts = { version: 1, id, sessionId: one.id, branch: "main", worktreeTreeSha: tree, timestamp: one.now };
		keep(
			work,
			one,
			`refs/atomic-checkpoints/${one.id}/${id}`,
			tree,
			[parent],
			JSON.stringify({ ...facts, policy: {} }),
		);
	},
} as const;

/** A program whose effect its command line does not tell. */
const PERL = "perl -e";

/** The tree of all that is not ignored, from an index that begins with a commit or empty. */
function treeOf({ repository }: SharedWork, begun?: string): string {
	const own = ["-c", "core.untrackedCache=false"];
	const index = join(tempDir(), "index");
	const git = (...args: readonly string[]) => repository.gitWith({ GIT_INDEX_FILE: index }, ...own, ...args);
	if (begun !== undefined) git("read-tree", begun);
	git("add", "--all");
	return git("write-tree");
}

function keep(
	{ repository }: SharedWork,
	one: EditingSession,
	ref: string | undefined,
	tree: string,
	parents: readonly string[],
	message: string,
): string {
	const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-m", message];
	const commit = repository.gitAt(one.now, ...args);
	if (ref !== undefined) repository.git("update-ref", ref, commit);
	return commit;
}

/** The tool keeps what there is, two seconds after the last step. */
function snapshot(tool: keyof typeof TOOLS, work: SharedWork, one: EditingSession): void {
	one.putDisk();
	one.now += 2000;
	TOOLS[tool](work, one);
	one.now += 2000;
}

test.each(Object.keys(TOOLS) as (keyof typeof TOOLS)[])(
	"%s: what it kept is known, commands included",
	async (tool) => {
		const work = new SharedWork({ "a.txt": "a\n", "b.txt": "b\n" });
		const one = work.session();
		one.edit("a.txt", [{ oldText: "a", newText: "a2" }]);
		snapshot(tool, work, one);
		work.run(one, `${PERL} 'open A, ">>", "a.txt"; print A "more\\n"; open B, ">", "made.txt"; print B "made\\n"'`);
		snapshot(tool, work, one);
		const kept = one.leaf ?? "";
		work.run(one, `${PERL} 'unlink "made.txt"; open A, ">", "a.txt"; print A "other\\n"'`);
		snapshot(tool, work, one);
		expect(await work.shortFiles(one, kept)).toEqual({ "a.txt": "exact a2\nmore\n", "made.txt": "exact made\n" });
		expect(await work.shortFiles(one)).toEqual({ "a.txt": "exact other\n", "made.txt": "exact as committed" });
		expect(await work.changesOf(one)).toMatchObject({ "a.txt": { answer: "exact", before: "a\n", after: "other\n" } });
	},
);

test("what a command wrote between two snapshots may be its lines, and not those of an edit", async () => {
	const work = new SharedWork({ "a.txt": "a\n" });
	const one = work.session();
	one.edit("a.txt", [{ oldText: "a", newText: "the line of the edit" }]);
	snapshot("pi-rewind", work, one);
	work.run(one, `${PERL} 'open A, ">>", "a.txt"; print A "the line of the command\\n"'`);
	snapshot("pi-rewind", work, one);
	one.putDisk();
	const session = await readSession(work.save(one));
	const { ledger } = await openLedger(session, { home: "/", rows: [] });
	const path = work.file("a.txt");
	await ledger.prepare([path]);
	const history = new LineHistory(ledger, [path]);
	expect(history.originsOf(path, readFileSync(path, "utf8")).map(({ kind }) => kind)).toEqual(["step", "between"]);
	ledger.grounds.close();
});

test("a snapshot of another worktree says nothing of this one", async () => {
	const work = new SharedWork({ "a.txt": "a\n" });
	const one = work.session();
	one.edit("a.txt", [{ oldText: "a", newText: "a2" }]);
	work.repository.git("worktree", "add", "--quiet", join(tempDir(), "other"));
	one.putDisk();
	one.now += 2000;
	keep(
		work,
		one,
		"refs/pi-checkpoints/checkpoint-1-x",
		work.repository.git("rev-parse", "HEAD^{tree}"),
		[],
		"rewind backup",
	);
	one.now += 2000;
	one.prompt("Go on");
	expect(await work.shortFiles(one)).toEqual({ "a.txt": "exact a2\n" });
});

test("a file that became ignored is still there, and a commit that is no snapshot says nothing", async () => {
	const work = new SharedWork({ "a.txt": "a\n" });
	const one = work.session();
	one.write("notes.txt", "notes\n");
	snapshot("pi-rewind-hook", work, one);
	one.write(".gitignore", "notes.txt\n");
	snapshot("pi-rewind-hook", work, one);
	one.prompt("Go on");
	keep(work, one, "refs/pi-checkpoints/other", work.repository.git("rev-parse", "HEAD^{tree}"), [], "something else");
	one.now += 2000;
	one.prompt("Go on");
	expect(await work.shortFiles(one)).toEqual({ "notes.txt": "exact notes\n", ".gitignore": "exact notes.txt\n" });
});
