import { compareResults, type SearchResult } from "../search/search.ts";
import type { PlaceConnection } from "./connection.ts";
import { PlaceSessions } from "./listed-sessions.ts";
import { PlaceError } from "./place-error.ts";
import type { Answer } from "./protocol.ts";
import { resultFromWire } from "./wire.ts";

/** Lists all sessions of a place once; with `counted`, after all of them have been counted. Rejects with a `PlaceError`. */
export async function listPlace(
	connection: PlaceConnection,
	{ counted = false, maxSessions }: { readonly counted?: boolean; readonly maxSessions?: number } = {},
): Promise<PlaceSessions> {
	const sessions = new PlaceSessions(connection.name, maxSessions);
	await connection.request(
		{ type: "list" },
		(answer) => {
			sessions.apply(answer);
			return answer.type === (counted ? "counted" : "listed");
		},
		{ held: () => sessions.rows.size + sessions.counts.size },
	);
	return sessions;
}

/** Sessions of a place in which a query was found. */
export interface PlaceFound {
	/** As typed, best first. */
	readonly results: readonly SearchResult[];
	/** In other forms, nearest first. */
	readonly others: readonly SearchResult[];
}

/** More results of one place, or more text of them in UTF-16 units, are left out. */
const MAX_RESULTS = 100_000;
const MAX_TEXT = 32 * 1024 * 1024;
/** More results than this are never searched to their end. */
const MAX_VISIBLE = 200;

/** Searches a place once; the first `limit` results are searched to their end. Rejects with a `PlaceError`. */
export async function searchPlace(connection: PlaceConnection, query: string, limit: number): Promise<PlaceFound> {
	const results = new Map<string, SearchResult>();
	const began = Date.now();
	const sorted = (): SearchResult[] => [...results.values()].sort(compareResults(began));
	let isAsked = false;
	let units = 0;
	const take = (answer: Answer): boolean => {
		if (answer.type === "results")
			for (const value of answer.results) {
				const result = resultFromWire(value);
				if (result === undefined || results.size >= MAX_RESULTS || units > MAX_TEXT) continue;
				if (!results.has(result.path)) units += JSON.stringify(value).length;
				results.set(result.path, result);
			}
		else if (answer.type === "lost") for (const path of answer.paths) results.delete(path);
		else if (answer.type === "settled" && !answer.inForms) {
			// First everything that was found, then the count and the best hit of what will be shown.
			if (answer.visible > 0 || results.size === 0) return true;
			if (!isAsked) showFirst(connection, sorted().slice(0, Math.min(limit, MAX_VISIBLE)));
			isAsked = true;
		}
		return false;
	};
	await connection.request({ type: "search", query }, take, { held: () => results.size });
	const all = sorted();
	return {
		results: all.filter(({ other }) => other === undefined),
		others: all.filter(({ other }) => other !== undefined),
	};
}

function showFirst(connection: PlaceConnection, first: readonly SearchResult[]): void {
	connection.notify({ type: "visible", paths: first.map(({ path }) => path) });
}

/**
 * Reads a session of a place, by default from its first byte to its last; `onBytes` is waited for. Rejects with a `PlaceError`, or with
 * the signal's reason.
 */
export async function readFromPlace(
	connection: PlaceConnection,
	path: string,
	onBytes: (bytes: Buffer) => Promise<unknown>,
	{ from = 0, to, signal }: { readonly from?: number; readonly to?: number; readonly signal?: AbortSignal } = {},
): Promise<void> {
	let at = from;
	let written: Promise<unknown> = Promise.resolve();
	const failed = new AbortController();
	const request = { type: "read", path, from, ...(to !== undefined && { to }) } as const;
	const take = (answer: Answer): boolean => {
		if (answer.type !== "bytes") return answer.type === "end";
		if (answer.from !== at) throw new PlaceError(`${connection.name}: the bytes of ${path} came out of order`);
		const bytes = Buffer.from(answer.data, "base64");
		at += bytes.length;
		if (at > (to ?? Number.POSITIVE_INFINITY))
			throw new PlaceError(`${connection.name}: more bytes of ${path} came than were asked for`);
		written = written.then(() => onBytes(bytes));
		// What cannot be stored need not come.
		written.catch((error: unknown) => failed.abort(error));
		return false;
	};
	const signals = signal === undefined ? [failed.signal] : [failed.signal, signal];
	try {
		await connection.request(request, take, { signal: AbortSignal.any(signals), held: () => at });
	} finally {
		// Until then the caller must not close what is written to.
		await written.catch(() => undefined);
	}
	await written;
}
