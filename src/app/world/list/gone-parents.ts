import type { SessionRow } from "../../../catalog/model/row.ts";
import type { State } from "../state/state.ts";
import { selectVisiblePaths } from "./list-view.ts";

/** Whether a session is a fork of one that is not listed. */
function isOrphan({ parentSession }: SessionRow, { rows }: State["catalog"]): boolean {
	return parentSession !== undefined && parentSession !== "" && !rows.has(parentSession);
}

/** Whether a session is a fork of one in the trash, as far as the trash has been read. */
export function isForkOfDeleted(row: SessionRow, { catalog, trashed }: State): boolean {
	return isOrphan(row, catalog) && trashed.has(row.parentSession ?? "");
}

/** Whether the trash may have the parent of a visible session. */
export function hasOrphansInSight(state: State): boolean {
	const { catalog } = state;
	if (!catalog.complete) return false;
	return selectVisiblePaths(state).some((path) => {
		const row = catalog.rows.get(path);
		return row !== undefined && isOrphan(row, catalog);
	});
}
