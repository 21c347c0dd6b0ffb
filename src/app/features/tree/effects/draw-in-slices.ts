import type { Query } from "../../../../catalog/query/parse-query.ts";
import type { EntryTexts } from "../../../../catalog/query/search-text.ts";
import { indexAt } from "../../../../conversation/entries/outline-columns.ts";
import { type Drawing, drawMatching, matchingFor } from "../../../../conversation/tree/draw-tree.ts";
import { entryColumns } from "../../../../conversation/tree/entry-columns.ts";
import type { LongEntry } from "../../../../conversation/tree/long-entries.ts";
import type { Matching } from "../../../../conversation/tree/matching.ts";
import { filterOf } from "../../../../conversation/tree/shown-entries.ts";
import type { Steps } from "../../../../shared/steps.ts";
import type { TimeSlice } from "../../../../shared/time-slice.ts";
import type { EffectOf } from "../../../world/effects/runners.ts";

/** What drawing a large tree needs besides time. */
interface DrawTools {
	/** Compares entries with a query in another thread; undefined when it could not, as in `Catalog.matches`. */
	readonly matches: (query: Query, entries: readonly EntryTexts[]) => Promise<readonly boolean[] | undefined>;
	/** Gets what has been found so far. */
	readonly onProgress: (drawing: Drawing) => void;
}

/** Matches are shown for the first time after `FIRST_MS`, then every `NEXT_MS`, in milliseconds. */
const FIRST_MS = 8;
const NEXT_MS = 150;

/**
 * Draws the tree of a large session, a few milliseconds between two turns of the event loop. Where it is filtered, the
 * entries around `near` (its id) are compared first.
 */
export async function drawInSlices(
	{ input, before, near }: Pick<EffectOf<"draw-tree">, "input" | "before" | "near">,
	{ matches, onProgress }: DrawTools,
	timeSlice: TimeSlice,
	signal: AbortSignal,
): Promise<Drawing> {
	// Letters that arrive together are one filter: only the last state of it counts.
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
	return timeSlice.run(drawMatching(input, columns, matching));
}

/** Runs steps for some time, slice by slice; undefined if they have not finished by then. */
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

/** How often a search in the list may take the other thread away before the answer counts as "no". */
const MAX_TRIES = 3;

/** Has the entries that are too long for this thread compared. */
async function askElsewhere(
	matching: Matching,
	long: readonly LongEntry[],
	signal: AbortSignal,
	matches: DrawTools["matches"],
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
