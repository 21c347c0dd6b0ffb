import { basename, join, relative, sep } from "node:path";
import { archiveOf } from "./archive.ts";
import type { RunPlace } from "./row.ts";
import { rootOf, type SessionRoots } from "./session-roots.ts";

/** Name of the session file in the directory of a run that has a number. */
export const RUN_FILE = "session.jsonl";
/** Name of the directory of runs that began with a copy of their parent's conversation. */
export const FORKS = "forks";
/** Name of a directory of texts that runs leave behind; nothing in it is a session. */
export const ARTIFACTS = "subagent-artifacts";

const RUN_DIRECTORY = /^run-(\d{1,9})$/;

/** Of a run in the background that has no number. */
const BACKGROUND = "async-";

/** Matches the path of each run, and of few other sessions. */
const MAY_BE_RUN = /[/\\](?:run-\d|async-|forks[/\\])/;

/** How pi names a session file: the time and the id. */
const SESSION_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_[^/\\]+\.jsonl$/;

/** Whether a file has the name that pi gives to a session. */
export function isNamedByPi(name: string): boolean {
	return SESSION_NAME.test(name);
}

/** What the session in a directory with this name is called, if it is that of a run: by the package, or by pi. */
export function sessionTestIn(directory: string): ((name: string) => boolean) | undefined {
	// A pi that goes on with the run puts there what it forks, and a repaired copy is beside its original.
	if (RUN_DIRECTORY.test(directory)) return (name) => name === RUN_FILE || isNamedByPi(name);
	return directory.startsWith(BACKGROUND) ? isNamedByPi : undefined;
}

/**
 * What the path of a session file says about a run; undefined for the session of a person, which is directly in a session
 * directory. pi-subagents 0.67.0 writes `<parent without .jsonl>/<run id>/run-<N>/session.jsonl`, in the background
 * `<parent without .jsonl>/<run id>/async-<id>/<time>_<id>.jsonl`, and `<parent without .jsonl>/forks/*.jsonl`; with a directory
 * for runs, `<run id>/…` in that.
 */
export function runPlaceOf(path: string, sessionRoots: SessionRoots): RunPlace | undefined {
	// Most paths of most people have none of these.
	if (!MAY_BE_RUN.test(path)) return undefined;
	const parts = partsBelow(path, sessionRoots);
	if (parts === undefined) return undefined;
	const [directory, ...below] = parts;
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

/** The directory in which the runs of a session are, if they are not beside it or in one that was configured. */
export function familyDirectory(path: string): string {
	return path.slice(0, -".jsonl".length);
}

/** Whether the catalog would list a file with this path: directly in a session directory, or as the session of a run. */
export function isSessionPath(path: string, sessionRoots: SessionRoots): boolean {
	const isNormal = basename(path) !== ".jsonl" && path.endsWith(".jsonl") && !path.split(/[/\\]/).includes("..");
	if (!isNormal) return false;
	return partsBelow(path, sessionRoots)?.length === 2 || runPlaceOf(path, sessionRoots) !== undefined;
}

/** The session directory that a path is in, and the names below it; undefined for a path that is in none. */
function partsBelow(path: string, sessionRoots: SessionRoots): readonly string[] | undefined {
	for (const root of [archiveOf(sessionRoots), rootOf(sessionRoots)]) {
		if (!path.startsWith(root + sep)) continue;
		const names = relative(root, path).split(sep);
		if (sessionRoots.kind === "custom") return [root, ...names];
		const [project = "", ...below] = names;
		return [join(root, project), ...below];
	}
	return undefined;
}

function sessionAt(directory: string, names: readonly string[]): string {
	return `${join(directory, ...names)}.jsonl`;
}
