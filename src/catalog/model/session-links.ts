import { fileName, type RunPlace, type SessionRow } from "./row.ts";
import { RUN_FILE } from "./run-place.ts";

/** Which sessions were forked from which, and which started which runs. */
export interface Links {
	/** Each fork or run → its parent, if that is listed. Without cycles: the oldest session of a cycle has no parent. */
	readonly parents: ReadonlyMap<SessionRow, SessionRow>;
	/** All forks and runs, and all sessions that have some. */
	readonly members: ReadonlySet<SessionRow>;
}

export function findLinks(rows: ReadonlyMap<string, SessionRow>): Links {
	const parents = new Map<SessionRow, SessionRow>();
	const lost: SessionRow[] = [];
	for (const row of rows.values()) {
		const path = parentPath(row);
		if (path === undefined) continue;
		const parent = rows.get(path);
		// All runs with a number have files of the same name.
		if (parent === undefined && fileName(path) !== RUN_FILE) lost.push(row);
		if (parent === undefined) continue;
		parents.set(row, parent);
	}
	// After a sessions directory was moved, parents have old paths, but the file name still identifies them.
	const names = new Set(lost.map((row) => fileName(parentPath(row) ?? "")));
	const named = findByName(rows, names);
	for (const row of lost) {
		const parent = named.get(fileName(parentPath(row) ?? ""));
		if (parent !== undefined) parents.set(row, parent);
	}
	cutCycles(parents);
	return { parents, members: new Set([...parents.keys(), ...parents.values()]) };
}

/** Path of a session → its own runs, in the order in which they began. `parents`: of the links. */
export function runsByParent(parents: Links["parents"]): ReadonlyMap<string, readonly SessionRow[]> {
	const all = parents.keys().filter(({ run }) => run !== undefined);
	const runs = Map.groupBy(all, (row) => parents.get(row)?.path ?? "");
	for (const siblings of runs.values()) siblings.sort(byBegin);
	return runs;
}

/** Path of a session with runs → when one below it was last active, Unix ms. `parents`: of the links. */
export function latestRuns(parents: Links["parents"]): ReadonlyMap<string, number> {
	const latest = new Map<string, number>();
	const runs = [...parents.keys()].filter(({ run }) => run !== undefined);
	// The latest first, so that nothing is noted twice on the way up.
	for (const run of runs.sort((one, other) => other.modified.getTime() - one.modified.getTime())) {
		let at = run;
		for (let parent = parents.get(at); parent !== undefined && at.run !== undefined; parent = parents.get(at)) {
			if (latest.has(parent.path)) break;
			latest.set(parent.path, run.modified.getTime());
			at = parent;
		}
	}
	return latest;
}

/** `runsByParent` for these sessions alone. */
export function runsIn(rows: readonly SessionRow[]): ReadonlyMap<string, readonly SessionRow[]> {
	// Most people have none.
	if (!rows.some(({ run }) => run !== undefined)) return new Map();
	return runsByParent(findLinks(new Map(rows.map((row) => [row.path, row]))).parents);
}

/** The session at the head of a run's family; any other session itself. `parents`: of the links, or of the runs alone. */
export function headOf(row: SessionRow, { parents }: Pick<Links, "parents">): SessionRow {
	let head = row;
	for (let parent = parents.get(head); head.run !== undefined && parent !== undefined; parent = parents.get(head))
		head = parent;
	return head;
}

/** The rows; runs name the present path of the session that started them, such as its path in the archive. */
export function withFoundParents(rows: ReadonlyMap<string, SessionRow>): ReadonlyMap<string, SessionRow> {
	const isLost = ({ run }: SessionRow): boolean => run?.parent !== undefined && !rows.has(run.parent);
	if (!rows.values().some(isLost)) return rows;
	const { parents } = findLinks(rows);
	const corrected = new Map(rows);
	for (const row of rows.values()) {
		const parent = isLost(row) ? parents.get(row)?.path : undefined;
		if (row.run !== undefined && parent !== undefined) corrected.set(row.path, { ...row, run: { ...row.run, parent } });
	}
	return corrected;
}

/**
 * Tests whether the session at a path is a run below an existing session, so that a list need not show it by itself. `runs`: all
 * sessions by path, with the place of those that are runs. A parent is found by its path or, if files were moved since, by its
 * name. Sessions that name each other as their runs are below none.
 */
export function belowTest(runs: ReadonlyMap<string, Pick<RunPlace, "parent"> | undefined>): (path: string) => boolean {
	let named: ReadonlyMap<string, string> | undefined;
	const parentOf = (path: string): string | undefined => {
		const parent = runs.get(path)?.parent;
		if (parent === undefined || runs.has(parent)) return parent;
		const name = fileName(parent);
		named ??= new Map([...runs.keys()].map((one) => [fileName(one), one]));
		return name === RUN_FILE ? undefined : named.get(name);
	};
	return (path) => {
		const visitedPaths = new Set([path]);
		let head = path;
		for (let above = parentOf(head); above !== undefined; above = parentOf(head)) {
			if (visitedPaths.has(above)) return false;
			visitedPaths.add(above);
			head = above;
		}
		return head !== path;
	};
}

/** Runs that began at the same time are in the order of their numbers: "run-10" comes after "run-9". */
function byBegin(one: SessionRow, other: SessionRow): number {
	return (
		one.created.getTime() - other.created.getTime() ||
		(one.run?.index ?? 0) - (other.run?.index ?? 0) ||
		(one.path < other.path ? -1 : 1)
	);
}

/** Path of the session that a fork was made from, or that started a run. */
function parentPath({ run, parentSession }: SessionRow): string | undefined {
	return run?.parent ?? (parentSession === "" ? undefined : parentSession);
}

/** The sessions in files with these names; of several the one with the latest activity. */
function findByName(
	rows: ReadonlyMap<string, SessionRow>,
	names: ReadonlySet<string>,
): ReadonlyMap<string, SessionRow> {
	const byName = new Map<string, SessionRow>();
	if (names.size === 0) return byName;
	for (const row of rows.values()) {
		const name = fileName(row.path);
		if (!names.has(name)) continue;
		const namesake = byName.get(name);
		if (namesake === undefined || isBefore(namesake.modified, row.modified, namesake.path, row.path))
			byName.set(name, row);
	}
	return byName;
}

function cutCycles(parents: Map<SessionRow, SessionRow>): void {
	const done = new Set<SessionRow>();
	for (const start of parents.keys()) {
		const way = new Set<SessionRow>();
		let row: SessionRow | undefined = start;
		while (row !== undefined && !done.has(row) && !way.has(row)) {
			way.add(row);
			row = parents.get(row);
		}
		if (row !== undefined && way.has(row)) {
			const cycle = [...way];
			const oldest = cycle
				.slice(cycle.indexOf(row))
				.reduce((a, b) => (isBefore(a.created, b.created, a.path, b.path) ? a : b));
			parents.delete(oldest);
		}
		for (const wayRow of way) done.add(wayRow);
	}
}

/** By time, then by path. */
function isBefore(one: Date, other: Date, onePath: string, otherPath: string): boolean {
	return one.getTime() < other.getTime() || (one.getTime() === other.getTime() && onePath < otherPath);
}
