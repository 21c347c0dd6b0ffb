import { attempt } from "../../shared/attempt.ts";
import type { SessionRow } from "../model/row.ts";
import type { ScanState } from "../scan/scan-state.ts";
import { IndexDamage } from "./sqlite.ts";

/** The stored form of a row, without its path, which has its own column. */
export function rowToJson(row: SessionRow): string {
	const { path: _, ...rest } = row;
	return JSON.stringify(rest);
}

interface StoredRow extends Omit<SessionRow, "path" | "created" | "modified"> {
	readonly created: string;
	readonly modified: string;
}

/** Reads what `rowToJson` has written. Throws an `IndexDamage`. */
export function rowFromJson(path: string, json: string): SessionRow {
	// Only the dates have become strings.
	const stored = parseStored<StoredRow>(json);
	const { name, created, modified } = stored;
	return { ...stored, path, name, created: new Date(created), modified: new Date(modified) };
}

/** The stored form of a state: the first message, which may be long, is left out if the row has the same one. */
export function stateToJson(state: ScanState, row: SessionRow): string {
	const { firstMessage, ...rest } = state;
	return JSON.stringify(firstMessage === row.firstMessage ? rest : state);
}

/** Reads what `stateToJson` has written. Throws an `IndexDamage`. */
export function stateFromJson(json: string, { firstMessage }: SessionRow): ScanState {
	return { firstMessage, ...parseStored<Omit<ScanState, "firstMessage">>(json) };
}

/** A value that this program has stored as JSON in the index, an object or a list. Throws an `IndexDamage` if it is none. */
export function parseStored<Value extends object>(json: unknown): Value {
	const value = attempt((): unknown => JSON.parse(String(json)));
	// Only programs of this version write to this file.
	if (typeof value === "object" && value !== null) return value as Value;
	throw new IndexDamage("a row of the index cannot be read");
}
