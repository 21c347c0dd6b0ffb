import type { SessionRow } from "../../../catalog/model/row.ts";
import { headOf } from "../../../catalog/model/session-links.ts";
import { isListed } from "../../../catalog/model/visibility.ts";
import { visibilityOf } from "../../../catalog/query/conditions.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import { memoEach, memoEqual, memoLast, sameItems } from "../../../shared/memo.ts";
import { isWithin, projectKey } from "../../../shared/paths.ts";
import type { Scope } from "../state/list-state.ts";
import type { State } from "../state/state.ts";
import { type Families, familiesOf } from "./families.ts";

export interface ScopeExtent {
	readonly scope: Scope;
	readonly directories: readonly string[];
	/** Whether directories below these are included. */
	readonly isDeep: boolean;
	readonly inArchive: boolean;
}

/**
 * The scopes to choose from, in the order of the key that goes through them: from all to this directory, and the archive last. "repo" only
 * inside a repository, "everywhere" only if there are other places, "archived" only if there are archived sessions, "project" while one is
 * chosen. If all sessions are in other places, one key leads to them.
 */
export function scopesOf({ environment: { repo }, catalog, list: { scope } }: State): readonly Scope[] {
	const hasArchived = scope === "archived" || archivedCount(catalog.rows) > 0;
	const hasPlaces = scope === "everywhere" || catalog.places.length > 0;
	const hasHere = scope === "here" || scope === "repo" || !hasPlaces || hasSessionHere(catalog.rows);
	return [
		...(scope === "project" ? (["project"] as const) : []),
		"all",
		...(hasHere ? (["here"] as const) : []),
		...(hasHere && repo !== undefined ? (["repo"] as const) : []),
		...(hasPlaces ? (["everywhere"] as const) : []),
		...(hasArchived ? (["archived"] as const) : []),
	];
}

const hasSessionHere = memoEach((rows: ReadonlyMap<string, SessionRow>): boolean =>
	rows.values().some(({ place }) => place === undefined),
);

/** What a scope covers, as far as is known; the same object while nothing changes. */
export function extentOfScope(state: State, scope: Scope = state.list.scope): ScopeExtent {
	if (scope === "all") return ALL;
	if (scope === "everywhere") return EVERYWHERE;
	if (scope === "archived") return ARCHIVE;
	const { project, scopeBefore } = state.list;
	return extentFor(scope, state.environment, state.git.repository, project, scopeBefore === "archived");
}

const ALL: ScopeExtent = { scope: "all", directories: [], isDeep: false, inArchive: false };
const EVERYWHERE: ScopeExtent = { ...ALL, scope: "everywhere" };
const ARCHIVE: ScopeExtent = { scope: "archived", directories: [], isDeep: false, inArchive: true };

const extentFor = memoLast(
	(
		scope: Exclude<Scope, "all" | "everywhere" | "archived">,
		{ cwd, repo }: State["environment"],
		repository: readonly string[] | undefined,
		project: string,
		fromArchive: boolean,
	): ScopeExtent => {
		switch (scope) {
			case "here":
				return { scope, directories: [projectKey(cwd)], isDeep: false, inArchive: false };
			case "project":
				return { scope, directories: [projectKey(project)], isDeep: false, inArchive: fromArchive };
			case "repo":
				return { scope, directories: (repository ?? [repo ?? cwd]).map(projectKey), isDeep: true, inArchive: false };
		}
	},
);

export function inScope({ cwd }: SessionRow, { scope, directories, isDeep }: ScopeExtent): boolean {
	if (isWide(scope) || scope === "archived") return true;
	const directory = projectKey(cwd);
	return directories.some((root) => directory === root || (isDeep && isWithin(directory, root)));
}

/** Whether a scope has all projects, of this machine or of all places. */
export function isWide(scope: Scope): boolean {
	return scope === "all" || scope === "everywhere";
}

/** Whether anything besides the typed text narrows the list. */
export function hasChips({ list: { scope, terms, stage } }: State): boolean {
	return !isWide(scope) || terms.length > 0 || stage !== undefined;
}

/** Whether a session is on the side of the archive that is listed: archived ones have their own scope, unless the query asks for them. */
export function fitsArchive({ archived }: SessionRow, inArchive: boolean, { conditions }: Query): boolean {
	const { archived: asked, runs } = visibilityOf(conditions);
	return isListed({ archived }, { archived: inArchive ? "only" : asked, runs });
}

const archivedRows = memoEqual(
	(rows: ReadonlyMap<string, SessionRow>): readonly SessionRow[] =>
		[...rows.values()].filter(({ archived }) => archived === true),
	sameItems,
);

/** Number of archived sessions, without the runs below them. */
export function archivedCount(rows: ReadonlyMap<string, SessionRow>): number {
	const { parents } = familiesOf(rows);
	return countOf(archivedRows(rows), parents);
}

const countOf = memoLast((archived: readonly SessionRow[], runs: ReadonlyMap<SessionRow, SessionRow>): number =>
	archived.reduce((count, row) => (runs.has(row) ? count : count + 1), 0),
);

/** Number of runs of subagents below sessions that are not archived. */
export function runCountOutside(rows: ReadonlyMap<string, SessionRow>): number {
	const families = familiesOf(rows);
	return archivedRows(rows).length === 0 ? families.parents.size : runsOutside(families);
}

const runsOutside = memoLast(
	(families: Families): number =>
		families.parents
			.keys()
			.filter((run) => headOf(run, families).archived !== true)
			.toArray().length,
);

/** Number of sessions inside or outside of the archive, without the runs below them. */
export function countWhere(rows: ReadonlyMap<string, SessionRow>, inArchive: boolean): number {
	const archived = archivedCount(rows);
	return inArchive ? archived : rows.size - familiesOf(rows).parents.size - archived;
}
