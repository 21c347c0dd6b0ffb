import type { Feature } from "../../world/page/feature.ts";
import type { ReaderState } from "../../world/state/reader-state.ts";
import type { State } from "../../world/state/state.ts";
import { lookedThrough } from "./grow.ts";
import type { ReaderAction } from "./reader-messages.ts";
import { applyHits } from "./search-results.ts";

export const READER: Feature<ReaderAction> = {
	on: {
		hits: applyHits,
		"looked-through": (state, { job }) => lookedThrough(state, job),
		colored: (state, { job }) => (state.reader.coloring === job ? withReader(state, { coloring: undefined }) : state),
		renderers: (state, { renderers }) => withReader(state, { renderers }),
	},
};

function withReader(state: State, fields: Partial<ReaderState>): State {
	return { ...state, reader: { ...state.reader, ...fields } };
}
