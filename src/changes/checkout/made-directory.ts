import { mkdir, readdir, rename } from "node:fs/promises";
import { join, relative } from "node:path";
import { git } from "../../edits/git.ts";
import { attempt } from "../../shared/attempt.ts";
import { readSmallFile } from "../../store/files/open-file.ts";
import { isThere } from "../../store/files/paths.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { checksum, type DirectoryPlan, holderFor, type MadeDirectory, NO_FILE } from "./make-directory.ts";
import { temporaryOf, withNote } from "./unfinished.ts";

/** A directory that was made. */
export type KnownDirectory = Omit<DirectoryPlan, "holder"> & Pick<MadeDirectory, "files">;

/** Names of changed files in a message. */
const NAMES = 3;

/** What was done in a directory since it was made, in words; undefined if nothing was. Rejects if that cannot be found out. */
export async function changedSince({ into, commit, files }: KnownDirectory): Promise<string | undefined> {
	if (commit !== undefined) {
		const head = await git(into, ["rev-parse", "--verify", "HEAD"]);
		if (!(await isThere(join(into, ".git"))) || typeof head !== "string") return "it is no longer a worktree of Git";
		if (head.trim() !== commit) return "another commit is checked out in it by now";
	}
	const names = new Set([...Object.keys(files), ...(await differingFiles(into, commit))]);
	const changedNames: string[] = [];
	for (const name of names) {
		const content = attempt(() => readSmallFile(join(into, name)));
		if ((content === undefined ? NO_FILE : checksum(content)) !== files[name]) changedNames.push(name);
	}
	if (changedNames.length === 0) return undefined;
	const more = changedNames.length - NAMES;
	const list = `${changedNames.slice(0, NAMES).join(", ")}${more > 0 ? ` and ${formatCount(more)} more` : ""}`;
	const isOne = changedNames.length === 1;
	return `${formatCounted(changedNames.length, "file")} in it ${isOne ? "has" : "have"} been changed since: ${list}`;
}

/** The files that differ from the commit, ignored ones included; without one, all files. */
async function differingFiles(into: string, commit: string | undefined): Promise<readonly string[]> {
	if (commit === undefined) {
		const entries = await readdir(into, { recursive: true, withFileTypes: true });
		return entries
			.filter((entry) => !entry.isDirectory())
			.map((entry) => relative(into, join(entry.parentPath, entry.name)));
	}
	const all = ["--untracked-files=all", "--ignored=traditional", "--no-renames"];
	const status = await git(into, ["status", "--porcelain=v1", "-z", ...all]);
	if (typeof status !== "string") throw new Error(status.reason);
	return status.split("\0").flatMap((line) => (line === "" ? [] : [line.slice(3)]));
}

/** Removes a directory and what Git knows of it. If the process is killed meanwhile, the next run goes on with it. */
export async function removeDirectory({ into, repository }: KnownDirectory, stateDir: string): Promise<void> {
	const unfinished = { into, holder: holderFor(into), repository };
	await withNote(unfinished, stateDir, async () => {
		await mkdir(unfinished.holder);
		await rename(into, temporaryOf(unfinished));
	});
}
