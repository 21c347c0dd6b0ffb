import { type Change, isMade } from "../kinds/change.ts";
import { ALL, type Subject } from "../kinds/kind.ts";
import { kindOfPlan, madeOf, type Plan, type Undo } from "../kinds/kinds.ts";

/**
 * The changes still in effect that depend on `changes`, newest first: undoing `changes` alone would break them. `later`:
 * all changes, newest first, from the oldest of `changes` on.
 */
export function dependentsOf(changes: readonly Change[], later: readonly Change[]): Change[] {
	const ids = new Set(changes.map(({ id }) => id));
	const subjects: Subject[] = [];
	const dependents: Change[] = [];
	// Oldest first, since a dependent change may have dependents itself.
	for (const change of later.toReversed()) {
		if (ids.has(change.id)) subjects.push(...subjectsOf(change));
		// Undoing a restore makes the deletion effective again.
		else if (
			(isMade(change) || change.fate === "restored") &&
			subjectsOf(change).some((mine) => subjects.some((other) => isSame(mine, other)))
		) {
			subjects.push(...subjectsOf(change));
			dependents.push(change);
		}
	}
	return dependents.reverse();
}

/** Ids of those of `changes`, which are newest first, that a later one of them depends on. */
export function dependedOn(changes: readonly Change[]): ReadonlySet<string> {
	const later = new Map<string, string[]>();
	const heldIds = new Set<string>();
	for (const change of changes) {
		const subjects = subjectsOf(change);
		const isHeld = ({ path, part }: Subject): boolean =>
			(later.get(path) ?? []).some((other) => isSame({ path, part }, { path, part: other }));
		if (subjects.some(isHeld)) heldIds.add(change.id);
		for (const { path, part } of subjects) later.set(path, [...(later.get(path) ?? []), part]);
	}
	return heldIds;
}

function isSame(a: Subject, b: Subject): boolean {
	return a.path === b.path && (a.part === b.part || a.part === ALL || b.part === ALL);
}

/** Paths of the session files that were changed or made, before and after the change; none if they are not known. */
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
