import type { SessionRow } from "../../../catalog/model/row.ts";
import { lastBelieved } from "../../../catalog/model/row.ts";
import { type Counted, type SessionWork, type StandupSession, workIn } from "../../../conversation/share/standup.ts";
import { standupFamilies } from "../../../conversation/share/standup-families.ts";
import { messageOf } from "../../../shared/attempt.ts";
import type { TimeSlice } from "../../../shared/steps.ts";
import { isUnreadable } from "../../../store/format/diagnostic.ts";
import { readSession } from "../../../store/read/read-session.ts";

interface StandupTools {
	readonly home: string;
	readonly slice: TimeSlice;
	readonly onProgress?: (read: number, total: number) => void;
}

/** What was done in these sessions in a time (Unix ms), until now if it has no end, and why some of them cannot be read. */
export async function readStandup(
	all: readonly SessionRow[],
	{ from, to = lastBelieved(Date.now()) }: { readonly from: number; readonly to?: number | undefined },
	{ home, slice, onProgress }: StandupTools,
): Promise<{ readonly sessions: readonly StandupSession[]; readonly failures: readonly string[] }> {
	const byPath = new Map(all.map((row) => [row.path, row]));
	// Work that a fork has copied counts in the older session, where it was done.
	const rows = all
		.filter((row) => isRelevant(row) && row.modified.getTime() >= from)
		.sort((one, other) => one.created.getTime() - other.created.getTime());
	const counted: Counted = new Set();
	const works: SessionWork[] = [];
	const failures: string[] = [];
	for (const [index, row] of rows.entries()) {
		onProgress?.(index, rows.length);
		try {
			const work = workIn(row, await readSession(row.path), { from, to }, { home, counted });
			if (work !== undefined) works.push(work);
		} catch (error) {
			failures.push(messageOf(error));
		}
		if (slice.shouldYield()) await slice.yieldToEventLoop();
	}
	return { sessions: standupFamilies(works, (path) => byPath.get(path)), failures };
}

/** Whether the session has messages, or cannot be read, which is to be reported. */
function isRelevant({ messageCount, diagnostics }: SessionRow): boolean {
	return messageCount > 0 || isUnreadable(diagnostics);
}
