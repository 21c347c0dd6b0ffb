import { capital, formatAgo, formatCount, formatCounted } from "../../ui/text/format.ts";
import type { Choice, Question } from "../answer.ts";
import type { ChosenChanges } from "../journal/history-reader.ts";
import type { UndoStep } from "../journal/step.ts";
import { kindOfPlan, type Undo } from "../kinds/kinds.ts";
import { type Failure, listFailures, sentence } from "../reason.ts";
import { isAlive } from "./recover.ts";

/**
 * Undoes changes of the journal and what depends on them: those chosen (`of`), else the last one; if `mine`, the last one of
 * this run. `agreed`: the answer to the question about it; `skip`: a step that undo no longer offers; `inSight`: the person sees
 * what is undone and can redo it with a key, so that less has to be asked.
 */
export interface UndoRequest {
	readonly type: "undo";
	readonly of?: ChosenChanges;
	readonly agreed?: string;
	readonly skip?: string;
	readonly mine?: boolean;
	readonly inSight?: boolean;
}

/** Dependent changes that the question names. */
const MAX_NAMED = 5;

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

/** Changes that depend on the chosen ones are undone with them. */
export function ofDependents({ dependents }: UndoStep): Concern[] {
	if (dependents.length === 0) return [];
	const named = dependents.slice(0, MAX_NAMED).map(({ what }) => what);
	const rest = dependents.length - named.length;
	const list = [...named, ...(rest === 0 ? [] : [`${formatCount(rest)} more`])].join("; ");
	const which = dependents.length === 1 ? "This depends on it, and is" : "These depend on it, and are";
	const key = `with ${dependents.map(({ id }) => id).join(" ")}`;
	return [{ key, text: `${which} undone with it: ${list}.`, danger: false }];
}

/** The undo would take something from another program. */
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

/** Changes of the step that cannot be undone; `blocked` is never all of it. */
export function leftOut(blocked: readonly Failure[]): Concern[] {
	if (blocked.length === 0) return [];
	const text = `${formatCount(blocked.length)} cannot be undone: ${listFailures(blocked)}.`;
	return [{ key: `without ${blocked.length}`, text, danger: false }];
}

/** Identifies a question: the same key as long as it asks about the same. */
export function keyOf({ id, changes }: UndoStep, concerns: readonly Concern[]): string {
	return JSON.stringify([id, changes.length, ...concerns.map(({ key }) => key)]);
}

/** Asks before a step is undone; `ownStep`: the last step of this window, offered instead. */
export function undoQuestion(
	step: UndoStep,
	concerns: readonly Concern[],
	request: UndoRequest,
	ownStep: UndoStep | undefined,
): Question<UndoRequest> {
	const danger = concerns.some((concern) => concern.danger);
	const count = step.changes.length;
	const what = count === 1 ? "Undo it" : `Undo all ${formatCount(count)}`;
	const { skip: _, ...again } = request;
	const act: Choice<UndoRequest> = {
		label: danger ? `${what} anyway` : what,
		effect: { ...again, agreed: keyOf(step, concerns) },
	};
	const keep: Choice<UndoRequest> = { label: count === 1 ? "Keep it as it is" : "Keep them as they are" };
	const instead: readonly Choice<UndoRequest>[] =
		ownStep === undefined
			? []
			: [{ label: `Undo what was done in this window: ${ownStep.what}`, effect: { type: "undo", mine: true } }];
	return {
		title: count === 1 ? "Undo this change?" : `Undo ${formatCounted(count, "change")}?`,
		body: [`${capital(step.what)}.`, ...concerns.map(({ text }) => text)],
		choices: [...(danger ? [keep, act] : [act, keep]), ...instead],
		danger,
	};
}

/** After a second failure: an older change is never undone without asking. `now` in Unix ms. */
export function skipQuestion(
	step: UndoStep,
	error: unknown,
	earlierStep: UndoStep | undefined,
	now: number,
): Question<UndoRequest> {
	const skip = step.id;
	const choices: Choice<UndoRequest>[] = [{ label: "Keep it as it is; undo tries again" }];
	if (earlierStep === undefined) choices.push({ label: "Stop offering to undo it", effect: { type: "undo", skip } });
	else {
		const agreed = keyOf(earlierStep, ofOtherRun(earlierStep, now));
		choices.push({ label: "Undo the change before it instead", effect: { type: "undo", skip, agreed } });
	}
	const older =
		earlierStep &&
		`The change before it: ${earlierStep.what}, ${formatAgo(Date.parse(earlierStep.changes.at(-1)?.at ?? ""), now)}.`;
	return {
		title: "This change cannot be undone now",
		body: [`${capital(step.what)}: ${sentence(error)}.`, ...(older === undefined ? [] : [older])],
		choices,
		danger: true,
	};
}
