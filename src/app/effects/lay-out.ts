import { TimeSlice } from "../../shared/time-slice.ts";
import type { EntryLayout } from "../tree/entry-layout.ts";

/** Slices between two drawings: the number of rows grows on the screen, and one that is left soon costs no more. */
const SLICES = 8;

/** Lays out more of a long text, a few milliseconds between two turns of the event loop. */
export async function layOutMore(layout: EntryLayout): Promise<void> {
	const slice = new TimeSlice();
	const steps = layout.steps();
	for (let slices = 0; slices < SLICES && !layout.isComplete; slices++) {
		await slice.yieldToEventLoop();
		while (!slice.shouldYield() && !steps.next().done);
	}
}
