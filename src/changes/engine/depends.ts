import { type Change, isMade } from "../journal/change.ts";
import { ALL, type Subject } from "../kinds/kind.ts";
import { kindOfPlan, madeOf, type Plan, type Undo } from "../kinds/kinds.ts";

/**
 * The changes that are still as they were made and that depend on these, newest first: an undo of these alone would take
 * something from them. `later`: changes newest first, those before the oldest of `changes` may be left out.
 */
export function dependentsOf(changes: readonly Change[], later: readonly Change[]): Change[] {
	const ids = new Set(changes.map(({ id }) => id));
	const subjects: Subject[] = [];
	const found: Change[] = [];
	// Oldest first: what depends on a change has others that depend on it.
	for (const change of later.toReversed()) {
		if (ids.has(change.id)) subjects.push(...subjectsOf(change));
		else if (isMade(change) && subjectsOf(change).some((mine) => subjects.some((other) => isSame(mine, other)))) {
			subjects.push(...subjectsOf(change));
			found.push(change);
		}
	}
	return found.reverse();
}

/** Ids of those of some changes, newest first, that another one of them depends on. */
export function dependedOn(changes: readonly Change[]): ReadonlySet<string> {
	const later = new Map<string, string[]>();
	const found = new Set<string>();
	for (const change of changes) {
		const subjects = subjectsOf(change);
		const isHeld = ({ path, part }: Subject): boolean =>
			(later.get(path) ?? []).some((other) => isSame({ path, part }, { path, part: other }));
		if (subjects.some(isHeld)) found.add(change.id);
		for (const { path, part } of subjects) later.set(path, [...(later.get(path) ?? []), part]);
	}
	return found;
}

function isSame(a: Subject, b: Subject): boolean {
	return a.path === b.path && (a.part === b.part || a.part === ALL || b.part === ALL);
}

/** The session files that were changed or made, where they were before and are after it; none where that is not known. */
export function sessionsOf(change: Pick<Change, "plan" | "undo">): readonly string[] {
	const paths = subjectsOf(change).map(({ path }) => path);
	return [...new Set(paths)].filter((path) => path !== "");
}

function subjectsOf({
	plan,
	undo,
}: {
	readonly plan: Plan | undefined;
	readonly undo: Undo | undefined;
}): readonly Subject[] {
	if (undo === undefined) return plan === undefined ? [] : kindOfPlan(plan).plannedSubjects(plan);
	return madeOf({ plan, undo, what: "", receipt: undefined }).kind.subjectsOf(undo);
}
