import type { ContextUse, LastRequest } from "./context-use.ts";
import { type CompactionSettings, type ModelFacts, ratesFor } from "./pi-facts.ts";
import { type ModelName, modelKey, type Rates } from "./usage.ts";

/** What going on from an entry means: how full the context is, and what the next turn costs at least. */
export interface Gauge {
	/** Tokens of the context in use. */
	readonly tokens: number;
	/** Tokens of the model's context; undefined if pi's files do not say. */
	readonly window: number | undefined;
	/** Tokens that are free until pi compacts; 0: it does so at the next turn. Undefined where it is off, or not known. */
	readonly untilCompaction: number | undefined;
	readonly cache: CacheState;
	/** Dollars that the next turn costs at least: what is sent, without any answer. Undefined where no price is known. */
	readonly cost: number | undefined;
}

/** Whether the provider probably still has the context in its cache. */
export type CacheState =
	| { readonly kind: "warm"; readonly untilMs: number }
	| { readonly kind: "cold" }
	/** Nothing shows that this provider caches at all. */
	| { readonly kind: "unknown" };

/** What a gauge is made from, besides the context and the time. */
export interface GaugeFacts {
	/** The model that pi goes on with. */
	readonly model: ModelName | undefined;
	/** What pi's files say of it. */
	readonly facts: ModelFacts | undefined;
	/** What earlier answers of this model have cost, for where those say nothing. */
	readonly paid: Rates;
	readonly compaction: CompactionSettings;
}

/** The shortest times that are usual: five minutes, and an hour where that was paid for. */
const SHORT_MS = 5 * 60_000;
const LONG_MS = 60 * 60_000;

const MILLION = 1_000_000;

/** `now`: Unix ms. */
export function gaugeOf(use: ContextUse, given: GaugeFacts, now: number): Gauge {
	const window = given.facts?.contextWindow;
	const { enabled, reserveTokens } = given.compaction;
	const untilCompaction =
		window === undefined || !enabled ? undefined : Math.max(0, window - reserveTokens - use.tokens);
	const cache = cacheState(use.last, given, now);
	return {
		tokens: use.tokens,
		window,
		untilCompaction,
		cache,
		cost: nextCost(use, cache, given, untilCompaction === 0),
	};
}

function cacheState(last: LastRequest | undefined, { model, facts }: GaugeFacts, now: number): CacheState {
	if (last === undefined) return { kind: "unknown" };
	const { usage, atMs } = last;
	if (usage.cacheRead + usage.cacheWrite === 0) return { kind: "unknown" };
	const isSame = model !== undefined && last.model !== undefined && modelKey(model) === modelKey(last.model);
	if (!isSame || atMs === undefined) return { kind: "cold" };
	const { long, short } = facts?.cacheMs ?? {};
	const untilMs = atMs + (usage.cacheWrite1h > 0 ? (long ?? LONG_MS) : (short ?? SHORT_MS));
	return untilMs > now ? { kind: "warm", untilMs } : { kind: "cold" };
}

/**
 * What must be paid to send the context: from the cache what the last request had sent, the rest as new. A compaction reads
 * all of it, and does not write it to the cache (pi 1.5.2, docs/compaction.md).
 */
function nextCost(
	{ tokens, last }: ContextUse,
	cache: CacheState,
	{ facts, paid }: GaugeFacts,
	compacts: boolean,
): number | undefined {
	const rates = { ...paid, ...(facts === undefined ? {} : ratesFor(facts, tokens)) };
	const fresh = compacts ? rates.input : freshRate(rates, last);
	if (fresh === undefined) return undefined;
	const sent = last === undefined ? 0 : last.usage.total - last.usage.output;
	const cached = cache.kind === "warm" && !compacts ? Math.min(tokens, sent) : 0;
	if (cached > 0 && rates.cacheRead === undefined) return undefined;
	const cost = (cached * (rates.cacheRead ?? 0) + (tokens - cached) * fresh) / MILLION;
	// Prices of 0 stand for none, as in a list of one's own.
	return cost === 0 && tokens > 0 ? undefined : cost;
}

/** Where a provider takes money for what it writes to its cache, all that is new is written there; for an hour at twice. */
function freshRate({ input, cacheWrite }: Rates, last: LastRequest | undefined): number | undefined {
	if (last !== undefined && last.usage.cacheWrite === 0 && last.usage.cacheRead === 0) return input;
	if (last !== undefined && last.usage.cacheWrite1h > 0 && input !== undefined) return input * 2;
	return cacheWrite === undefined || cacheWrite === 0 ? input : cacheWrite;
}
