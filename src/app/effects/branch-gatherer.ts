import { TimeSlice } from "../../shared/time-slice.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Branches } from "../branches/branch.ts";
import { gatherBranches } from "../branches/gather-branches.ts";
import { placeOf } from "../conversation/place.ts";

/** Gathers the branches of one large session at a time, a few milliseconds between two turns of the event loop. */
export interface BranchGatherer {
	/** Resolves to the branches, or to undefined when a later call came in between. */
	gather(session: Session, home: string): Promise<Branches | undefined>;
	close(): void;
}

export function createBranchGatherer(): BranchGatherer {
	let current: AbortController | undefined;
	return {
		async gather(session, home) {
			current?.abort();
			const mine = new AbortController();
			current = mine;
			try {
				return await new TimeSlice(mine.signal).run(gatherBranches(session, placeOf(session, home)));
			} catch (error) {
				if (mine.signal.aborted) return undefined;
				throw error;
			}
		},
		close() {
			current?.abort();
		},
	};
}
