import { formatClock, formatCost, formatShort } from "../../ui/text/format.ts";
import type { Part } from "../../ui/text/width.ts";
import type { CacheState, Gauge } from "./gauge.ts";

/** Less free than this part of the window: the compaction is near enough to be told of. */
const NEAR_SHARE = 0.1;

/**
 * A gauge in words: "context 142k/200k", "compacts at next turn", "prompt cache probably until 14:32", "next turn ≥ $0.71". Where no
 * window or price is known, there is nothing of it.
 */
export function gaugeParts(gauge: Gauge): readonly Part[] {
	const { tokens, window, untilCompaction, cost } = gauge;
	const isOver = window !== undefined && tokens > window;
	const parts: Part[] = [
		{ text: contextText(gauge), rank: 0, tone: isOver || untilCompaction === 0 ? "warning" : "text" },
	];
	if (untilCompaction === 0) parts.push({ text: "compacts at next turn", rank: 1, tone: "warning" });
	else if (untilCompaction !== undefined && window !== undefined && untilCompaction < window * NEAR_SHARE)
		parts.push({ text: `compacts in ${formatShort(untilCompaction)}`, rank: 4, tone: "warning" });
	const cache = cacheText(gauge.cache);
	if (cache !== undefined) parts.push({ text: cache, rank: 3 });
	if (cost !== undefined) parts.push({ text: `next turn ${cost < 0.01 ? "" : "≥ "}${formatCost(cost)}`, rank: 2 });
	return parts;
}

/** "context 142k/200k": tokens in use, of the model's window where that is known. */
function contextText({ tokens, window }: Gauge): string {
	const used = formatShort(tokens);
	return window === undefined ? `context ${used} tokens` : `context ${used}/${formatShort(window)}`;
}

function cacheText(cache: CacheState): string | undefined {
	switch (cache.kind) {
		case "warm":
			return `prompt cache probably until ${formatClock(cache.untilMs)}`;
		case "cold":
			return "prompt cache expired";
		case "unknown":
			return undefined;
	}
}
