import { indexAt } from "../../../conversation/entries/outline-columns.ts";
import { drawMatching, matchingFor, type TreeDrawing, type TreeInput } from "../../../conversation/tree/draw-tree.ts";
import { entryColumns } from "../../../conversation/tree/entry-columns.ts";
import { filterOf } from "../../../conversation/tree/shown-entries.ts";
import type { Steps, TimeSlice } from "../../../shared/steps.ts";

/** Matches are first shown after `FIRST_MS`, then every `NEXT_MS`. */
const FIRST_MS = 8;
const NEXT_MS = 150;

export interface DrawRequest {
	readonly input: TreeInput;
	/** The current drawing of this session. */
	readonly before: TreeDrawing | undefined;
	/** Id of the entry around which entries are matched against the filter first. */
	readonly near: string | undefined;
}

/**
 * Draws the tree of a large session, a few milliseconds per turn of the event loop. `onProgress` gets the drawing so far.
 */
export async function drawInSlices(
	{ input, before, near }: DrawRequest,
	onProgress: (drawing: TreeDrawing) => void,
	timeSlice: TimeSlice,
): Promise<TreeDrawing> {
	// Letters that arrive together make one filter: only its last state is drawn.
	await timeSlice.yieldToEventLoop();
	const { session, filter, home, runs } = input;
	const columns = await timeSlice.run(entryColumns(session));
	const matching = matchingFor(input, columns, before);
	if (matching?.isComplete === false) {
		const place = near === undefined ? -1 : (columns.outline.place[indexAt(columns.outline, near)] ?? -1);
		const shows = filterOf(columns, session, filter, runs);
		const steps = matching.compare({ columns, shows, near: place, home });
		for (let wait = FIRST_MS; !(await isDoneIn(steps, wait, timeSlice)); wait = NEXT_MS)
			if (matching.found > 0) onProgress(await timeSlice.run(drawMatching(input, columns, matching)));
	}
	return timeSlice.run(drawMatching(input, columns, matching));
}

/** Runs steps for a limited time, slice by slice; returns whether they have finished. */
async function isDoneIn(steps: Steps<void>, milliseconds: number, timeSlice: TimeSlice): Promise<boolean> {
	const start = performance.now();
	while (steps.next().done !== true) {
		if (performance.now() - start >= milliseconds) return false;
		if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
	}
	return true;
}
