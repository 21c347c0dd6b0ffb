import { statSync } from "node:fs";
import { homedir } from "node:os";
import { resolvePath } from "../../store/files/paths.ts";
import { errorCode } from "../../store/files/store-error.ts";
import { agentDir, type Env, resolveSessionDir } from "../../store/read/session-dir.ts";
import { configuredRunDirs } from "./configured-run-dirs.ts";
import type { CatalogProblem } from "./event.ts";

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
	/** What went wrong while the settings were read. */
	readonly problems: readonly CatalogProblem[];
};

interface SessionRootsOptions {
	/** The value of `--session-dir`. */
	readonly sessionDirFlag?: string | undefined;
	/** @default process.env */
	readonly env?: Env | undefined;
	/** @default process.cwd() */
	readonly cwd?: string | undefined;
	/** @default os.homedir() */
	readonly home?: string | undefined;
}

/** Finds where the sessions are. Never rejects: a settings file that cannot be read is reported in `problems`. */
export async function findSessionRoots(options: SessionRootsOptions = {}): Promise<SessionRoots> {
	const { sessionDirFlag: flag, env = process.env, cwd = process.cwd(), home = homedir() } = options;
	const agent = resolvePath(agentDir(env, home), cwd, home);
	const { problems, ...choice } = resolveSessionDir({ flag, env, cwd, home });
	// A directory that was asked for is listed alone.
	const isAsked = choice.kind === "custom" && choice.source === "--session-dir";
	const runs = isAsked ? undefined : configuredRunDirs({ agentDir: agent, cwd, home });
	const found = {
		agentDir: agent,
		problems: [...problems, ...(runs?.problems ?? [])],
		...(runs && runs.dirs.length > 0 && { runDirs: runs.dirs }),
	};
	return choice.kind === "default"
		? { kind: "default", root: choice.root, ...found }
		: { kind: "custom", dir: choice.dir, source: choice.source, ...found };
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
