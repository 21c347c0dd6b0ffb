import type { Box } from "../../../ui/view.ts";
import { BLAME_FEATURE } from "../../features/blame/feature.ts";
import { BRANCHES_FEATURE } from "../../features/branches/branches-keys.ts";
import { COMPARISON_FEATURE, DIFFERENCE_FEATURE } from "../../features/branches/compare-keys.ts";
import { CHANGES_FEATURE } from "../../features/changes/feature.ts";
import { COMMANDS_FEATURE } from "../../features/commands/commands-box.ts";
import { GLANCE } from "../../features/glance/feature.ts";
import { HISTORY_FEATURE } from "../../features/history/feature.ts";
import { LIST } from "../../features/list/feature.ts";
import { MAINTENANCE_FEATURE } from "../../features/maintenance/feature.ts";
import { MEMORY_FEATURE } from "../../features/memory/memory-state.ts";
import { OWN_COMMANDS_FEATURE } from "../../features/own-commands/feature.ts";
import { PROMPTS } from "../../features/prompts/feature.ts";
import { READER } from "../../features/reader/feature.ts";
import { REVIEW_FEATURE } from "../../features/review/feature.ts";
import { STANDUP } from "../../features/standup/feature.ts";
import { STATISTICS } from "../../features/statistics/feature.ts";
import { TIMELINE_FEATURE } from "../../features/timeline/timeline-page.ts";
import { TOUR_FEATURE } from "../../features/tour/tour.ts";
import { TREE_FEATURE } from "../../features/tree/tree-keys.ts";
import type { AnyQuery } from "../../world/effects/define-query.ts";
import type { Feature, Page, PagePreview, ReconcileStep, Stage } from "../../world/page/page.ts";
import type { Action, Actions } from "../../world/state/action.ts";
import type { Context } from "../../world/state/binding.ts";
import { type PageKind, pageOf } from "../../world/state/overlays.ts";
import { asTransition, chain, type State, type Transition, transition } from "../../world/state/state.ts";

/** All features. If one with actions is missing here, it does not compile. */
const FEATURES: { readonly [Name in keyof Actions]: Feature<Actions[Name]> } & Readonly<Record<string, Feature>> = {
	list: LIST,
	tree: TREE_FEATURE,
	reader: READER,
	branches: BRANCHES_FEATURE,
	comparison: COMPARISON_FEATURE,
	difference: DIFFERENCE_FEATURE,
	changes: CHANGES_FEATURE,
	blame: BLAME_FEATURE,
	review: REVIEW_FEATURE,
	timeline: TIMELINE_FEATURE,
	glance: GLANCE,
	prompts: PROMPTS,
	statistics: STATISTICS,
	maintenance: MAINTENANCE_FEATURE,
	history: HISTORY_FEATURE,
	standup: STANDUP,
	"own-commands": OWN_COMMANDS_FEATURE,
	commands: COMMANDS_FEATURE,
	tour: TOUR_FEATURE,
	memory: MEMORY_FEATURE,
};

const ALL: readonly Feature[] = Object.values(FEATURES);

/** All pages, in the order in which the header of a view names them. */
const PAGES: readonly Page[] = ALL.flatMap(({ page }) => page ?? []);

export const KEYS_OF_PAGES = ALL.flatMap(({ keys }) => keys ?? []);

const STEPS = ALL.flatMap(({ steps = {} }) => Object.values(steps).flat());
/** What is asked for whichever page is open. */
const ALWAYS_ASKED = STEPS.filter((step) => typeof step !== "function");
const OF_PAGES = PAGES.flatMap(({ queries }) => queries);

const QUERIES = new Map([...ALWAYS_ASKED, ...OF_PAGES].map((query) => [query.name, query]));

export function queryNamed(name: string): AnyQuery {
	const query = QUERIES.get(name);
	if (query === undefined) throw new Error(`No feature has the query "${name}"`);
	return query;
}

export function stepsIn(stage: Stage): readonly ReconcileStep[] {
	return ALL.flatMap(({ steps }) => steps?.[stage] ?? []).map((step) => (typeof step === "function" ? step : step.ask));
}

type Handler = (state: State, action: Action) => State | Transition;

export function handleInFeatures(state: State, action: Action): Transition {
	return ALL.reduce((before, { on }) => {
		// By the type of a feature's table, the handler under an action's type, if any, takes that action.
		const handler = (on as Readonly<Partial<Record<Action["type"], Handler>>>)[action.type];
		return handler === undefined ? before : chain(before, (now) => asTransition(handler(now, action)));
	}, transition(state));
}

export const PAGE_KINDS: readonly PageKind[] = PAGES.map(({ kind }) => kind);
/** The pages that open from one another, each in the other's place. */
export const VIEWS = PAGES.filter(({ command }) => command !== undefined);
/** Pages where letters are keys, and those where one types from the start. */
export const LETTER_PAGES: readonly PageKind[] = kindsOf(({ field }) => field?.isOpen !== true);
export const TYPING_PAGES: readonly PageKind[] = kindsOf(({ field }) => field?.isOpen === true);
/** The documents: whatever is opened from the list. Letters are keys there, and `/` brings the caret. */
export const DOCUMENTS: readonly Context[] = ["tree", "reader", "branches", "help", "blame", ...LETTER_PAGES];
/** Those of them where `/` narrows the rows, and those where it finds rows; the reader has a search of its own. */
export const NARROWED: readonly Context[] = [
	"tree",
	"branches",
	"help",
	...kindsOf(({ field, find }) => field?.isOpen === false && find === undefined),
];
export const SEARCHED: readonly PageKind[] = kindsOf(({ find }) => find !== undefined);
export const FILTERED: readonly Context[] = [...NARROWED, ...SEARCHED];

export const MARKED_PAGES: readonly PageKind[] = kindsOf(({ marking }) => marking !== undefined);
/** Those of them that are marked with the common keys. */
export const MARKED_BY_SPACE: readonly PageKind[] = kindsOf(
	({ marking }) => marking !== undefined && marking.hasOwnKey !== true,
);

function kindsOf(has: (page: Page) => boolean): readonly PageKind[] {
	return PAGES.flatMap((page) => (has(page) ? [page.kind] : []));
}

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

/** Keeps the cursor of the open page within its rows, requests what it shows, and stops the queries of closed pages. */
export function reconcilePages(state: State): Transition {
	const page = openedPage(state);
	const askedQueries: readonly AnyQuery[] = [...ALWAYS_ASKED, ...(page?.queries ?? [])];
	const otherQueries = OF_PAGES.filter((query) => !askedQueries.includes(query));
	return otherQueries.reduce((result, { stop }) => chain(result, stop), page?.reconcile(state) ?? transition(state));
}
