import { sep } from "../../shared/paths.ts";
import { ARTIFACTS, FORKS, isNamedByPi, isPartOfRun, isRunId, sessionTestIn } from "../model/run-place.ts";
import type { ListingOf } from "./listing.ts";

export interface RunDirectory {
	readonly path: string;
	readonly isSession: (name: string) => boolean;
}

/**
 * The directories of runs below a session directory. Only directories with the names that runs have are read, because a session
 * directory may be any directory, with anything else in it. `files`: names of the session files in `directory`.
 */
export function* runDirectories(
	directory: string,
	files: ReadonlySet<string>,
	listingOf: ListingOf,
): Iterable<RunDirectory> {
	for (const name of listingOf(directory).directories) {
		if (name === ARTIFACTS) continue;
		const path = `${directory}${sep}${name}`;
		if (isSessionStem(name) || files.has(`${name}.jsonl`)) yield* inFamily(path, listingOf);
		else yield* inUnknown(path, listingOf);
	}
}

/**
 * The directories of runs below a directory that was configured for runs, and that directory: only files that are named as pi
 * names sessions are taken for some, because anything else may be in it.
 */
export function* directoriesForRuns(directory: string, listingOf: ListingOf): Iterable<RunDirectory> {
	yield { path: directory, isSession: isNamedByPi };
	for (const name of listingOf(directory).directories) {
		if (name === ARTIFACTS) continue;
		const path = `${directory}${sep}${name}`;
		if (isSessionStem(name)) yield* inFamily(path, listingOf);
		else {
			// One for each parent.
			yield { path, isSession: isNamedByPi };
			yield* inUnknown(path, listingOf);
		}
	}
}

function* inFamily(directory: string, listingOf: ListingOf): Iterable<RunDirectory> {
	for (const name of listingOf(directory).directories) {
		const path = `${directory}${sep}${name}`;
		if (name === FORKS) yield* inForks(path, listingOf);
		else if (name !== ARTIFACTS) yield* inRun(path, listingOf);
	}
}

/**
 * In a directory that may be that of runs that were started together, or that of the runs of a session that is gone, whose name
 * was not pi's: then the names of the runs and forks in it must be those that they are given.
 */
function* inUnknown(directory: string, listingOf: ListingOf): Iterable<RunDirectory> {
	yield* inRun(directory, listingOf);
	for (const name of listingOf(directory).directories) {
		const path = `${directory}${sep}${name}`;
		if (isRunId(name)) yield* inRun(path, listingOf);
		else if (name === FORKS) {
			yield { path, isSession: isNamedByPi };
			yield* belowRuns(path, isSessionStem, listingOf);
		}
	}
}

/** Forked runs may have runs, too. */
function* inForks(directory: string, listingOf: ListingOf): Iterable<RunDirectory> {
	yield { path: directory, isSession: (name) => name.endsWith(".jsonl") };
	yield* belowRuns(directory, isSessionStem, listingOf);
}

/** In the directory of runs that were started together. */
function* inRun(directory: string, listingOf: ListingOf): Iterable<RunDirectory> {
	for (const name of listingOf(directory).directories) {
		const isSession = sessionTestIn(name);
		if (isSession === undefined) continue;
		const path = `${directory}${sep}${name}`;
		yield { path, isSession };
		yield* belowRuns(path, (stem) => isSession(`${stem}.jsonl`), listingOf);
		if (isSession !== isNamedByPi) continue;
		for (const part of listingOf(path).directories.filter(isPartOfRun)) {
			yield { path: `${path}${sep}${part}`, isSession };
			yield* belowRuns(`${path}${sep}${part}`, isSessionStem, listingOf);
		}
	}
}

/** In the directories of the runs of runs, which are named as the sessions of these. Paths have an end, so this has one. */
function* belowRuns(
	directory: string,
	isStem: (name: string) => boolean,
	listingOf: ListingOf,
): Iterable<RunDirectory> {
	for (const name of listingOf(directory).directories)
		if (isStem(name)) yield* inFamily(`${directory}${sep}${name}`, listingOf);
}

function isSessionStem(name: string): boolean {
	return isNamedByPi(`${name}.jsonl`);
}
