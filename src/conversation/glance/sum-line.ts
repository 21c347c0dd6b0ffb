import type { FamilyCost } from "../../catalog/stats/family-cost.ts";
import type { Session } from "../../store/read/read-session.ts";
import { formatCost, formatCount, formatCounted, formatDuration, formatShort } from "../../ui/text/format.ts";
import type { Line } from "../../ui/text/line.ts";
import { type Part, partLine } from "../../ui/text/width.ts";
import { fileLines } from "../entries/turn-sum.ts";
import { leafOutlook } from "./outlook.ts";
import { type ResumeView, resumeParts } from "./resume-view.ts";
import { type SessionSum, sessionSum } from "./session-sum.ts";

/** Of a model's name, which may be any text. */
const MAX_NAME = 60;
/** The pieces of the gauge come after the turns, the cost and the time of a session. */
const GAUGE_RANK = 2.5;

/**
 * What a session comes to, and its model, in the longest form that fits into so many cells. Undefined while it is not known,
 * or where not even its turns fit. `home`: the person's home directory; `view`: what going on from its leaf means, where
 * that has no other place; `family`: what it has cost with its runs, where it has some or is one.
 */
export function sumLine(
	session: Session,
	home: string,
	width: number,
	view: ResumeView | undefined,
	family?: FamilyCost,
): Line | undefined {
	const sum = sessionSum(session, home);
	if (sum === undefined) return undefined;
	const gauge = view === undefined ? [] : resumeParts(view).map((part) => ({ ...part, rank: part.rank + GAUGE_RANK }));
	const model = leafOutlook(session)?.model;
	const named: Part[] = model === undefined ? [] : [{ text: model.modelId.slice(0, MAX_NAME), rank: 9 }];
	return partLine([...glanceSumParts(sum, family), ...gauge, ...named], width);
}

/**
 * The sum of a session: "4 turns", "(+1 on branches)", "19 steps", "2 branches", "1h 9m", "22k tokens", "$0.41", "with 3 runs",
 * "$0.29 without", "(of it $0.07 abandoned)", "13✗", "19 files +6,837 −1,194". A click on the errors goes to the next one, one on the files opens their page.
 */
function glanceSumParts(
	{ all, branches, abandonedTurns, abandonedCost }: SessionSum,
	family: FamilyCost | undefined,
): readonly Part[] {
	const parts: Part[] = [{ text: formatCounted(all.turns - abandonedTurns, "turn"), rank: 0 }];
	if (abandonedTurns > 0) parts.push({ text: `(+${formatCount(abandonedTurns)} on branches)`, rank: 7, after: " " });
	if (all.steps > 0) parts.push({ text: formatCounted(all.steps, "step"), rank: 4 });
	if (branches > 1) parts.push({ text: `${formatCount(branches)} branches`, rank: 3 });
	if (all.startMs !== undefined && all.endMs !== undefined && all.endMs > all.startMs)
		parts.push({ text: formatDuration(all.endMs - all.startMs), rank: 2 });
	const tokens = family?.own.tokens ?? all.input + all.output + all.cacheRead + all.cacheWrite;
	if (tokens > 0) parts.push({ text: `${formatShort(tokens)} tokens`, rank: 6.5 });
	parts.push(...costParts(all.cost, family));
	if (abandonedCost > 0) parts.push({ text: `(of it ${formatCost(abandonedCost)} abandoned)`, rank: 6, after: " " });
	if (all.errors > 0)
		parts.push({ text: `${formatCount(all.errors)}✗`, rank: 2.2, tone: "error", press: "next-error" });
	if (all.files.size > 0) {
		const { added, removed } = fileLines(all);
		const press = "files";
		parts.push({ text: formatCounted(all.files.size, "file"), rank: 2.4, press });
		if (added > 0) parts.push({ text: `+${formatCount(added)}`, tone: "added", rank: 3.2, after: " ", press });
		if (removed > 0) parts.push({ text: `−${formatCount(removed)}`, tone: "removed", rank: 3.2, after: " ", press });
	}
	return parts;
}

/** `cost`: of all entries, also of results that say what runs have cost. */
function costParts(cost: number, family: FamilyCost | undefined): readonly Part[] {
	if (family === undefined) return cost > 0 ? [{ text: formatCost(cost), rank: 1 }] : [];
	const [total, own] = [formatCost(family.total.cost), formatCost(family.own.cost)];
	const parts: Part[] = family.total.cost > 0 ? [{ text: total, rank: 1 }] : [];
	if (family.count === 0) return parts;
	const runs = formatCounted(family.count, "run");
	parts.push(parts.length === 0 ? { text: runs, rank: 1.5 } : { text: `with ${runs}`, rank: 1.5, after: " " });
	if (total !== own) parts.push({ text: `${own} without`, rank: 2.3 });
	return parts;
}
