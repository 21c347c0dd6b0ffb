import type { SessionRow } from "../../../../catalog/model/row.ts";
import { type Proposal, proposeQueries } from "../../../../catalog/query/propose.ts";
import { LatestWork } from "../../../world/effects/latest-work.ts";

/** Finds out what may have been meant by a query, a few milliseconds between two turns of the event loop. */
export interface Proposer {
	/** Undefined where a later call came in between. */
	propose(query: string, rows: ReadonlyMap<string, SessionRow>): Promise<readonly Proposal[] | undefined>;
	close(): void;
}

export function createProposer(): Proposer {
	const latest = new LatestWork();
	return {
		propose: (query, rows) =>
			latest.run(async (slice) => {
				await slice.yieldToEventLoop();
				return slice.run(proposeQueries(query, [...rows.values()]));
			}),
		close: () => latest.close(),
	};
}
