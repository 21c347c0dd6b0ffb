import type { Box } from "../../../ui/view.ts";
import { BRANCHES } from "../../features/branches/feature.ts";
import { FILES_FEATURE } from "../../features/files/feature.ts";
import { GLANCE } from "../../features/glance/feature.ts";
import { HISTORY_FEATURE } from "../../features/history/feature.ts";
import { LIST } from "../../features/list/feature.ts";
import { MAINTENANCE } from "../../features/maintenance/feature.ts";
import { OWN_COMMANDS_FEATURE } from "../../features/own-commands/feature.ts";
import { PROMPTS } from "../../features/prompts/feature.ts";
import { READER } from "../../features/reader/feature.ts";
import { STATISTICS } from "../../features/statistics/feature.ts";
import { TIMELINE_FEATURE } from "../../features/timeline/timeline-page.ts";
import { TREE } from "../../features/tree/feature.ts";
import type { Feature, Page, PagePreview } from "../../world/page/page.ts";
import type { Action, Actions } from "../../world/state/action.ts";
import { type PageKind, pageOf } from "../../world/state/overlays.ts";
import { chain, type State, type Transition, transition } from "../../world/state/state.ts";

/** The features that handle actions or have a page. If one with actions is missing here, it does not compile. */
const FEATURES: { readonly [Name in keyof Actions]: Feature<Actions[Name]> } = {
	list: LIST,
	tree: TREE,
	reader: READER,
	branches: BRANCHES,
	files: FILES_FEATURE,
	timeline: TIMELINE_FEATURE,
	glance: GLANCE,
	prompts: PROMPTS,
	statistics: STATISTICS,
	maintenance: MAINTENANCE,
	history: HISTORY_FEATURE,
	"own-commands": OWN_COMMANDS_FEATURE,
};

/** All pages, in the order in which the header of a view names them. */
const PAGES: readonly Page[] = Object.values(FEATURES).flatMap(({ page }: { page?: Page }) => page ?? []);

/** The keys of pages, by section of the help. */
export const KEYS_OF_PAGES = Object.values(FEATURES).flatMap(({ keys }: Pick<Feature<never>, "keys">) => keys ?? []);

type Handler = (state: State, action: Action) => State | Transition;

/** Lets each feature handle an action, one after the other. */
export function handleInFeatures(state: State, action: Action): Transition {
	return Object.values(FEATURES).reduce((before, { on }) => {
		// By the type of a feature's table, the handler under an action's type, if any, takes that action.
		const handler = (on as Readonly<Partial<Record<Action["type"], Handler>>>)[action.type];
		if (handler === undefined) return before;
		return chain(before, (now) => {
			const next = handler(now, action);
			return isTransition(next) ? next : transition(next);
		});
	}, transition(state));
}

function isTransition(next: State | Transition): next is Transition {
	return Array.isArray(next);
}

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
	const page = openedPage(state);
	const preview = page?.preview?.(state);
	return preview && { ...preview, box: page?.previewBox(state) };
}

/** Keeps the cursors of all pages within their rows, and requests what they show. */
export function reconcilePages(state: State): Transition {
	return PAGES.reduce((before, { reconcile }) => chain(before, reconcile), transition(state));
}
