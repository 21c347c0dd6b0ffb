import { loadRenderers } from "../../../../conversation/render/renderers.ts";
import type { Steps } from "../../../../shared/steps.ts";
import { TimeSlice } from "../../../../shared/time-slice.ts";
import type { Runners } from "../../../world/effects/runners.ts";
import type { ReaderEffect } from "../feature.ts";

/** Prepares what the reader shows, and looks through it. */
export const READER_EFFECTS: Runners<ReaderEffect["type"]> = {
	async "look-through"({ job }) {
		await runInSlices(job.steps());
		return { type: "looked-through", job };
	},
	async color({ job }) {
		await runInSlices(job.steps());
		return { type: "colored", job };
	},
	"load-renderers": async () => ({ type: "renderers", renderers: await loadRenderers() }),
};

/** Slices in one run: then the result is drawn, and work that is no longer wanted ends soon. */
const SLICES = 8;

/** Runs some of the steps, a few milliseconds between two turns of the event loop; starts after the next drawing. */
async function runInSlices(steps: Steps<void>): Promise<void> {
	const slice = new TimeSlice();
	for (let slices = 0; slices < SLICES; slices++) {
		await slice.yieldToEventLoop();
		while (!slice.shouldYield()) if (steps.next().done) return;
	}
}
