import { gatherBranches } from "../../../../conversation/branches/gather-branches.ts";
import { placeOf } from "../../../../conversation/entries/place.ts";
import type { Runners } from "../../../world/effects/runners.ts";
import type { BranchesEffect } from "../feature.ts";

/** Gathers the branches of a large session; a later request cancels the running one. */
export const BRANCHES_EFFECTS: Runners<BranchesEffect["type"]> = {
	async "gather-branches"({ session, home }, { latest }) {
		const branches = await latest((slice) => slice.run(gatherBranches(session, placeOf(session, home))));
		return branches && { type: "branches-gathered", session, branches };
	},
};
