import { capital, formatAgo, formatCount, formatCounted } from "../../ui/text/format.ts";
import type { Choice, Question } from "../answer.ts";
import type { ChosenChanges } from "../journal/history-reader.ts";
import type { UndoStep } from "../journal/step.ts";
import type { Change } from "../kinds/change.ts";
import { kindOfPlan, type Undo } from "../kinds/kinds.ts";
import { listNames } from "../reason.ts";
import { isAlive } from "./recover.ts";

/**
 * Undoes changes of the journal: those chosen (`of`), else the last step. `agreed`: the answer to the question about it; `inSight`:
 * the person sees what is undone and can redo it with a key, so that less has to be asked.
 */
export interface UndoRequest {
	readonly type: "undo";
	readonly of?: ChosenChanges;
	readonly agreed?: string;
	readonly inSight?: boolean;
}

/** Changes to undo first that the reason names. */
const MAX_NAMED = 3;

/** Something to ask the person about before an undo; `key` stays the same as long as the concern does. */
export interface Concern {
	readonly key: string;
	readonly text: string;
	/** Whether the undo could take something from another program. */
	readonly danger: boolean;
}

/** The undo of these takes a file from its place or puts one back. */
const MOVES_FILES: ReadonlySet<Undo["type"]> = new Set<Undo["type"]>(["created", "moved", "restore"]);

/**
 * A change made in another window or an earlier run is not undone without asking; where the undo is in sight, an earlier run's
 * only if it moved files. `now` in Unix ms.
 */
export function ofOtherRun({ changes }: UndoStep, now: number, inSight = false): Concern[] {
	const other = changes.findLast(({ isMine, run, undo, plan }) => {
		if (isMine) return false;
		const type = undo?.type ?? (plan && kindOfPlan(plan).undo);
		return !inSight || type === undefined || MOVES_FILES.has(type) || (run !== undefined && isAlive(run));
	});
	if (other === undefined) return [];
	return [
		{ key: "run", text: `It was made ${formatAgo(Date.parse(other.at), now)}, not in this window.`, danger: false },
	];
}

/** Why changes are not undone on which these depend, which are newest first, and what to undo before. */
export function whyDependedOn(dependents: readonly Change[]): string {
	return `undo first what depends on it: ${dependentNames(dependents)}`;
}

export function dependentNames(changes: readonly Change[]): string {
	const names = changes.map(({ what }) => what);
	return listNames(names, MAX_NAMED);
}

export function conflict(why: string): Concern {
	return { key: why, text: why, danger: true };
}

/** Combines the concerns about each of `count` changes: each concern once, with how many changes it is about. */
export function together(concerns: readonly (readonly Concern[])[], count: number): Concern[] {
	if (count === 1) return concerns.flat();
	return [...Map.groupBy(concerns.flat(), ({ key }) => key)].flatMap(([key, [first, ...others]]) => {
		if (first === undefined) return [];
		const text = `Of ${formatCount(others.length + 1)} of them: ${first.text}`;
		return [{ key: `${others.length} ${key}`, text, danger: first.danger }];
	});
}

/** Identifies a question: the same key as long as it asks about the same. */
export function questionKey({ id, changes }: UndoStep, concerns: readonly Concern[]): string {
	return JSON.stringify([id, changes.length, ...concerns.map(({ key }) => key)]);
}

export function undoQuestion(
	step: UndoStep,
	concerns: readonly Concern[],
	request: UndoRequest,
): Question<UndoRequest> {
	const danger = concerns.some((concern) => concern.danger);
	const count = step.changes.length;
	const what = count === 1 ? "Undo it" : `Undo all ${formatCount(count)}`;
	const act: Choice<UndoRequest> = {
		label: danger ? `${what} anyway` : what,
		effect: { ...request, agreed: questionKey(step, concerns) },
	};
	const keep: Choice<UndoRequest> = { label: count === 1 ? "Keep it as it is" : "Keep them as they are" };
	return {
		title: count === 1 ? "Undo this change?" : `Undo ${formatCounted(count, "change")}?`,
		body: [`${capital(step.what)}.`, ...concerns.map(({ text }) => text)],
		choices: danger ? [keep, act] : [act, keep],
		danger,
	};
}
