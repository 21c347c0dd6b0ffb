import { readdirSync, statfsSync, statSync } from "node:fs";
import type { FSWatcher, watch as watchPath } from "chokidar";
import { attempt } from "../../shared/attempt.ts";
import { basename, dirname, isWithin, join } from "../../shared/paths.ts";
import { thisSystem } from "../../shared/system.ts";
import { isDirectory } from "../../store/files/paths.ts";
import { errorCode, explain } from "../../store/files/store-error.ts";
import type { CatalogProblem } from "../model/event.ts";
import { ARTIFACTS, familyDirectory, isSessionPath } from "../model/run-place.ts";
import { rootOf, type SessionRoots } from "../model/session-roots.ts";

/** Largest number of directories that are watched besides the root: the most recently visible ones. */
const MAX_DIRECTORIES = 64;
/** Events within this time are handled together, in milliseconds. */
const GATHER_MS = 15;
/** Least time between two reports while many files change one after the other: each report makes a new list. */
export const BETWEEN_MS = 150;
/** chokidar drops what changes within 50 ms of a file's last event, so each file is checked again after this time, in ms. */
const AGAIN_MS = 120;
/** Directories whose watches have started within this time are compared together, in milliseconds. */
const STARTED_MS = 50;

/** File systems that may be on other machines and do not report changes made there (types as in statfs(2)). */
const NETWORK_TYPES = new Map([
	[0x6969, "NFS"],
	[0xff534d42, "CIFS"],
	[0xfe534d42, "SMB"],
	[0x517b, "SMB"],
	[0x65735546, "FUSE"],
	[0x01021997, "9p"],
	[0x5346414f, "AFS"],
]);

interface WatchOptions {
	readonly sessionRoots: SessionRoots;
	/** Whether the session is listed, although it is in no directory that is searched. */
	readonly isListed: (path: string) => boolean;
	/** These session files are new, have changed or are gone. */
	readonly onFiles: (paths: readonly string[]) => void;
	/** Something else has changed: everything must be compared. */
	readonly onOther: () => void;
	/** What keeps watching from working; empty if it works. */
	readonly onProblems: (problems: readonly CatalogProblem[]) => void;
}

/**
 * Watches the root for new projects, and the directories where changes are likely. Not all of them: watching ten
 * thousand files takes a second and 120 MB.
 *
 * Each directory has a watcher of its own, since only a watcher tells when it has started, and one that has stopped watching a
 * directory ignores everything below it, even what it is to watch again.
 */
export class Watch {
	readonly #options: WatchOptions;
	readonly #rootDir: string;
	/** The least recently visible directory first. */
	readonly #watchers = new Map<string, FSWatcher>();
	readonly #changed = new Set<string>();
	/** Loaded by `start`. */
	#watchPath: typeof watchPath | undefined;
	#root: FSWatcher | undefined;
	#timer: NodeJS.Timeout | undefined;
	/** When changes were last reported, by the clock of the process. */
	#reportedMs = Number.NEGATIVE_INFINITY;
	#started: NodeJS.Timeout | undefined;
	readonly #rechecks = new Set<NodeJS.Timeout>();
	#failed = false;
	#remote = false;
	#closed = false;

	constructor(options: WatchOptions) {
		this.#options = options;
		this.#rootDir = rootOf(options.sessionRoots);
	}

	/** Whether all changes in the watched directories are reported; if not, compare more often. */
	get works(): boolean {
		return !this.#failed && !this.#remote && this.#root !== undefined;
	}

