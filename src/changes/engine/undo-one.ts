import type { UsedSession } from "../../catalog/model/live.ts";
import { capital } from "../../ui/text/format.ts";
import { type Act, guard, isAlwaysFree, type Verdict } from "../guard/guard.ts";
import { requireFree, whyNot } from "../guard/guard-words.ts";
import type { Change } from "../kinds/change.ts";
import { madeOf } from "../kinds/kinds.ts";
import { sessionsOf } from "./depends.ts";
import { checkUndo, type UndoableChange } from "./outlooks.ts";
import type { ChangesTools, RecoverTools } from "./tools.ts";
import { type Concern, conflict } from "./undo-questions.ts";

export type UndoTools = RecoverTools & Pick<ChangesTools, "changed" | "checkUse" | "work">;

export interface UndoReadiness {
	/** Everything is already as it was before the change. */
	readonly isBack: boolean;
	/** What someone else has changed since, as a sentence. */
	readonly conflict: string | undefined;
	/** What the undo does to a session that may be in use, and the verdict on that. */
	readonly use: { readonly act: Act; readonly session: UsedSession; readonly verdict: Verdict } | undefined;
}

/**
 * Checks the files that a change is about, and whether they are in use. `ownEntries`: ids of the entries that our changes appended.
 * Rejects with the reason if it cannot be undone.
 */
export async function readyToUndo(
	change: UndoableChange,
	ownEntries: ReadonlySet<string>,
	tools: UndoTools,
): Promise<UndoReadiness> {
	const check = await checkUndo(change, ownEntries, tools);
	if (check.kind === "refuse") throw new Error(check.why);
	const isBack = check.kind === "done";
	return {
		isBack,
		conflict: check.kind === "ask" ? check.why : undefined,
		use: isBack ? undefined : await usedBefore(change, tools),
	};
}

/**
 * Whether the session that an undo touches is in use; undefined if that does not matter. Rejects with the reason if the undo
 * is refused.
 */
export async function usedBefore(change: UndoableChange, tools: UndoTools): Promise<UndoReadiness["use"]> {
	const guarded = madeOf(change).kind.undoActOf(change.undo);
	if (guarded === undefined || isAlwaysFree(guarded.act)) return undefined;
	const { act, path } = guarded;
	const report = await tools.checkUse([path]);
	// Which pis run in the directory of a session is only known if it is listed.
	const session = tools.rowOf(path) ?? { path, cwd: "", modified: new Date(0) };
	const verdict = guard(act, report, session);
	if (verdict.decision === "refuse") throw new Error(whyNot(verdict, tools.clock()));
	return { act, session, verdict };
}

/** What to ask the person about before the undo; `now` in Unix ms. */
export function concernsAbout({ conflict: why, use }: UndoReadiness, now: number): readonly Concern[] {
	const inUse = use && whyNot(use.verdict, now);
	return [...(why === undefined ? [] : [conflict(why)]), ...(inUse === undefined ? [] : [conflict(capital(inUse))])];
}

/** `unnoted`: why the journal could not record it, if it could not. */
export interface UndoneChange {
	readonly unnoted: unknown;
}

/** Undoes a change and records that. Rejects if the change cannot be undone. */
export async function undoOne(
	change: UndoableChange,
	{ isBack, use }: Omit<UndoReadiness, "conflict">,
	tools: UndoTools,
): Promise<UndoneChange> {
	if (use !== undefined) {
		const seenSession = { row: use.session, uses: use.verdict.uses };
		requireFree(use.act, await tools.checkUse([use.session.path]), seenSession, tools.clock());
	}
	const by = isBack ? {} : await madeOf(change).kind.takeBack(change.undo, tools);
	tools.changed(sessionsOf(change));
	return { unnoted: await tools.journal.undone(change.id, by).catch((error: unknown) => error) };
}

/** The session that the cursor moves to after an undo: the one that was changed; for a copy, its original. */
export function sessionToShow({ undo, ...change }: Change): string | undefined {
	if (undo === undefined) return change.plan?.path || undefined;
	const { kind, made } = madeOf({ ...change, undo });
	return kind.shownAfter(made) || undefined;
}
