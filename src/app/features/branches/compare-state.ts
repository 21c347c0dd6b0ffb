import type { ComparedEnd, ComparedTurn, Comparison } from "../../../conversation/branches/compare-ends.ts";
import { memoEach } from "../../../shared/memo.ts";
import { cursorIndex, FIRST_CURSOR, type PageCursor, type PageRow } from "../../../ui/page/page-rows.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { pagesOf } from "../../world/state/overlays.ts";
import { defineSlice, type State } from "../../world/state/state.ts";
import { type ComparisonKey, loadComparison, type NamedEnds } from "./effects/compare-effects.ts";

export type EndIndex = 0 | 1;

interface ComparisonState {
	readonly cursor: PageCursor;
	/** The end whose turn has the cursor. */
	readonly side: EndIndex;
	readonly ends: NamedEnds | undefined;
}

export const COMPARISON = defineSlice<ComparisonState>("comparison", {
	cursor: FIRST_CURSOR,
	side: 0,
	ends: undefined,
});

/** The comparison of the chosen ends, while its page is open, or what it led to. What is appended to the open session is added to it. */
export const COMPARED = defineQuery<ComparisonKey, Comparison>({
	name: "comparison",
	wanted(state, { asked }) {
		const { ends } = COMPARISON.of(state);
		if (ends === undefined) return undefined;
		if (!pagesOf(state).includes("comparison"))
			return state.waysBack.some(({ pages }) => pages.includes("comparison")) ? asked : undefined;
		const { session } = state.detail;
		const open = ends.some(({ path }) => path === session?.path) ? session : undefined;
		return { ends, open, last: selectComparison(state) };
	},
	isSame: (askedKey, wantedKey) => askedKey.ends === wantedKey.ends && askedKey.open === wantedKey.open,
	// An open session that grows all the time would never be compared, if each growth began anew.
	finishes: (askedKey, wantedKey) => askedKey.ends === wantedKey.ends,
	load: loadComparison,
	canFail: true,
	forgets: true,
});

/** Undefined while it is being read. */
export function selectComparison(state: State): Comparison | undefined {
	const { value, key } = COMPARED.of(state);
	return key?.ends === COMPARISON.of(state).ends ? value : undefined;
}

/** The turns with the same number. */
export interface TurnRow extends PageRow {
	readonly turns: readonly [ComparedTurn | undefined, ComparedTurn | undefined];
}

export function selectTurnRows(state: State): readonly TurnRow[] {
	const comparison = selectComparison(state);
	return comparison === undefined ? [] : turnRows(comparison);
}

const turnRows = memoEach(({ ends: [one, other] }: Comparison): readonly TurnRow[] =>
	Array.from({ length: Math.max(one.turns.length, other.turns.length) }, (_, index) => ({
		key: String(index),
		turns: [one.turns[index], other.turns[index]],
	})),
);

/** The turn under the cursor, with the end that it leads to. */
export function selectedTurn(state: State): { readonly end: ComparedEnd; readonly turn: ComparedTurn } | undefined {
	const { cursor, side } = COMPARISON.of(state);
	const rows = selectTurnRows(state);
	const end = selectComparison(state)?.ends[side];
	const turn = rows[cursorIndex(cursor, rows)]?.turns[side];
	return end === undefined || turn === undefined ? undefined : { end, turn };
}
