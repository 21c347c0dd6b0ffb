import { basename, dirname, join } from "node:path";

/** What the path of a session file says about the run whose session it is (`pi-subagents`). */
export interface RunPlace {
	/**
	 * The session file of the parent, if there is such a file. If not, the runs are in a directory that was configured, which
	 * does not say whose they are.
	 */
	readonly parentPath: string;
	/** The directory that holds the runs of that parent. */
	readonly root: string;
	/** Names the directory of the run, but not always the run: one in the background has another id (see `run-mark.ts`). */
	readonly runId?: string;
	/** Which of several agents of the run it is. */
	readonly index?: number;
	/** `fork`: its session begins with the conversation of the parent. */
	readonly context: "fresh" | "fork";
}

const SESSION = ".jsonl";
const RUN = /^run-(\d{1,6})$/;
/** Of some background runs, in a session whose name is made by pi. */
const BACKGROUND = /^async-(.+)$/;
const FORKS = "forks";

/**
 * Where a session file stands among runs; undefined if its path does not look like that of one:
 *
 *     <dir>/<parent>/<run id>/run-<N>/session.jsonl
 *     <dir>/<parent>/<run id>/async-<id>/<time>_<id>.jsonl
 *     <dir>/<parent>/forks/<time>_<id>.jsonl
 *
 * with `<dir>/<parent>.jsonl` as the parent, which may be a run itself. The path should be below a directory of sessions.
 */
export function runPlaceOf(path: string): RunPlace | undefined {
	if (!path.endsWith(SESSION) || isArtifact(path)) return undefined;
	const directory = dirname(path);
	const name = basename(directory);
	if (name === FORKS) return placeIn(dirname(directory), { context: "fork" });
	const run = dirname(directory);
	const runId = basename(run);
	const index = RUN.exec(name)?.[1];
	if (index !== undefined) return placeIn(dirname(run), { runId, index: Number(index), context: "fresh" });
	return BACKGROUND.test(name) ? placeIn(dirname(run), { runId, context: "fresh" }) : undefined;
}

function placeIn(root: string, place: Omit<RunPlace, "parentPath" | "root">): RunPlace | undefined {
	const names = [basename(root), place.runId];
	// A path that has not enough directories.
	return names.includes("") || names.includes(".") ? undefined : { parentPath: root + SESSION, root, ...place };
}

/** Where the runs of a session are, unless a directory is configured: some below it, and those with its context in `forks`. */
export function runRootOf(sessionPath: string): string {
	return join(dirname(sessionPath), basename(sessionPath, SESSION));
}

/** The directory of what agents were given and have written. */
const ARTIFACTS = "subagent-artifacts";
/** The id of a run, the name of its agent, which of several it is. No session that pi has named begins so. */
const ARTIFACT =
	/^(?:[0-9a-f]{8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_.+_(?:transcript\.jsonl|input\.md|output\.md|meta\.json)$/;
/** What a background run keeps of itself. */
const KEPT = /^(?:events\.jsonl|output-\d+\.log|subagent-log-.*\.md|.*\.pruned-recovery\.json)$/;

/** Whether a path, or a name, belongs to what the packages keep beside sessions: no session, and no damaged one. */
export function isArtifact(path: string): boolean {
	const parts = path.split(/[\\/]/);
	const name = parts.at(-1) ?? "";
	return parts.includes(ARTIFACTS) || ARTIFACT.test(name) || KEPT.test(name);
}
