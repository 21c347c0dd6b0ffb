import { type Branches, readBranches } from "../../../catalog/branches/read-branches.ts";
import type { KnownEdit } from "../../../edits/blame.ts";
import { runToEnd } from "../../../shared/steps.ts";

/** Those of some edits that are on the way to their session's leaf; `resultAt`: where their lines begin. */
export function activeEdits(
	edits: Iterable<KnownEdit>,
	resultAt: ReadonlyMap<KnownEdit, number | undefined>,
): ReadonlySet<KnownEdit> {
	const bySession = new Map<string, Branches>();
	const isActive = (edit: KnownEdit): boolean => {
		const at = resultAt.get(edit);
		// Older versions have no branches.
		if (at === undefined) return true;
		const branches = bySession.get(edit.session) ?? runToEnd(readBranches(edit.session, []));
		bySession.set(edit.session, branches);
		return !branches.abandoned.some(([from, to]) => from <= at && at < to);
	};
	return new Set([...edits].filter(isActive));
}
