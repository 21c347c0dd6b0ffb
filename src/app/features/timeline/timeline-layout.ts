import type { Box } from "../../../ui/view.ts";
import { layoutWithDetail, type PageLayout } from "../../world/page/page.ts";
import type { State } from "../../world/state/state.ts";

/** Rows for the times above the bars. */
export const AXIS_ROWS = 1;

/** The bars below the row of times, and a few lines about the one under the cursor. */
export function layoutOf({ size }: Pick<State, "size">): PageLayout {
	const { list, second } = layoutWithDetail(size);
	return { list: { ...list, y: list.y + AXIS_ROWS, height: Math.max(1, list.height - AXIS_ROWS) }, second };
}

/** Cells of the columns; 0 for one that is not shown. Between two columns there is a blank. */
export interface TimelineColumns {
	/** The sign of the cursor, the name and its indentation. */
	readonly name: number;
	readonly bar: number;
	readonly took: number;
	readonly outcome: number;
	readonly cost: number;
}

/** What the widths depend on besides the width of a row. */
interface Contents {
	/** Cells of the longest outcome in words. */
	readonly outcome: number;
	readonly hasCost: boolean;
}

const NAME_SHARE = 0.3;
const NAME = { least: 14, most: 48 } as const;
/** "23h 59m" */
const TOOK = 7;
/** "$1,204.50" */
const COST = 9;
/** From these widths on, the outcome is in words, and there is a column of costs. */
const WORDS_FROM = 100;
const COST_FROM = 70;
const SIGN = 1;

export function columnsOf({ width }: Pick<Box, "width">, { outcome: words, hasCost }: Contents): TimelineColumns {
	const took = TOOK;
	const outcome = width >= WORDS_FROM ? words : SIGN;
	const cost = hasCost && width >= COST_FROM ? COST : 0;
	const name = Math.min(
		Math.max(NAME.least, Math.min(NAME.most, Math.floor(width * NAME_SHARE))),
		Math.floor(width / 2),
	);
	const others = [name, took, outcome, cost].filter((cells) => cells > 0);
	// A blank behind each column, the last one included.
	const bar = Math.max(1, width - others.reduce((sum, cells) => sum + cells + 1, 0) - 1);
	return { name, bar, took, outcome, cost };
}
