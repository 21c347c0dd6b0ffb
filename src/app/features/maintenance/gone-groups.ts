import type { SessionRow } from "../../../catalog/model/row.ts";
import type { DirectoryFate } from "../../world/effects/directories.ts";
import { compareText } from "../../world/list/compare-keys.ts";
import type { Fates } from "../../world/list/gone-directories.ts";
import { type SessionGroup, sessionGroups } from "../../world/list/session-groups.ts";

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
