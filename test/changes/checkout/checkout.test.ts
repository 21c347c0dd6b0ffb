import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { sweepUnfinished, withNote } from "../../../src/changes/checkout/unfinished.ts";
import { CheckoutWorld, NOTHING } from "./checkout-world.ts";

let world: CheckoutWorld;
beforeEach(() => {
	world = new CheckoutWorld();
});

const textOf = (name: string): string => readFileSync(join(world.into, name), "utf8");

test("nothing is written outside of the new directory, nor through a link or to what is Git's", async () => {
	const names = ["a.txt", "in/b.txt", "new/c.txt", "../x.txt", "out/y.txt", "deep/../../z.txt", "broken/x"];
	const files = names.map((name) => ({ name, text: `of ${name}\n` }));
	const { message, unwritten } = await world.changed.journal.make(world.request({ files, inside: "deep/er" }));
	expect(message.text).toMatch(/^Made .*, with 3 files of “Go” as of then; not written: /);
	expect([...(unwritten ?? [])]).toEqual([
		["../x.txt", "it is outside of the directory"],
		["out/y.txt", "a link there leads out of the directory"],
		["deep/../../z.txt", "it is outside of the directory"],
		["broken/x", "a link there leads nowhere"],
	]);
	expect(world.around()).toEqual({ names: ["api", "api@then"], worktrees: 2 });
	expect(["a.txt", "deep/b.txt", "new/c.txt"].map(textOf)).toEqual(["of a.txt\n", "of in/b.txt\n", "of new/c.txt\n"]);
	expect(existsSync(join(world.into, "deep/er"))).toBe(true);
	expect(readFileSync(world.repository.file("a.txt"), "utf8")).toBe("a\n");
	expect(await world.changed.undo()).toMatch(/^Undone: /);
	expect(world.around()).toEqual(NOTHING);
	// As it was before the first one.
	expect(existsSync(world.repository.file(".git/worktrees"))).toBe(false);
});

test.each(["with Git", "without Git"])(
	"links lead into the directory only, whatever others lead to, %s",
	async (how) => {
		const isGit = how === "with Git";
		const link = (name: string, text: string) => ({ name, text, isLink: true });
		const files = [
			{ name: "new/deep/c.txt", text: "c\n" },
			...[
				link("to-c", "new/deep/c.txt"),
				link("new/to-nothing", "gone"),
				link("up", "../.."),
				link("abs", "/etc/passwd"),
			],
			// By the first one, the second would lead out.
			...[link("new/deep/top", "../../new"), link("new/deep/far", "top/../../../../x"), link("git", ".git/hooks")],
		];
		const git = isGit ? {} : { repository: undefined, commit: undefined };
		const { unwritten } = await world.changed.journal.make(world.request({ files, ...git }));
		expect([...(unwritten?.keys() ?? [])]).toEqual(["up", "abs", "new/deep/far", "git"]);
		const targets = ["to-c", "new/to-nothing", "new/deep/top"].map((name) => readlinkSync(join(world.into, name)));
		expect(targets).toEqual(["new/deep/c.txt", "gone", ".."]);
		symlinkSync("changed", join(world.into, "other"));
		rmSync(join(world.into, "to-c"));
		symlinkSync("new", join(world.into, "to-c"));
		expect(await world.changed.undo()).toContain("2 files in it have been changed since: to-c, other");
		for (const name of ["to-c", "other"]) rmSync(join(world.into, name));
		symlinkSync("new/deep/c.txt", join(world.into, "to-c"));
		world.changed.restart();
		expect(await world.changed.undo()).toMatch(/^Undone: /);
		expect(world.around()).toEqual(NOTHING);
	},
);

test("a file that was removed makes room for a directory, and modes are those of the session", async () => {
	const files = [
		{ name: "a.txt/new", text: "new\n" },
		{ name: "a.txt", text: null },
		{ name: "out", text: null },
		{ name: "run.sh", text: "true\n", isExecutable: true },
		{ name: "deep/b.txt", text: "b2\n", isExecutable: false },
	];
	expect(await world.make({ files })).toMatch(/with 5 files of “Go” as of then$/);
	expect([textOf("a.txt/new"), existsSync(join(world.into, "out"))]).toEqual(["new\n", false]);
	expect(["run.sh", "deep/b.txt"].map((name) => statSync(join(world.into, name)).mode & 0o111)).toEqual([0o111, 0]);
	expect(await world.changed.undo()).toMatch(/^Undone: /);
});

