import { type ChangeObject, diffArrays, diffWordsWithSpace } from "diff";
import type { TextChange } from "./renderers.ts";

/** If more lines, or words, differ, two texts are not compared: the time is quadratic in their number. */
const MAX_LINES = 400;
const MAX_WORDS = 100;

export function compareLines(
	before: readonly string[],
	after: readonly string[],
	maxEditLength = MAX_LINES,
): readonly TextChange[] | undefined {
	return diffArrays([...before], [...after], { maxEditLength })?.map(({ count, ...part }) => ({
		kind: kindOf(part),
		count,
	}));
}

export function compareWords(before: string, after: string): readonly TextChange[] | undefined {
	const changes = diffWordsWithSpace(before, after, { maxEditLength: MAX_WORDS });
	return changes?.map(({ value, ...part }) => ({ kind: kindOf(part), count: value.length }));
}

function kindOf({ added, removed }: Pick<ChangeObject<unknown>, "added" | "removed">): TextChange["kind"] {
	if (added) return "added";
	return removed ? "removed" : "same";
}
