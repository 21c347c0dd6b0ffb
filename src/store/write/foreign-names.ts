import { isUnder } from "../../shared/paths.ts";
import { type System, thisSystem } from "../../shared/system.ts";

/** Why a file of a foreign name is not written below a directory, as far as the name says it; undefined if it may be. */
export function whyRefused(name: string, system = thisSystem): string | undefined {
	const root = system.paths.resolve("/root");
	if (!isUnder(system.paths.join(root, name), root)) return "it is outside of the directory";
	if (isGits(name)) return "it would be Git's own";
	if (isPossible(name, system)) return undefined;
	return `no file can have that name${system.isUnix ? "" : " on Windows"}`;
}

/** Whether the file systems of a system take the name. */
export function isPossible(name: string, { paths, impossibleName, countsBytes, ...longest }: System): boolean {
	const lengthOf = (text: string): number => (countsBytes ? Buffer.byteLength(text) : text.length);
	const parts = name.split(paths.sep === "/" ? "/" : /[/\\]/);
	return (
		lengthOf(name) <= longest.longestPath &&
		parts.every((part) => lengthOf(part) <= longest.longestName && !impossibleName.test(part))
	);
}

/** Whether some file system takes a part of a name for Git's own directory. */
export function isGits(name: string): boolean {
	return name.split(/[/\\]/).some((part) => DOT_GIT.test(foldedName(part)));
}

/** `.git` and its short names on Windows. */
const DOT_GIT = /^(?:\.git|git~\d+|gi[0-9a-f]{4}~\d+)$/;

/** A part of a path as the file systems see it that overlook the most: invisible characters, letter case, streams, dots at the end. */
export function foldedName(part: string): string {
	const visible = part.replace(/\p{Default_Ignorable_Code_Point}|:.*/gsu, "").toLowerCase();
	return visible.replace(/[. ]+$/, "").replace(/^common~\d$/, "commondir");
}

/** What Git reads in a directory that it takes for a repository. */
const PARTS = new Set(["head", "objects", "refs", "commondir", "config", "config.worktree", "hooks"]);

/**
 * Those of some names that would make, with names that are `there`, a repository of a directory: Git would carry out in it what foreign
 * settings ask for.
 */
export function namesOfRepositories(names: readonly string[], there: readonly string[] = []): ReadonlySet<string> {
	const partsIn = new Map<string, Set<string>>();
	const directoriesOf = (name: string): readonly string[] => {
		const parts = name.split(/[/\\]/).map(foldedName);
		return parts.flatMap((part, index) => {
			if (!PARTS.has(part)) return [];
			const directory = parts.slice(0, index).join("/");
			partsIn.set(directory, (partsIn.get(directory) ?? new Set()).add(part));
			return [directory];
		});
	};
	const directories = new Map([...there, ...names].map((name) => [name, directoriesOf(name)]));
	const isRepository = (directory: string): boolean => {
		const parts = partsIn.get(directory);
		return parts?.has("head") === true && (parts.has("commondir") || (parts.has("objects") && parts.has("refs")));
	};
	return new Set(names.filter((name) => directories.get(name)?.some(isRepository)));
}

export const MAKES_REPOSITORY = "Git would take its directory for a repository, with settings of the session";
