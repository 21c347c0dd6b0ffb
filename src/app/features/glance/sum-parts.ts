import { formatCost, formatCount, formatCounted, formatShort } from "../../../ui/text/format.ts";
import type { Part } from "./part-line.ts";
import type { SessionSum } from "./session-sum.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The sum of a session: "4 turns", "19 steps", "2 branches", "31 min", "22k tokens", "$0.029", "(of it $0.007 abandoned)". */
export function glanceSumParts({ all, branches, abandonedCost }: SessionSum): readonly Part[] {
	const parts: Part[] = [{ text: formatCounted(all.turns, "turn"), rank: 0 }];
	if (all.steps > 0) parts.push({ text: formatCounted(all.steps, "step"), rank: 4 });
	if (branches > 1) parts.push({ text: `${formatCount(branches)} branches`, rank: 3 });
	if (all.startMs !== undefined && all.endMs !== undefined && all.endMs > all.startMs)
		parts.push({ text: formatSpan(all.endMs - all.startMs), rank: 2 });
	const tokens = all.input + all.output + all.cacheRead + all.cacheWrite;
	if (tokens > 0) parts.push({ text: `${formatShort(tokens)} tokens`, rank: 5 });
	if (all.cost > 0) parts.push({ text: formatCost(all.cost), rank: 1 });
	if (abandonedCost > 0) parts.push({ text: `(of it ${formatCost(abandonedCost)} abandoned)`, rank: 6, after: " " });
	return parts;
}

/** From the first to the last time of a session: "40 s", "31 min", "5.2 h", "3 days". */
export function formatSpan(ms: number): string {
	if (ms < MINUTE_MS) return `${Math.max(1, Math.round(ms / 1000))} s`;
	if (ms < 2 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
	if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)} h`;
	return `${Math.round(ms / DAY_MS)} days`;
}
