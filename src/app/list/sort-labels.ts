import type { Sort } from "../model/state.ts";

/** The orders of the list as the sort menu and the header name them. */
export const SORT_LABELS: Readonly<Record<Sort, string>> = {
	threaded: "Threaded",
	recent: "Recent",
	relevance: "Relevance",
	created: "Created",
	messages: "Messages",
	size: "Size",
	project: "Project",
};
