import { loadRenderers } from "../../../../conversation/render/renderers.ts";
import { type Steps, TimeSlice } from "../../../../shared/steps.ts";
import type { Runners } from "../../../world/effects/runners.ts";
import type { ReaderEffect } from "../feature.ts";

/** Searches the conversation, highlights its code and loads what renders it. */
export const READER_EFFECTS: Runners<ReaderEffect["type"]> = {
	async "search-conversation"({ job }) {
		await runInSlices(job.steps());
		return { type: "conversation-searched", job };
	},
	async color({ job }) {
		await runInSlices(job.steps());
		return { type: "colored", job };
	},
	"load-renderers": async () => ({ type: "renderers", renderers: await loadRenderers() }),
};

/** Slices per run. After these the result so far is drawn, and a job that is no longer wanted is dropped. */
const SLICES = 8;

/** Runs some of the steps, a few milliseconds per turn of the event loop, starting after the next frame. */
async function runInSlices(steps: Steps<void>): Promise<void> {
	const slice = new TimeSlice();
	for (let slices = 0; slices < SLICES; slices++) {
		await slice.yieldToEventLoop();
		while (!slice.shouldYield()) if (steps.next().done) return;
	}
}
