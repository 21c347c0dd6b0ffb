import type { SessionRow } from "../../../catalog/model/row.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { checkDirectories, type DirectoryFate } from "../../world/effects/directories.ts";
import { compareText } from "../../world/list/compare-keys.ts";
import { type SessionGroup, sessionGroups } from "../../world/list/session-groups.ts";
import type { State } from "../../world/state/state.ts";

/** Whether directories exist, by their paths, as far as they have been checked. */
export type Fates = ReadonlyMap<string, DirectoryFate>;

/**
 * Missing directories by their paths, so that those of a moved parent stand together and none moves while its sessions go one by one;
 * then those that cannot be checked.
 */
export function goneGroups(rows: ReadonlyMap<string, SessionRow>, fates: Fates): readonly SessionGroup[] {
	const groups = sessionGroups(rows).toSorted((one, other) => compareText(one.key, other.key));
	const ofFate = (kind: DirectoryFate["kind"]): SessionGroup[] =>
		groups.filter(({ key }) => fates.get(key)?.kind === kind);
	return [...ofFate("gone"), ...ofFate("unknown")];
}

/** Whether a directory has not been checked yet. */
export function isLooking(state: State): boolean {
	const fates = fatesIn(state);
	return sessionGroups(state.catalog.here).some(({ key }) => !fates.has(key));
}

/** Which directories of sessions exist. They are checked once everything is listed, and again when some have been added. */
export const FATES = defineQuery<readonly string[], Fates>({
	name: "directories",
	wanted(state, { asked, isStale }) {
		if (!state.catalog.complete) return undefined;
		if (asked !== undefined && !isStale && !isLooking(state)) return asked;
		return sessionGroups(state.catalog.here).map(({ key }) => key);
	},
	finishes: () => true,
	load: (directories, { disk }) => checkDirectories(directories, disk.readDisk),
});

export function fatesIn(state: State): Fates {
	return FATES.of(state).value ?? NO_FATES;
}

const NO_FATES: Fates = new Map();
