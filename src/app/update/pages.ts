import type { SessionRow } from "../../catalog/model/row.ts";
import type { Distance } from "../../ui/page/distance.ts";
import type { Box } from "../../ui/view.ts";
import { reconcileDoctor } from "../doctor/reconcile-doctor.ts";
import { reconcileHistory } from "../history/reconcile-history.ts";
import type { PageKind } from "../model/page.ts";
import type { State } from "../model/state.ts";
import { type Transition, transition } from "../model/transition.ts";
import { reconcileMoved } from "../moved/reconcile-moved.ts";
import { pageOf } from "../page/open-page.ts";
import { layoutWithPreview } from "../page/page-layout.ts";
import { reconcileStats } from "../stats/reconcile-stats.ts";
import { moveInTidy, reconcileTidy } from "../tidy/reconcile-tidy.ts";
import { selectedTidySession } from "../tidy/tidy-rows.ts";
import { reconcileTrash } from "../trash/reconcile-trash.ts";
import { selectedTrashRow } from "../trash/trash-items.ts";
import { reconcileUses } from "../uses/reconcile-uses.ts";
import { moveInDoctor } from "./doctor.ts";
import { moveInHistory } from "./history.ts";
import { moveInMoved } from "./moved.ts";
import { moveInStats, pressInStats } from "./stats.ts";
import { moveInTrash } from "./trash.ts";
import { moveInUses } from "./uses.ts";

/** What a page does; `screen/pages.ts` has how each is drawn. */
interface Page {
	/** Moves its cursor. */
	readonly move: (state: State, distance: Distance) => State;
	/** What a press on a row does, where that is more than to put the cursor there: the same state where nothing is. */
	readonly press?: (state: State, row: number, column: number) => State;
	/** Keeps the cursor in its rows, and has read what the page shows; called for every page, whether open or not. */
	readonly reconcile: (state: State) => Transition;
	/** The session under its cursor, for pages beside which its tree is drawn. */
	readonly previewed?: (state: State) => SessionRow | undefined;
}

const PAGES: Readonly<Record<PageKind, Page>> = {
	history: { move: moveInHistory, reconcile: reconcileHistory },
	doctor: { move: moveInDoctor, reconcile: reconcileDoctor },
	stats: { move: moveInStats, press: pressInStats, reconcile: reconcileStats },
	moved: { move: moveInMoved, reconcile: reconcileMoved },
	trash: { move: moveInTrash, reconcile: reconcileTrash, previewed: ({ trash }) => selectedTrashRow(trash) },
	uses: { move: moveInUses, reconcile: reconcileUses },
	tidy: { move: moveInTidy, reconcile: reconcileTidy, previewed: (state) => selectedTidySession(state)?.row },
};

export function moveInPage(state: State, kind: PageKind, distance: Distance): State {
	return PAGES[kind].move(state, distance);
}

/** The state after a press on a row of the open page, if the page does that itself. */
export function pressInPage(state: State, row: number, column: number): State | undefined {
	const kind = pageOf(state);
	return kind && PAGES[kind].press?.(state, row, column);
}

export function reconcilePages(state: State): Transition {
	return Object.values(PAGES).reduce(([before, effects]: Transition, { reconcile }): Transition => {
		const [next, more] = reconcile(before);
		return more.length === 0 ? [next, effects] : [next, [...effects, ...more]];
	}, transition(state));
}

/** What is drawn beside the rows of a page: the tree of a session, if its row is known, and if there is room. */
export interface PagePreview {
	readonly row: SessionRow | undefined;
	readonly box: Box | undefined;
}

/** The preview of the open page; undefined where none is open, or where it has none. */
export function pagePreview(state: State): PagePreview | undefined {
	const kind = pageOf(state);
	const previewed = kind && PAGES[kind].previewed;
	return previewed && { row: previewed(state), box: layoutWithPreview(state.size).second };
}
