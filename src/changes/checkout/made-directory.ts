import { existsSync, lstatSync, readlinkSync, statSync } from "node:fs";
import { lstat, mkdir, readdir } from "node:fs/promises";
import { attempt } from "../../shared/attempt.ts";
import { join, relative } from "../../shared/paths.ts";
import { thisSystem } from "../../shared/system.ts";
import { readSmallFile, readTextFileAsync } from "../../store/files/open-file.ts";
import { renamePath } from "../../store/files/while-busy.ts";
import { markOf, NO_FILE, type WrittenFiles } from "../../store/write/files-below.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { listNames } from "../reason.ts";
import { askGit, filtersOff } from "./git.ts";
import { gitDirOf, temporaryOf, type Unfinished, withNote } from "./unfinished.ts";

type KnownDirectory = Omit<Unfinished, "holder"> & Pick<WrittenFiles, "files">;

const FETCHED = "submodules were fetched in it, and Git removes such a worktree only by force";
/** In Git's directory of a worktree, what says that it is not to be removed. */
const KEEPS = [
	["locked", "it is locked (git worktree unlock)"],
	["modules", FETCHED],
	["MERGE_HEAD", "a merge in it is not finished"],
	["CHERRY_PICK_HEAD", "a cherry-pick in it is not finished"],
	["REVERT_HEAD", "a revert in it is not finished"],
	["BISECT_LOG", "a bisect in it is not finished"],
	["rebase-merge", "a rebase in it is not finished"],
	["rebase-apply", "a rebase in it is not finished"],
] as const;
/** Lists commits of standard input that neither a branch nor a tag has. */
const ON_NONE = "rev-list -n1 --ignore-missing --stdin --not --branches --tags --remotes".split(" ");
/** No setting of the person may keep `git status` from naming what differs. */
const SETTINGS = "-c core.untrackedCache=false -c core.checkStat=default -c diff.orderFile=/dev/null";
const STATUS = "status --porcelain -z -uall --ignored=traditional --no-renames --ignore-submodules=none";

/** What was done in a directory since it was made, or why Git would not remove it, in words; undefined for nothing. Rejects if that is unclear. */
export async function changedSince({ into, commit, files }: KnownDirectory): Promise<string | undefined> {
	if (commit === undefined) {
		const entries = await readdir(into, { recursive: true, withFileTypes: true });
		const paths = entries.flatMap((entry) =>
			entry.isDirectory() ? [] : [relative(into, join(entry.parentPath, entry.name))],
		);
		return changesOf([...files.keys(), ...paths], into, files);
	}
	const gitDir = await gitDirOf(into);
	if (gitDir === undefined || !existsSync(gitDir)) return "it is no longer a worktree of Git";
	const reason = KEEPS.find(([name]) => existsSync(join(gitDir, name)));
	if (reason !== undefined) return reason[1];
	const head = (await askGit(into, ["rev-parse", "--verify", "HEAD"])).trim();
	if (head !== commit) return "another commit is checked out in it by now";
	const reflog = await readTextFileAsync(join(gitDir, "logs/HEAD")).catch(() => "");
	const commits = [...reflog.matchAll(/^[0-9a-f]+ ([0-9a-f]+)/gm)].map(([, each]) => `${each}\n`).join("");
	const lostCommit = await askGit(into, [...ON_NONE, commit], commits);
	if (lostCommit !== "") return `commit ${lostCommit.slice(0, 8)}, which was made in it, is on no branch`;
	for (const line of (await askGit(into, ["ls-files", "-v", "-s", "-z"])).split("\0")) {
		const [, tag = "", mode, name = ""] = /^(.) (\d+) [^\t]*\t(.*)$/s.exec(line) ?? [];
		const isHidden = /[a-z]|S/.test(tag) && existsSync(join(into, name));
		if (isHidden) return `Git was told to overlook changes of ${name} (git update-index)`;
		if (mode === "160000" && existsSync(join(into, name, ".git"))) return FETCHED;
	}
	// Where the file system has no modes, all files look executable.
	const hasModes = thisSystem.isUnix && ((await lstat(join(into, ".git"))).mode & 0o111) === 0;
	const status = `${hasModes ? "-c core.fileMode=true " : ""}${SETTINGS} ${STATUS}`.split(" ");
	const switches = await filtersOff(into);
	const lines = await askGit(into, status).catch(() => askGit(into, [...switches, ...status]));
	const names = lines.split("\0").slice(0, -1);
	// Staged, and another file on the disk.
	const stagedNames = names.filter((line) => /^[^ ?!][^ ]/.test(line)).map((line) => line.slice(3));
	return changesOf([...files.keys(), ...names.map((line) => line.slice(3))], into, files, stagedNames);
}

/** Which of some files are not as they were made, in words. */
function changesOf(
	names: readonly string[],
	into: string,
	files: ReadonlyMap<string, string>,
	stagedNames: readonly string[] = [],
): string | undefined {
	const changedNames = [...new Set(names)].filter((name) => {
		const mark = markAt(join(into, name));
		const oldMark = files.get(name);
		// Earlier versions noted no mode.
		return stagedNames.includes(name) || (oldMark !== mark && (oldMark === NO_FILE || oldMark !== mark.slice(1)));
	});
	if (changedNames.length === 0) return undefined;
	const phrase = `${formatCounted(changedNames.length, "file")} in it ${changedNames.length === 1 ? "has" : "have"}`;
	return `${phrase} been changed since: ${listNames(changedNames, 3)}`;
}

function markAt(path: string): string {
	const link = attempt(() => readlinkSync(path));
	if (link !== undefined) return markOf(link);
	const content = attempt(() => readSmallFile(path));
	if (content !== undefined) return markOf(content, statSync(path).mode);
	// What cannot be read is not as it was; the files of a directory are seen by themselves.
	return attempt(() => lstatSync(path))?.isDirectory() === false ? "?" : NO_FILE;
}

/** Removes a directory and what Git knows of it. If the process is killed meanwhile, the next run goes on with it. */
export async function removeDirectory(unfinished: Unfinished, stateDir: string): Promise<void> {
	await withNote(unfinished, stateDir, async () => {
		await mkdir(unfinished.holder);
		await renamePath(unfinished.into, temporaryOf(unfinished));
	});
}
