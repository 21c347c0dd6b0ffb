import type { Query } from "../../catalog/query/parse-query.ts";
import type { EntryTexts } from "../../catalog/query/search-text.ts";
import { TimeSlice } from "../../shared/time-slice.ts";
import { type Drawing, drawTree, type TreeInput } from "../tree/draw-tree.ts";
import { keepAnswer, longEntries } from "../tree/long-entries.ts";

/** Draws the tree of one large session at a time, a few milliseconds between two turns of the event loop. */
export interface TreeDrawer {
	/** Resolves to the drawing, or to undefined when a later call came in between. */
	draw(input: TreeInput, before: Drawing | undefined): Promise<Drawing | undefined>;
	close(): void;
}

/** Compares entries with a query in another thread; undefined when it could not, as in `Catalog.matches`. */
type Matches = (query: Query, entries: readonly EntryTexts[]) => Promise<readonly boolean[] | undefined>;

export function createTreeDrawer(matches: Matches): TreeDrawer {
	let current: AbortController | undefined;
	return {
		async draw(input, before) {
			current?.abort();
			const mine = new AbortController();
			current = mine;
			const timeSlice = new TimeSlice(mine.signal);
			try {
				await compareLong(input, timeSlice, mine.signal, matches);
				return await timeSlice.run(drawTree(input, before));
			} catch (error) {
				if (mine.signal.aborted) return undefined;
				throw error;
			}
		},
		close() {
			current?.abort();
		},
	};
}

/** How often the other thread may be lost, to a search in the list, before its answer counts as "no". */
const MAX_TRIES = 3;

/** Finds out which of the entries that are too long for this thread hold the tree's query. */
async function compareLong(
	input: TreeInput,
	timeSlice: TimeSlice,
	signal: AbortSignal,
	matches: Matches,
): Promise<void> {
	const long = await timeSlice.run(longEntries(input.session, input.query, input.home));
	if (long.length === 0) return;
	const texts = long.map((entry) => entry.texts);
	let held: readonly boolean[] | undefined;
	for (let tries = 0; held === undefined && tries < MAX_TRIES; tries++) {
		held = await matches(input.query, texts);
		signal.throwIfAborted();
	}
	for (const [index, { entry }] of long.entries()) keepAnswer(entry, input.query, held?.[index] ?? false);
}
