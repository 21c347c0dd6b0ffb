import { TimeSlice } from "../../shared/time-slice.ts";
import type { FindJob } from "../reader/find-job.ts";

/** Slices between two drawings: the number of matches grows on the screen, and a search that is changed soon costs no more. */
const SLICES = 8;

/** Looks through more of a conversation, a few milliseconds between two turns of the event loop. */
export async function lookThrough(job: FindJob): Promise<void> {
	const slice = new TimeSlice();
	const steps = job.steps();
	for (let slices = 0; slices < SLICES && !job.isComplete; slices++) {
		await slice.yieldToEventLoop();
		while (!slice.shouldYield() && !steps.next().done);
	}
}
