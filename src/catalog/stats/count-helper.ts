import { parentPort } from "node:worker_threads";
import { attempt } from "../../shared/attempt.ts";
import { runToEnd } from "../../shared/steps.ts";
import { withFile } from "../../store/files/open-file.ts";
import { CHUNK_BYTES } from "../../store/read/line-reader.ts";
import { reportsIn } from "../families/reports-in.ts";
import { SessionCount } from "./count-session.ts";
import { type CountedAlone, FREE, type FromCountHelper, TAKEN, type ToCountHelper } from "./counts-ahead.ts";
import type { PendingSession } from "./numbers-table.ts";

/** The thread that helps to count, from the last session on; it ends where the other thread has arrived. */
const port = parentPort;
if (!port) throw new Error("count-helper runs in a worker thread only");

const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);

port.once("message", ({ sessions, claims }: ToCountHelper) => {
	for (let at = sessions.length - 1; at >= 0; at--) {
		const session = sessions[at];
		// What a fork has copied is known once the session that it was forked from is counted.
		if (session === undefined || session.origins.length > 0) continue;
		if (Atomics.compareExchange(claims, at, FREE, TAKEN) !== FREE) break;
		port.postMessage({ at, counted: countAlone(session) } satisfies FromCountHelper);
	}
});

/** The numbers of a session as if there were no other; undefined if it cannot be read: the other thread reports why. */
function countAlone(session: PendingSession): CountedAlone | undefined {
	return attempt(() =>
		withFile(session.path, (fd, stats) => {
			const alone = { earlier: undefined, inherited: undefined, owners: new Set<number>() };
			const count = new SessionCount({ ...alone, session, file: { fd, stats }, buffer, reportsIn });
			runToEnd(count.steps());
			const numbers = count.finish();
			return numbers && { numbers, row: count.row, summed: count.summed };
		}),
	);
}
