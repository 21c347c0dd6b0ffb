import { isObject } from "../../shared/json.ts";

/*
 * What a `usage` says. Programs write -1 for a price that they do not know: it is not summed up, and the answer is one of unknown
 * price. What is no number at all is a damaged field, of which the diagnostics tell.
 */

/** More than any answer costs, in dollars. */
const MOST_DOLLARS = 1e6;
/** More than any answer has. */
const MOST_TOKENS = 1e12;

/** The cost in a usage, in dollars; undefined if it has none, or one that cannot be true. */
export function dollarsIn(usage: unknown): number | undefined {
	const dollars = statedCost(usage);
	return isAmount(dollars, MOST_DOLLARS) ? dollars : undefined;
}

/** Whether a usage has a cost that cannot be true: the price is unknown. */
export function isUnpriced(usage: unknown): boolean {
	return typeof statedCost(usage) === "number" && dollarsIn(usage) === undefined;
}

/** A number of tokens; 0 for anything that cannot be one. */
export function tokensFrom(value: unknown): number {
	return isAmount(value, MOST_TOKENS) ? value : 0;
}

/** Of messages an object with a total, of what some packages write a number. */
function statedCost(usage: unknown): unknown {
	const cost = isObject(usage) ? usage.cost : undefined;
	return isObject(cost) ? cost.total : cost;
}

function isAmount(value: unknown, most: number): value is number {
	return typeof value === "number" && value >= 0 && value <= most;
}
