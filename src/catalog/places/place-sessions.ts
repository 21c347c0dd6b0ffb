import type { SessionCounts } from "../model/counts.ts";
import type { SessionRow } from "../model/row.ts";
import { compareResults, type SearchResult } from "../search/search.ts";
import { type PlaceConnection, PlaceError } from "./connection.ts";
import { countsFromWire, resultFromWire, rowFromWire } from "./wire.ts";

/** More sessions than this of one place are refused: they would take gigabytes here. */
const MAX_SESSIONS = 500_000;

/** The sessions of a place, with paths as they are there. */
export interface PlaceSessions {
	readonly rows: ReadonlyMap<string, SessionRow>;
	readonly counts: ReadonlyMap<string, SessionCounts>;
	/** What was not understood, and what the place reports; one sentence each. */
	readonly problems: readonly string[];
}

/** Lists all sessions of a place once; with `counted`, after all of them have been counted. Rejects with a `PlaceError`. */
export async function listPlace(
	connection: PlaceConnection,
	{ counted = false, maxSessions = MAX_SESSIONS }: { readonly counted?: boolean; readonly maxSessions?: number } = {},
): Promise<PlaceSessions> {
	const { name } = connection;
	const rows = new Map<string, SessionRow>();
	const counts = new Map<string, SessionCounts>();
	let reported: readonly string[] = [];
	let odd = 0;
	await connection.request({ type: "list" }, (answer) => {
		switch (answer.type) {
			case "rows":
				for (const value of answer.rows) {
					const row = rowFromWire(value);
					if (row === undefined) odd += 1;
					else rows.set(row.path, row);
				}
				if (rows.size + odd > maxSessions) throw new PlaceError(`${name}: it lists more than ${maxSessions} sessions`);
				return false;
			case "counts":
				for (const value of answer.counts) {
					const [path, one] = countsFromWire(value) ?? [];
					if (path !== undefined && one !== undefined && rows.has(path)) counts.set(path, one);
				}
				return false;
			case "gone":
				for (const path of answer.paths) {
					rows.delete(path);
					counts.delete(path);
				}
				return false;
			case "problems":
				reported = answer.problems;
				return false;
			default:
				return answer.type === (counted ? "counted" : "listed");
		}
	});
	const understood =
		odd === 0 ? [] : [`${odd} sessions could not be understood; pi-grove may be newer there than here.`];
	return { rows, counts, problems: [...understood, ...reported].map((problem) => `${name}: ${problem}`) };
}

/** Sessions of a place in which a query was found. */
export interface PlaceFound {
	/** As typed, best first. */
	readonly results: readonly SearchResult[];
	/** In other forms, nearest first. */
	readonly others: readonly SearchResult[];
}

/** More results than this are never searched to their end. */
const MAX_VISIBLE = 200;

/** Searches a place once; the first `limit` results are searched to their end. Rejects with a `PlaceError`. */
export async function searchPlace(connection: PlaceConnection, query: string, limit: number): Promise<PlaceFound> {
	const results = new Map<string, SearchResult>();
	const began = Date.now();
	const sorted = (): SearchResult[] => [...results.values()].sort(compareResults(began));
	let isAsked = false;
	await connection.request({ type: "search", query }, (answer) => {
		if (answer.type === "results")
			for (const value of answer.results) {
				const result = resultFromWire(value);
				if (result !== undefined && results.size < MAX_SESSIONS) results.set(result.path, result);
			}
		else if (answer.type === "lost") for (const path of answer.paths) results.delete(path);
		else if (answer.type === "settled" && !answer.inForms) {
			// First everything that was found, then the count and the best hit of what will be shown.
			if (answer.visible > 0 || results.size === 0) return true;
			if (!isAsked) showFirst(connection, sorted().slice(0, Math.min(limit, MAX_VISIBLE)));
			isAsked = true;
		}
		return false;
	});
	const all = sorted();
	return {
		results: all.filter(({ other }) => other === undefined),
		others: all.filter(({ other }) => other !== undefined),
	};
}

function showFirst(connection: PlaceConnection, first: readonly SearchResult[]): void {
	connection.notify({ type: "visible", paths: first.map(({ path }) => path) });
}

/** Reads a session of a place from its first byte to its last; `onBytes` is waited for. Rejects with a `PlaceError`. */
export async function readFromPlace(
	connection: PlaceConnection,
	path: string,
	onBytes: (bytes: Buffer) => Promise<void>,
): Promise<void> {
	let at = 0;
	let written = Promise.resolve();
	await connection.request({ type: "read", path, from: 0 }, (answer) => {
		if (answer.type !== "bytes") return answer.type === "end";
		if (answer.from !== at) throw new PlaceError(`${connection.name}: the bytes of ${path} came out of order`);
		const bytes = Buffer.from(answer.data, "base64");
		at += bytes.length;
		written = written.then(() => onBytes(bytes));
		return false;
	});
	await written;
}
