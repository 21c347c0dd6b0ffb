import { memoLast } from "../../shared/memo.ts";
import { basename, relative, sep } from "../../shared/paths.ts";
import type { RunPlace, SessionRow } from "./row.ts";
import { archiveIn, archiveOf, archiveTest, rootOf, type SessionRoots } from "./session-roots.ts";

export const RUN_FILE = "session.jsonl";
/** Name of the directory of runs that began with a copy of their parent's conversation. */
export const FORKS = "forks";
/** Name of a directory of texts that runs leave behind; nothing in it is a session. */
export const ARTIFACTS = "subagent-artifacts";

const RUN_DIRECTORY = /^run-(\d{1,9})$/;

/** Begins the name of the directory of a background run that has no number. */
const BACKGROUND = "async-";

/** The directory of one of several agents, inside of the directory of a background run. */
const PART = /^(?:parallel-\d{1,9}|dynamic-\d{1,9}-\d{1,9})$/;

/** The id of runs that were started together, which names their directory. */
const RUN_ID = /^[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/;

/** How pi names a directory of the sessions of a project. */
const PROJECT = /^--.*--$/;

/** Matches the paths of all runs, and of few other sessions. */
const MAY_BE_RUN = /[/\\](?:run-\d|async-|forks[/\\])/;

/** How pi names a session file: the time and the id. */
const SESSION_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_[^/\\]+\.jsonl$/;

export function isNamedByPi(name: string): boolean {
	return SESSION_NAME.test(name);
}

/** Whether a directory inside of the directory of a background run belongs to one of its agents. */
export function isPartOfRun(directory: string): boolean {
	return PART.test(directory);
}

export function isRunId(directory: string): boolean {
	return RUN_ID.test(directory);
}

/** Tests the names of session files in the directory of a run; undefined if the directory's name is not that of a run. */
export function sessionTestIn(directory: string): ((name: string) => boolean) | undefined {
	// A pi that continues the run puts its forks there, and a repaired copy is beside its original.
	if (RUN_DIRECTORY.test(directory)) return (name) => name === RUN_FILE || isNamedByPi(name);
	return directory.startsWith(BACKGROUND) ? isNamedByPi : undefined;
}

/**
 * What the path of a session file says about a run; undefined for the session of a person, which is directly in a session
 * directory. pi-subagents 0.67.0 writes `<parent without .jsonl>/<run id>/run-<N>/session.jsonl`, in the background
 * `<parent without .jsonl>/<run id>/async-<id>/[parallel-<N>/]<time>_<id>.jsonl`, and `<parent without .jsonl>/forks/*.jsonl`;
 * with a directory for runs, `<run id>/…` in that. Others write `[<directory>/]<time>_<id>.jsonl` there.
 */
export function runPlaceOf(path: string, sessionRoots: SessionRoots): RunPlace | undefined {
	const mayBeBelow = MAY_BE_RUN.test(path);
	const directory = sessionRoots.runDirs?.find((one) => path.startsWith(one + sep));
	// Most paths of most people have nothing of a run.
	if (!mayBeBelow && directory === undefined) return undefined;
	const parts = partsBelow(path, sessionRoots);
	const place = mayBeBelow && parts !== undefined ? placeIn(parts) : undefined;
	if (place !== undefined || directory === undefined) return place;
	const names = relative(directory, path).split(sep);
	const below = mayBeBelow ? placeIn([directory, ...names]) : undefined;
	if (below !== undefined) return below;
	// What a project has in a directory of its own is a person's, even if runs are to be put there.
	const isForRuns = parts === undefined || (names.length === 1 && isOnlyForRuns(directory, sessionRoots));
	return isForRuns && names.length <= 2 && isNamedByPi(names.at(-1) ?? "") ? UNKNOWN_RUN : undefined;
}

/**
 * The facts about a run in the path of a listed session. A session outside of the searched directories is listed because another
 * session names it as the session of a run.
 */
export function runAt(path: string, sessionRoots: SessionRoots): RunPlace | undefined {
	const place = runPlaceOf(path, sessionRoots);
	if (place !== undefined || isSessionPath(path, sessionRoots)) return place;
	const names = path.split(sep);
	return placeIn([names.slice(0, -3).join(sep), ...names.slice(-3)]) ?? UNKNOWN_RUN;
}

/** The run of a session whose path has no facts about it. */
const UNKNOWN_RUN: RunPlace = { parent: undefined, runId: undefined, index: undefined, isFork: false };

/** Whether a directory for runs that is inside of the session directory is not also one for the sessions of a person. */
function isOnlyForRuns(directory: string, sessionRoots: SessionRoots): boolean {
	return directory !== rootOf(sessionRoots) && !PROJECT.test(basename(directory));
}

/** `parts`: a directory of sessions, and the names below it. */
function placeIn([directory, ...below]: readonly string[]): RunPlace | undefined {
	if (isPartOfRun(below.at(-2) ?? "") && below.at(-3)?.startsWith(BACKGROUND)) below.splice(-2, 1);
	const [name, holder] = [below.at(-1), below.at(-2)];
	if (directory === undefined || name === undefined || holder === undefined) return undefined;
	if (holder === FORKS && below.length > 2)
		return { parent: sessionAt(directory, below.slice(0, -2)), runId: undefined, index: undefined, isFork: true };
	const runId = below.at(-3);
	if (runId === undefined || sessionTestIn(holder)?.(name) !== true) return undefined;
	const number = RUN_DIRECTORY.exec(holder)?.[1];
	const above = below.slice(0, -3);
	const parent = above.length === 0 ? undefined : sessionAt(directory, above);
	return { parent, runId, index: number === undefined ? undefined : Number(number), isFork: false };
}

/**
 * The sessions whose entries one may have copied, the likeliest first: the one that its path names as the parent of a run, and the
 * one that it was forked from as its header has it. The copy of a run was forked from that run, but is in the family of a copy.
 */
export function originsOf(path: string, header: string | undefined): readonly string[] {
	const named = MAY_BE_RUN.test(path) ? placeIn(path.split(sep))?.parent : undefined;
	return [named, header].filter((one) => one !== undefined);
}

/** The directory in which the runs of a session are, if they are not beside it or in one that was configured. */
export function familyDirectory(path: string): string {
	return path.slice(0, -".jsonl".length);
}

/** Whether the catalog would find a file with this path: directly in a session directory, or as the session of a run. */
export function isSessionPath(path: string, sessionRoots: SessionRoots): boolean {
	const isNormal = path.endsWith(".jsonl") && !/[/\\]\.(?:\.[/\\]|jsonl$)/.test(path);
	if (!isNormal) return false;
	return isDirectlyIn(path, sessionRoots) || runPlaceOf(path, sessionRoots) !== undefined;
}

function isDirectlyIn(path: string, sessionRoots: SessionRoots): boolean {
	const holder = searched(sessionRoots).find(({ root }) => path.startsWith(root));
	if (holder === undefined) return false;
	// Nearly all paths of all lists get here, so no array of names is made.
	const first = path.indexOf(sep, holder.root.length);
	return holder.isFlat ? first === -1 : first !== -1 && path.indexOf(sep, first + 1) === -1;
}

/** The session directory that a path is in, and the names below it; undefined for a path that is in none. */
function partsBelow(path: string, sessionRoots: SessionRoots): readonly string[] | undefined {
	for (const { root, isFlat } of searched(sessionRoots)) {
		if (!path.startsWith(root)) continue;
		const names = path.slice(root.length).split(sep);
		if (isFlat) return [root.slice(0, -sep.length), ...names];
		const [project = "", ...below] = names;
		return [root + project, ...below];
	}
	return undefined;
}

/**
 * Each archive, which may be inside of its session directory, and that, with a separator at its end; `isFlat`: with the sessions
 * directly in it.
 */
const searched = memoLast(
	(sessionRoots: SessionRoots): readonly { readonly root: string; readonly isFlat: boolean }[] => {
		const { kind, projectDirs = [] } = sessionRoots;
		const ownRoots = [archiveOf(sessionRoots), rootOf(sessionRoots)].map((root) => ({
			root,
			isFlat: kind === "custom",
		}));
		const projects = projectDirs.flatMap((dir) => [archiveIn(dir), dir]).map((root) => ({ root, isFlat: true }));
		return [...ownRoots, ...projects].map(({ root, isFlat }) => ({ root: root + sep, isFlat }));
	},
);

function sessionAt(directory: string, names: readonly string[]): string {
	// `join` would normalize paths that are normal already, for thousands of runs.
	return `${directory}${sep}${names.join(sep)}.jsonl`;
}

/** The rows, marked if they are in the archive or belong to subagents. */
export function locatedRows(rows: readonly SessionRow[], sessionRoots: SessionRoots): readonly SessionRow[] {
	const isInArchive = archiveTest(sessionRoots);
	return rows.map((row) => {
		const run = withOwnRun(runAt(row.path, sessionRoots), row.ownRun);
		const archived = isInArchive(row.path);
		return run || archived ? { ...row, ...(run && { run }), ...(archived && { archived }) } : row;
	});
}

/** The path comes first: pi-web has no directories of its own. */
function withOwnRun(place: RunPlace | undefined, ownRun: SessionRow["ownRun"]): RunPlace | undefined {
	if (ownRun === undefined) return place;
	const { parent, agent, task } = ownRun;
	return { ...(place ?? UNKNOWN_RUN), parent: place?.parent ?? parent, agent, task };
}

export function locatedRow(row: SessionRow, sessionRoots: SessionRoots): SessionRow {
	return locatedRows([row], sessionRoots)[0] ?? row;
}
