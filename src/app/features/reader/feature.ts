import type { Query } from "../../../catalog/query/parse-query.ts";
import type { SessionHits } from "../../../catalog/search/search.ts";
import type { ColorJob } from "../../../conversation/document/document.ts";
import type { FindJob } from "../../../conversation/document/find-job.ts";
import { loadRenderers, type Renderers } from "../../../conversation/render/renderers.ts";
import { type Steps, TimeSlice } from "../../../shared/steps.ts";
import type { Runners } from "../../world/effects/runners.ts";
import type { Feature } from "../../world/page/page.ts";
import type { ReaderState } from "../../world/state/opened-state.ts";
import type { State } from "../../world/state/state.ts";
import { applyHits } from "./search-results.ts";

export const READER: Feature<ReaderAction> = {
	on: {
		hits: applyHits,
		// Running the same job again resumes it.
		"conversation-searched": (state, { job }) =>
			state.reader.searching === job ? withReader(state, { searching: undefined }) : state,
		colored: (state, { job }) => (state.reader.coloring === job ? withReader(state, { coloring: undefined }) : state),
		renderers: (state, { renderers }) => withReader(state, { renderers }),
	},
};

function withReader(state: State, fields: Partial<ReaderState>): State {
	return { ...state, reader: { ...state.reader, ...fields } };
}

/** Actions of the reader. */
type ReaderAction =
	/** All hits in one session have been found. */
	| { readonly type: "hits"; readonly path: string; readonly query: Query; readonly found: SessionHits }
	/** A job has searched more of the conversation. */
	| { readonly type: "conversation-searched"; readonly job: FindJob }
	/** Visible code has been highlighted. */
	| { readonly type: "colored"; readonly job: ColorJob }
	/** The libraries that parse Markdown and code are loaded. */
	| { readonly type: "renderers"; readonly renderers: Renderers };

/** Effects of the reader. */
type ReaderEffect =
	/** Search more of the conversation. */
	| { readonly type: "search-conversation"; readonly job: FindJob }
	/** Highlight the visible code. */
	| { readonly type: "color"; readonly job: ColorJob }
	/** Load the libraries that parse Markdown and code. */
	| { readonly type: "load-renderers" };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly reader: ReaderAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly reader: ReaderEffect;
	}
}

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
