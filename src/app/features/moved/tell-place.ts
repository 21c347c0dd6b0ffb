import { formatCount, shortenHome } from "../../../ui/text/format.ts";
import type { PlaceProposal, PlaceReason } from "./moved-state.ts";

/** How likely a place is. */
export const CERTAINTIES: Readonly<Record<PlaceProposal["certainty"], string>> = {
	1: "perhaps",
	2: "likely",
	3: "sure",
};

/** What speaks for a place, in a few words. */
export function tellReason(reason: PlaceReason, home: string): string {
	switch (reason.kind) {
		case "name":
			return reason.shared === 1 ? "same name" : `same last ${formatCount(reason.shared)} folders`;
		case "remote":
			return `same remote ${reason.remote}`;
		case "worktree":
			return `worktree of ${shortenHome(reason.repository, home)}`;
		case "neighbors":
			return reason.count === 1 ? "moved with a neighbor" : `moved with ${formatCount(reason.count)} neighbors`;
		case "forks":
			return `${formatCount(reason.count)} forked there`;
	}
}
