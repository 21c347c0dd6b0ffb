import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { findGit, gitRoot } from "../../catalog/git/git-repository.ts";
import type { FilesAt } from "../../edits/files-at.ts";
import { basename, dirname, isOfThisSystem, isWithin, join, resolve, sep } from "../../shared/paths.ts";
import { rulesOf } from "../../shared/system.ts";
import { readTextFileAsync } from "../../store/files/open-file.ts";
import { isDirectory, isThere } from "../../store/files/paths.ts";
import { foldedName } from "../../store/write/foreign-names.ts";
import { sortableTime } from "../../ui/text/format.ts";
import { gitDirOf, HOLDER } from "../checkout/unfinished.ts";

/**
 * A free directory beside the files, called after the time: "/w/api@2224"; beside the outermost repository that they are in. In `fallback` if
 * nothing can be made there.
 */
export async function freeDirectory(
	{ base, root, timeMs }: Pick<FilesAt, "base" | "root" | "timeMs">,
	fallback: string,
): Promise<string> {
	const tree = base?.repository ?? root;
	let outermost = tree;
	// A repository of the home directory has all that is below it.
	for (
		let git = await findGit(tree);
		git !== undefined && git.top !== fallback;
		git = await findGit(dirname(outermost))
	) {
		outermost = git.top;
		if (dirname(outermost) === outermost) break;
	}
	const parent = isOfThisSystem(outermost) && isWritable(dirname(outermost)) ? dirname(outermost) : fallback;
	const name = join(parent, `${rulesOf(tree).basename(tree)}@${sortableTime(timeMs).slice(11).replace(":", "")}`);
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

/** Where the session worked, which a checkout is not made inside of. */
interface SessionPlace {
	readonly root?: string | undefined;
	readonly repository?: string | undefined;
}

/** Checks that a directory can be made at a path. Rejects with the reason. */
export async function requireFreePlace(into: string, { root, repository }: SessionPlace = {}): Promise<void> {
	if (!isDirectory(dirname(into))) throw new Error(`there is no directory ${dirname(into)}: make it first`);
	if ((await isThere(into)) && !(await isEmptyDirectory(into)))
		throw new Error(`${into} exists already: name another directory, or an empty one`);
	const place = join(await realpath(dirname(into)), basename(into));
	if (place.split(sep).some((part) => foldedName(part) === ".git"))
		throw new Error(`${into} is inside of .git: leave out --into, or name a directory outside`);
	const git = repository === undefined ? undefined : await findGit(repository);
	const tops = git === undefined ? [] : [git.top, ...(basename(git.common) === ".git" ? [gitRoot(git.common)] : [])];
	for (const tree of [...(root === undefined ? [] : [root]), ...tops]) {
		const realPath = await realpath(tree).catch(() => tree);
		// In the home directory is all that a person has.
		if (isWithin(homedir(), realPath) || !isOfThisSystem(realPath)) continue;
		if (isWithin(place, realPath))
			throw new Error(`${into} is inside of ${tree}, where the session worked: leave out --into, or name another one`);
	}
}

/** A directory beside a path, in which what will be there is made. */
export async function holderFor(into: string): Promise<string> {
	return join(await realpath(dirname(into)), `${HOLDER}${randomUUID().slice(0, 8)}`);
}

/** Whether there is a directory at a path with nothing in it; not if there is none. */
export async function isEmptyDirectory(path: string): Promise<boolean> {
	return readdir(path).then(
		(names) => names.length === 0,
		() => false,
	);
}

/** Where Git has moved the worktree of a directory that it has; undefined if it has not. */
export async function movedTo(gitDir: string): Promise<string | undefined> {
	const place = (await readTextFileAsync(join(gitDir, "gitdir")).catch(() => "")).trim();
	const directory = dirname(resolve(gitDir, place));
	return (await gitDirOf(directory)) === gitDir ? directory : undefined;
}
