import { withListing } from "./list-all.ts";
import type { SessionRow } from "./model/row.ts";
import type { ListOptions } from "./model/session-roots.ts";
import type { CatalogStats } from "./stats/aggregate-stats.ts";

/** Sums over the selected sessions, by default all, after all of them have been counted. */
export function statsAll(
	options: ListOptions & { readonly isAsked?: (row: SessionRow) => boolean } = {},
): Promise<CatalogStats> {
	return withListing(options, { numbers: true }, ({ catalog, rows }) =>
		catalog.stats([...rows.values()], options.isAsked),
	);
}
