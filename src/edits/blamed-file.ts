import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type GitNote, gitNoteOf, readGitNotes } from "../catalog/git/git-notes.ts";
import { findGit, findRepository } from "../catalog/git/git-repository.ts";
import type { SessionRow } from "../catalog/model/row.ts";
import { eachLine } from "../conversation/render/diff-lines.ts";
import { runToEnd, type Steps, type TimeSlice } from "../shared/steps.ts";
import { readDirectly } from "../store/files/disk-read.ts";
import { readTextFile } from "../store/files/open-file.ts";
import { explain } from "../store/files/store-error.ts";
import { formatCounted } from "../ui/text/format.ts";
import type { BlamedLine, KnownEdit } from "./blame.ts";
import { NEIGHBORS } from "./blame-lines.ts";
import type { FileEdit } from "./edit-collector.ts";
import { type EditsRead, type ReadEditsOptions, readEdits, seenBefore } from "./find-edits.ts";
import { type GitBlame, gitBlame } from "./git-blame.ts";
import { lineEvents } from "./line-events.ts";

/** Larger files are not blamed. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface LineSpan {
	/** The first and the last, from 1. */
	readonly from: number;
	readonly to: number;
}

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

/** Why nobody can say who wrote the lines of a file, in one sentence: it cannot be read, is not a text, or does not have these lines. */
export class BlameError extends Error {
	override readonly name = "BlameError";
}

/** Reads a file, and asks Git for its lines; `span`: only those, by default all. Rejects with a `BlameError`. */
export async function blamedFile(file: string, span?: LineSpan): Promise<BlamedFile> {
	const typed = resolve(file);
	const { path, text } = readFile(typed);
	if (text.includes("\0")) throw new BlameError(`cannot blame ${typed}: it is not a text file`);
	const lines = [...eachLine(text.replace(/^\uFEFF/, ""))];
	const { from, to } = span ?? { from: 1, to: lines.length };
	if (span !== undefined && (from < 1 || from > to || to > lines.length))
		throw new BlameError(
			`${typed} has ${formatCounted(lines.length, "line")}; ${from === to ? `there is no line ${from}` : `there are no lines ${from} to ${to}`}`,
		);
	const near = { from: Math.max(1, from - NEIGHBORS), to: Math.min(lines.length, to + NEIGHBORS) };
	const directory = dirname(path);
	const [git, repository, blame] = await Promise.all([
		findGit(directory),
		findRepository(directory),
		lines.length === 0 ? { reason: "it is empty" } : gitBlame(directory, basename(path), near),
	]);
	const blameResult: GitBlame | undefined = "reason" in blame ? undefined : blame;
	const blamed = new Map((blameResult?.lines ?? []).map((line) => [line.number, line]));
	const ownNames = git === undefined ? [] : [relative(realpathSync(git.top), path)];
	return {
		typed,
		path,
		from,
		to,
		isSpan: span !== undefined,
		lines: lines.map((text, index) => ({ commit: undefined, ...blamed.get(index + 1), number: index + 1, text })),
		directories: repository ?? [],
		root: repository?.[0],
		names: [...new Set([...ownNames, ...(blameResult?.names ?? [])])],
		committedMs: blameResult?.committedMs ?? [],
		addedBy: blameResult?.addedBy ?? new Map(),
		noCommits: "reason" in blame ? blame.reason : undefined,
	};
}

function readFile(typed: string): Pick<BlamedFile, "path"> & { readonly text: string } {
	try {
		const path = realpathSync(typed);
		return { path, text: readTextFile(path, MOST_BYTES) };
	} catch (error) {
		throw new BlameError(`cannot read ${typed}: ${explain(error)}`);
	}
}

