import type { Sort } from "../model/state.ts";

/** Names of the list's orders in the sort menu and the header. */
export const SORT_LABELS: Readonly<Record<Sort, string>> = {
	threaded: "Threaded",
	recent: "Recent",
	relevance: "Relevance",
	created: "Created",
	messages: "Messages",
	size: "Size",
	project: "Project",
};
