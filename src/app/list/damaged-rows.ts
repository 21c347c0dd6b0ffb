import type { SessionRow } from "../../catalog/model/row.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import { memoLast } from "../model/memo.ts";

/** The sessions in which something is lost or cannot be shown. */
export const damagedRows = memoLast((rows: ReadonlyMap<string, SessionRow>): readonly SessionRow[] =>
	[...rows.values()].filter((row) => isDamaged(row.diagnostics)),
);
