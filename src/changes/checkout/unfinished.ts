import { readdir, rmdir, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { findGit } from "../../catalog/git/git-repository.ts";
import { isStillRunning, processMark } from "../../catalog/live/processes.ts";
import { attempt } from "../../shared/attempt.ts";
import { isObject } from "../../shared/json.ts";
import { basename, dirname, join, resolve } from "../../shared/paths.ts";
import { readTextFileAsync } from "../../store/files/open-file.ts";
import { removePath } from "../../store/files/while-busy.ts";
import { replaceText } from "../../store/write/text-file.ts";

/** A directory that is being made or removed. */
export interface Unfinished {
	/** A directory beside `into`, by its real path, in which it has the same name until it is whole, and again before it is removed. */
	readonly holder: string;
	/** Its place, absolute. */
	readonly into: string;
	/** The repository that it is a worktree of; undefined for a directory without Git. */
	readonly repository?: string | undefined;
	readonly commit?: string | undefined;
}

/** Where it is while it is not whole. */
export function temporaryOf({ holder, into }: Unfinished): string {
	return join(holder, basename(into));
}

/** What Git notes of its place. */
export function notedPlace({ holder, into }: Unfinished): string {
	return `${join(dirname(holder), basename(into), ".git")}\n`;
}

/** Git's own directory of a worktree; undefined if it is none. */
export async function gitDirOf(worktree: string): Promise<string | undefined> {
	const link = await readTextFileAsync(join(worktree, ".git")).catch(() => "");
	const path = /^gitdir: (.+)$/m.exec(link)?.[1];
	return path === undefined ? undefined : resolve(worktree, path);
}

/**
 * Does work on a directory that must not be left half done: a note says where it is until the work has ended, well or not. If the process is
 * killed, `sweepUnfinished` of the next run finds the note, and removes what is left.
 */
export async function withNote<Result>(
	unfinished: Unfinished,
	stateDir: string,
	work: () => Promise<Result>,
): Promise<Result> {
	const { pid } = process;
	const note = join(stateDir, NOTES, `${basename(unfinished.holder)}.json`);
	await replaceText(note, [JSON.stringify({ ...unfinished, pid, mark: processMark(pid), host: hostname() })]);
	try {
		return await work();
	} finally {
		await removeUnfinished(unfinished).then(
			() => removePath(note, { force: true }),
			// The next run tries again.
			() => undefined,
		);
	}
}

/** Removes what killed runs on this machine have left of directories. Never rejects: the next run tries again. */
export async function sweepUnfinished(stateDir: string): Promise<void> {
	const directory = join(stateDir, NOTES);
	for (const name of await readdir(directory).catch(() => [])) {
		const path = join(directory, name);
		const text = await readTextFileAsync(path).catch(() => "");
		const note = attempt((): unknown => JSON.parse(text));
		if (!isObject(note) || note.host !== hostname()) continue;
		const { pid, mark, holder, into, repository } = note;
		if (typeof pid !== "number" || typeof holder !== "string" || typeof into !== "string") continue;
		if (isStillRunning({ pid, mark: String(mark) })) continue;
		const unfinished = { holder, into, ...(typeof repository === "string" && { repository }) };
		const noted = await stat(path).catch(() => undefined);
		// A Git that a killed run has started may go on writing: later runs look again.
		const mayGrow = noted !== undefined && Date.now() - noted.mtimeMs < 10 * 60_000;
		await removeUnfinished(unfinished)
			.then(() => (mayGrow ? undefined : removePath(path, { force: true })))
			.catch(() => undefined);
	}
}

/** Removes the directory, if it is not in its place, and what Git knows of it. */
async function removeUnfinished(unfinished: Unfinished): Promise<void> {
	const { holder, into, repository } = unfinished;
	const git = repository === undefined ? undefined : await findGit(repository);
	const worktrees = git === undefined ? "" : join(git.common, "worktrees");
	const [gitDir, placedDir] = await Promise.all([temporaryOf(unfinished), into].map(gitDirOf));
	for (const name of await readdir(worktrees).catch(() => [])) {
		const path = join(worktrees, name);
		const place = (await readTextFileAsync(join(path, "gitdir")).catch(() => "")).trim();
		const isOurs = resolve(path, place) === join(temporaryOf(unfinished), ".git");
		if (isOurs && placedDir !== undefined && basename(placedDir) === name)
			await writeFile(join(path, "gitdir"), notedPlace(unfinished));
		else if (isOurs || (gitDir !== undefined && basename(gitDir) === name))
			await removePath(path, { recursive: true, force: true });
	}
	// As Git does, if that was the last one.
	await rmdir(worktrees).catch(() => undefined);
	// Only what this program has named like that is removed.
	if (basename(holder).startsWith(HOLDER)) await removePath(holder, { recursive: true, force: true });
}

/** What the name of a holder begins with. */
export const HOLDER = ".pi-grove-";

/** The directory of the notes, in that of the journal. */
const NOTES = "checkouts";
