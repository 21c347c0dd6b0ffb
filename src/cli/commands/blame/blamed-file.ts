import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { findGit, findRepository } from "../../../app/world/effects/git-repository.ts";
import { eachLine } from "../../../conversation/render/diff-lines.ts";
import type { BlamedLine } from "../../../edits/blame.ts";
import { NEIGHBORS } from "../../../edits/blame-lines.ts";
import { type GitBlame, gitBlame } from "../../../edits/git-blame.ts";
import { readTextFile } from "../../../store/files/open-file.ts";
import { explain } from "../../../store/files/store-error.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import type { Mistake } from "../../print/output.ts";

/** Larger files are not blamed. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The requested lines. */
interface LineSpan {
	/** The first and the last, from 1. */
	readonly from: number;
	readonly to: number;
}

/** A file to be blamed. */
export interface BlamedFile extends LineSpan {
	/** Absolute path as typed. */
	readonly typed: string;
	/** Absolute path without symbolic links. */
	readonly path: string;
	/** Whether only some lines were requested. */
	readonly isSpan: boolean;
	/** All of its lines; the requested ones and their neighbors with their commits. */
	readonly lines: readonly BlamedLine[];
	/** The directories of its repository's worktrees; empty outside of a repository. */
	readonly directories: readonly string[];
	/** The directory that identifies the repository; undefined outside of one. */
	readonly root: string | undefined;
	/** The file's present and former paths relative to these directories. */
	readonly names: readonly string[];
	readonly committedMs: GitBlame["committedMs"];
	readonly addedBy: GitBlame["addedBy"];
	/** Why no commit is known; undefined if Git knows the file. */
	readonly noCommits: string | undefined;
}

/** Reads "FILE", "FILE:LINE" or "FILE:FROM-TO", and asks Git for its lines. */
export async function blamedFile(word: string): Promise<BlamedFile | Mistake> {
	const { file: typed, span } = takeApart(word);
	let path: string;
	let lines: readonly string[];
	try {
		path = realpathSync(typed);
		const { size } = statSync(path);
		if (size > MOST_BYTES) return { mistake: `cannot blame ${typed}: it is larger than 64 MiB` };
		const text = readTextFile(path);
		if (text.includes("\0")) return { mistake: `cannot blame ${typed}: it is not a text file` };
		lines = [...eachLine(text.replace(/^\uFEFF/, ""))];
	} catch (error) {
		return { mistake: `cannot read ${typed}: ${explain(error)}` };
	}
	const { from, to } = span ?? { from: 1, to: lines.length };
	if (span !== undefined && (from < 1 || from > to || to > lines.length))
		return { mistake: `${typed} has ${formatCounted(lines.length, "line")}; there are no lines ${from} to ${to}` };
	const near = { from: Math.max(1, from - NEIGHBORS), to: Math.min(lines.length, to + NEIGHBORS) };
	const directory = dirname(path);
	const [git, repository, blame] = await Promise.all([
		findGit(directory),
		findRepository(directory),
		lines.length === 0 ? { reason: "it is empty" } : gitBlame(directory, basename(path), near),
	]);
	const known: GitBlame | undefined = "reason" in blame ? undefined : blame;
	const commits = new Map((known?.lines ?? []).map(({ number, commit }) => [number, commit]));
	const own = git === undefined ? [] : [relative(realpathSync(git.top), path)];
	return {
		typed,
		path,
		from,
		to,
		isSpan: span !== undefined,
		lines: lines.map((text, index) => ({ number: index + 1, text, commit: commits.get(index + 1) })),
		directories: repository ?? [],
		root: repository?.[0],
		names: [...new Set([...own, ...(known?.names ?? [])])],
		committedMs: known?.committedMs ?? [],
		addedBy: known?.addedBy ?? new Map(),
		noCommits: "reason" in blame ? blame.reason : undefined,
	};
}

/** A file may have a colon and a number at the end of its name. */
function takeApart(word: string): { readonly file: string; readonly span: LineSpan | undefined } {
	const [, file, from, to] = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(word) ?? [];
	if (file === undefined || existsSync(word)) return { file: resolve(word), span: undefined };
	return { file: resolve(file), span: { from: Number(from), to: Number(to ?? from) } };
}

/** The file's paths in all worktrees, under all of its names. */
export function pathsOf({ path, directories, names }: BlamedFile): ReadonlySet<string> {
	const all = directories.flatMap((directory) => names.map((name) => join(directory, name)));
	return new Set([path, ...all.map(canonical)]);
}

const realDirectories = new Map<string, string>();

/** A path without symbolic links in its directory, as far as that exists. */
export function canonical(path: string): string {
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
