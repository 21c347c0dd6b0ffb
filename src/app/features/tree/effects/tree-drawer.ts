import type { Query } from "../../../../catalog/query/parse-query.ts";
import type { EntryTexts } from "../../../../catalog/query/search-text.ts";
import { indexAt } from "../../../../conversation/entries/outline-columns.ts";
import { type Drawing, drawMatching, matchingFor, type TreeInput } from "../../../../conversation/tree/draw-tree.ts";
import { entryColumns } from "../../../../conversation/tree/entry-columns.ts";
import type { LongEntry } from "../../../../conversation/tree/long-entries.ts";
import type { Matching } from "../../../../conversation/tree/matching.ts";
import { filterOf } from "../../../../conversation/tree/shown-entries.ts";
import type { Steps } from "../../../../shared/steps.ts";
import type { TimeSlice } from "../../../../shared/time-slice.ts";
import { LatestWork } from "../../../world/effects/latest-work.ts";

/** Draws the tree of one large session at a time, a few milliseconds between two turns of the event loop. */
export interface TreeDrawer {
	/**
	 * Resolves to the drawing, or to undefined when a later call came in between. `near`: id of the entry around which it is
	 * compared with the filter first; what has been found by then goes to `onProgress`.
	 */
	draw(input: TreeInput, before: Drawing | undefined, near?: string): Promise<Drawing | undefined>;
	close(): void;
}

/** Compares entries with a query in another thread; undefined when it could not, as in `Catalog.matches`. */
type Matches = (query: Query, entries: readonly EntryTexts[]) => Promise<readonly boolean[] | undefined>;

/** What has been found is shown first after this time, in milliseconds, and then each time after so many more. */
const FIRST_MS = 8;
const NEXT_MS = 150;

export function createTreeDrawer(matches: Matches, onProgress: (drawing: Drawing) => void): TreeDrawer {
	const latest = new LatestWork();
	return {
		draw: (input, before, near) =>
			latest.run(async (timeSlice, signal) => {
				// Letters that arrive together are one filter: only the last one is looked at.
				await timeSlice.yieldToEventLoop();
				const { session, filter, home } = input;
				const columns = await timeSlice.run(entryColumns(session));
				const matching = matchingFor(input, columns, before);
				if (matching?.isComplete === false) {
					const place = near === undefined ? -1 : (columns.outline.place[indexAt(columns.outline, near)] ?? -1);
					const shows = filterOf(columns, session, filter);
					const steps = matching.compare({ columns, shows, near: place, home, elsewhere: true });
					let long: LongEntry[] | undefined;
					for (let wait = FIRST_MS; long === undefined; wait = NEXT_MS) {
						long = await runFor(steps, wait, timeSlice);
						if (long === undefined && matching.found > 0)
							onProgress(await timeSlice.run(drawMatching(input, columns, matching)));
					}
					await askElsewhere(matching, long, signal, matches);
				}
				return await timeSlice.run(drawMatching(input, columns, matching));
			}),
		close: () => latest.close(),
	};
}

/** Runs steps for some time, slice by slice; undefined where that is not their end. */
async function runFor<Result>(
	steps: Steps<Result>,
	milliseconds: number,
	timeSlice: TimeSlice,
): Promise<Result | undefined> {
	const start = performance.now();
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
		if (performance.now() - start >= milliseconds) return undefined;
		if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
	}
}

/** How often the other thread may be lost, to a search in the list, before its answer counts as "no". */
const MAX_TRIES = 3;

/** Has the entries that are too long for this thread compared. */
async function askElsewhere(
	matching: Matching,
	long: readonly LongEntry[],
	signal: AbortSignal,
	matches: Matches,
): Promise<void> {
	if (long.length === 0) return;
	const texts = long.map((entry) => entry.texts);
	let held: readonly boolean[] | undefined;
	for (let tries = 0; held === undefined && tries < MAX_TRIES; tries++) {
		held = await matches(matching.query, texts);
		signal.throwIfAborted();
	}
	matching.answer(long, held);
}
