import { createHash, randomUUID } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import { lstat, mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { FilesAt } from "../../edits/files-at.ts";
import { git } from "../../edits/git.ts";
import { readTextFileAsync } from "../../store/files/open-file.ts";
import { isDirectory, isThere, isUnder } from "../../store/files/paths.ts";
import { explain } from "../../store/files/store-error.ts";
import { sortableTime } from "../../ui/text/format.ts";
import { HOLDER, isEmptyDirectory, temporaryOf, type Unfinished, withNote } from "./unfinished.ts";

/** A directory to make, of a commit or empty, with files. */
export interface DirectoryPlan extends Unfinished {
	/** The commit that its worktree has checked out; undefined for a directory without Git. */
	readonly commit?: string | undefined;
}

export interface FileToWrite {
	/** Relative to the directory. */
	readonly name: string;
	/** Null: it is removed, if the commit has it. */
	readonly text: string | null;
}

export interface DirectoryContent {
	readonly files: readonly FileToWrite[];
	/** A directory in it that must exist, relative to it; "" for itself. */
	readonly inside: string;
}

/** What was made. */
export interface MadeDirectory {
	/** The files that were written, or removed: checksums (`checksum`) by name. */
	readonly files: Readonly<Record<string, string>>;
	/** What was not written, each with the reason. */
	readonly unwritten: readonly string[];
}

/** A directory beside its place, in which it is made. */
export function holderFor(into: string): string {
	return join(dirname(into), `${HOLDER}${randomUUID().slice(0, 8)}`);
}

/** A free directory beside the files, called after the time: "/w/api@2224"; in `fallback` if nothing can be made around them. */
export function freeDirectory(
	{ base, root, timeMs }: Pick<FilesAt, "base" | "root" | "timeMs">,
	fallback: string,
): string {
	const beside = base?.repository ?? root;
	const parent = isWritable(dirname(beside)) ? dirname(beside) : fallback;
	const name = join(parent, `${basename(beside)}@${sortableTime(timeMs).slice(11).replace(":", "")}`);
	for (let number = 1; ; number++) {
		const path = number === 1 ? name : `${name}-${number}`;
		if (!existsSync(path)) return path;
	}
}

function isWritable(directory: string): boolean {
	try {
		accessSync(directory, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

/** Checks that a directory can be made at a path. Rejects with the reason. */
export async function requireFree(into: string): Promise<void> {
	if (!isDirectory(dirname(into))) throw new Error(`there is no directory ${dirname(into)}: make it first`);
	if ((await isThere(into)) && !(await isEmptyDirectory(into).catch(() => false)))
		throw new Error(`${into} exists already: name another directory, or an empty one`);
}

/**
 * Makes a directory: a worktree of a commit, or an empty one, with files, whole or not at all. Nothing is written outside of it, wherever
 * links in the commit lead. Rejects with the reason; nothing is left behind then.
 */
export async function makeDirectory(
	plan: DirectoryPlan,
	{ files, inside }: DirectoryContent,
	stateDir: string,
): Promise<MadeDirectory> {
	const { into, holder, repository, commit } = plan;
	await requireFree(into);
	return withNote(plan, stateDir, async () => {
		const temporary = temporaryOf(plan);
		await mkdir(holder);
		if (repository === undefined || commit === undefined) await mkdir(temporary);
		else await addWorktree(repository, commit, temporary);
		const root = await realpath(temporary);
		const checksums: Record<string, string> = {};
		const unwritten: string[] = [];
		for (const { name, text } of files) {
			const reason = await writeInside(root, name, text);
			if (reason !== undefined) unwritten.push(`${name}: ${reason}`);
			// A link in the commit may lead to another file of it.
			else if (text !== null) checksums[relative(root, await realpath(join(root, name)))] = checksum(text);
			else checksums[name] = NO_FILE;
		}
		if (inside !== "" && (await whyOutside(root, join(inside, "."))) === undefined)
			await mkdir(join(root, inside), { recursive: true });
		if (repository !== undefined) await placeWorktree(temporary, into);
		await rename(temporary, into);
		return { files: checksums, unwritten };
	});
}

/** Stands for the checksum of a file that was removed. */
export const NO_FILE = "";

/** The checksum of a file's content. */
export function checksum(content: string | Uint8Array): string {
	return createHash("sha256").update(content).digest("hex").slice(0, 32);
}

async function addWorktree(repository: string, commit: string, path: string): Promise<void> {
	// A relative link to the repository would break when the worktree gets its place.
	const only = ["-c", "worktree.useRelativePaths=false"];
	const output = await git(repository, [...only, "worktree", "add", "--detach", "--quiet", "--", path, commit]);
	if (typeof output !== "string") throw new Error(`the worktree cannot be made: ${output.reason}`);
}

/** Tells Git where the worktree will be. */
async function placeWorktree(path: string, into: string): Promise<void> {
	const link = await readTextFileAsync(join(path, ".git"));
	const gitDir = /^gitdir: (.+)$/m.exec(link)?.[1];
	if (gitDir === undefined) throw new Error(`the worktree cannot be made: ${join(path, ".git")} leads nowhere`);
	await writeFile(join(gitDir, "gitdir"), `${join(into, ".git")}\n`);
}

/** Writes a file below a root, or removes it; resolves to why it was not done, if it was not. */
async function writeInside(root: string, name: string, text: string | null): Promise<string | undefined> {
	try {
		const reason = await whyOutside(root, name);
		if (reason !== undefined) return reason;
		if (text === null) {
			await rm(join(root, name), { force: true });
			return undefined;
		}
		await mkdir(dirname(join(root, name)), { recursive: true });
		await writeFile(join(root, name), text);
		return undefined;
	} catch (error) {
		return explain(error);
	}
}

/** Why a path below a root would not be written below it: a link that is there leads elsewhere, or the name does. */
async function whyOutside(root: string, name: string): Promise<string | undefined> {
	const path = join(root, name);
	if (!isUnder(path, root)) return "it is outside of the directory";
	for (let at = path; at !== root; at = dirname(at)) {
		if ((await lstat(at).catch(() => undefined)) === undefined) continue;
		const real = await realpath(at).catch(() => undefined);
		if (real === undefined) return "a link there leads nowhere";
		const isInside = isUnder(real, root) && !/(?:^|[/\\])\.git(?:[/\\]|$)/i.test(real.slice(root.length));
		return isInside ? undefined : "a link there leads out of the directory";
	}
	return undefined;
}
