import type { Feature } from "../../world/page/feature.ts";
import type { BranchesAction } from "./branches-messages.ts";
import { applyBranches } from "./reconcile-branches.ts";

export const BRANCHES: Feature<BranchesAction> = {
	on: {
		"branches-gathered": (state, { session, branches }) => applyBranches(state, session, branches),
	},
};
