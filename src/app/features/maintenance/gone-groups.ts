import { isAbsolute } from "node:path";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { State } from "../../world/state/state.ts";
import type { DirectoryFate, MovedState, PlaceProposal } from "./moved-state.ts";
import { MOVED } from "./moved-state.ts";
import { proposalsOf } from "./propose-places.ts";
import { TIDY } from "./tidy-state.ts";

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

/**
 * Directories that are gone, the latest first, and after them those that cannot be looked at: as they were when all were looked
 * at last.
 */
export function goneGroups(state: State): readonly SessionGroup[] {
	const { catalog } = state;
	const tidy = TIDY.of(state);

	return groupsOf(catalog.rows, tidy.fates);
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
export function unfound(state: State): readonly SessionGroup[] {
	const { catalog } = state;
	const moved = MOVED.of(state);

	return unfoundOf(catalog.rows, moved.fates, moved.found);
}

const unfoundOf = memoLast(
	(rows: ReadonlyMap<string, SessionRow>, fates: MovedState["fates"], found: MovedState["found"]) =>
		groupsOf(rows, fates).filter(({ key }) => fates.get(key)?.kind === "gone" && !found.has(key)),
);

/** The places that are proposed for the sessions of a directory, the likeliest first. */
export function proposalsFor(state: State, directory: string): readonly PlaceProposal[] {
	const moved = MOVED.of(state);

	return proposalsIn(moved.found).get(directory) ?? [];
}

const proposalsIn = memoLast(
	(found: MovedState["found"]): ReadonlyMap<string, readonly PlaceProposal[]> =>
		new Map([...found].map(([directory, places]) => [directory, proposalsOf(places)])),
);

/** The place where the sessions of a directory belong: what the person has chosen, else the likeliest. */
export function placeOf(state: State, directory: string): string | undefined {
	return MOVED.of(state).chosen.get(directory) ?? proposalsFor(state, directory)[0]?.directory;
}

/** Directories of which it is not known yet whether they are there. */
export function unlooked(state: State): readonly string[] {
	return unlookedOf(state.catalog.rows, MOVED.of(state).fates);
}

const unlookedOf = memoLast((rows: ReadonlyMap<string, SessionRow>, fates: MovedState["fates"]): readonly string[] =>
	sessionGroups(rows).flatMap(({ key }) => (fates.has(key) ? [] : [key])),
);
