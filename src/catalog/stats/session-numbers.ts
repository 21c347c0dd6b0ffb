import { isObject } from "../../shared/json.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { isUnpriced } from "../../store/format/usage.ts";
import { type Amounts, addSpent, type ByteSpan, NOTHING_SPENT, type Spent } from "../branches/branch-tracker.ts";
import { NOTHING_IN_IT, type SessionCounts } from "../model/counts.ts";
import { type EntryUsage, roundCost, type Spending, spendingIn, tokensOf, usageIn } from "./usage.ts";

/** What one session contains and cost. The cost of an entry that several sessions share counts for only one. */
export interface SessionNumbers {
	/** By model and day; plain data, as it is stored. */
	readonly spending: SpendingLine[];
	/** Entries off the path from the root to the leaf, and the spending on them. */
	abandoned: AbandonedNumbers;
	/** Counts of all its lines, including those that it shares. */
	counts: SessionCounts;
	/** Ids of labeled entries. */
	readonly labeled: Set<string>;
	/** Working time of the model and its tools by day ("2026-01-31"), in milliseconds, without what counts for another session. */
	readonly worked: Map<string, number>;
}

/** What a session has spent with one model on one day. */
interface SpendingLine extends Spending {
	readonly model: string;
	/** In the local time zone, "2026-01-31"; "" if unknown. */
	readonly day: string;
	/** The part of it that was spent off the path from the root to the leaf; undefined for nothing. */
	readonly abandoned?: Spent | undefined;
}

/** The entries off the path from the root to the leaf. */
interface AbandonedNumbers extends Spent {
	/** The lines of its entries, adjacent ones merged. */
	readonly spans: readonly ByteSpan[];
}

export function emptyNumbers(): SessionNumbers {
	return {
		spending: [],
		abandoned: { tokens: 0, cost: 0, spans: [] },
		counts: NOTHING_IN_IT,
		labeled: new Set(),
		worked: new Map(),
	};
}

/**
 * Counts an entry for the list, as if it were on the path to the leaf, and returns what was counted. `failed`: it is a step or an answer
 * that failed; `isReported`: its usage is that of runs of subagents; `isCopied`: a fork has copied it.
 */
export function countEntry(
	numbers: SessionNumbers,
	entry: RawEntry,
	{
		failed,
		isReported,
		isCopied,
	}: { readonly failed: boolean; readonly isReported: boolean; readonly isCopied: boolean },
): Partial<Amounts> {
	if (entry.type === "label") countLabel(numbers, entry);
	const { counts } = numbers;
	const message = entry.type === "message" && isObject(entry.message) ? entry.message : undefined;
	const spent = isReported ? undefined : spendingIn(entry);
	if (!message && !spent) return {};
	const turns = message?.role === "user" ? 1 : 0;
	const errors = failed ? 1 : 0;
	const used = spent && { tokens: tokensOf(spent), cost: spent.cost };
	numbers.counts = {
		...counts,
		turns: counts.turns + turns,
		errors: counts.errors + errors,
		tokens: counts.tokens + (used?.tokens ?? 0),
		cost: counts.cost + (used?.cost ?? 0),
		...(spent && isUnpriced(usageIn(entry)) && { unpriced: (counts.unpriced ?? 0) + 1 }),
		...(used && isCopied && { copied: addSpent(counts.copied, used) }),
		model: message?.role === "assistant" && typeof message.model === "string" ? message.model : counts.model,
	};
	return { turns, errors, ...used };
}

/** The counts, given what is not on the path to the leaf. */
export function countsOfPath(counts: SessionCounts, { turns, errors, tokens, cost }: Amounts): SessionCounts {
	if (turns + errors + tokens + cost === 0) return counts;
	const onBranches = { turns, errors, tokens, cost: roundCost(cost) };
	return { ...counts, turns: counts.turns - turns, errors: counts.errors - errors, onBranches };
}

/** The part of the counts that counts for another session, and the working time. */
export function sharedCounts({
	counts,
	spending,
	worked,
}: SessionNumbers): Pick<SessionCounts, "elsewhere" | "workedMs"> {
	const ownSpent = spending.reduce(
		(sum: Spent, one) => addSpent(sum, { tokens: tokensOf(one), cost: one.cost }),
		NOTHING_SPENT,
	);
	const elsewhere = { tokens: counts.tokens - ownSpent.tokens, cost: counts.cost - ownSpent.cost };
	const workedMs = worked.values().reduce((sum, ms) => sum + ms, 0);
	return {
		elsewhere: elsewhere.tokens > 0 || elsewhere.cost > LEAST_COST ? elsewhere : undefined,
		workedMs: workedMs > 0 ? workedMs : undefined,
	};
}

/** Less is what rounding has left, in dollars. */
const LEAST_COST = 1e-9;

/** The last label of an entry counts; one without text removes it. */
function countLabel(numbers: SessionNumbers, { targetId, label }: RawEntry): void {
	if (typeof targetId !== "string") return;
	if (typeof label === "string" && label !== "") numbers.labeled.add(targetId);
	else numbers.labeled.delete(targetId);
	numbers.counts = { ...numbers.counts, labels: numbers.labeled.size };
}

function nameOf({ model, day }: Pick<SpendingLine, "model" | "day">): string {
	// A day contains no space.
	return `${day} ${model}`;
}

const NO_SPENDING: Spending = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };

/** Counts what an entry cost; returns the index of its line. `lines`: where the line of each model and day is, which gets a new one. */
export function countSpending(
	{ spending }: SessionNumbers,
	{ model, day, spent }: EntryUsage,
	lines: Map<string, number>,
): number {
	const name = nameOf({ model, day });
	const at = lines.get(name) ?? spending.length;
	lines.set(name, at);
	const line = spending[at] ?? { model, day, ...NO_SPENDING };
	spending[at] = {
		...line,
		input: line.input + spent.input,
		output: line.output + spent.output,
		cacheRead: line.cacheRead + spent.cacheRead,
		cacheWrite: line.cacheWrite + spent.cacheWrite,
		cost: line.cost + spent.cost,
	};
	return at;
}
