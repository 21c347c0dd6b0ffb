/** What the sessions can be ordered by, in the order of the menu. */
export const SORTS = [
	"threaded",
	"recent",
	"relevance",
	"created",
	"project",
	"title",
	"messages",
	"turns",
	"branches",
	"errors",
	"labels",
	"tokens",
	"cost",
	"size",
	"model",
	"git",
] as const;
export type Sort = (typeof SORTS)[number];

/** An order, and whether it is reversed. */
export interface Order {
	readonly sort: Sort;
	readonly reversed: boolean;
}

/** Names of the orders in the menu and in the title of the list. */
export const SORT_LABELS: Readonly<Record<Sort, string>> = {
	threaded: "Recent with forks below",
	recent: "Recent",
	relevance: "Relevance",
	created: "Created",
	project: "Project",
	title: "Title",
	messages: "Messages",
	turns: "Turns",
	branches: "Branches",
	errors: "Errors",
	labels: "Labels",
	tokens: "Tokens",
	cost: "Cost",
	size: "Size",
	model: "Model",
	git: "Git branch",
};

const COUNTED = ["most first", "least first"] as const;
const NAMED = ["from a to z", "from z to a"] as const;

/** Descriptions of each order, normal and reversed. */
const HINTS: Readonly<Record<Sort, readonly [as: string, reversed: string]>> = {
	threaded: ["newest activity first", "oldest activity first"],
	recent: ["newest activity first", "oldest activity first"],
	relevance: ["best match first", "worst match first"],
	created: ["newest first", "oldest first"],
	project: ["by project, with headings", "by project, from z to a"],
	title: NAMED,
	messages: COUNTED,
	turns: COUNTED,
	branches: COUNTED,
	errors: COUNTED,
	labels: COUNTED,
	tokens: COUNTED,
	cost: ["most expensive first", "cheapest first"],
	size: ["largest file first", "smallest file first"],
	model: NAMED,
	git: NAMED,
};

/** The description of an order. */
export function orderHint({ sort, reversed }: Order): string {
	return HINTS[sort][reversed ? 1 : 0];
}

/** "cost", or "cost ↑" if it is reversed: for the title of the list, which has little room. */
export function orderLabel({ sort, reversed }: Order): string {
	const name = sort === "threaded" ? "forks below" : SORT_LABELS[sort].toLowerCase();
	return `${name}${reversed ? " ↑" : ""}`;
}

/** The orders to choose from: relevance only for the results of a search, which are never threaded. */
export function sortsFor(searching: boolean): readonly Sort[] {
	return SORTS.filter((sort) => sort !== (searching ? "threaded" : "relevance"));
}
