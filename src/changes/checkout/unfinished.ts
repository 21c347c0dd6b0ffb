import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { findGit } from "../../catalog/git/git-repository.ts";
import { processMark } from "../../catalog/live/processes.ts";
import { attempt } from "../../shared/attempt.ts";
import { isObject } from "../../shared/json.ts";
import { isRunning } from "../../shared/system.ts";
import { readTextFileAsync } from "../../store/files/open-file.ts";
import { isThere } from "../../store/files/paths.ts";
import { replaceText } from "../../store/write/text-file.ts";

/** A directory that is being made or removed. */
export interface Unfinished {
	/** A directory beside `into`, in which it has the same name until it is whole, and again before it is removed. */
	readonly holder: string;
	/** Its place, absolute. */
	readonly into: string;
	/** The repository that it is a worktree of; undefined for a directory without Git. */
	readonly repository?: string | undefined;
}

/** Where it is while it is not whole. */
export function temporaryOf({ holder, into }: Unfinished): string {
	return join(holder, basename(into));
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
			() => rm(note, { force: true }),
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
		if (isRunning(pid) && processMark(pid) === mark) continue;
		const unfinished = { holder, into, ...(typeof repository === "string" && { repository }) };
		const noted = await stat(path).catch(() => undefined);
		const mayGrow = noted !== undefined && Date.now() - noted.mtimeMs < GIT_MS;
		await removeUnfinished(unfinished)
			.then(() => (mayGrow ? undefined : rm(path, { force: true })))
			.catch(() => undefined);
	}
}

/** How long a Git that a killed run has started may go on writing: until then the note stays, and later runs look again. In ms. */
const GIT_MS = 10 * 60_000;

/** Removes the directory, if it is not in its place, and what Git knows of it. */
async function removeUnfinished(unfinished: Unfinished): Promise<void> {
	const { holder, into, repository } = unfinished;
	const temporary = temporaryOf(unfinished);
	const git = repository === undefined ? undefined : await findGit(repository);
	const worktrees = git && join(git.common, "worktrees");
	for (const name of worktrees === undefined ? [] : await readdir(worktrees).catch(() => [])) {
		const path = join(worktrees ?? "", name);
		const place = (await readTextFileAsync(join(path, "gitdir")).catch(() => "")).trim();
		const isOurs = place === join(temporary, ".git") || (place === join(into, ".git") && !(await isThere(into)));
		if (isOurs) await rm(path, { recursive: true, force: true });
	}
	// Only what this program has named like that is removed.
	if (basename(holder).startsWith(HOLDER)) await rm(holder, { recursive: true, force: true });
}

/** What the name of a holder begins with. */
export const HOLDER = ".pi-grove-";

/** The directory of the notes, in that of the journal. */
const NOTES = "checkouts";

/** Whether there is a directory at a path with nothing in it. */
export async function isEmptyDirectory(path: string): Promise<boolean> {
	return (await stat(path)).isDirectory() && (await readdir(path)).length === 0;
}
