import type { Branches } from "../../../conversation/branches/branch.ts";
import { gatherBranches } from "../../../conversation/branches/gather-branches.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { Runners } from "../../world/effects/runners.ts";
import type { Feature } from "../../world/page/page.ts";
import { applyBranches } from "./branches-keys.ts";

export const BRANCHES: Feature<BranchesAction> = {
	on: {
		"branches-gathered": (state, { session, branches }) => applyBranches(state, session, branches),
	},
};

type BranchesAction =
	/** The branches of a large session, as it was when they were requested. */
	{ readonly type: "branches-gathered"; readonly session: Session; readonly branches: Branches };

type BranchesEffect =
	/** Gather the branches of a large session, cancelling the running gathering. */
	{ readonly type: "gather-branches"; readonly session: Session; readonly home: string };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly branches: BranchesAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly branches: BranchesEffect;
	}
}

/** Gathers the branches of a large session; a later request cancels the running one. */
export const BRANCHES_EFFECTS: Runners<BranchesEffect["type"]> = {
	async "gather-branches"({ session, home }, { latest }) {
		const branches = await latest((slice) => slice.run(gatherBranches(session, placeOf(session, home))));
		return branches && { type: "branches-gathered", session, branches };
	},
};
