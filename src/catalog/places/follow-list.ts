import { PathSet } from "../sync/path-set.ts";
import type { PlaceConnection } from "./connection.ts";
import type { PlaceSessions } from "./listed-sessions.ts";
import type { Answer } from "./protocol.ts";

/** What is told while a place lists its sessions. */
interface ListListener {
	/** These rows or counts have changed, or are gone. Paths as they are there. */
	onSessions(paths: readonly string[]): void;
	/** What is in use there, or what is wrong there, has changed. */
	onState(): void;
	/** All sessions are known. */
	onListed(): void;
	/** All sessions were counted; `stamp`: see `since`. */
	onCounted(stamp: string): void;
}

/**
 * Lists the sessions of a place and follows what changes there, until the connection fails or the signal is aborted, with which it
 * rejects. `since`: the stamp of what is known of them; "" for nothing.
 */
export async function followList(
	connection: PlaceConnection,
	sessions: PlaceSessions,
	since: string,
	signal: AbortSignal,
	listener: ListListener,
): Promise<void> {
	const listing = { connection, sessions, listener };
	if (since !== "") {
		// What is known here lacks something that has not changed since, and so would never be sent.
		const lacking = new AbortController();
		const signals = AbortSignal.any([signal, lacking.signal]);
		await listSince(listing, { since }, signals, () => lacking.abort()).catch((error: unknown) => {
			if (!lacking.signal.aborted) throw error;
		});
	}
	await listSince(listing, {}, signal, () => undefined);
}

interface Listing {
	readonly connection: PlaceConnection;
	readonly sessions: PlaceSessions;
	readonly listener: ListListener;
}

async function listSince(
	listing: Listing,
	since: { readonly since?: string },
	signal: AbortSignal,
	onLacking: () => void,
): Promise<void> {
	const { connection, sessions, listener } = listing;
	// Each is answered once.
	const awaited = new Set<Answer["type"]>(["listed", "counted"]);
	const take = (answer: Answer): boolean => {
		const changed = sessions.apply(answer);
		if (changed.length > 0) listener.onSessions(changed);
		if (answer.type === "live" || answer.type === "problems") listener.onState();
		else if (!awaited.delete(answer.type)) return false;
		else if (answer.type === "listed") compare(listing, answer.signature, signal, onLacking);
		else if (answer.type === "counted") listener.onCounted(answer.stamp);
		return false;
	};
	await connection.request({ type: "list", ...since }, take, { signal });
}

/** Takes away what has gone since the rows were listed in an earlier run. */
function compare(
	{ connection, sessions, listener }: Listing,
	signature: string,
	signal: AbortSignal,
	onLacking: () => void,
): void {
	const { rows } = sessions;
	if (new PathSet(rows.keys()).signature === signature) {
		listener.onListed();
		return;
	}
	const present = new Set<string>();
	let isLacking = false;
	const take = (answer: Answer): boolean => {
		if (answer.type === "paths")
			for (const path of answer.paths) {
				if (rows.has(path)) present.add(path);
				else isLacking = true;
			}
		return answer.type === "end";
	};
	connection.request({ type: "paths" }, take, { signal }).then(
		() => {
			const gone = [...rows.keys()].filter((path) => !present.has(path));
			listener.onSessions(sessions.remove(gone));
			listener.onListed();
			if (isLacking) onLacking();
		},
		// The connection has ended, which is reported.
		() => undefined,
	);
}
