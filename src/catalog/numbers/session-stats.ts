import { isObject, type RawEntry } from "../../store/parse.ts";
import type { EntryList } from "../texts/entry-list.ts";

/** Tokens and dollars of some answers. */
export interface Spending {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	/** In dollars. */
	readonly cost: number;
}

/** What one session holds and cost. What a fork has copied from its parent is counted for the parent only. */
export interface SessionStats {
	/** Bytes of the file by type of line; messages by role. */
	readonly bytes: Record<string, number>;
	/** By model, then by month ("2026-01"). */
	readonly spending: Record<string, Record<string, Spending>>;
	/** What was spent on entries that are not on the way to the leaf. */
	abandoned: { readonly tokens: number; readonly cost: number };
}

export function emptyStats(): SessionStats {
	return { bytes: {}, spending: {}, abandoned: { tokens: 0, cost: 0 } };
}

/** Counts a line's bytes (with its `\n`) by what it is. */
export function countBytes(stats: SessionStats, entry: RawEntry | undefined, length: number): void {
	const type = typeof entry?.type === "string" ? entry.type : "unusable";
	const message = type === "message" && isObject(entry?.message) ? entry.message : undefined;
	const name = typeof message?.role === "string" ? message.role : type;
	stats.bytes[name] = (stats.bytes[name] ?? 0) + length;
}

/**
 * Counts what the entry cost. pi writes `usage` into assistant messages, and (0.81 and newer) into compactions, branch
 * summaries, tool results and `usage` entries.
 */
export function countSpending(
	stats: SessionStats,
	entry: RawEntry,
): { readonly cost: number; readonly tokens: number } {
	const message = isObject(entry.message) ? entry.message : entry;
	const usage = message.usage;
	if (!isObject(usage)) return { cost: 0, tokens: 0 };
	const model = typeof message.model === "string" ? message.model : `(${String(entry.type)})`;
	const month = typeof entry.timestamp === "string" ? entry.timestamp.slice(0, 7) : "";
	const cost = numberOf(isObject(usage.cost) ? usage.cost.total : usage.cost);
	const spent: Spending = {
		input: numberOf(usage.input),
		output: numberOf(usage.output),
		cacheRead: numberOf(usage.cacheRead),
		cacheWrite: numberOf(usage.cacheWrite),
		cost,
	};
	const months = stats.spending[model] ?? {};
	stats.spending[model] = { ...months, [month]: addSpending(months[month], spent) };
	return { cost, tokens: spent.input + spent.output + spent.cacheRead + spent.cacheWrite };
}

export function addSpending(a: Spending | undefined, b: Spending): Spending {
	if (!a) return b;
	return {
		input: a.input + b.input,
		output: a.output + b.output,
		cacheRead: a.cacheRead + b.cacheRead,
		cacheWrite: a.cacheWrite + b.cacheWrite,
		cost: a.cost + b.cost,
	};
}

/** Sums up what lies beside the active path. */
export function countAbandoned(stats: SessionStats, entries: EntryList): void {
	const active = entries.activePath();
	let tokens = 0;
	let cost = 0;
	for (let index = 0; index < active.length; index++) {
		if (active[index] === 1) continue;
		tokens += entries.tokens.at(index);
		cost += entries.costs.at(index);
	}
	stats.abandoned = { tokens, cost };
}

function numberOf(value: unknown): number {
	return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
