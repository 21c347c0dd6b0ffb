import type { SessionRow } from "../../catalog/row.ts";
import { foldText, matches, type Query } from "../query.ts";

/** How well a row matches, better first; undefined: not at all. */
export type Rank = 0 | 1;

const foldedFields = new WeakMap<SessionRow, { readonly title: readonly string[]; readonly all: readonly string[] }>();

/** Rank of a row for a query: 0 when its name or title holds all of it, 1 when any of its fields do. */
export function rankRow(row: SessionRow, query: Query): Rank | undefined {
	const { title, all } = fieldsOf(row);
	if (matches(query, title)) return 0;
	return matches(query, all) ? 1 : undefined;
}

function fieldsOf(row: SessionRow) {
	let fields = foldedFields.get(row);
	if (fields === undefined) {
		const title = [foldText(row.name ?? row.firstMessage)];
		fields = { title, all: [...title, ...[row.firstMessage, row.cwd, row.id, row.path].map(foldText)] };
		foldedFields.set(row, fields);
	}
	return fields;
}
