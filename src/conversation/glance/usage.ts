import { usageIn } from "../../catalog/stats/usage.ts";
import { type Fields, fieldsOf, textOf } from "../../store/format/fields.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { dollarsIn, tokensFrom } from "../../store/format/usage.ts";

/** Tokens and dollars by kind of token. */
interface TokenAmounts {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
}

/** Dollars for a million tokens of each kind; a kind whose price is not known is missing. */
export type Rates = Partial<TokenAmounts>;

/** What one request cost; what is missing or no number counts as 0. */
export interface RequestCost extends TokenAmounts {
	/** The part of `cacheWrite` that is cached for an hour. */
	readonly cacheWrite1h: number;
	/** All tokens, as pi counts the size of a context. */
	readonly total: number;
	/** Dollars. */
	readonly cost: TokenAmounts & { readonly total: number };
}

/** A model by the names that pi has for it. */
export interface ModelName {
	readonly provider: string;
	readonly modelId: string;
}

/** The model's name as pi writes it in settings: "anthropic/claude-sonnet-4-5". */
export function modelKey({ provider, modelId }: ModelName): string {
	return `${provider}/${modelId}`;
}

/** What an entry of any kind says that it has cost: answers, results, compactions, summaries, `usage` entries. */
export function requestCost(entry: SessionEntry): RequestCost | undefined {
	const usage = usageIn(fieldsOf(entry));
	if (typeof usage !== "object" || usage === null) return undefined;
	const spent = fieldsOf(usage);
	const amounts = amountsOf(spent);
	const sum = amounts.input + amounts.output + amounts.cacheRead + amounts.cacheWrite;
	return {
		...amounts,
		cacheWrite1h: tokensFrom(spent.cacheWrite1h),
		total: tokensFrom(spent.totalTokens) || sum,
		cost: { ...amountsOf(fieldsOf(spent.cost)), total: dollarsIn(spent) ?? 0 },
	};
}

/** The model of an answer, or the one that an entry changes to. */
export function modelIn(entry: SessionEntry): ModelName | undefined {
	const fields = fieldsOf(entry);
	if (entry.type === "model_change") return nameOf(fields.provider, fields.modelId);
	const message = fieldsOf(fields.message);
	return message.role === "assistant" ? nameOf(message.provider, message.model) : undefined;
}

function nameOf(provider: unknown, modelId: unknown): ModelName | undefined {
	const name = { provider: textOf(provider), modelId: textOf(modelId) };
	return name.provider === "" && name.modelId === "" ? undefined : name;
}

function amountsOf({ input, output, cacheRead, cacheWrite }: Fields): TokenAmounts {
	return {
		input: tokensFrom(input),
		output: tokensFrom(output),
		cacheRead: tokensFrom(cacheRead),
		cacheWrite: tokensFrom(cacheWrite),
	};
}

/** This many entries are read: the last answers have the current price. */
const MAX_ENTRIES = 400;
const KINDS = ["input", "output", "cacheRead", "cacheWrite"] as const;
const MILLION = 1_000_000;

/** What the answers of a model have cost, by kind of token; `entries`: the last one first. */
export function paidRates(entries: Iterable<SessionEntry>, model: ModelName): Rates {
	const rates: Partial<Record<keyof TokenAmounts, number>> = {};
	let looked = 0;
	for (const entry of entries) {
		if (looked++ === MAX_ENTRIES || KINDS.every((kind) => rates[kind] !== undefined)) break;
		const name = modelIn(entry);
		const usage = name !== undefined && modelKey(name) === modelKey(model) ? requestCost(entry) : undefined;
		if (usage === undefined) continue;
		for (const kind of KINDS) {
			if (usage[kind] > 0 && usage.cost[kind] > 0) rates[kind] ??= (usage.cost[kind] / usage[kind]) * MILLION;
		}
	}
	return rates;
}