/** The file's paths in all worktrees, under all of its names. */
function pathsOf({ path, directories, names }: SearchedFile): ReadonlySet<string> {
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

export interface FoundEdits extends EditsRead {
	/** Oldest first. */
	readonly edits: readonly KnownEdit[];
}

interface FindOptions {
	/** Called with the number of sessions searched so far. */
	readonly onProgress?: ReadEditsOptions["onProgress"];
	readonly signal?: AbortSignal;
	readonly slice?: TimeSlice;
	/** Edits of a session that is not among the rows. */
	readonly own?: { readonly session: string; readonly edits: readonly FileEdit[] };
}

/** What is needed of a file to find its edits. */
type SearchedFile = Pick<BlamedFile, "path" | "typed" | "names" | "directories" | "root" | "lines">;

interface PlacedEdit {
	readonly edit: FileEdit;
	readonly session: string;
	readonly isHere: boolean;
}

/** Finds all edits of a file by all sessions, in all directories with a copy of it. */
export async function findFileEdits(
	file: SearchedFile,
	rows: readonly SessionRow[],
	{ own, ...options }: FindOptions = {},
): Promise<FoundEdits> {
	const here = pathsOf(file);
	const names = [...new Set([file.path, file.typed, ...file.names].map((path) => basename(path)))];
	const isCopy = await copyFinder(file);
	const placed: PlacedEdit[] = (own?.edits ?? []).map((edit) => {
		return { edit, session: own?.session ?? "", isHere: true };
	});
	const waiting: Promise<void>[] = [];
	const read = await readEdits(
		rows,
		({ path: session, edits }) => {
			for (const edit of edits) {
				if (!names.includes(basename(edit.path))) continue;
				if (here.has(canonical(edit.path))) placed.push({ edit, session, isHere: true });
				else
					waiting.push(
						isCopy(edit.path).then((copy) => {
							if (copy !== "no") placed.push({ edit, session, isHere: copy === "yes" });
						}),
					);
			}
		},
		{ names, ...options },
	);
	await Promise.all(waiting);
	const texts = [...new Set(file.lines.map(({ text }) => text))].filter((text) => text.trim() !== "");
	const created = new Map(rows.map(({ path, created: at }) => [path, at.getTime()]));
	// An edit that a fork has copied belongs to the older session.
	placed.sort((one, other) => (created.get(one.session) ?? 0) - (created.get(other.session) ?? 0));
	const firstSessions = new Map<string, string>();
	const edits: KnownEdit[] = [];
	for (const one of placed) {
		const { edit, session } = one;
		const key = `${edit.entryId} ${edit.timestamp} ${edit.path}`;
		const first = edit.entryId === "" ? undefined : firstSessions.get(key);
		if (first !== undefined && first !== session) continue;
		firstSessions.set(key, session);
		const knownOne = knownEdit(one, texts);
		// What a long session had shown is read in slices where a screen waits, else only if it matters.
		if (options.slice !== undefined && knownOne.events.isWhole) await options.slice.run(knownOne.readSeen());
		edits.push(knownOne);
	}
	return { ...read, edits: edits.sort((one, other) => (one.timeMs || 0) - (other.timeMs || 0)) };
}

function knownEdit(
	{ edit, session, isHere }: PlacedEdit,
	texts: readonly string[],
): KnownEdit & { readonly readSeen: () => Steps<ReadonlySet<string>> } {
	const { entryId, timeMs, change, path, callAt } = edit;
	const events = lineEvents(edit);
	let seenLines: ReadonlySet<string> | undefined;
	const added = texts.filter((one) => events.adds.has(one));
	function* readSeen(): Steps<ReadonlySet<string>> {
		seenLines ??= callAt === undefined ? new Set(added) : yield* seenBefore(session, callAt, added);
		return seenLines;
	}
	const hadSeen = (line: string): boolean => runToEnd(readSeen()).has(line);
	return { session, entryId, timeMs, tool: change.tool, path, isHere, events, hadSeen, readSeen };
}

/**
 * Returns a function that says whether a file edited elsewhere is a copy of this one: "yes" in a removed worktree of the same
 * repository, "maybe" in another clone or where the repository may have been before, "no" in an existing directory that is
 * something else.
 */
async function copyFinder(file: SearchedFile): Promise<(path: string) => Promise<"yes" | "maybe" | "no">> {
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
		const name = file.names.find((one) => path.endsWith(`/${one}`));
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
