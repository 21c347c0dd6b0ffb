import type { Change } from "./change.ts";
import type { Run } from "./journal-schema.ts";

/** What is undone at once: one change, or what is left of a group of them. */
export interface Step<Part extends Change = Change> {
	/** Of the group, else of the change. */
	readonly id: string;
	/** When its first change was begun, ISO 8601. */
	readonly at: string;
	/** In words: "move 12 sessions to the trash"; of a part of a group: "…: 5 of them". */
	readonly what: string;
	readonly run: Run | undefined;
	/** Oldest first; at least one. */
	readonly changes: readonly Part[];
}

/** The changes as steps, in the order of their last changes: another window may have made one between two of a group. */
export function stepsOf<Part extends Change>(changes: readonly Part[]): Step<Part>[] {
	const parts = new Map<string, Part[]>();
	for (const change of changes) {
		const id = stepId(change);
		const before = parts.get(id) ?? [];
		// Put in again, so that it stands where its last change is.
		parts.delete(id);
		before.push(change);
		parts.set(id, before);
	}
	return [...parts.values()].flatMap((each) => stepOf(each) ?? []);
}

/** The changes of one step; undefined when there are none. */
export function stepOf<Part extends Change>(changes: readonly Part[]): Step<Part> | undefined {
	const [first] = changes;
	if (first === undefined) return undefined;
	return { id: stepId(first), at: first.at, what: whatOf(first, sessionsIn(changes)), run: first.run, changes };
}

/** What a change is undone with: all changes of the same id. */
export function stepId({ id, group }: Change): string {
	return group?.id ?? id;
}

/** How many sessions were changed: what was made in the place of one, and what put that away, are about the same session. */
export function sessionsIn(changes: readonly Change[]): number {
	const replaced = new Set(changes.flatMap(({ plan }) => (plan?.type === "create" ? [plan.path] : [])));
	const others = changes.filter(({ plan }) => {
		const isReplacing = plan?.type === "create" || plan?.type === "move" || plan?.type === "trash";
		return !isReplacing || !replaced.has(plan.path);
	});
	return replaced.size + others.length;
}

function whatOf({ what, group }: Change, count: number): string {
	if (group === undefined) return what;
	return count === group.count ? group.what : `${group.what}: ${count} of them`;
}
