import type { SessionRow } from "../../catalog/row.ts";
import { isDamaged } from "../../store/diagnostic.ts";
import { memoLast } from "../memo.ts";

/** The sessions of which something is lost or cannot be shown. */
export const damagedRows = memoLast((rows: ReadonlyMap<string, SessionRow>): readonly SessionRow[] =>
	[...rows.values()].filter((row) => isDamaged(row.diagnostics)),
);
