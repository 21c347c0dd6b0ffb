import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import { join, sep } from "../../shared/paths.ts";
import type { Steps } from "../../shared/steps.ts";
import { errorCode, explain } from "../../store/files/store-error.ts";
import type { CatalogProblem } from "../model/event.ts";
import { isSessionPath } from "../model/run-place.ts";
import { archiveIn, archiveOf, missingRoot, rootOf, type SessionRoots } from "../model/session-roots.ts";
import { type DirectoryListing, lastRead, listingOf } from "./listing.ts";
import { directoriesForRuns, type RunDirectory, runDirectories } from "./run-directories.ts";
import { isUnchanged, type ScanStamp, scanStampOf } from "./scan-stamp.ts";
import { SessionsElsewhere } from "./session-elsewhere.ts";
import { unlistedNames } from "./unlisted-names.ts";

/** A session file on the disk, not yet read. */
export interface SessionFile extends ScanStamp {
	/** Absolute path under which it was found. */
	readonly path: string;
}

export interface FoundFiles {
	/** Newest first by modification time. */
	readonly files: readonly SessionFile[];
	readonly problems: readonly CatalogProblem[];
	/** Files and directories that could not be checked: what was known about them may still exist. */
	readonly unsure: ReadonlySet<string>;
}

/**
 * Finds all `*.jsonl` files directly in the directories directly under the root (or directly in a custom directory),
 * as pi does, the sessions of subagents below these, and all of that in the archive; the sessions in the directories that are
 * configured for runs; and those among the known ones that are in no directory that is searched. Unlike in pi, a file that several
 * symbolic links lead to is found once. Reports files of such a name that cannot be listed, and second names of a file.
 * A missing default root is not a problem: there are no sessions yet. Never throws.
 *
 * One directory a step, with synchronous calls, because ten thousand asynchronous ones take three times as long.
 * `onFile` is called with each file as it is found, in no particular order.
 */
export function* findSessionFiles(
	sessionRoots: SessionRoots,
	stamps: ReadonlyMap<string, ScanStamp> = new Map(),
	onFile: (file: SessionFile) => void = () => undefined,
): Steps<FoundFiles> {
	const finder = new Finder(onFile);
	const missing = missingRoot(sessionRoots);
	if (missing !== undefined) finder.problems.push({ path: rootOf(sessionRoots), message: missing });
	else {
		const archive = archiveOf(sessionRoots);
		const isCustom = sessionRoots.kind === "custom";
		// A session with two paths, because of a link between the two roots, is listed where pi finds it.
		for (const root of [rootOf(sessionRoots), archive]) {
			for (const directory of isCustom ? [root] : finder.directoriesIn(root)) {
				yield* finder.addDirectory(directory, root === archive);
			}
		}
		yield* finder.addProjects(sessionRoots);
		for (const directory of sessionRoots.runDirs ?? []) yield* finder.addRunDirectory(directory);
		finder.addElsewhere(sessionRoots, stamps);
	}
	finder.reportSecondNames();
	const files = [...finder.files.values()].sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
	return { files, problems: finder.problems, unsure: finder.unsure };
}

/** The directories of projects and their archives; a dead one on another machine could block for minutes. */
function projectDirectories(
	sessionRoots: SessionRoots,
): readonly { readonly path: string; readonly isNear: boolean }[] {
	const { projectDirs = [] } = sessionRoots;
	if (projectDirs.length === 0) return [];
	const elsewhere = new SessionsElsewhere(rootOf(sessionRoots));
	return projectDirs
		.flatMap((dir) => [dir, archiveIn(dir)])
		.map((path) => ({ path, isNear: attempt(() => elsewhere.isNear(path)) ?? true }));
}

/**
 * What was found so far. A file counts once, by its real path, and under the name by which it was found first: so directories come before
 * links to them, and the archive, projects and directories of runs after what pi lists. What could not be looked at is unsure, not gone.
 */
class Finder {
	/** By real path. */
	readonly files = new Map<string, SessionFile>();
	readonly #directories = new Set<string>();
	readonly problems: CatalogProblem[] = [];
	readonly unsure = new Set<string>();
	readonly #onFile: (file: SessionFile) => void;
	/** Symbolic links named like sessions, with the real paths of their targets. */
	readonly #links: { readonly path: string; readonly realpath: string }[] = [];
	/** Files with several hard links. */
	readonly #named: SessionFile[] = [];

