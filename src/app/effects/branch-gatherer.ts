import { placeOf } from "../../conversation/entries/place.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Branches } from "../branches/branch.ts";
import { gatherBranches } from "../branches/gather-branches.ts";
import { LatestWork } from "./latest-work.ts";

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
