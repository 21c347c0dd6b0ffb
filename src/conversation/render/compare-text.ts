import { type ChangeObject, diffArrays, diffWordsWithSpace } from "diff";
import type { Change } from "./renderers.ts";

/** Lines, or words, that may differ before two texts count as different altogether: the time grows with the square. */
const MOST_LINES = 400;
const MOST_WORDS = 100;

/** How one list of lines becomes another. */
export function compareLines(before: readonly string[], after: readonly string[]): readonly Change[] | undefined {
	return diffArrays([...before], [...after], { maxEditLength: MOST_LINES })?.map(({ count, ...part }) => ({
		kind: kindOf(part),
		count,
	}));
}

/** How one line becomes another, word by word. */
export function compareWords(before: string, after: string): readonly Change[] | undefined {
	const changes = diffWordsWithSpace(before, after, { maxEditLength: MOST_WORDS });
	return changes?.map(({ value, ...part }) => ({ kind: kindOf(part), count: value.length }));
}

function kindOf({ added, removed }: Pick<ChangeObject<unknown>, "added" | "removed">): Change["kind"] {
	if (added) return "added";
	return removed ? "removed" : "same";
}
