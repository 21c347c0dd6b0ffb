import type { Branches } from "../branches/read-branches.ts";
import type { LineMatch } from "./match-line.ts";
import type { Hit } from "./search.ts";

/** A hit with the branch it is on. A label is on the branch of the entry that it labels. */
export function withBranch({ hit, line }: LineMatch, { abandoned, labeled }: Branches): Hit {
	const offset = hit.kind === "label" ? labeled.get(hit.entryId) : line.offset;
	const isAbandoned = offset !== undefined && abandoned.some(([from, to]) => from <= offset && offset < to);
	return { ...hit, active: !isAbandoned };
}

/** Ids of the entries that were found by their labels. */
export function labeledIds(matches: readonly LineMatch[]): string[] {
	return matches.filter(({ hit }) => hit.kind === "label").map(({ hit }) => hit.entryId);
}
