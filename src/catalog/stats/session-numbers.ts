import { isObject } from "../../shared/is-object.ts";
import { messageFailed } from "../../store/format/has-failed.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { addSpent, type ByteSpan, type Spent } from "../branches/branch-tracker.ts";
import type { RunReport } from "../families/run-report.ts";
import { NOTHING_IN_IT, type SessionCounts } from "../model/counts.ts";
import { type Spending, spendingIn, tokensOf, type Usage } from "./usage.ts";

/** What one session contains and cost. The cost of an entry that several sessions share counts for only one. */
export interface SessionNumbers {
	/** Bytes of the file by type of line; messages by role. A map, because these names come from files. */
	readonly bytes: Map<string, number>;
	/** By model, then by day in the local time zone ("2026-01-31"; "" if unknown). */
	readonly spending: Map<string, Map<string, Spending>>;
	/** Entries off the path from the root to the leaf, and the spending on them. */
	abandoned: AbandonedNumbers;
	/** Counts of all its lines, including those that it shares. */
	counts: SessionCounts;
	/** Ids of labeled entries. */
	readonly labeled: Set<string>;
	/** What its entries say about runs of subagents, in their order, without those that it has copied. */
	readonly reports: RunReport[];
}

/** The entries off the path from the root to the leaf. */
interface AbandonedNumbers extends Spent {
	/** The spending on them, by model, then by day. */
	readonly spending: ReadonlyMap<string, ReadonlyMap<string, Spent>>;
	/** The lines of its entries, adjacent ones merged. */
	readonly spans: readonly ByteSpan[];
}

export function emptyNumbers(): SessionNumbers {
	return {
		bytes: new Map(),
		spending: new Map(),
		abandoned: { tokens: 0, cost: 0, spending: new Map(), spans: [] },
		counts: NOTHING_IN_IT,
		labeled: new Set(),
		reports: [],
	};
}

/** Counts a line's bytes (with its `\n`) by type. */
export function countBytes({ bytes }: SessionNumbers, entry: RawEntry | undefined, length: number): void {
	const type = typeof entry?.type === "string" ? entry.type : "unusable";
	const message = type === "message" && isObject(entry?.message) ? entry.message : undefined;
	const name = typeof message?.role === "string" ? message.role : type;
	bytes.set(name, (bytes.get(name) ?? 0) + length);
}

/** Counts an entry for the list. `isTold`: what it says of tokens and dollars is about runs of subagents; `isCopied`: by a fork. */
export function countEntry(
	numbers: SessionNumbers,
	entry: RawEntry,
	{ isTold, isCopied }: { readonly isTold: boolean; readonly isCopied: boolean },
): void {
	if (entry.type === "label") countLabel(numbers, entry);
	const { counts } = numbers;
	const message = entry.type === "message" && isObject(entry.message) ? entry.message : undefined;
	const spent = isTold ? undefined : spendingIn(entry);
	if (!message && !spent) return;
	const used = spent && { tokens: tokensOf(spent), cost: spent.cost };
	numbers.counts = {
		...counts,
		turns: counts.turns + (message?.role === "user" ? 1 : 0),
		errors: counts.errors + (message && messageFailed(message) ? 1 : 0),
		tokens: counts.tokens + (used?.tokens ?? 0),
		cost: counts.cost + (used?.cost ?? 0),
		...(used && isCopied && { copied: addSpent(counts.copied, used) }),
		model: message?.role === "assistant" && typeof message.model === "string" ? message.model : counts.model,
	};
}

/** The last label of an entry counts; one without text removes it. */
function countLabel(numbers: SessionNumbers, { targetId, label }: RawEntry): void {
	if (typeof targetId !== "string") return;
	if (typeof label === "string" && label !== "") numbers.labeled.add(targetId);
	else numbers.labeled.delete(targetId);
	numbers.counts = { ...numbers.counts, labels: numbers.labeled.size };
}

/** Counts what an entry cost. */
export function countSpending({ spending }: SessionNumbers, { model, day, spent }: Usage): void {
	let days = spending.get(model);
	if (!days) {
		days = new Map();
		spending.set(model, days);
	}
	days.set(day, addSpending(days.get(day), spent));
}

function addSpending(a: Spending | undefined, b: Spending): Spending {
	if (!a) return b;
	return {
		input: a.input + b.input,
		output: a.output + b.output,
		cacheRead: a.cacheRead + b.cacheRead,
		cacheWrite: a.cacheWrite + b.cacheWrite,
		cost: a.cost + b.cost,
	};
}
