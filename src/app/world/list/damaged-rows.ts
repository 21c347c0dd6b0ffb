import type { SessionRow } from "../../../catalog/model/row.ts";
import { memoVersions } from "../../../shared/memo.ts";
import { isDamaged } from "../../../store/format/diagnostic.ts";

/** The sessions of which something is lost or cannot be shown. */
export const damagedRows = memoVersions(
	(rows: ReadonlyMap<string, SessionRow>): readonly SessionRow[] => [...rows.values()].filter(isDamagedRow),
	(before, now) => isDamagedRow(before) || isDamagedRow(now),
);

function isDamagedRow(row: SessionRow | undefined): boolean {
	return row !== undefined && isDamaged(row.diagnostics);
}
