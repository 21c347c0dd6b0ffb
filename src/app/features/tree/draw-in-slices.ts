import type { EntryTexts } from "../../../catalog/query/match.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import { indexAt } from "../../../conversation/entries/outline-columns.ts";
import { type Drawing, drawMatching, matchingFor } from "../../../conversation/tree/draw-tree.ts";
import { entryColumns } from "../../../conversation/tree/entry-columns.ts";
import type { LongEntry, Matching } from "../../../conversation/tree/matching.ts";
import { filterOf } from "../../../conversation/tree/shown-entries.ts";
import type { Steps, TimeSlice } from "../../../shared/steps.ts";
import type { EffectOf } from "../../world/effects/runners.ts";

/** What drawing a large tree needs from outside. */
interface DrawTools {
	/** Matches entries against a query in another thread; undefined if that thread was busy, as in `Catalog.matches`. */
	readonly matches: (query: Query, entries: readonly EntryTexts[]) => Promise<readonly boolean[] | undefined>;
	/** Receives the drawing so far. */
	readonly onProgress: (drawing: Drawing) => void;
}

/** Matches are first shown after `FIRST_MS`, then every `NEXT_MS`. */
const FIRST_MS = 8;
const NEXT_MS = 150;

/**
 * Draws the tree of a large session, a few milliseconds per turn of the event loop. With a filter, entries around the one
 * with the id `near` are matched first.
 */
export async function drawInSlices(
	{ input, before, near }: Pick<EffectOf<"draw-tree">, "input" | "before" | "near">,
	{ matches, onProgress }: DrawTools,
	timeSlice: TimeSlice,
	signal: AbortSignal,
): Promise<Drawing> {
	// Letters that arrive together make one filter: only its last state is drawn.
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
		await matchElsewhere(matching, long, signal, matches);
	}
	return timeSlice.run(drawMatching(input, columns, matching));
}

/** Runs steps for a limited time, slice by slice; undefined if they have not finished. */
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

/** Attempts while searches of the list keep the other thread busy; then the entries count as not matching. */
const MAX_TRIES = 3;

/** Matches the entries that are too long for this thread in the other one. */
async function matchElsewhere(
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
