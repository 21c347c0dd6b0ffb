import { setTimeout as sleep } from "node:timers/promises";
import { checkHeldSteps } from "../../../store/held/held-message.ts";
import { holdSession, readOdd } from "../../../store/held/hold-session.ts";
import { extendSession, type Session } from "../../../store/read/read-session.ts";
import { LatestWork } from "./runners.ts";

/** A session that the cursor leaves within this time is not read. */
const SETTLE_MS = 40;

/** Reads one session at a time for the tree; each call ends the one before. */
export interface SessionReader {
	/**
	 * Resolves to the session, or to undefined if a later call has replaced this one; rejects if it cannot be read. `before`:
	 * the same file as last read, which is only extended if the file has grown since.
	 */
	read(path: string, before?: Session): Promise<Session | undefined>;
	/**
	 * Checks every line of a large session: resolves to whether what was assumed about it is true, or to undefined if a later
	 * call has replaced this one. If not, the session is read whole, line by line, from then on.
	 */
	check(session: Session): Promise<boolean | undefined>;
	close(): void;
}

export function createSessionReader(): SessionReader {
	const reading = new LatestWork();
	const checking = new LatestWork();
	/** Paths of large sessions that failed the check. */
	const odd = new Set<string>();
	return {
		async read(path, before) {
			const passing = reading.isRunning;
			return reading.run(async (_, signal) => {
				if (passing) await sleep(SETTLE_MS, undefined, { signal });
				const grown = before && (await extendSession(before, signal));
				if (grown !== undefined) return grown;
				const held = odd.has(path) ? undefined : await holdSession(path, { signal });
				return held ?? (await readOdd(path, { signal }));
			});
		},
		async check(session) {
			const isSound = await checking.run((slice) => slice.run(checkHeldSteps(session)));
			if (isSound === false) odd.add(session.path);
			return isSound;
		},
		close() {
			reading.close();
			checking.close();
		},
	};
}
