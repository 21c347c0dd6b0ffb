import { formatCount } from "../../ui/text/format.ts";
import { type Change, isMade } from "../kinds/change.ts";
import type { HistoryReader } from "./history-reader.ts";

/** What one undo takes back: a change, or what is left of a group. */
export interface UndoStep {
	/** Id of the group, else of the change. */
	readonly id: string;
	/** "move 12 sessions to the trash"; of a part of a group: "move 5 of 12 sessions to the trash". */
	readonly what: string;
	/** Newest first; at least one. */
	readonly changes: readonly Change[];
}

/** The steps still in effect, newest first; a group stands where its last change is. */
export async function* madeSteps(history: HistoryReader): AsyncGenerator<UndoStep, void> {
	const seenIds = new Set<string>();
	for (let count = 1; ; ) {
		const { changes, complete } = await history.read(count);
		for (const change of changes) {
			const id = stepId(change);
			if (!isMade(change) || seenIds.has(id)) continue;
			seenIds.add(id);
			const all = change.group === undefined ? [change] : await history.group(change.group);
			const step = undoStepOf(all.filter(isMade));
			if (step !== undefined) yield step;
		}
		if (complete || changes.length < count) return;
		count = 2 * changes.length;
	}
}

/** The step of these changes, which are newest first; undefined if there are none. */
export function undoStepOf(changes: readonly Change[]): UndoStep | undefined {
	const [first] = changes;
	if (first === undefined) return undefined;
	return { id: stepId(first), what: whatOf(first, sessionsOfChanges(changes)), changes };
}

/**
 * What this run undid last and redo makes again; undefined if something else was changed since. `changes`: newest first; `start`: of the
 * run, Unix ms.
 */
export function undoneStep(changes: readonly Change[], start: number): UndoStep | undefined {
	const byId = new Map(changes.map((change) => [change.id, change]));
	const idsRedone = new Set(changes.map(({ of }) => of));
	const undoneChanges = changes.filter(({ id, fate }) => fate === "undone" && !idsRedone.has(id));
	const last = undoneChanges.reduce<Change | undefined>(
		(one, other) => (one && undoneMs(one) >= undoneMs(other) ? one : other),
		undefined,
	);
	if (last === undefined || undoneMs(last) < start) return undefined;
	// A change right behind the undo may be of the same millisecond.
	const isNew = ({ at, of, fate }: Change): boolean =>
		fate !== "not-made" &&
		fate !== "undone" &&
		Date.parse(at) >= undoneMs(last) &&
		byId.get(of ?? "")?.fate !== "undone";
	return changes.some(isNew)
		? undefined
		: undoStepOf(undoneChanges.filter((change) => stepId(change) === stepId(last)));
}

function undoneMs({ undoneAt }: Change): number {
	return Date.parse(undoneAt ?? "") || 0;
}

export function whyNothingToUndo(changes: readonly Change[]): string {
	const fates = new Set(changes.map(({ fate }) => fate));
	if (fates.has("restored")) return "It has been restored from the trash since: undo that instead";
	return fates.has("not-made") && !fates.has("undone") ? "It was never made" : "It has already been undone";
}

/** Identifies the step of a change: changes with the same step id are undone together. */
function stepId({ id, group }: Change): string {
	return group?.id ?? id;
}

/** How many sessions were changed: making a copy of a session and putting the original away count as one. */
export function sessionsOfChanges(changes: readonly Change[]): number {
	const replaced = new Set(changes.flatMap(({ plan }) => (plan?.type === "create" ? [plan.path] : [])));
	const otherChanges = changes.filter(({ plan }) => {
		const isReplacing = plan?.type === "create" || plan?.type === "move" || plan?.type === "trash";
		return !isReplacing || !replaced.has(plan.path);
	});
	return replaced.size + otherChanges.length;
}

function whatOf({ what, group }: Change, count: number): string {
	if (group === undefined) return what;
	// Making again a copy that is in the trash, and putting the original away again, are two sessions.
	if (count >= group.count) return group.what;
	// "move 2 of 3 sessions to the trash"; changes of earlier versions may be described in other words.
	const all = formatCount(group.count);
	const [before = "", ...after] = group.what.split(` ${all} `);
	const some = `${formatCount(count)} of ${all}`;
	return after.length === 1 ? `${before} ${some} ${after[0]}` : `${group.what}: ${some}`;
}
