import { type ChangeObject, diffArrays, diffWordsWithSpace } from "diff";
import type { Change } from "./renderers.ts";

/** Lines that may differ before two texts count as different altogether: the time grows with its square. */
const MOST_CHANGES = 1000;

/** How one list of lines becomes another. */
export function compareLines(before: readonly string[], after: readonly string[]): readonly Change[] | undefined {
	return diffArrays([...before], [...after], { maxEditLength: MOST_CHANGES })?.map(({ count, ...part }) => ({
		kind: kindOf(part),
		count,
	}));
}

/** How one line becomes another, word by word. */
export function compareWords(before: string, after: string): readonly Change[] {
	return diffWordsWithSpace(before, after).map(({ value, ...part }) => ({ kind: kindOf(part), count: value.length }));
}

function kindOf({ added, removed }: Pick<ChangeObject<unknown>, "added" | "removed">): Change["kind"] {
	if (added) return "added";
	return removed ? "removed" : "same";
}
