import { existsSync } from "node:fs";
import { findGit } from "../../catalog/git/git-repository.ts";
import { isKnownFile } from "../../catalog/index/session-table.ts";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import { isSession, type SessionRow } from "../../catalog/model/row.ts";
import { findSessionRoots, type ListOptions, type SessionRoots } from "../../catalog/model/session-roots.ts";
import { type Choose, listIds, listKnown, type SessionId, searchKnown } from "../../catalog/snapshot.ts";
import { memoEach } from "../../shared/memo.ts";
import { basename, dirname } from "../../shared/paths.ts";
import { originalOf } from "../../store/files/conflict-copy.ts";
import { isDirectoryTyped } from "../../store/files/paths.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { Mistake, remark, withProgressNote } from "../print/output.ts";

export interface NamedSession {
	/** Absolute path of its file, as the list has it. */
	readonly path: string;
	/** The directory to list instead of the person's own, because the session is not in that. */
	readonly sessionDir?: string;
}

const everything: Choose = (all) => all;

/**
 * The sessions of this machine for one command: where they are, their ids and rows. Each is looked up when it is first needed; where they
 * are, their ids and the newest one only once.
 */
export class Sessions {
	/** Those of the command with these arguments. */
	static readonly of = memoEach(({ sessionDir }: Pick<Arguments, "sessionDir">) => new Sessions({ sessionDir }));

	readonly #options: ListOptions;
	#roots: Promise<SessionRoots> | undefined;
	#ids: Promise<readonly SessionId[]> | undefined;
	#newest: Promise<NamedSession> | undefined;
	#problems: readonly CatalogProblem[] = [];

	constructor({ env, home, cwd, sessionDir }: ListOptions) {
		this.#options = { env, home, cwd, sessionDir };
	}

	/** The directory from which paths and "." are read. */
	get cwd(): string {
		return this.#options.cwd ?? process.cwd();
	}

	roots(): Promise<SessionRoots> {
		this.#roots ??= findSessionRoots(this.#options);
		return this.#roots;
	}

	rootsOf({ sessionDir }: NamedSession): Promise<SessionRoots> {
		return sessionDir === undefined ? this.roots() : findSessionRoots({ ...this.#options, sessionDir });
	}

	/** Whether a file is listed though it is in no directory that is searched, because a session names it. */
	async isKnown(path: string): Promise<boolean> {
		return isKnownFile(path, await this.roots(), this.#options);
	}

	/** The ids of all sessions, archived ones included, most recently written first. */
	ids(): Promise<readonly SessionId[]> {
		this.#ids ??= listIds(this.#options);
		return this.#ids;
	}

	/** Whether a session has this id. A file that the index does not know is read only if its name ends in the id: any word is asked. */
	async hasId(id: string): Promise<boolean> {
		const ids = await listIds(this.#options, (path) => basename(path, ".jsonl").endsWith(id));
		return ids.some((one) => one.id === id);
	}

	/** The rows of the sessions that `choose` picks of all of them, archived ones included, newest activity first. */
	async list(choose = everything): Promise<readonly SessionRow[]> {
		const onProblems = (problems: readonly CatalogProblem[]): void => {
			this.#problems = problems;
		};
		const options = { ...this.#options, archived: true, blocking: true, onProblems };
		return (await listKnown(choose, options)) ?? withProgressNote(read(choose, options), () => "Listing …");
	}

	/** Such as directories that could not be read, when sessions were last listed; for stderr. */
	get problems(): readonly CatalogProblem[] {
		return this.#problems;
	}

	/**
	 * The session of the current directory with the newest activity; without one, that of the nearest directory above it in its
	 * repository, which is said on stderr.
	 */
	newest(): Promise<NamedSession> {
		this.#newest ??= this.#findNewest();
		return this.#newest;
	}

	async #findNewest(): Promise<NamedSession> {
		const { cwd } = this;
		const { top = cwd } = (await findGit(cwd)) ?? {};
		const places = [...upTo(top, cwd)].map((directory) => ({ directory, isOf: isDirectoryTyped(directory) }));
		/** By directory; a run only where there is no other session, as in a worktree of its own: at work it is newer than its parent. */
		const sessions = new Map<string, SessionRow>();
		const isFound = (row: SessionRow): boolean => {
			const directory = row.cwd === "" ? undefined : places.find(({ isOf }) => isOf(row.cwd))?.directory;
			if (directory === undefined || !isSession(row) || originalOf(row.path, existsSync) !== undefined) return false;
			const best = sessions.get(directory);
			if (best === undefined || (best.run !== undefined && row.run === undefined)) sessions.set(directory, row);
			return directory === cwd && row.run === undefined;
		};
		if ((await searchKnown(isFound, this.#options)) === undefined)
			(await read(everything, { ...this.#options, blocking: true })).some(isFound);
		const nearest = places.find(({ directory }) => sessions.has(directory))?.directory;
		const session = sessions.get(nearest ?? "");
		if (session === undefined) throw new Mistake(`there is no session for ${cwd}`);
		if (nearest !== cwd) remark(`There is no session for ${cwd}; the nearest is ${nearest}`);
		return { path: session.path };
	}
}

/** A directory, and those above it up to `top`. */
function* upTo(top: string, start: string): Generator<string> {
	for (let directory = start; ; directory = dirname(directory)) {
		yield directory;
		if (directory === top || dirname(directory) === directory) return;
	}
}

async function read(choose: Choose, options: ListOptions): Promise<readonly SessionRow[]> {
	// Loaded only if it is needed: the thread's code is larger than all that a list needs.
	const { listRead } = await import("../../catalog/list-all.ts");
	return listRead(choose, options);
}
