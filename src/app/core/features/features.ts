import { BRANCHES } from "../../features/branches/feature.ts";
import { FILES } from "../../features/files/feature.ts";
import { GLANCE } from "../../features/glance/feature.ts";
import { HISTORY } from "../../features/history/feature.ts";
import { LIST } from "../../features/list/feature.ts";
import { MAINTENANCE } from "../../features/maintenance/feature.ts";
import { OWN_COMMANDS_FEATURE } from "../../features/own-commands/feature.ts";
import { PROMPTS } from "../../features/prompts/feature.ts";
import { READER } from "../../features/reader/feature.ts";
import { STATISTICS } from "../../features/statistics/feature.ts";
import { TREE } from "../../features/tree/feature.ts";
import type { Feature } from "../../world/page/feature.ts";
import type { Page } from "../../world/page/page.ts";
import type { Action, Actions } from "../../world/state/action.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { transition } from "../../world/state/transition.ts";

/** The features that handle actions or have a page. If one with actions is missing here, it does not compile. */
const FEATURES: { readonly [Name in keyof Actions]: Feature<Actions[Name]> } = {
	list: LIST,
	tree: TREE,
	reader: READER,
	branches: BRANCHES,
	files: FILES,
	glance: GLANCE,
	prompts: PROMPTS,
	statistics: STATISTICS,
	maintenance: MAINTENANCE,
	history: HISTORY,
	"own-commands": OWN_COMMANDS_FEATURE,
};

/** All pages, in the order in which the header of a view names them. */
export const PAGES: readonly Page[] = Object.values(FEATURES).flatMap(({ page }: { page?: Page }) => page ?? []);

/** The keys of pages, by section of the help. */
export const KEYS_OF_PAGES = Object.values(FEATURES).flatMap(({ keys }: Pick<Feature<never>, "keys">) => keys ?? []);

type Handler = (state: State, action: Action) => State | Transition;

/** Lets each feature handle an action, one after the other. */
export function handleInFeatures(state: State, action: Action): Transition {
	return Object.values(FEATURES).reduce<Transition>((before, { on }) => {
		// By the type of a feature's table, the handler under an action's type, if any, takes that action.
		const handler = (on as Readonly<Partial<Record<Action["type"], Handler>>>)[action.type];
		if (handler === undefined) return before;
		const next = handler(before[0], action);
		const [after, effects] = isTransition(next) ? next : transition(next);
		return [after, [...before[1], ...effects]];
	}, transition(state));
}

function isTransition(next: State | Transition): next is Transition {
	return Array.isArray(next);
}
