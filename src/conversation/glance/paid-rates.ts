import type { SessionEntry } from "../../store/format/schema.ts";
import type { Rates } from "./model-facts.ts";
import { type Amounts, type ModelName, modelIn, modelKey, usageOf } from "./usage.ts";

/** So many entries are looked at: the last answers tell the present price. */
const MAX_ENTRIES = 400;
const KINDS = ["input", "output", "cacheRead", "cacheWrite"] as const;
const MILLION = 1_000_000;

/** What the answers of a model have cost, by kind of token; `entries`: the last one first. */
export function paidRates(entries: Iterable<SessionEntry>, model: ModelName): Rates {
	const rates: Partial<Record<keyof Amounts, number>> = {};
	let looked = 0;
	for (const entry of entries) {
		if (looked++ === MAX_ENTRIES || KINDS.every((kind) => rates[kind] !== undefined)) break;
		const name = modelIn(entry);
		const usage = name !== undefined && modelKey(name) === modelKey(model) ? usageOf(entry) : undefined;
		if (usage === undefined) continue;
		for (const kind of KINDS) {
			if (usage[kind] > 0 && usage.cost[kind] > 0) rates[kind] ??= (usage.cost[kind] / usage[kind]) * MILLION;
		}
	}
	return rates;
}
