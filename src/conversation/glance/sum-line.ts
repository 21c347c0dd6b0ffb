import type { Spent } from "../../catalog/branches/branch-tracker.ts";
import type { FamilyCost } from "../../catalog/stats/family-cost.ts";
import { tokensOf } from "../../catalog/stats/usage.ts";
import type { Session } from "../../store/read/read-session.ts";
import {
	formatCost,
	formatCostBeside,
	formatCount,
	formatCounted,
	formatDuration,
	formatShort,
	formatShortTokens,
} from "../../ui/text/format.ts";
import type { Line } from "../../ui/text/line.ts";
import { type LinePart, lineWidth, partForms } from "../../ui/text/width.ts";
import { leafOutlook } from "./outlook.ts";
import { type ResumeView, reasonParts } from "./resume-view.ts";
import { type SessionSum, sessionSum } from "./session-sum.ts";

/** UTF-16 units of a model's name, which may be any text. */
const MAX_NAME = 60;
/** What speaks against resuming comes after the turns, the cost and the time of a session. */
const REASON_RANK = 2.5;

/** A smaller part of the cost is left out, in dollars. */
export const LEAST_COST = 0.01;
const NO_RUNS: Pick<FamilyCost, "count" | "total" | "own"> = {
	count: 0,
	total: { tokens: 0, cost: 0 },
	own: { tokens: 0, cost: 0 },
};

/** What a session that has runs, or is one, has cost. */
export interface FamilySpent {
	readonly cost: FamilyCost;
	/** The part of its own that is not on the path to the leaf. */
	readonly onBranches: Spent;
}

export interface OpenedFamily extends FamilySpent {
	/** Its runs that failed, besides their steps, on the active path and on the other branches. */
	readonly failed: Readonly<Record<"path" | "rest", number>>;
}

/**
 * What a session comes to, and its model, in the longest form that fits into so many cells. Undefined while it is not known,
 * or where not even its turns fit. `home`: the person's home directory; `reasons`: what speaks against going on from its leaf, where
 * that has no other place; `family`: what it has cost with its runs, where it has some or is one.
 */
export function sumLine(
	session: Session,
	home: string,
	width: number,
	reasons: ResumeView["reasons"] = [],
	family?: OpenedFamily,
): Line | undefined {
	const sum = sessionSum(session, home);
	if (sum === undefined) return undefined;
	const against = reasonParts(reasons).map((part) => ({ ...part, rank: part.rank + REASON_RANK }));
	const model = leafOutlook(session)?.model;
	const named: LinePart[] = model === undefined ? [] : [{ text: model.modelId.slice(0, MAX_NAME), rank: 9 }];
	return partForms([...glanceSumParts(sum, family), ...against, ...named]).find((form) => lineWidth(form) <= width);
}

/**
 * The sum of the active path, each number with what is on other branches behind it: "4 turns (+1 on branches)", "19 steps (+3)",
 * "2 branches", "1h 9m", "22k tokens (+2.1k)", "$4.10 with 3 runs", "$0.34 without (+$0.07)", "9✗ (+4)", "19 files (+2)".
 * The time is that at work on all branches, as in the list. A click on the branches or the files opens their page, one on the errors
 * goes to the next one.
 */
function glanceSumParts({ path, rest, branches }: SessionSum, family: OpenedFamily | undefined): readonly LinePart[] {
	const parts: LinePart[] = [];
	// The others follow only where there is room for the first one, which says what they are.
	let restRank = 5.5;
	const addRest = (isAny: boolean, text: string): void => {
		if (!isAny) return;
		parts.push({ text: restRank < 7 ? `(+${text} on branches)` : `(+${text})`, rank: restRank, after: " " });
		restRank = 7;
	};
	/** None on the path is said only together with how many there are beside it. */
	const addCounted = (count: number, more: number, text: string, part: Omit<LinePart, "text">): void => {
		if (count + more === 0) return;
		parts.push({ ...part, text, rank: count > 0 ? part.rank : restRank });
		addRest(more > 0, formatCount(more));
	};
	parts.push({ text: formatCounted(path.turns, "turn"), rank: 0 });
	addRest(rest.turns > 0, formatCount(rest.turns));
	addCounted(path.steps, rest.steps, formatCounted(path.steps, "step"), { rank: 4 });
	if (branches > 1) parts.push({ text: `${formatCount(branches)} branches`, rank: 3, press: "branches" });
	const workedMs = path.workedMs + rest.workedMs;
	if (workedMs > 0) parts.push({ text: formatDuration(workedMs), rank: 2 });
	const { path: spent, rest: more } = spendingOf({ path, rest }, family);
	if (spent.tokens + more.tokens > 0) {
		const tokens = more.tokens > 0 ? ` (+${formatShort(more.tokens)})` : "";
		parts.push({ text: `${formatShortTokens(spent.tokens)}${tokens}`, rank: 8 });
	}
	parts.push(...costParts(spent.cost, more.cost, family));
	addRest(more.cost >= LEAST_COST, formatCostBeside(spent.cost, more.cost));
	if (path.unpriced + rest.unpriced > 0) {
		const isAll = spent.cost + more.cost === 0;
		parts.push({ text: isAll ? "unknown price" : "some of unknown price", rank: 1.2 });
	}
	const { failed = { path: 0, rest: 0 } } = family ?? {};
	const errors = path.errors + failed.path;
	const tone = errors > 0 ? "error" : "muted";
	addCounted(errors, rest.errors + failed.rest, `${formatCount(errors)}✗`, { rank: 2.2, tone, press: "next-error" });
	const changed = formatCounted(path.files.size, "file");
	addCounted(path.files.size, rest.files.size, changed, { rank: 2.4, press: "changes" });
	return parts;
}

/** What a session has spent on the active path and on its other branches, without its runs. */
export function spendingOf(
	{ path, rest }: Pick<SessionSum, "path" | "rest">,
	family: FamilySpent | undefined,
): { readonly path: Spent; readonly rest: Spent } {
	if (family === undefined)
		return { path: { tokens: tokensOf(path), cost: path.cost }, rest: { tokens: tokensOf(rest), cost: rest.cost } };
	const { cost, onBranches } = family;
	// The usage that results report for runs is in none of these.
	const onPath = {
		tokens: Math.max(0, cost.own.tokens - onBranches.tokens),
		cost: Math.max(0, cost.own.cost - onBranches.cost),
	};
	return { path: onPath, rest: onBranches };
}

/** `cost`: of the active path; `more`: of the other branches. */
function costParts(cost: number, more: number, family: FamilySpent | undefined): readonly LinePart[] {
	const { count, total, own } = family?.cost ?? NO_RUNS;
	const isPaid = cost + more > 0;
	const path: LinePart[] = isPaid ? [{ text: formatCost(cost), rank: 1 }] : [];
	if (count === 0) return path;
	const runs = formatCounted(count, "run");
	const withRuns = (parts: readonly LinePart[]): LinePart[] => [
		...parts,
		parts.length === 0 ? { text: runs, rank: 1.5 } : { text: `with ${runs}`, rank: 1.5, after: " " },
	];
	if (formatCost(total.cost) === formatCost(own.cost)) return withRuns(path);
	const without = isPaid ? [{ text: `${formatCost(cost)} without`, rank: 2.3 }] : [];
	return [...withRuns([{ text: formatCost(total.cost), rank: 1 }]), ...without];
}
