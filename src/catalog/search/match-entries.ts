import type { TimeSlice } from "../../shared/time-slice.ts";
import { holdsAll } from "../query/match.ts";
import type { Query } from "../query/parse-query.ts";
import { type EntryTexts, SearchText } from "../query/search-text.ts";

/** For each entry, given by its texts, whether it holds all terms of the query; undefined as soon as `isStale`. */
export async function matchEntries(
	entries: readonly EntryTexts[],
	query: Query,
	timeSlice: TimeSlice,
	isStale: () => boolean,
): Promise<boolean[] | undefined> {
	const held: boolean[] = [];
	for (const texts of entries) {
		held.push(
			holdsAll(
				texts.map(([kind, text, tool]) => new SearchText(kind, text, tool)),
				query,
			),
		);
		if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
		if (isStale()) return undefined;
	}
	return held;
}
