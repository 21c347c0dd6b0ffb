import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "../../shared/paths.ts";
import { errorCode, explain } from "../../store/files/store-error.ts";
import { removePath, renamePath } from "../../store/files/while-busy.ts";
import { type FileToWrite, type WrittenFiles, writeBelow } from "../../store/write/files-below.ts";
import { listNames } from "../reason.ts";
import { askGit, filtersOff, runGit } from "./git.ts";
import { gitDirOf, notedPlace, temporaryOf, type Unfinished, withNote } from "./unfinished.ts";

/**
 * Makes a directory: a worktree of a commit, or an empty one, with files, and with the directory `inside` ("" for none), whole or not at all.
 * `unfiltered`: which files a filter should have changed, in words. Rejects with the reason; nothing is left behind then.
 */
export async function makeCheckout(
	plan: Unfinished,
	{ files, inside }: { readonly files: readonly FileToWrite[]; readonly inside: string },
	stateDir: string,
): Promise<WrittenFiles & { readonly unfiltered: string }> {
	const { into, holder, repository, commit } = plan;
	return withNote(plan, stateDir, async () => {
		const temporary = temporaryOf(plan);
		await mkdir(holder).catch((error) => failAt(dirname(into), error));
		const isOfGit = repository !== undefined && commit !== undefined;
		const unfiltered = isOfGit ? await addWorktree(repository, commit, temporary) : "";
		if (!isOfGit) await mkdir(temporary);
		const content = await writeBelow(await realpath(temporary), files, inside);
		const note = join((isOfGit ? await gitDirOf(temporary) : undefined) ?? holder, "gitdir");
		await writeFile(`${note}.next`, notedPlace(plan));
		await renamePath(temporary, into).catch((error) => {
			if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error))) failAt(into, error);
			throw new Error(`something else has made ${into} meanwhile: name another directory`);
		});
		// Only now Git learns of its place: of several that are made at once, one gets it.
		await renamePath(`${note}.next`, note);
		return { ...content, unfiltered };
	});
}

function failAt(place: string, error: unknown): never {
	throw new Error(`${place}: ${explain(error)}`, { cause: error });
}

/** Adds a worktree. Where a filter fails, it does without all of them, and resolves to which files that leaves unfinished; else to "". */
async function addWorktree(repository: string, commit: string, path: string): Promise<string> {
	// A relative link to the repository would break when the worktree gets its place.
	const settings = ["-c", "worktree.useRelativePaths=false", "-c", "core.ignoreStat=false"];
	const args = [...settings, "worktree", "add", "--detach", "--quiet", "--", path, commit];
	const output = await runGit(repository, args);
	if (typeof output === "string") return "";
	const switches = await filtersOff(repository);
	await removePath(path, { recursive: true, force: true });
	const rawOutput = switches.length === 0 ? output : await runGit(repository, [...switches, ...args]);
	if (typeof rawOutput !== "string") throw new Error(`the worktree cannot be made: ${output.failure}`);
	const attributes = await askGit(
		path,
		["check-attr", "-z", "--stdin", "filter"],
		await askGit(path, ["ls-files", "-z"]),
	);
	const filters = attributes.matchAll(/([^\0]+)\0filter\0([^\0]+)\0/g);
	const files = [...filters].flatMap(([, file = "", filter = ""]) =>
		switches.includes(`filter.${filter}.process=`) ? [file] : [],
	);
	return `; only pointers: ${listNames(files, 3)}, since a filter failed: ${output.failure}`;
}
