import type { SessionCounts } from "../../../catalog/model/counts.ts";
import type { CatalogProblem } from "../../../catalog/model/event.ts";
import type { LiveReport } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";

export interface CatalogState {
	readonly rows: ReadonlyMap<string, SessionRow>;
	/** What was counted of them, by path, as far as it is known yet. */
	readonly counts: ReadonlyMap<string, SessionCounts>;
	/** Number of sessions in the index at the start; shown as the total until all their rows are here. */
	readonly known: number;
	readonly read: number;
	readonly total: number;
	/** True once everything found at the start has been read. */
	readonly complete: boolean;
	/** How many of the `countable` sessions have been counted: tokens, cost, sizes, damage. */
	readonly counted: number;
	readonly countable: number;
	readonly problems: readonly CatalogProblem[];
	/** What is in use. */
	readonly live: LiveReport;
}
