import type { Box } from "../../../ui/view.ts";
import { HISTORY_PAGE } from "../../features/history/history-page.ts";
import { MAINTENANCE_PAGE } from "../../features/maintenance/maintenance-page.ts";
import { USES_PAGE } from "../../features/prompts/uses-page.ts";
import { STATS_PAGE } from "../../features/statistics/stats-page.ts";
import { pageOf } from "../../world/page/open-page.ts";
import type { Page, PagePreview } from "../../world/page/page.ts";
import { layoutWithPreview } from "../../world/page/page-layout.ts";
import type { PageKind } from "../../world/page-kind.ts";
import type { State } from "../../world/state.ts";
import { type Transition, transition } from "../../world/transition.ts";

/** All pages, in the order in which they are reconciled. */
const PAGES: Readonly<Record<PageKind, Page>> = {
	history: HISTORY_PAGE,
	stats: STATS_PAGE,
	uses: USES_PAGE,
	maintenance: MAINTENANCE_PAGE,
};

/** Those whose rows can be marked, and those beside which the tree of a session is drawn. */
export const MARKED_PAGES = Object.values(PAGES).flatMap(({ kind, marking }) => (marking === undefined ? [] : [kind]));
export const PAGES_WITH_TREE = Object.values(PAGES).flatMap(({ kind, preview }) =>
	preview === undefined ? [] : [kind],
);

/** The page that is shown in the place of the panes. */
export function openedPage(state: State): Page | undefined {
	const kind = pageOf(state);
	return kind && PAGES[kind];
}

/** The tree beside the open page, and its box, if there is room; undefined where no page is open, or where it has none. */
export function pagePreview(state: State): (PagePreview & { readonly box: Box | undefined }) | undefined {
	const preview = openedPage(state)?.preview?.(state);
	return preview && { ...preview, box: layoutWithPreview(state.size).second };
}

/** Keeps the cursors of all pages in their rows, and has read what they show. */
export function reconcilePages(state: State): Transition {
	return Object.values(PAGES).reduce(([before, effects]: Transition, { reconcile }): Transition => {
		const [next, more] = reconcile(before);
		return more.length === 0 ? [next, effects] : [next, [...effects, ...more]];
	}, transition(state));
}
