import type { SessionRow } from "../../../catalog/model/row.ts";
import type { State } from "../state/state.ts";
import { selectVisiblePaths } from "./visible-paths.ts";

/** Whether a session is a fork of one that the list does not have. */
function isOrphan({ parentSession }: SessionRow, { rows }: State["catalog"]): boolean {
	return parentSession !== undefined && parentSession !== "" && !rows.has(parentSession);
}

/** Whether a session is a fork of one that is in the trash, as far as that has been looked into. */
export function isForkOfDeleted(row: SessionRow, { catalog, trashed }: State): boolean {
	return isOrphan(row, catalog) && trashed.has(row.parentSession ?? "");
}

/** Whether the trash may tell something about a session in sight. */
export function hasOrphansInSight(state: State): boolean {
	const { catalog } = state;
	if (!catalog.complete) return false;
	return selectVisiblePaths(state).some((path) => {
		const row = catalog.rows.get(path);
		return row !== undefined && isOrphan(row, catalog);
	});
}
