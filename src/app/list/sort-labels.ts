import type { ListState, Sort } from "../model/state.ts";

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

/** The order in use: results of a search are not threaded. */
export function sortInUse({ sort, search }: ListState): Sort {
	return sort === "threaded" && search.query.text !== "" ? "relevance" : sort;
}
