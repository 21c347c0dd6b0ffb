import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { Steps } from "../../shared/steps.ts";
import { type FileStamp, stampOf } from "../../store/files/file-stamp.ts";
import { errorCode, explain } from "../../store/files/store-error.ts";
import type { CatalogProblem } from "../model/event.ts";
import type { SessionRoots } from "../model/session-roots.ts";

/** A session file on the disk, not yet read. */
export interface SessionFile extends FileStamp {
	/** Absolute path under which it was found. */
	readonly path: string;
	/** The path with all symbolic links followed. */
	readonly realpath: string;
}

/** All session files, and what could not be searched. */
export interface FoundFiles {
	/** Newest first by modification time. */
	readonly files: readonly SessionFile[];
	/** Real paths of the directories that were searched, each once. */
	readonly directories: readonly string[];
	readonly problems: readonly CatalogProblem[];
}

/**
 * Finds all `*.jsonl` files directly in the directories directly under the root (or directly in a custom directory),
 * as pi does, except that a file that several symbolic links lead to is found once.
 * A root that does not exist is not a problem: there are no sessions yet. Never throws.
 *
 * One directory a step, with synchronous calls, because ten thousand asynchronous ones take three times as long.
 * `onFile` is called with each file as it is found, in no particular order.
 */
export function* findSessionFiles(
	sessionRoots: SessionRoots,
	onFile: (file: SessionFile) => void = () => undefined,
): Steps<FoundFiles> {
	const found = new Finder(onFile);
	if (sessionRoots.kind === "custom") found.addDirectory(sessionRoots.dir);
	else {
		for (const directory of found.directoriesIn(sessionRoots.root)) {
			found.addDirectory(directory);
			yield;
		}
	}
	const files = [...found.files.values()].sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
	return { files, directories: [...found.directories], problems: found.problems };
}

class Finder {
	/** By real path. */
	readonly files = new Map<string, SessionFile>();
	readonly directories = new Set<string>();
	readonly problems: CatalogProblem[] = [];
	readonly #onFile: (file: SessionFile) => void;

	constructor(onFile: (file: SessionFile) => void) {
		this.#onFile = onFile;
	}

	/** Real directories before links to them, so that a session is listed by its own path if it has one. */
	directoriesIn(root: string): string[] {
		const entries = this.#entries(root).filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
		entries.sort((a, b) => Number(a.isSymbolicLink()) - Number(b.isSymbolicLink()) || (a.name < b.name ? -1 : 1));
		const isDirectory = (entry: Dirent) =>
			entry.isDirectory() || statSync(join(root, entry.name), { throwIfNoEntry: false })?.isDirectory() === true;
		return entries
			.filter((entry) => this.#attempt(join(root, entry.name), () => isDirectory(entry)))
			.map((entry) => join(root, entry.name));
	}

	addDirectory(directory: string): void {
		const real = this.#attempt(directory, () => realpathSync(directory));
		if (real === undefined || this.directories.has(real)) return;
		this.directories.add(real);
		for (const entry of this.#entries(directory)) {
			if (!entry.name.endsWith(".jsonl") || entry.isDirectory()) continue;
			this.#addFile(directory, real, entry);
		}
	}

	#addFile(directory: string, realDirectory: string, entry: Dirent): void {
		const path = join(directory, entry.name);
		const realpath = entry.isSymbolicLink()
			? this.#attempt(path, () => realpathSync(path))
			: join(realDirectory, entry.name);
		if (realpath === undefined) return;
		const known = this.files.get(realpath);
		if (known && entry.isSymbolicLink()) return;
		const stats = this.#attempt(path, (): Stats | undefined => statSync(path, { throwIfNoEntry: false }));
		if (!stats || stats.isDirectory()) return;
		const file = { path, realpath, ...stampOf(stats) };
		this.files.set(realpath, file);
		this.#onFile(file);
	}

	#entries(directory: string): Dirent[] {
		return this.#attempt(directory, () => readdirSync(directory, { withFileTypes: true })) ?? [];
	}

	#attempt<Result>(path: string, action: () => Result): Result | undefined {
		try {
			return action();
		} catch (error) {
			// A directory or file that was just deleted, or never existed, is not a problem: it has no sessions.
			if (errorCode(error) === "ENOENT") return undefined;
			this.problems.push({ path, message: `Cannot look for sessions in ${path}: ${explain(error)}.` });
			return undefined;
		}
	}
}
