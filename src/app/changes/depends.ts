import type { Change } from "../journal/change.ts";
import { isMade } from "../journal/change.ts";

/** All of a file: what is done to it changes whatever else was done. */
const ALL = "all";

/** What a change is about: a file, and which part of what it tells. */
interface Subject {
	readonly path: string;
	readonly part: string;
}

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

function subjectsOf({ plan, undo }: Change): Subject[] {
	switch (undo?.type) {
		case "rename":
			return [{ path: undo.path, part: "name" }];
		case "label":
			return [{ path: undo.path, part: `label ${undo.entryId}` }];
		case "leaf":
			return [{ path: undo.path, part: "leaf" }];
		case "mark":
			// What others have changed since stays as they have left it.
			return [{ path: undo.path, part: `mark ${undo.token}` }];
		case "query":
			return [{ path: "", part: `query ${undo.token}` }];
		case "created":
			return [{ path: undo.path, part: ALL }];
		case "moved":
			return [undo.path, undo.to].map((path) => ({ path, part: ALL }));
		case "restore":
			return [{ path: undo.receipt.path, part: ALL }];
		case undefined:
			// What a copy will be called is not known before it is made.
			return plan === undefined || plan.type === "create" || plan.type === "query"
				? []
				: [{ path: plan.path, part: ALL }];
	}
}
