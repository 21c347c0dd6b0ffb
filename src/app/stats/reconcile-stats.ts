import type { CatalogStats } from "../../catalog/stats/aggregate-stats.ts";
import { cursorIndex, type PageCursor, placeCursor } from "../../ui/page/page-cursor.ts";
import type { State } from "../model/state.ts";
import type { StatsState } from "../model/stats-state.ts";
import { say, type Transition, transition } from "../model/transition.ts";
import { pageOf } from "../page/open-page.ts";
import { type StatsRow, selectStats, statsBox, statsCursor } from "./stats-rows.ts";

/** Has the sessions summed up while the page is open, one time after the other, and keeps the cursor on its row. */
export function reconcileStats(state: State): Transition {
	if (pageOf(state) !== "stats") return transition(state);
	const placed = place(state);
	const { counting, stale } = placed.stats;
	if (counting || !stale) return transition(placed);
	const { rows, counted, countable } = state.catalog;
	const gently = placed.stats.sum !== undefined && counted < countable;
	const next = withStats(placed, { counting: true, stale: false });
	return transition(next, { type: "count", rows: [...rows.values()], gently });
}

function place(state: State): State {
	const page = selectStats(state);
	if (page === undefined) return state;
	const { height } = statsBox(state.size);
	const filled = statsCursor(state, page);
	const isMoved = filled === state.stats.cursor;
	const placed = placeCursor(isMoved ? follow(filled, page.rows) : { ...filled, top: 0 }, page.rows, height);
	const { top, index } = withHeading(placed, page.rows, height);
	const { cursor } = state.stats;
	if (top === cursor.top && index === cursor.index) return state;
	return withStats(state, { cursor: { ...cursor, top, index } });
}

/** Where more has been counted, lines have another order: the one under the cursor stays where it is on the screen. */
function follow(cursor: PageCursor, rows: readonly StatsRow[]): PageCursor {
	const moved = cursorIndex(cursor, rows) - cursor.index;
	return moved === 0 ? cursor : { ...cursor, top: Math.max(0, cursor.top + moved) };
}

/** What stands above the first line of a section is seen with it, where there is room. */
function withHeading(cursor: PageCursor, rows: readonly StatsRow[], height: number): PageCursor {
	let first = cursor.index;
	while (rows[first - 1]?.isSkipped === true) first -= 1;
	return first < cursor.top && cursor.index - first < height ? { ...cursor, top: first } : cursor;
}

/** What was counted, or why that failed; the next opening tries again. */
export function applyStats(
	state: State,
	counted: { readonly stats: CatalogStats } | { readonly error: string },
): State {
	if ("error" in counted) return say(withStats(state, { counting: false }), counted.error, "error");
	return withStats(state, { counting: false, sum: counted.stats });
}

export function withStats(state: State, fields: Partial<StatsState>): State {
	return { ...state, stats: { ...state.stats, ...fields } };
}
