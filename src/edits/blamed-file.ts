import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { type GitNote, gitNoteOf, readGitNotes } from "../catalog/git/git-notes.ts";
import { findRepository } from "../catalog/git/git-repository.ts";
import { eachLine } from "../conversation/render/diff-lines.ts";
import { basename, dirname, endsWithName, isOfThisSystem, join, nameFrom, resolve } from "../shared/paths.ts";
import { readDirectly } from "../store/files/disk-read.ts";
import { readTextFile } from "../store/files/open-file.ts";
import { explain } from "../store/files/store-error.ts";
import { formatCounted } from "../ui/text/format.ts";
import type { BlamedLine, FileSpan } from "./blame.ts";
import { blameLines, type GitBlame } from "./git-blame.ts";
import { type GitReason, isReason } from "./git-process.ts";
import { Repository } from "./repository.ts";

/** Larger files are not blamed. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface BlamedFile extends FileSpan {
	/** Absolute path as typed. */
	readonly typed: string;
	/** Absolute path without symbolic links. */
	readonly path: string;
	/** Whether only some lines were requested. */
	readonly isSpan: boolean;
	readonly text: string;
	/** All of its lines; the requested ones with their commits. */
	readonly lines: readonly BlamedLine[];
	/** Undefined outside of one, and if Git cannot read it. */
	readonly repository: Repository | undefined;
	/** The directories of its repository's worktrees; empty outside of a repository. */
	readonly directories: readonly string[];
	/** The directory that identifies the repository; undefined outside of one. */
	readonly root: string | undefined;
	/** The file's present and former paths relative to these directories. */
	readonly names: readonly string[];
	/** Why no commit is known; undefined if Git knows the file. */
	readonly noCommits: string | undefined;
}

/** Why nobody can say who wrote the lines of a file, in one sentence: it cannot be read, is not a text, or does not have these lines. */
export class BlameError extends Error {
	override readonly name = "BlameError";
}

/** Reads a file, and asks Git for its lines; `span`: only those, by default all. Rejects with a `BlameError`. */
export async function blamedFile(file: string, span?: FileSpan): Promise<BlamedFile> {
	const typed = resolve(file);
	const { path, text } = readFile(typed);
	if (text.includes("\0")) throw new BlameError(`cannot blame ${typed}: it is not a text file`);
	const lines = [...eachLine(text.replace(/^\uFEFF/, ""))];
	const { from, to } = span ?? { from: 1, to: lines.length };
	if (span !== undefined && (from < 1 || from > to || to > lines.length))
		throw new BlameError(
			`${typed} has ${formatCounted(lines.length, "line")}; ${from === to ? `there is no line ${from}` : `there are no lines ${from} to ${to}`}`,
		);
	const directory = dirname(path);
	const [opened, known] = await Promise.all([Repository.open(directory), findRepository(directory)]);
	const repository = isReason(opened) ? undefined : opened;
	const name = repository && nameFrom(path, realpathSync(repository.top));
	const blame = lines.length === 0 ? { reason: "it is empty" } : await commitsOf(opened, name, lines, { from, to });
	const blameResult = isReason(blame) ? undefined : blame;
	const blamed = new Map((blameResult?.lines ?? []).map((line) => [line.number, line]));
	return {
		typed,
		path,
		text,
		from,
		to,
		isSpan: span !== undefined,
		lines: lines.map((text, index) => ({ commit: undefined, ...blamed.get(index + 1), number: index + 1, text })),
		repository,
		directories: known ?? [],
		root: known?.[0],
		names: [...new Set([...(name === undefined ? [] : [name]), ...(blameResult?.names ?? [])])],
		noCommits: isReason(blame) ? blame.reason : undefined,
	};
}

/** The commits of lines of a file, as HEAD has it. */
async function commitsOf(
	repository: Repository | GitReason | undefined,
	path: string | undefined,
	lines: readonly string[],
	span: FileSpan,
): Promise<GitBlame | GitReason> {
	if (repository === undefined || path === undefined || isReason(repository))
		return isReason(repository) ? repository : { reason: "it is not in a Git repository" };
	const head = await repository.resolve("HEAD");
	return isReason(head) ? head : blameLines(repository, head, path, lines, span);
}

function readFile(typed: string): Pick<BlamedFile, "path"> & { readonly text: string } {
	try {
		// The name as the disk has it, where any letter case finds it.
		const path = realpathSync.native(typed);
		return { path, text: readTextFile(path, MOST_BYTES) };
	} catch (error) {
		throw new BlameError(`cannot read ${typed}: ${explain(error)}`);
	}
}

/** The file's paths in all worktrees, under all of its names. */
export function pathsOf({ path, directories, names }: SearchedFile): ReadonlySet<string> {
	const all = directories.flatMap((directory) => names.map((name) => join(directory, name)));
	return new Set([path, ...all.map(canonical)]);
}

const realDirectories = new Map<string, string>();

/** A path without symbolic links in its directory, as far as that exists. */
export function canonical(path: string): string {
	if (!isOfThisSystem(path)) return path;
	const directory = dirname(path);
	let real = realDirectories.get(directory);
	if (real === undefined) {
		try {
			real = realpathSync(directory);
		} catch {
			// It does not exist.
			real = directory;
		}
		realDirectories.set(directory, real);
	}
	return join(real, basename(path));
}

/** What is needed of a file to find what sessions did to it. */
export type SearchedFile = Pick<BlamedFile, "path" | "typed" | "names" | "directories" | "root">;

/**
 * Returns a function that says whether a file edited elsewhere is a copy of this one: "yes" in a removed worktree of the same
 * repository, "maybe" in another clone or where the repository may have been before, "no" in an existing directory that is
 * something else.
 */
export async function copyFinder(file: SearchedFile): Promise<(path: string) => Promise<"yes" | "maybe" | "no">> {
	const notes = readGitNotes({ env: process.env, home: homedir() });
	const remote = file.root === undefined ? "" : ((await gitNoteOf(file.root, readDirectly))?.remote ?? "");
	const byDirectory = new Map<string, Promise<GitNote | undefined>>();
	const noteOf = (directory: string): Promise<GitNote | undefined> => {
		const noting =
			byDirectory.get(directory) ??
			(existsSync(directory) ? gitNoteOf(directory, readDirectly) : Promise.resolve(notes.get(directory)));
		byDirectory.set(directory, noting);
		return noting;
	};
	return async (path) => {
		const name = file.names.find((one) => endsWithName(path, one));
		if (name === undefined) return "no";
		const directory = path.slice(0, -name.length - 1) || dirname(path);
		const isThere = existsSync(directory);
		const note = await noteOf(directory);
		if (!isThere && note?.inside === "" && note.worktreeOf !== "" && note.worktreeOf === file.root) return "yes";
		const isSame = note !== undefined && note.remote !== "" && note.remote === remote;
		if (isSame) return "maybe";
		const isOther = isThere || (note !== undefined && note.remote !== "" && remote !== "");
		return isOther ? "no" : "maybe";
	};
}