	/** Starts watching; `paths` are the sessions that are likely to change. */
	async start(paths: readonly string[]): Promise<void> {
		const network = networkType(this.#rootDir);
		if (network) {
			this.#remote = true;
			const message = `Changes made on other machines are noticed a few seconds late: ${this.#rootDir} is on a network file system (${network}).`;
			this.#options.onProblems([{ path: this.#rootDir, message }]);
		}
		// Loaded here because the first screen does not need it.
		const { watch } = await import("chokidar");
		if (this.#closed) return;
		this.#watchPath = watch;
		this.#root = this.#watch(this.#rootDir, watch);
		this.watchVisible(paths);
	}

	/** Watches the directories of these sessions, in place of the least recently visible ones. */
	watchVisible(paths: readonly string[]): void {
		const directories = paths.map((path) => dirname(path));
		const families = paths.map((path) => newestGroups(familyDirectory(path))).filter(({ length }) => length > 0);
		const forRuns = (this.#options.sessionRoots.runDirs ?? []).flatMap(newestGroups);
		// Those of the sessions last, because the first ones are given up first.
		this.#add([...families.slice(0, MOST_FAMILIES).flat(), ...forRuns, ...directories]);
	}

	/** The last directories take the place of the first, so of too many only the last are added. */
	#add(directories: readonly string[]): void {
		if (this.#failed || this.#closed || this.#watchPath === undefined) return;
		for (const directory of [...new Set(directories)].slice(-MAX_DIRECTORIES)) {
			if (directory === this.#rootDir) continue;
			const watcher = this.#watchers.get(directory);
			this.#watchers.delete(directory);
			// The watcher of a missing directory would miss that it appears, and the one of the directory above tells it.
			if (watcher !== undefined || isDirectory(directory))
				this.#watchers.set(directory, watcher ?? this.#watch(directory, this.#watchPath));
		}
		for (const directory of [...this.#watchers.keys()].slice(0, -MAX_DIRECTORIES)) this.#stop(directory);
	}

	#watch(directory: string, watch: typeof watchPath): FSWatcher {
		const watcher = watch(directory, { ignoreInitial: true, depth: 0 });
		watcher.on("all", (event, path) => this.#handle(event, path));
		watcher.on("error", (error) => this.#fail(`${directory} cannot be watched: ${reason(error)}`));
		// What has changed since the last comparison is not reported.
		watcher.once("ready", () => {
			this.#started ??= setTimeout(() => {
				this.#started = undefined;
				this.#options.onOther();
			}, STARTED_MS);
		});
		return watcher;
	}

	#stop(directory: string): void {
		const watcher = this.#watchers.get(directory);
		this.#watchers.delete(directory);
		// It reports nothing from now on; what it still has to close is no concern of anybody.
		void watcher?.close();
	}

	/** Ends all reports. chokidar may keep timers and watches, which only the end of the thread is sure to end. */
	async close(): Promise<void> {
		this.#closed = true;
		clearTimeout(this.#timer);
		clearTimeout(this.#started);
		for (const timer of this.#rechecks) clearTimeout(timer);
		await Promise.all([this.#root?.close(), ...this.#watchers.values().map((watcher) => watcher.close())]);
	}

	#handle(event: string, path: string): void {
		if (this.#closed) return;
		if (event === "addDir" || event === "unlinkDir") {
			if (path === this.#rootDir) return;
			// If it comes back, it is another directory, and so are those below.
			for (const directory of [...this.#watchers.keys()]) if (isWithin(directory, path)) this.#stop(directory);
			this.#options.onOther();
			// A new project, or a session that is watched has started a subagent.
			const isBelow = dirname(path) === this.#rootDir || this.#watchers.has(dirname(path));
			if (event === "addDir" && isBelow && basename(path) !== ARTIFACTS) this.#add([path]);
			return;
		}
		const { sessionRoots, isListed } = this.#options;
		if (!path.endsWith(".jsonl") || !(isSessionPath(path, sessionRoots) || isListed(path))) return;
		this.#changed.add(path);
		const wait = Math.max(GATHER_MS, this.#reportedMs + BETWEEN_MS - performance.now());
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			this.#reportedMs = performance.now();
			const paths = [...this.#changed];
			this.#changed.clear();
			this.#options.onFiles(paths);
			this.#checkAgain(paths);
		}, wait);
	}

	/** Reports the same files once more: checking an unchanged file costs nothing. */
	#checkAgain(paths: readonly string[]): void {
		const timer = setTimeout(() => {
			this.#rechecks.delete(timer);
			this.#options.onFiles(paths);
		}, AGAIN_MS);
		this.#rechecks.add(timer);
	}

	#fail(why: string): void {
		if (this.#failed) return;
		this.#failed = true;
		const message = `Changes are noticed a few seconds late: ${why}. All sessions are compared regularly instead.`;
		this.#options.onProblems([{ path: this.#rootDir, message }]);
	}
}

/** Directories of runs that are watched for one session: its newest, where something is likely to happen. */
const NEWEST_RUNS = 2;
/** Sessions whose runs are watched before anything in these changes. */
const MOST_FAMILIES = 3;

/** A directory of runs, and those of the newest of them; none if it does not exist. */
function newestGroups(family: string): string[] {
	const groups = directoriesIn(family);
	if (groups === undefined) return [];
	const newest = groups.sort((a, b) => b.mtimeMs - a.mtimeMs).slice(0, NEWEST_RUNS);
	const runs = newest.flatMap((group) => directoriesIn(group.path)?.slice(0, NEWEST_RUNS) ?? []);
	return [family, ...newest.map((group) => group.path), ...runs.map((run) => run.path)];
}

/** The directories in a directory; undefined if it is none, or cannot be read: then changes in it are noticed later. */
function directoriesIn(path: string): { readonly path: string; readonly mtimeMs: number }[] | undefined {
	return attempt(() =>
		readdirSync(path, { withFileTypes: true })
			.filter((entry) => entry.isDirectory())
			.map(({ name }) => ({ path: join(path, name), mtimeMs: statSync(join(path, name)).mtimeMs })),
	);
}

function networkType(path: string): string | undefined {
	// Fails without a directory, or without statfs on this system: then it is assumed that it can be watched.
	return attempt(() => NETWORK_TYPES.get(statfsSync(path).type));
}

/** Limits of Linux, by the error of whoever reaches them: inotify_init(2), inotify_add_watch(2). */
const LIMITS: Readonly<Record<string, { readonly of: string; readonly setting: string }>> = {
	EMFILE: { of: "programs that watch files", setting: "fs.inotify.max_user_instances" },
	ENOSPC: { of: "watched files", setting: "fs.inotify.max_user_watches" },
};

function reason(error: unknown): string {
	const limit = LIMITS[errorCode(error)];
	if (thisSystem.platform !== "linux" || limit === undefined) return explain(error);
	return `the user's limit of ${limit.of} is reached; raise it with sysctl ${limit.setting}`;
}
