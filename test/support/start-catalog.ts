import { onTestFinished } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import type { CatalogEvent, CatalogProblem } from "../../src/catalog/model/event.ts";
import { NOTHING_LIVE } from "../../src/catalog/model/live.ts";
import type { SessionRow } from "../../src/catalog/model/row.ts";
import { Changes, until } from "./wait.ts";

/** Starts a catalog and collects what it reports, as a screen would; closed after the test. */
export function startCatalog(catalog: Catalog) {
	const rows = new Map<string, SessionRow>();
	let problems: readonly CatalogProblem[] = [];
	let live = NOTHING_LIVE;
	const changes = new Changes();
	const listener = (event: CatalogEvent) => {
		if (event.type === "rows") for (const row of event.rows) rows.set(row.path, row);
		else if (event.type === "gone") for (const path of event.paths) rows.delete(path);
		else if (event.type === "live") live = event.report;
		else if (event.type === "problems") problems = event.problems;
		changes.notify();
	};
	onTestFinished(() => catalog.close());
	catalog.start(listener);
	const observed = {
		subscribe: changes.subscribe,
		state: () => ({ rows: [...rows.values()], problems }),
	};
	return {
		rows,
		problems: () => problems,
		/** What is in use, as last reported. */
		live: () => live,
		/** Resolves when the condition holds, at once or after some event. */
		until: (what: string, condition: () => boolean) => until(what, observed, condition),
	};
}
