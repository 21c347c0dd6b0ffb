import { isAbsolute } from "node:path";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { largest } from "../../../shared/columns.ts";
import { memoLast } from "../../../shared/memo.ts";
import { familiesOf } from "../../world/list/families.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import { DIRECTORIES, type DirectoryFate } from "./maintenance-state.ts";

/** The sessions of one directory, without archived ones. */
export interface SessionGroup {
	/** The directory as the headers of the sessions name it. */
	readonly key: string;
	readonly rows: readonly SessionRow[];
	/** Latest activity, Unix ms. */
	readonly latest: number;
	/** Number of its archived sessions, which stay in the archive. */
	readonly archived: number;
}

type Rows = ReadonlyMap<string, SessionRow>;
type Fates = ReadonlyMap<string, DirectoryFate>;

/**
 * All directories of sessions that have an absolute path, with their sessions; the latest activity first. Runs of subagents are
 * where their sessions are: many have worked in a copy of the project that was made for them and is gone.
 */
export const sessionGroups = memoLast((rows: Rows): readonly SessionGroup[] => {
	const groups = new Map<string, SessionRow[]>();
	const archived = new Map<string, number>();
	const { parents } = familiesOf(rows);
	for (const row of rows.values()) {
		if (parents.has(row)) continue;
		if (row.archived === true) {
			archived.set(row.cwd, (archived.get(row.cwd) ?? 0) + 1);
			continue;
		}
		const known = groups.get(row.cwd);
		if (known !== undefined) known.push(row);
		else if (isAbsolute(row.cwd)) groups.set(row.cwd, [row]);
	}
	return [...groups]
		.map(([key, each]): SessionGroup => {
			const latest = largest(each.map(({ modified }) => modified.getTime()));
			return { key, rows: each, latest, archived: archived.get(key) ?? 0 };
		})
		.sort((a, b) => b.latest - a.latest || (a.key < b.key ? -1 : 1));
});

/** The sessions of a directory, without archived ones and runs. */
export function sessionsIn({ catalog }: State, directory: string): readonly SessionRow[] {
	return sessionGroups(catalog.here).find(({ key }) => key === directory)?.rows ?? [];
}

/** Missing directories, the latest first, then those that cannot be checked. */
export function goneGroups(state: State): readonly SessionGroup[] {
	return groupsOf(state.catalog.here, DIRECTORIES.of(state).fates);
}

const groupsOf = memoLast((rows: Rows, fates: Fates): readonly SessionGroup[] => {
	const groups = sessionGroups(rows);
	const ofFate = (kind: DirectoryFate["kind"]): SessionGroup[] =>
		groups.filter(({ key }) => fates.get(key)?.kind === kind);
	return [...ofFate("gone"), ...ofFate("unknown")];
});

/** Whether a directory has not been checked yet. */
export function isLooking(state: State): boolean {
	return hasUnchecked(state.catalog.here, DIRECTORIES.of(state).fates);
}

const hasUnchecked = memoLast((rows: Rows, fates: Fates) => sessionGroups(rows).some(({ key }) => !fates.has(key)));

/** Requests a check of all directories once everything is listed, and again for directories that have been added. */
export function syncDirectories(state: State): Transition {
	const { checking, stale } = DIRECTORIES.of(state);
	if (!state.catalog.complete || checking || !(stale || isLooking(state))) return transition(state);
	const directories = sessionGroups(state.catalog.here).map(({ key }) => key);
	const next = DIRECTORIES.with(state, { checking: true, stale: false });
	return transition(next, { type: "check-directories", directories });
}

/** Stores which directories exist. */
export function applyFates(state: State, fates: Fates): State {
	return DIRECTORIES.with(state, { fates, checking: false });
}
