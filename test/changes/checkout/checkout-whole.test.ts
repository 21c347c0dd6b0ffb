import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { GitRepository } from "../../support/git-repository.ts";
import { CheckoutWorld, NOTHING } from "./checkout-world.ts";

let world: CheckoutWorld;
beforeEach(() => {
	world = new CheckoutWorld();
});

/** A small disk; undefined if this process may not make one. */
function smallDisk(): string | undefined {
	const path = join(world.base, "state", "small");
	mkdirSync(path);
	const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=300k", "tmpfs", path]);
	if (status !== 0) return undefined;
	onTestFinished(() => void spawnSync("umount", [path]));
	return path;
}

test.each(["with Git", "without Git"])("of a disk that gets full nothing is left, %s", async (how) => {
	const disk = smallDisk();
	if (disk === undefined) return;
	const git = how === "with Git" ? {} : { repository: undefined, commit: undefined };
	const files = Array.from({ length: 30 }, (_, index) => ({ name: `n${index}.txt`, text: "n".repeat(19_000) }));
	const made = world.make({ ...git, into: join(disk, "then"), files });
	await expect(made).rejects.toThrow(/n\d+\.txt: the disk is full/);
	expect([readdirSync(disk), world.around()]).toEqual([[], NOTHING]);
	expect(await world.changed.undo()).toBe("There is nothing to undo");
	// Git itself may be the one that cannot write.
	writeFileSync(world.repository.file("large.txt"), "x".repeat(400_000));
	world.repository.commit(Date.UTC(2026, 0, 10), "large");
	if (how === "with Git")
		await expect(world.make({ into: join(disk, "then") })).rejects.toThrow(/cannot be made: .*large\.txt/);
	expect([readdirSync(disk), world.around()]).toEqual([[], NOTHING]);
});

test("of several into one directory one is made, and the others leave nothing", async () => {
	const others = Array.from({ length: 3 }, () => world.make());
	const results = await Promise.allSettled([world.make(), ...others]);
	const failures = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
	expect(failures).toHaveLength(3);
	for (const failure of failures) expect(failure).toMatch(/made .* meanwhile: name another|exists already/);
	expect(world.around()).toEqual({ names: ["api", "api@then"], worktrees: 2 });
	expect(new GitRepository(world.into).git("status", "--short")).toBe("M a.txt");
	expect(world.repository.git("worktree", "list", "--porcelain")).toContain(`worktree ${world.into}\n`);
	expect(await world.changed.undo()).toMatch(/^Undone: /);
	expect(world.around()).toEqual(NOTHING);
});

test("where a filter fails, its reason and the files are named, which are as Git stores them", async () => {
	const { repository } = world;
	repository.put(
		new Map([
			[repository.file(".gitattributes"), "*.bin filter=large.files\n"],
			[repository.file("one.bin"), "pointer 1\n"],
			[repository.file("deep/two.bin"), "pointer 2\n"],
		]),
	);
	repository.commit(Date.UTC(2026, 0, 10), "pointers");
	repository.git("config", "filter.large.files.process", "no-such-program filter-process");
	repository.git("config", "filter.large.files.required", "true");
	const text = await world.make();
	expect(text).toContain("; only pointers: deep/two.bin, one.bin, since a filter failed: ");
	expect(text).toMatch(/no-such-program.*not found/);
	expect(readFileSync(join(world.into, "one.bin"), "utf8")).toBe("pointer 1\n");
	writeFileSync(join(world.into, "one.bin"), "mine\n");
	expect(await world.changed.undo()).toContain("1 file in it has been changed since: one.bin");
	writeFileSync(join(world.into, "one.bin"), "pointer 1\n");
	expect(await world.changed.undo()).toMatch(/^Undone: /);
	expect(world.around()).toEqual(NOTHING);
});

/** A configuration that makes Git run a program, in a directory that it takes for a repository. */
function trap(directory: string): { readonly names: readonly string[]; readonly mark: string } {
	const mark = join(world.base, "state", "executed");
	const texts = new Map([
		["HEAD", "ref: refs/heads/main\n"],
		["config", `[core]\n\tbare = false\n\tworktree = "."\n\tfsmonitor = "touch ${mark}; false"\n`],
		["objects/x", "x"],
		["refs/x", "x"],
	]);
	for (const [name, text] of texts) files.set(join(directory, name), text);
	return { names: [...texts.keys()].map((name) => join(directory, name)), mark };
}
let files: Map<string, string>;
beforeEach(() => {
	files = new Map();
});

test.each([
	["without Git", "", []],
	["in a subdirectory of a worktree", "deep", []],
	["of which the commit has a part", "deep", ["refs/x", "objects/x"]],
	["through a link in the commit", "in", ["refs/x"]],
] as const)("no directory becomes a repository for Git: %s", async (how, directory, committed) => {
	const { names, mark } = trap(directory);
	const { repository } = world;
	for (const name of committed) repository.put(new Map([[repository.file(join("deep", name)), "x"]]));
	repository.commit(Date.UTC(2026, 0, 10), "part");
	const git = how === "without Git" ? { repository: undefined, commit: undefined } : {};
	const contents = [...files].map(([name, text]) => ({ name: name.replace("objects", "Objects"), text }));
	const hidden = contents.map(({ name, text }) => ({ name: name.replace(/^in\/refs/, "deep/refs"), text }));
	const request = world.request({ ...git, files: [...hidden, { name: "b.txt", text: "b\n" }] });
	const { unwritten } = await world.changed.journal.make(request);
	expect(unwritten?.size).toBe(names.length);
	for (const reason of unwritten?.values() ?? []) expect(reason).toContain("Git would take its directory");
	expect(existsSync(join(world.into, "b.txt"))).toBe(true);
	spawnSync("git", ["-C", join(world.into, directory), "status"]);
	expect(existsSync(mark)).toBe(false);
	expect(await world.changed.undo()).toMatch(/^Undone: /);
});
