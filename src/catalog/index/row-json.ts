import { isObject } from "../../shared/json.ts";
import type { SessionRow } from "../model/row.ts";
import type { ScanState } from "../scan/scan-state.ts";
import { IndexDamage } from "./sqlite.ts";

/** The stored form of a row, without its path, which has its own column. */
export function rowToJson(row: SessionRow): string {
	const { path: _, ...rest } = row;
	return JSON.stringify(rest);
}

/** Reads what `rowToJson` has written, after its checksum was verified. */
export function rowFromJson(path: string, json: string): SessionRow {
	// Written by `rowToJson`; only the dates have become strings.
	const stored = parse(json) as unknown as Omit<SessionRow, "path" | "created" | "modified"> & {
		readonly created: string;
		readonly modified: string;
	};
	const { name, created, modified } = stored;
	return { ...stored, path, name, created: new Date(created), modified: new Date(modified) };
}

/** The stored form of a state: the first message, which may be long, is left out if the row has the same one. */
export function stateToJson(state: ScanState, row: SessionRow): string {
	const { firstMessage, ...rest } = state;
	return JSON.stringify(firstMessage === row.firstMessage ? rest : state);
}

/** Reads what `stateToJson` has written. */
export function stateFromJson(json: string, { firstMessage }: SessionRow): ScanState {
	// Written by `stateToJson`, which leaves out nothing else.
	return { firstMessage, ...parse(json) } as ScanState;
}

function parse(json: string): Record<string, unknown> {
	let value: unknown;
	try {
		value = JSON.parse(json);
	} catch {
		// Treated like JSON that is not an object.
	}
	if (isObject(value)) return value;
	throw new IndexDamage("a row of the index cannot be read");
}
