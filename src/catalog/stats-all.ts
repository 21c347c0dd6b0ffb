import { collectRows, untilAborted, withCatalog, withCatalogHere } from "./list-all.ts";
import type { SessionRow } from "./model/row.ts";
import type { ListOptions } from "./model/session-roots.ts";
import type { CatalogStats } from "./stats/aggregate-stats.ts";

/** Sums over the selected sessions, by default all, after all of them have been counted. */
export async function statsAll(
	options: ListOptions & { readonly isAsked?: (row: SessionRow) => boolean } = {},
): Promise<CatalogStats> {
	const { signal, isAsked = () => true } = options;
	const here = await withCatalogHere(options, { numbers: true }, (catalog) => catalog.stats(isAsked));
	if (here !== undefined) return here;
	return withCatalog(options, { numbers: true }, async (catalog) => {
		const rows = collectRows(catalog, options);
		await untilAborted(catalog.counted(), signal);
		return await untilAborted(catalog.stats([...rows.values()], isAsked), signal);
	});
}
