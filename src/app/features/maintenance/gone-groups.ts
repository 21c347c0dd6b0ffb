import type { SessionRow } from "../../../catalog/model/row.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { DirectoryFate } from "../../world/effects/directories.ts";
import { type SessionGroup, sessionGroups } from "../../world/list/session-groups.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import { DIRECTORIES } from "./maintenance-state.ts";

type Rows = ReadonlyMap<string, SessionRow>;
type Fates = ReadonlyMap<string, DirectoryFate>;

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
