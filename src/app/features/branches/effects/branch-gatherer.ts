import type { Branches } from "../../../../conversation/branches/branch.ts";
import { gatherBranches } from "../../../../conversation/branches/gather-branches.ts";
import { placeOf } from "../../../../conversation/entries/place.ts";
import type { Session } from "../../../../store/read/read-session.ts";
import { LatestWork } from "../../../world/effects/latest-work.ts";

/** Gathers the branches of one large session at a time, a few milliseconds between two turns of the event loop. */
export interface BranchGatherer {
	/** Resolves to the branches, or to undefined when a later call came in between. */
	gather(session: Session, home: string): Promise<Branches | undefined>;
	close(): void;
}

export function createBranchGatherer(): BranchGatherer {
	const latest = new LatestWork();
	return {
		gather: (session, home) => latest.run((slice) => slice.run(gatherBranches(session, placeOf(session, home)))),
		close: () => latest.close(),
	};
}
