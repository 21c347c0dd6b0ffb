import type { Feature } from "../../world/page/feature.ts";
import type { ListAction } from "./list-messages.ts";
import { applyProposals } from "./nearest.ts";
import { applySavedFile } from "./saved-actions.ts";
import { applySearchEvent } from "./search-event.ts";

export const LIST: Feature<ListAction> = {
	on: {
		search: (state, { request, event }) => applySearchEvent(state, request, event),
		proposed: (state, { query, proposals }) => applyProposals(state, query, proposals),
		saved: (state, { read }) => applySavedFile(state, read),
	},
};