test.each(["with Git", "without Git"])("a file called __proto__ is a file, %s", async (how) => {
	const git = how === "with Git" ? {} : { repository: undefined, commit: undefined };
	await world.make({ ...git, files: [{ name: "__proto__", text: "x\n" }] });
	expect(textOf("__proto__")).toBe("x\n");
	expect(await world.changed.undo()).toMatch(/^Undone: /);
	expect(world.around()).toEqual(NOTHING);
});

test("what an earlier version has noted as an object is undone", async () => {
	await world.make();
	const journal = join(world.base, "state", "journal.jsonl");
	const isPairs = (value: unknown): value is [string, string][] => Array.isArray(value) && Array.isArray(value[0]);
	const lines = readFileSync(journal, "utf8")
		.split("\n")
		.map((line) =>
			line.replace(/"files":(\[\[.*?\]\])/g, (_, text: string) => {
				const pairs: unknown = JSON.parse(text);
				if (!isPairs(pairs)) throw new Error(text);
				// It noted no modes.
				const marks = pairs.map(([name, mark]) => [name, mark.slice(-32)]);
				return `"files":${JSON.stringify(Object.fromEntries(marks))}`;
			}),
		);
	expect(lines.join("\n")).toMatch(/"files":\{"a.txt":"[0-9a-f]{32}"\}/);
	writeFileSync(journal, lines.join("\n"));
	world.changed.restart();
	expect(await world.changed.undo()).toMatch(/^Undone: /);
	expect(world.around()).toEqual(NOTHING);
});

test("with a new session there it is one change: undone and redone together, unless something was said in it", async () => {
	const { changed, path } = world;
	const { created = "", sayAgain } = await changed.journal.make(
		world.request({ branches: true, repository: undefined, commit: undefined }),
	);
	expect(sayAgain).toBe("Go on");
	expect(changed.rowOf(created)).toMatchObject({ cwd: world.into, parentSession: path });
	expect(await changed.changes()).toHaveLength(1);
	expect(await changed.undo()).toMatch(/^Undone: /);
	expect([world.around(), existsSync(created)]).toEqual([NOTHING, false]);
	const [change] = await changed.changes();
	await changed.redo({ type: "redo", of: { id: change?.id ?? "" } });
	const copies = changed.paths().filter((each) => each !== path);
	expect([world.around().names, copies.length]).toEqual([["api", "api@then"], 1]);
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
	expect(existsSync(world.into)).toBe(true);
});

test("a directory that is there already is left alone, and what fails leaves nothing behind", async () => {
	const { base, changed } = world;
	mkdirSync(join(base, "full"));
	writeFileSync(join(base, "full", "x"), "");
	await expect(world.make({ into: join(base, "full") })).rejects.toThrow("exists already");
	await expect(world.make({ into: join(base, "no", "where") })).rejects.toThrow("there is no directory");
	await expect(world.make({ commit: "0".repeat(40) })).rejects.toThrow("the worktree cannot be made: ");
	await expect(world.make({ branches: true, entryId: "none" })).rejects.toThrow("there is no entry");
	rmSync(join(base, "full"), { recursive: true });
	expect([world.around(), changed.paths()]).toEqual([NOTHING, [world.path]]);
});

test("it is made neither inside of .git nor where the session worked, and a place that cannot hold it is named", async () => {
	const { repository, base } = world;
	const root = repository.path;
	await expect(world.make({ root, into: join(root, ".git/x") })).rejects.toThrow("is inside of .git");
	await expect(world.make({ root, into: join(root, "deep/x") })).rejects.toThrow("where the session worked");
	await expect(world.make({ into: join(root, "x") })).rejects.toThrow("where the session worked");
	mkdirSync(join(base, "plain"));
	const plain = { repository: undefined, commit: undefined, root: join(base, "plain") };
	await expect(world.make({ ...plain, into: join(base, "plain/x") })).rejects.toThrow("where the session worked");
	if (process.platform === "linux") await expect(world.make({ into: "/proc/x" })).rejects.toThrow("/proc: ");
	rmSync(join(base, "plain"), { recursive: true });
	expect(world.around()).toEqual(NOTHING);
	expect(repository.git("status", "--short")).toBe("");
	expect(readdirSync(repository.file(".git"))).not.toContain("worktrees");
});

test("work that is under way is not swept", async () => {
	const unfinished = { holder: join(world.base, ".pi-grove-00000000"), into: join(world.base, "then") };
	await withNote(unfinished, world.base, async () => {
		mkdirSync(unfinished.holder);
		await sweepUnfinished(world.base);
		expect(existsSync(unfinished.holder)).toBe(true);
	});
	expect(existsSync(unfinished.holder)).toBe(false);
});
