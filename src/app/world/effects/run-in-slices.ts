import type { Steps } from "../../../shared/steps.ts";
import { TimeSlice } from "../../../shared/time-slice.ts";

/** Slices between two drawings: what was done is seen on the screen, and what nobody wants any more soon costs nothing. */
const SLICES = 8;

/** Runs some of the steps, a few milliseconds between two turns of the event loop; it begins behind the next drawing. */
export async function runInSlices(steps: Steps<void>): Promise<void> {
	const slice = new TimeSlice();
	for (let slices = 0; slices < SLICES; slices++) {
		await slice.yieldToEventLoop();
		while (!slice.shouldYield()) if (steps.next().done) return;
	}
}