	constructor(onFile: (file: SessionFile) => void) {
		this.#onFile = onFile;
	}

	/** Real directories before links to them, so that a session is listed by its own path if it has one. */
	directoriesIn(root: string): string[] {
		const entries = (this.#entries(root) ?? []).filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
		entries.sort((a, b) => Number(a.isSymbolicLink()) - Number(b.isSymbolicLink()) || (a.name < b.name ? -1 : 1));
		return entries.filter((entry) => this.#isDirectory(root, entry)).map((entry) => join(root, entry.name));
	}

	/** `isLast`: a file that was already found, by a link to it, stays where it was found. */
	*addDirectory(directory: string, isLast: boolean): Steps<void> {
		const real = this.#attempt(directory, () => realpathSync.native(directory));
		if (real === undefined || this.#directories.has(real)) return;
		this.#directories.add(real);
		const listing = this.#listingOf(directory);
		this.#addFiles(directory, real, listing, isLast);
		yield;
		if (listing.directories.length === 0) return;
		const listingIn = lastRead((path) => (path === directory ? listing : this.#listingOf(path)));
		for (const { path, isSession } of runDirectories(directory, new Set(listing.sessions), listingIn)) {
			this.#addFiles(path, real + path.slice(directory.length), listingIn(path), isLast, isSession);
			yield;
		}
	}

	/** The directories in which projects keep their sessions, and their archives; what was found before stays where it was found. */
	*addProjects(sessionRoots: SessionRoots): Steps<void> {
		for (const { path, isNear } of projectDirectories(sessionRoots)) {
			if (isNear) yield* this.addDirectory(path, true);
			else this.unsure.add(path);
		}
	}

	/** A directory that is configured for runs; what was found before stays where it was found. */
	*addRunDirectory(directory: string): Steps<void> {
		const real = this.#attempt(directory, () => realpathSync.native(directory));
		if (real === undefined) return;
		const listingIn = lastRead((path) => this.#listingOf(path));
		for (const { path, isSession } of directoriesForRuns(directory, listingIn)) {
			this.#addFiles(path, real + path.slice(directory.length), listingIn(path), true, isSession);
			yield;
		}
	}

	/** Adds the known files outside of all searched directories, as long as they are still sessions. */
	addElsewhere(sessionRoots: SessionRoots, stamps: ReadonlyMap<string, ScanStamp>): void {
		// Those that were found are where sessions are searched, and are nearly all.
		const paths = [...stamps.keys()].filter((path) => !this.files.has(path) && !isSessionPath(path, sessionRoots));
		if (paths.length === 0) return;
		const elsewhere = new SessionsElsewhere(rootOf(sessionRoots));
		for (const path of paths) {
			const stamp = this.#attempt(path, () => elsewhere.stampOf(path));
			if (stamp === "far") this.unsure.add(path);
			if (typeof stamp !== "object" || !(isUnchanged(stamps.get(path), stamp) || elsewhere.isSession(path))) continue;
			const realpath = this.#attempt(path, () => realpathSync.native(path));
			if (realpath === undefined || this.files.has(realpath)) continue;
			const file = { path, ...stamp };
			this.files.set(realpath, file);
			this.#onFile(file);
		}
	}

	reportSecondNames(): void {
		for (const { path, realpath } of this.#links) {
			const listed = this.files.get(realpath)?.path ?? path;
			if (listed !== path)
				this.#addProblem(
					path,
					`${path} is not listed on its own: it is a symbolic link to ${listed}, which is listed.`,
				);
		}
		const listed = [...new Set(this.#named).intersection(new Set(this.files.values()))];
		for (const [first, ...more] of Map.groupBy(listed, ({ dev, ino }) => `${dev} ${ino}`).values())
			for (const { path } of more)
				this.#addProblem(
					path,
					`${path} is the same file as ${first?.path}, under a second name (a hard link): what is written to one is in both.`,
				);
	}

	#isDirectory(root: string, entry: Dirent): boolean {
		if (entry.isDirectory()) return true;
		const path = join(root, entry.name);
		const isDirectory = this.#attempt(path, () => statSync(path, { throwIfNoEntry: false })?.isDirectory());
		if (isDirectory === undefined && !this.unsure.has(path)) this.#addProblem(path, linkProblem(path));
		return isDirectory === true;
	}

	#addFiles(
		directory: string,
		realDirectory: string,
		{ sessions, links }: DirectoryListing,
		isLast: boolean,
		isSession: RunDirectory["isSession"] = () => true,
	): void {
		for (const name of sessions)
			if (isSession(name)) this.#addFile(directory, realDirectory, name, links.has(name), isLast);
	}

	/** The directories are normalized, so names are only appended: for thousands of files, `join` takes a tenth of the time. */
	#addFile(directory: string, realDirectory: string, name: string, isLink: boolean, isLast: boolean): void {
		const path = `${directory}${sep}${name}`;
		const stats = this.#attempt(path, () => statSync(path, { throwIfNoEntry: false }));
		if (!stats) {
			if (isLink && !this.unsure.has(path)) this.#addProblem(path, linkProblem(path));
			return;
		}
		if (!stats.isFile()) {
			this.#addProblem(path, `Cannot list ${path} as a session: it is ${kindOf(stats)}, not a file.`);
			return;
		}
		const realpath = isLink ? this.#attempt(path, () => realpathSync.native(path)) : `${realDirectory}${sep}${name}`;
		if (isLink && realpath !== undefined) this.#links.push({ path, realpath });
		if (realpath === undefined || ((isLink || isLast) && this.files.has(realpath))) return;
		const file = { path, ...scanStampOf(stats) };
		this.files.set(realpath, file);
		if (stats.nlink > 1) this.#named.push(file);
		this.#onFile(file);
	}

	#listingOf(directory: string): DirectoryListing {
		return listingOf(this.#entries(directory) ?? []);
	}

	/** Undefined if it cannot be read, or does not exist. */
	#entries(directory: string): Dirent[] | undefined {
		return this.#attempt(directory, () => {
			const entries = readdirSync(directory, { withFileTypes: true });
			const unlisted = unlistedNames(directory, entries);
			for (const name of unlisted.shown) {
				const message = `Cannot read "${name}" in ${directory}: its name is not valid UTF-8. Rename it to list its sessions.`;
				this.#addProblem(join(directory, name), message);
			}
			return unlisted.replaced.size === 0 ? entries : entries.filter(({ name }) => !unlisted.replaced.has(name));
		});
	}

