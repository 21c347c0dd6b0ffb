import type { Prompts } from "./branch.ts";
import { promptWords, type WordCounts } from "./prompt-words.ts";

/** Prompts at the start of a branch that its name has, when it cannot have all. */
const FIRST_PROMPTS = 3;

/** What was asked in a branch, in a few words of each prompt: "schema → docs → auth → … → deeper". */
export function branchName({ first, last, count, before }: Prompts, counts: WordCounts): string {
	if (count === 0) return before === undefined ? "(no prompt)" : `${promptWords(before, counts)} again`;
	const names = first.map((prompt) => promptWords(prompt, counts));
	if (last !== undefined && count > first.length) {
		if (count > first.length + 1) names.push("…");
		names.push(promptWords(last, counts));
	}
	return names.join(" → ");
}

/** The prompts with one more at the end. */
export function withPrompt(prompts: Prompts, prompt: string): Prompts {
	const { first, count } = prompts;
	return {
		...prompts,
		first: first.length < FIRST_PROMPTS ? [...first, prompt] : first,
		last: prompt,
		count: count + 1,
	};
}
