import { FATES } from "../../world/list/gone-directories.ts";
import { LIST_SEARCH } from "../../world/list/list-search.ts";
import type { Feature } from "../../world/page/page.ts";
import { ALTERNATIVES } from "./alternative-rows.ts";
import { BRANCHES_OF_DIRECTORIES, REPOSITORY } from "./git-facts.ts";
import { forgetCleared } from "./marking-keys.ts";
import { PARTS } from "./other-queries.ts";
import { applySavedFile, reconcileSaved } from "./saved-queries.ts";
import { reconcileList } from "./session-rows.ts";

export const LIST: Feature = {
	on: {
		saved: (state, { read }) => applySavedFile(state, read),
		changed: forgetCleared,
	},
	steps: {
		search: [reconcileSaved, LIST_SEARCH],
		list: [reconcileList, PARTS, ALTERNATIVES.place],
		facts: [REPOSITORY, BRANCHES_OF_DIRECTORIES, FATES],
	},
};