	#addProblem(path: string, message: string | undefined): void {
		if (message !== undefined) this.problems.push({ path, message });
	}

	#attempt<Result>(path: string, action: () => Result): Result | undefined {
		try {
			return action();
		} catch (error) {
			// A directory or file that was just deleted, or never existed, is not a problem: it has no sessions.
			if (isGone(error)) return undefined;
			this.unsure.add(path);
			this.#addProblem(path, `Cannot look for sessions in ${path}: ${explain(error)}.`);
			return undefined;
		}
	}
}

function isGone(error: unknown): boolean {
	const code = errorCode(error);
	return code === "ENOENT" || code === "ENOTDIR";
}

/** The stamp of the file at a path, if it is listed there: links are followed only by a full comparison. Throws. */
export function stampAt(path: string): ScanStamp | "gone" | "link" | "no file" {
	try {
		const stats = lstatSync(path);
		if (stats.isSymbolicLink()) return "link";
		return stats.isFile() ? scanStampOf(stats) : "no file";
	} catch (error) {
		if (isGone(error)) return "gone";
		throw error;
	}
}

/** What is at a path, with its article: "a directory", "a named pipe". */
function kindOf(stats: Stats): string {
	if (stats.isDirectory()) return "a directory";
	if (stats.isFIFO()) return "a named pipe";
	if (stats.isSocket()) return "a socket";
	if (stats.isBlockDevice() || stats.isCharacterDevice()) return "a device";
	return "something else";
}

/** What is wrong with a broken symbolic link; undefined if it has just been deleted. */
function linkProblem(path: string): string | undefined {
	const target = attempt(() => (lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined));
	return target && `Cannot look for sessions in ${path}: the link leads to ${target}, which does not exist.`;
}
