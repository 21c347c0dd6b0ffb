import { fieldsOf } from "../../store/format/fields.ts";
import { dollarsIn, isUnpriced, tokensFrom } from "../../store/format/usage.ts";
import { formatCost, formatTokens } from "../../ui/text/format.ts";

/** What an entry says that it has written and cost: "75 tokens" and "$0.02 billed", or "unknown price"; nothing where neither is known. */
export function usageWords(usage: unknown): string[] {
	const tokens = tokensFrom(fieldsOf(usage).output);
	return [tokens === 0 ? "" : formatTokens(tokens), priceWords(usage)].filter((words) => words !== "");
}

/** "$0.02", "$0.02 billed", "unknown price"; "" where nothing is said of it. */
export function priceWords(usage: unknown): string {
	if (isUnpriced(usage)) return "unknown price";
	const dollars = dollarsIn(usage) ?? 0;
	const isBilled = fieldsOf(fieldsOf(usage).cost).totalFromProvider === true;
	return dollars === 0 ? "" : `${formatCost(dollars)}${isBilled ? " billed" : ""}`;
}
