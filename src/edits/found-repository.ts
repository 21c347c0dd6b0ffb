import { statSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { findGit } from "../catalog/git/git-repository.ts";
import { defaultCacheDir } from "../catalog/model/session-roots.ts";
import { dirname, join } from "../shared/paths.ts";
import { replaceText } from "../store/write/text-file.ts";
import { type GitReason, gitEnvironment, isReason, readGit } from "./git-process.ts";

/** What Git itself says of a repository. */
export interface RepositoryFacts {
	/** "sha1" or "sha256". */
	readonly objectFormat: string;
	/** Whether the history is cut off, as in a shallow clone. */
	readonly isShallow: boolean;
}

/**
 * A repository of our own that has nothing, in the cache: with the objects of another one Git reads these, and neither runs what the
 * configuration there names nor misses what was not fetched. Undefined if it cannot be made; then Git reads that configuration, too.
 */
export async function emptyRepository(objectFormat: string): Promise<string | undefined> {
	const directory = join(defaultCacheDir(), `empty-${objectFormat}.git`);
	const [config, head] = [join(directory, "config"), join(directory, "HEAD")];
	// Git would wait for a pipe.
	if ([config, head].every((path) => statSync(path, { throwIfNoEntry: false })?.isFile())) return directory;
	const core = [
		"[core]",
		"repositoryformatversion = 1",
		"bare = true",
		"[extensions]",
		`objectFormat = ${objectFormat}`,
	];
	try {
		await mkdir(join(directory, "refs"), { recursive: true, mode: 0o700 });
		await replaceText(config, [`${core.join("\n")}\n`]);
		await replaceText(head, ["ref: refs/heads/none\n"]);
		return directory;
	} catch {
		return undefined;
	}
}

type Found = NonNullable<Awaited<ReturnType<typeof findGit>>>;

/** The repository of a directory: by its name as it is typed, unless links in that lead into another one. */
export async function innermost(directory: string): Promise<Found | undefined> {
	const [typed, real] = await Promise.all([findGit(directory), findGit(await realOf(directory))]);
	if (typed === undefined || real === undefined) return typed ?? real;
	return (await realOf(typed.gitDir)) === (await realOf(real.gitDir)) ? typed : real;
}

function realOf(path: string): Promise<string> {
	return realpath(path).catch(() => path);
}

/**
 * Asks Git itself about a repository, with the person's configuration, as only that says whose repositories may be looked at. Undefined if
 * Git takes it for none.
 */
export async function repositoryFacts(
	{ top, gitDir }: Found,
	signal: AbortSignal | undefined,
): Promise<RepositoryFacts | GitReason | undefined> {
	const all = ["-c", "safe.bareRepository=all"];
	const args = [...all, "rev-parse", "--show-object-format", "--is-shallow-repository", "--absolute-git-dir"];
	const env = gitEnvironment({ GIT_CEILING_DIRECTORIES: dirname(top) }, true);
	const output = await readGit(args, { directory: top, env, signal });
	if (isReason(output)) return output.reason === "it is not in a Git repository" ? undefined : output;
	const [objectFormat = "", isShallow, ...path] = output.replace(/\n$/, "").split("\n");
	const isOther = (await realOf(path.join("\n"))) !== (await realOf(gitDir));
	return isOther ? undefined : { objectFormat, isShallow: isShallow === "true" };
}
