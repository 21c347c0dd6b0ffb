import type { Box } from "../../../ui/view.ts";
import { pageOf } from "../../world/page/open-page.ts";
import type { Page, PagePreview } from "../../world/page/page.ts";
import { layoutWithPreview } from "../../world/page/page-layout.ts";
import type { PageKind } from "../../world/state/page-kind.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { transition } from "../../world/state/transition.ts";
import { PAGES } from "./features.ts";

export const PAGE_KINDS: readonly PageKind[] = PAGES.map(({ kind }) => kind);
/** The pages that open from one another, each in the other's place. */
export const VIEWS = PAGES.filter(({ command }) => command !== undefined);
/** Pages without a text field, where letters are keys. */
export const LETTER_PAGES: readonly PageKind[] = kindsOf(({ field }) => field === undefined);
/** Pages with a text field. */
export const TYPING_PAGES: readonly PageKind[] = kindsOf(({ field }) => field !== undefined);

/** Pages whose rows can be marked. */
export const MARKED_PAGES: readonly PageKind[] = kindsOf(({ marking }) => marking !== undefined);

function kindsOf(has: (page: Page) => boolean): readonly PageKind[] {
	return PAGES.flatMap((page) => (has(page) ? [page.kind] : []));
}

/** The page that is open. */
export function openedPage(state: State): Page | undefined {
	const kind = pageOf(state);
	return kind && PAGES.find((page) => page.kind === kind);
}

/** The tree beside the open page, with its box if there is room; undefined if no page is open, or it has no tree. */
export function pagePreview(state: State): (PagePreview & { readonly box: Box | undefined }) | undefined {
	const preview = openedPage(state)?.preview?.(state);
	return preview && { ...preview, box: layoutWithPreview(state.size).second };
}

/** Keeps the cursors of all pages within their rows, and requests what they show. */
export function reconcilePages(state: State): Transition {
	return PAGES.reduce(([before, effects]: Transition, { reconcile }): Transition => {
		const [next, more] = reconcile(before);
		return more.length === 0 ? [next, effects] : [next, [...effects, ...more]];
	}, transition(state));
}
