import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { sweepUnfinished, withNote } from "../../../src/changes/checkout/unfinished.ts";
import type { CheckoutRequest } from "../../../src/changes/kinds/checkout.ts";
import { createStoreHere } from "../../../src/changes/store-thread/store-client.ts";
import { ChangedSessions } from "../../support/changed-sessions.ts";
import { EditingSession } from "../../support/editing-session.ts";
import { GitRepository } from "../../support/git-repository.ts";
import { tempDir } from "../../support/temp-dir.ts";

let base: string;
let repository: GitRepository;
let changed: ChangedSessions;
let session: EditingSession;
let path: string;

beforeEach(() => {
	base = tempDir();
	changed = new ChangedSessions(join(base, "state"), createStoreHere());
	repository = new GitRepository(join(base, "api"));
	repository.put(
		new Map([
			[repository.file("a.txt"), "a\n"],
			[repository.file(".gitignore"), "ignored\n"],
		]),
	);
	symlinkSync(base, repository.file("out"));
	symlinkSync("deep", repository.file("in"));
	mkdirSync(repository.file("deep"));
	writeFileSync(repository.file("deep/b.txt"), "b\n");
	repository.commit(Date.UTC(2026, 0, 10), "all");
	session = new EditingSession("01a10000-0000-7000-8000-0000000000a1", repository.path, Date.UTC(2026, 0, 11));
	session.prompt("Go");
	session.write("a.txt", "changed\n");
	session.prompt("Go on");
	path = join(changed.agent.root, "--project--", "session.jsonl");
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, session.text);
});

function request(rest: Partial<CheckoutRequest> = {}): CheckoutRequest {
	const about = {
		path,
		title: "Go",
		entryId: session.leaf ?? "",
		into: join(base, "api@then"),
		inside: "",
		branches: false,
	};
	const git = { repository: repository.path, commit: repository.git("rev-parse", "HEAD") };
	return { type: "checkout", ...about, ...git, files: [{ name: "a.txt", text: "changed\n" }], ...rest };
}

/** The names in the directory around the repository, and the number of worktrees. */
function around() {
	const names = readdirSync(base).filter((name) => name !== "state");
	return { names, worktrees: repository.git("worktree", "list").split("\n").length };
}

const NOTHING = { names: ["api"], worktrees: 1 };

test("nothing is written outside of the new directory, nor through a link or to what is Git's", async () => {
	const names = ["a.txt", "in/b.txt", "new/c.txt", "../x.txt", "out/y.txt", "out/api/a.txt", "deep/../../z.txt"];
	const files = names.map((name) => ({ name, text: `of ${name}\n` }));
	const { message } = await changed.journal.make(request({ files, inside: "deep/er" }));
	expect(message.text).toMatch(/^Made .*, with 3 files of “Go” as of then; not written: /);
	for (const name of names.slice(3)) expect(message.text).toContain(`${name}: `);
	expect(around()).toEqual({ names: ["api", "api@then"], worktrees: 2 });
	const textOf = (name: string): string => readFileSync(join(base, "api@then", name), "utf8");
	expect(["a.txt", "deep/b.txt", "new/c.txt"].map(textOf)).toEqual(["of a.txt\n", "of in/b.txt\n", "of new/c.txt\n"]);
	expect(existsSync(join(base, "api@then", "deep/er"))).toBe(true);
	expect(readFileSync(repository.file("a.txt"), "utf8")).toBe("a\n");
	expect(await changed.undo()).toMatch(/^Undone: /);
	expect(around()).toEqual(NOTHING);
});

test.each([
	[
		"a file was changed",
		(into: string) => writeFileSync(join(into, "a.txt"), "by hand\n"),
		"1 file in it has been changed since: a.txt",
	],
	[
		"a file was added",
		(into: string) => writeFileSync(join(into, "new"), ""),
		"1 file in it has been changed since: new",
	],
	[
		"an ignored file was added",
		(into: string) => writeFileSync(join(into, "ignored"), ""),
		"has been changed since: ignored",
	],
	["a file was deleted", (into: string) => rmSync(join(into, ".gitignore")), "has been changed since: .gitignore"],
	[
		"something was committed",
		(into: string) => new GitRepository(into).commit(Date.UTC(2026, 0, 12), "more"),
		"nother commit is checked out",
	],
])("the undo refuses if %s in it", async (_, change, why) => {
	await changed.journal.make(request());
	change(join(base, "api@then"));
	expect(await changed.undo()).toContain(why);
	expect(around().worktrees).toBe(2);
});

test("with a new session there it is one change: undone and redone together, unless something was said in it", async () => {
	const { created = "", sayAgain } = await changed.journal.make(
		request({ branches: true, repository: undefined, commit: undefined }),
	);
	expect(sayAgain).toBe("Go on");
	expect(changed.rowOf(created)).toMatchObject({ cwd: join(base, "api@then"), parentSession: path });
	expect(await changed.changes()).toHaveLength(1);
	expect(await changed.undo()).toMatch(/^Undone: /);
	expect([around(), existsSync(created)]).toEqual([NOTHING, false]);
	const [change] = await changed.changes();
	await changed.redo({ type: "redo", of: { id: change?.id ?? "" } });
	const copies = changed.paths().filter((each) => each !== path);
	expect([around().names, copies.length]).toEqual([["api", "api@then"], 1]);
	const [copy = ""] = copies;
	const said = {
		type: "message",
		id: "said",
		parentId: null,
		timestamp: new Date().toISOString(),
		message: { role: "user", content: "More" },
	};
	writeFileSync(copy, `${readFileSync(copy, "utf8")}${JSON.stringify(said)}\n`);
	expect(await changed.undo()).toContain("newer message");
	expect(existsSync(join(base, "api@then"))).toBe(true);
});

test("a directory that is there already is left alone, and what fails leaves nothing behind", async () => {
	mkdirSync(join(base, "full"));
	writeFileSync(join(base, "full", "x"), "");
	await expect(changed.journal.make(request({ into: join(base, "full") }))).rejects.toThrow("exists already");
	await expect(changed.journal.make(request({ into: join(base, "no", "where") }))).rejects.toThrow(
		"there is no directory",
	);
	await expect(changed.journal.make(request({ commit: "0".repeat(40) }))).rejects.toThrow(
		"the worktree cannot be made",
	);
	await expect(changed.journal.make(request({ branches: true, entryId: "none" }))).rejects.toThrow("there is no entry");
	rmSync(join(base, "full"), { recursive: true });
	expect([around(), changed.paths()]).toEqual([NOTHING, [path]]);
});

test("work that is under way is not swept", async () => {
	const unfinished = { holder: join(base, ".pi-grove-00000000"), into: join(base, "then") };
	await withNote(unfinished, base, async () => {
		mkdirSync(unfinished.holder);
		await sweepUnfinished(base);
		expect(existsSync(unfinished.holder)).toBe(true);
	});
	expect(existsSync(unfinished.holder)).toBe(false);
});
