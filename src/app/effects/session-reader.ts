import { setTimeout as sleep } from "node:timers/promises";
import { extendSession } from "../../store/read/extend-session.ts";
import { readSession, type Session } from "../../store/read/read-session.ts";

/** A session that the cursor leaves again within this time is not read. */
const SETTLE_MS = 40;

/** Reads one session at a time for the tree; each call ends the one before. */
export interface SessionReader {
	/**
	 * Resolves to the session, or to undefined when a later call came in between; rejects when it cannot be read. `before`:
	 * the last reading of the same file, which only has to be extended if the file has grown since.
	 */
	read(path: string, before?: Session): Promise<Session | undefined>;
	close(): void;
}

export function createSessionReader(): SessionReader {
	let current: AbortController | undefined;
	return {
		async read(path, before) {
			const passing = current !== undefined;
			current?.abort();
			const mine = new AbortController();
			current = mine;
			try {
				if (passing) await sleep(SETTLE_MS, undefined, { signal: mine.signal });
				const grown = before && (await extendSession(before, mine.signal));
				return grown ?? (await readSession(path, { signal: mine.signal }));
			} catch (error) {
				if (mine.signal.aborted) return undefined;
				throw error;
			} finally {
				if (current === mine) current = undefined;
			}
		},
		close() {
			current?.abort();
		},
	};
}
