import type { Action } from "../../src/app/world/state/action.ts";
import type { CatalogState } from "../../src/app/world/state/catalog-state.ts";
import type { SessionRow } from "../../src/catalog/model/row.ts";

/** The present time in tests. */
export const NOW = Date.parse("2026-11-21T12:00:00Z");

/** A row as the catalog reports it; `age` in minutes before `NOW`. */
export function makeRow(name: string, fields: Partial<SessionRow> & { readonly age?: number } = {}): SessionRow {
	const { age = 0, ...rest } = fields;
	return {
		path: `/sessions/--p--/${name}.jsonl`,
		id: name,
		cwd: "/home/me/project",
		firstMessage: `first message of ${name}`,
		created: new Date(NOW - age * 60_000),
		modified: new Date(NOW - age * 60_000),
		messageCount: 3,
		size: 1000,
		diagnostics: [],
		...rest,
	};
}

/** Rows of this machine as the catalog in the state has them. */
export function listedRows(...all: readonly SessionRow[]): Pick<CatalogState, "rows" | "here"> {
	const rows = new Map(all.map((row) => [row.path, row]));
	return { rows, here: rows };
}

/** Everything that was found has been listed: from then on keys that act on a row do not wait. */
export const LISTED: Action = { type: "catalog", event: { type: "progress", read: 1, total: 1 } };
