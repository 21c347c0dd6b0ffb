import { homedir } from "node:os";
import { relative } from "node:path";
import { notedWorktree, readGitNotes, topOf } from "../catalog/git/git-notes.ts";
import { findGit } from "../catalog/git/git-repository.ts";
import { isDirectory } from "../store/files/paths.ts";
import { git, gitObjects } from "./git.ts";

/** The commit that was checked out in a directory at a time. */
export interface GitBase {
	/** The top of the working tree: that of the directory, even if it is gone. */
	readonly root: string;
	/** An existing directory of the same repository, in which Git can be run. */
	readonly repository: string;
	readonly commit: string;
	readonly subject: string;
	/** When it was committed, Unix ms. */
	readonly committedMs: number;
	/** "reflog": Git noted that it was checked out; "newest": the newest one of the branch before that time. */
	readonly how: "reflog" | "newest";
}

const FORMAT = "%H%x00%ct%x00%s";

/**
 * Says which commit was checked out in a directory at a time (Unix ms): that of the reflog, else the newest one before then of what is
 * checked out now, or was in a worktree that is gone. Undefined outside of a repository, and if there is no commit before then.
 */
export async function gitBases(directory: string): Promise<(timeMs: number) => Promise<GitBase | undefined>> {
	const place = await placeOf(directory);
	if (place === undefined) return async () => undefined;
	const { root, repository, head } = place;
	const reflog = ["log", "-g", `--format=${FORMAT}%x00%gd`, "--date=unix", "HEAD", "--"];
	const reflogLines = head === "HEAD" ? await git(repository, reflog) : "";
	const checkouts = (typeof reflogLines === "string" ? reflogLines.split("\n") : []).map((line) => ({
		line,
		ms: Number(/@\{(\d+)\}$/.exec(line)?.[1] ?? Number.NaN) * 1000,
	}));
	const newestAt: { readonly timeMs: number; readonly base: GitBase }[] = [];
	return async (timeMs) => {
		const last = checkouts.find(({ ms }) => ms <= timeMs);
		if (last !== undefined) return { root, repository, ...commitOf(last.line), how: "reflog" };
		const knownBase = newestAt.find(({ timeMs: asked, base }) => base.committedMs <= timeMs && timeMs <= asked);
		if (knownBase !== undefined) return knownBase.base;
		const limit = `--before=${new Date(timeMs).toISOString()}`;
		// The branch of a worktree that is gone may be gone, too.
		for (const revision of new Set([head, "HEAD"])) {
			const newest = await git(repository, [
				"log",
				"-1",
				"--first-parent",
				`--format=${FORMAT}`,
				limit,
				revision,
				"--",
			]);
			if (typeof newest !== "string" || newest === "") continue;
			const base: GitBase = { root, repository, ...commitOf(newest.trimEnd()), how: "newest" };
			newestAt.push({ timeMs, base });
			return base;
		}
		return undefined;
	};
}

function commitOf(line: string): Pick<GitBase, "commit" | "subject" | "committedMs"> {
	const [commit = "", seconds = "", subject = ""] = line.split("\0");
	return { commit, subject, committedMs: Number(seconds) * 1000 };
}

/** The repository of a directory, which may be gone, and what was checked out there last. */
async function placeOf(
	directory: string,
): Promise<(Pick<GitBase, "root" | "repository"> & { readonly head: string }) | undefined> {
	const isThere = isDirectory(directory);
	const worktree = isThere ? undefined : notedWorktree(directory, { env: process.env, home: homedir() });
	if (worktree !== undefined && isDirectory(worktree.repository))
		return { root: worktree.path, repository: worktree.repository, head: worktree.head };
	const top = (await findGit(directory))?.top;
	// A repository of dotfiles is not that of every project that was once below it.
	if (top === undefined || (!isThere && top === homedir())) return undefined;
	return { root: top, repository: top, head: "HEAD" };
}

/** An existing directory of the repository of one that is gone, as far as that was noted: a clone of the same remote. */
export function cloneOfGone(directory: string): string | undefined {
	const notes = readGitNotes({ env: process.env, home: homedir() });
	const remote = notes.get(directory)?.remote ?? "";
	if (remote === "" || isDirectory(directory)) return undefined;
	const clones = [...notes].filter(([path, note]) => note.remote === remote && isDirectory(path));
	return clones.map(([path, note]) => topOf(path, note))[0];
}

/** A name of a file is as long as this at most; Git gets so many at once that its command line has room for them. */
const NAMES_AT_ONCE = 200;

/**
 * The content of files (absolute paths) in a commit, as Git stores it: line ends and the like are not converted. Undefined for what is
 * not in the commit, is not below its root or is no regular file there.
 */
export async function filesAt(
	{ root, repository, commit }: Pick<GitBase, "root" | "repository" | "commit">,
	paths: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array | undefined>> {
	const names = new Map(paths.map((path) => [relative(root, path), path]));
	const inside = [...names.keys()].filter((name) => name !== "" && !name.startsWith("../"));
	const objects = new Map<string, string>();
	for (let from = 0; from < inside.length; from += NAMES_AT_ONCE) {
		const some = inside.slice(from, from + NAMES_AT_ONCE);
		const tree = await git(repository, ["ls-tree", "-z", "--full-tree", commit, "--", ...some]);
		for (const line of typeof tree === "string" ? tree.split("\0") : []) {
			const [, object, name] = /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
			if (object !== undefined && name !== undefined) objects.set(name, object);
		}
	}
	const blobs = await gitObjects(repository, [...new Set(objects.values())]);
	return new Map([...names].map(([name, path]) => [path, blobs.get(objects.get(name) ?? "")]));
}
