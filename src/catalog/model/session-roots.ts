import { statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join, relative, resolvePath, sep } from "../../shared/paths.ts";
import { type Env, xdgDir } from "../../shared/system.ts";
import { errorCode } from "../../store/files/store-error.ts";
import { agentDir, resolveSessionDir } from "../../store/read/session-dir.ts";
import { configuredRunDirs } from "./configured-run-dirs.ts";
import type { CatalogProblem } from "./event.ts";
import { readProjectDirs } from "./project-dirs.ts";

export interface ListOptions {
	/** Like pi's `--session-dir`. */
	readonly sessionDir?: string | undefined;
	readonly onProgress?: ((read: number, total: number) => void) | undefined;
	/** Gets how many sessions have been counted, for what they contain and cost. */
	readonly onCounting?: ((counted: number, total: number) => void) | undefined;
	/** Gets problems such as unreadable directories or an index that cannot be written. */
	readonly onProblems?: ((problems: readonly CatalogProblem[]) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
	/** @default process.env */
	readonly env?: Env | undefined;
	/** Directory for relative paths and the project's settings. @default process.cwd() */
	readonly cwd?: string | undefined;
	/** @default os.homedir() */
	readonly home?: string | undefined;
	/** Whether to include archived sessions. @default false */
	readonly archived?: boolean | undefined;
	/**
	 * Whether this thread may read the files, without a pause within a file: if there are few, that takes less time than starting
	 * another thread. @default false
	 */
	readonly blocking?: boolean | undefined;
	/** Directory of the index. @default `defaultCacheDir()` */
	readonly cacheDir?: string | undefined;
}

/** Where the sessions of this machine are, found exactly as pi finds them. */
export type SessionRoots = (
	| {
			readonly kind: "default";
			/** Directory that holds one directory of sessions for each project. */
			readonly root: string;
	  }
	| {
			readonly kind: "custom";
			/** Directory that holds the sessions of all projects. */
			readonly dir: string;
			/** Where it was set: an option, an environment variable, the settings. */
			readonly source?: string | undefined;
	  }
) & {
	/** Directory of pi's own files. */
	readonly agentDir: string;
	/** Directories that are configured for the sessions of subagents, absolute; undefined if there are none. */
	readonly runDirs?: readonly string[];
	/**
	 * Directories in which projects keep their sessions, absolute, as far as they are known; each has an archive of its own. Undefined
	 * if they are not looked for.
	 */
	readonly projectDirs?: readonly string[];
	readonly problems: readonly CatalogProblem[];
};

/** Finds where the sessions are. Never rejects: a settings file that cannot be read is reported in `problems`. */
export async function findSessionRoots(options: ListOptions = {}): Promise<SessionRoots> {
	const { sessionDir: flag, env = process.env, cwd = process.cwd(), home = homedir() } = options;
	const agent = resolvePath(agentDir(env, home), cwd, home);
	const { problems, ...choice } = resolveSessionDir({ flag, env, cwd, home });
	// A directory that was named on the command line is listed alone.
	const isAsked = choice.kind === "custom" && choice.source === "--session-dir";
	const runs = isAsked ? undefined : configuredRunDirs({ agentDir: agent, cwd, home });
	const facts = {
		agentDir: agent,
		problems: [...problems, ...(runs?.problems ?? [])],
		...(runs && runs.dirs.length > 0 && { runDirs: runs.dirs }),
	};
	return choice.kind === "default"
		? withKnownProjects({ kind: "default", root: choice.root, ...facts, projectDirs: [] }, cacheDirOf(options))
		: { kind: "custom", dir: choice.dir, source: choice.source, ...facts };
}

/** The roots with all project directories that are known by now, if these are looked for. */
export function withKnownProjects(sessionRoots: SessionRoots, cacheDir = defaultCacheDir()): SessionRoots {
	const { projectDirs } = sessionRoots;
	const knownDirs = projectDirs && readProjectDirs(cacheDir, rootOf(sessionRoots));
	if (projectDirs === undefined || knownDirs === undefined) return sessionRoots;
	return { ...sessionRoots, projectDirs: [...new Set([...projectDirs, ...knownDirs])] };
}

/**
 * What is wrong if the directory that contains all sessions is missing or not a directory; undefined if it is fine, or cannot
 * be checked. A missing default directory is fine: pi makes it with the first session.
 */
export function missingRoot(sessionRoots: SessionRoots): string | undefined {
	const root = rootOf(sessionRoots);
	const what = mistakeAt(root);
	if (what === undefined || (what === MISSING && sessionRoots.kind === "default")) return undefined;
	return `The session directory ${root}${sourceOf(sessionRoots)} ${what}.`;
}

const MISSING = "does not exist";

/** What is wrong with a directory; undefined also if that cannot be determined: reading it will then report why. */
function mistakeAt(path: string): string | undefined {
	try {
		return statSync(path).isDirectory() ? undefined : "is not a directory";
	} catch (error) {
		return ["ENOENT", "ENOTDIR"].includes(errorCode(error)) ? MISSING : undefined;
	}
}

function sourceOf(sessionRoots: SessionRoots): string {
	const source = sessionRoots.kind === "custom" ? sessionRoots.source : undefined;
	if (source === undefined) return "";
	return source === "settings" ? " (`sessionDir` in the settings)" : ` (${source})`;
}

/** The directory that contains all sessions; also identifies them in the index. */
export function rootOf(sessionRoots: SessionRoots): string {
	return sessionRoots.kind === "default" ? sessionRoots.root : sessionRoots.dir;
}

/** Directory for what must outlive a run: `$XDG_STATE_HOME/pi-grove`, else `~/.local/state/pi-grove`. */
export function defaultStateDir(env: Env = process.env, home = homedir()): string {
	return join(xdgDir("XDG_STATE_HOME", env, home), "pi-grove");
}

/** Name of our directory inside the user's base directories. */
export const CACHE_NAME = "pi-grove";

/** The name of an index: `catalog.db` (up to 0.1.0) or `catalog-9.db`, with its version. */
export const INDEX_NAME = /^catalog(?:-(\d+))?\.db$/;

export function isIndexPath(path: string): boolean {
	return INDEX_NAME.test(basename(path));
}

/** Directory for what can be rebuilt at any time: `$XDG_CACHE_HOME/pi-grove`, else `~/.cache/pi-grove`. */
export function defaultCacheDir(env: Env = process.env, home = homedir()): string {
	return join(xdgDir("XDG_CACHE_HOME", env, home), CACHE_NAME);
}

export function cacheDirOf({ cacheDir, env, home }: ListOptions): string {
	return cacheDir ?? defaultCacheDir(env, home);
}

const NAME = "session-archive";

/**
 * The directory of archived sessions, in which each keeps its relative path: `<agentDir>/session-archive`, or inside of a
 * custom session directory, where pi does not look for sessions.
 */
export function archiveOf(sessionRoots: SessionRoots): string {
	return sessionRoots.kind === "default" ? join(sessionRoots.agentDir, NAME) : archiveIn(sessionRoots.dir);
}

/** The archive of a directory in which all sessions are directly. */
export function archiveIn(directory: string): string {
	return join(directory, NAME);
}

export function archiveTest(sessionRoots: SessionRoots): (path: string) => boolean {
	const { projectDirs = [] } = sessionRoots;
	const archives = [archiveOf(sessionRoots), ...projectDirs.map(archiveIn)].map((archive) => archive + sep);
	return (path) => archives.some((archive) => path.startsWith(archive));
}

export function isArchived(path: string, sessionRoots: SessionRoots): boolean {
	return archiveTest(sessionRoots)(path);
}

/** Whether a file is below a session directory or its archive; no other file can be archived. */
export function isInSessionDir(path: string, sessionRoots: SessionRoots): boolean {
	const { projectDirs = [] } = sessionRoots;
	return (
		isArchived(path, sessionRoots) || [rootOf(sessionRoots), ...projectDirs].some((dir) => path.startsWith(dir + sep))
	);
}

/** The path of a session's file after archiving it, or, for an archived one, after bringing it back. */
export function archiveCounterpart(path: string, sessionRoots: SessionRoots): string {
	const { root, archive } = holderOf(path, sessionRoots);
	return path.startsWith(archive + sep) ? join(root, relative(archive, path)) : join(archive, relative(root, path));
}

/** The session directory of a file, and the archive that belongs to it. */
function holderOf(path: string, sessionRoots: SessionRoots): { readonly root: string; readonly archive: string } {
	const project = sessionRoots.projectDirs?.find((dir) => path.startsWith(dir + sep));
	return project === undefined
		? { root: rootOf(sessionRoots), archive: archiveOf(sessionRoots) }
		: { root: project, archive: archiveIn(project) };
}
