import { isAbsolute } from "node:path";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { State } from "../../world/state.ts";
import type { DirectoryFate, FoundPlace, MovedState, PlaceProposal } from "./moved-state.ts";
import { forksOf, isForked, type Move } from "./plan-moves.ts";
import { proposalsOf, withNeighbors } from "./propose-places.ts";

/** The sessions of one directory, but for those that were put away. */
export interface SessionGroup {
	/** The directory, as in the headers. */
	readonly key: string;
	readonly rows: readonly SessionRow[];
	/** In bytes. */
	readonly size: number;
	/** Latest activity, Unix ms. */
	readonly latest: number;
	/** Sessions of it in the archive, which stay there. */
	readonly archived: number;
}

/** All directories of sessions that can be looked at, and their sessions; the latest first. */
export const sessionGroups = memoLast((rows: ReadonlyMap<string, SessionRow>): readonly SessionGroup[] => {
	const groups = new Map<string, SessionRow[]>();
	const archived = new Map<string, number>();
	for (const row of rows.values()) {
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
			let [size, latest] = [0, 0];
			for (const row of each) {
				size += row.size;
				latest = Math.max(latest, row.modified.getTime());
			}
			return { key, rows: each, size, latest, archived: archived.get(key) ?? 0 };
		})
		.sort((a, b) => b.latest - a.latest || (a.key < b.key ? -1 : 1));
});

/** The sessions of a directory, newest first. */
export const newestFirst = memoLast((rows: readonly SessionRow[]): readonly SessionRow[] =>
	rows.toSorted((a, b) => b.modified.getTime() - a.modified.getTime()),
);

/** The rows of the page: directories that are gone, the latest first, and below them those that cannot be looked at. */
export function movedGroups({ catalog, moved }: State): readonly SessionGroup[] {
	return groupsOf(catalog.rows, moved.fates);
}

const groupsOf = memoLast(
	(rows: ReadonlyMap<string, SessionRow>, fates: ReadonlyMap<string, DirectoryFate>): readonly SessionGroup[] => {
		const groups = sessionGroups(rows);
		const ofFate = (kind: DirectoryFate["kind"]): SessionGroup[] =>
			groups.filter(({ key }) => fates.get(key)?.kind === kind);
		return [...ofFate("gone"), ...ofFate("unknown")];
	},
);

/** Directories that are gone, and for which no place was looked for yet. */
export function unfound({ catalog, moved }: State): readonly string[] {
	return unfoundOf(catalog.rows, moved.fates, moved.found);
}

const unfoundOf = memoLast(
	(rows: ReadonlyMap<string, SessionRow>, fates: MovedState["fates"], found: MovedState["found"]): readonly string[] =>
		groupsOf(rows, fates).flatMap(({ key }) => (fates.get(key)?.kind === "gone" && !found.has(key) ? [key] : [])),
);

/** Whether all places are known by which directories are compared with others. */
export function isSearched(state: State): boolean {
	return unlooked(state).length === 0 && unfound(state).length === 0;
}

/** The places that are proposed for the sessions of a directory, the likeliest first. */
export function proposalsFor(state: State, group: SessionGroup): readonly PlaceProposal[] {
	const { found, fates } = state.moved;
	const known = isSearched(state) ? withNeighbors(found, fates) : found;
	return proposalsWith(known, fates, state.catalog.rows).get(group);
}

const proposalsWith = memoLast(
	(
		found: ReadonlyMap<string, readonly FoundPlace[]>,
		fates: ReadonlyMap<string, DirectoryFate>,
		rows: ReadonlyMap<string, SessionRow>,
	) => {
		const known = new Map<SessionGroup, readonly PlaceProposal[]>();
		return {
			get(group: SessionGroup): readonly PlaceProposal[] {
				const before = known.get(group);
				if (before !== undefined) return before;
				const proposals = proposalsOf([...(found.get(group.key) ?? []), ...forkedTo(group, fates, rows)]);
				known.set(group, proposals);
				return proposals;
			},
		};
	},
);

/** Where forks of its sessions are. */
function forkedTo(
	{ key, rows: sessions }: SessionGroup,
	fates: ReadonlyMap<string, DirectoryFate>,
	rows: ReadonlyMap<string, SessionRow>,
): FoundPlace[] {
	const counts = new Map<string, number>();
	for (const { path } of sessions)
		for (const { cwd } of forksOf(rows).get(path) ?? [])
			if (cwd !== key && fates.get(cwd)?.kind === "there") counts.set(cwd, (counts.get(cwd) ?? 0) + 1);
	return [...counts].map(([directory, count]) => ({ directory, reason: { kind: "forks", count } }));
}

/** The place where the sessions of a directory belong: what the person has chosen, else the likeliest. */
export function placeOf(state: State, group: SessionGroup): string | undefined {
	return state.moved.chosen.get(group.key) ?? proposalsFor(state, group)[0]?.directory;
}

/** How many of its sessions have a fork in a directory. */
export function forkedCount({ catalog: { rows } }: State, group: SessionGroup, cwd: string): number {
	return group.rows.filter((row) => isForked({ row, cwd }, rows)).length;
}

/** What is wanted for groups that have a place. */
export function movesOf(state: State, groups: readonly SessionGroup[]): readonly Move[] {
	return groups.flatMap((group) => {
		const cwd = placeOf(state, group);
		return cwd === undefined ? [] : group.rows.map((row) => ({ row, cwd }));
	});
}

/** Directories of which it is not known yet whether they are there. */
export function unlooked(state: State): readonly string[] {
	return unlookedOf(state.catalog.rows, state.moved.fates);
}

const unlookedOf = memoLast((rows: ReadonlyMap<string, SessionRow>, fates: MovedState["fates"]): readonly string[] =>
	sessionGroups(rows).flatMap(({ key }) => (fates.has(key) ? [] : [key])),
);

/** What "all" marks: those that have a place, and are not forked there already. */
export function groupsToMark(state: State): readonly string[] {
	return movedGroups(state).flatMap((group) => {
		const place = placeOf(state, group);
		return place !== undefined && forkedCount(state, group, place) < group.rows.length ? [group.key] : [];
	});
}
