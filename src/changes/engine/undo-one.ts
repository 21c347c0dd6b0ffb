import type { UsedSession } from "../../catalog/model/live.ts";
import { capital } from "../../ui/text/format.ts";
import { type Act, guard, guardAgain, isAlwaysFree, type Verdict } from "../guard/guard.ts";
import { whyNot } from "../guard/guard-words.ts";
import type { Change } from "../journal/change.ts";
import { madeOf } from "../kinds/kinds.ts";
import { checkUndo, type Undoable } from "./check-undo.ts";
import { sessionsOf } from "./depends.ts";
import type { LongWork } from "./long-work.ts";
import type { LookAtUse } from "./look-sometimes.ts";
import type { RecoverTools } from "./recover.ts";
import { type Concern, conflict } from "./undo-questions.ts";

/** What undoing needs of the world outside. */
export interface UndoTools extends RecoverTools {
	/** Has the catalog read these session files. */
	readonly changed: (paths: readonly string[]) => void;
	readonly look: LookAtUse;
	/** Tells how far an undo of many changes is, and lets the person stop it. */
	readonly work: LongWork;
}

/** What was found of a change that can be undone now. */
export interface Ready {
	/** Everything is as it was before already. */
	readonly isBack: boolean;
	/** What somebody else has changed since, in a sentence. */
	readonly conflict: string | undefined;
	/** What the undo does to a session that may be in use, and what was seen of that. */
	readonly use: { readonly act: Act; readonly session: UsedSession; readonly verdict: Verdict } | undefined;
}

/**
 * Looks at the files that a change is about, and whether they are in use. `own`: ids of entries that are ours. Rejects with why
 * it cannot be undone.
 */
export async function readyToUndo(change: Undoable, own: ReadonlySet<string>, tools: UndoTools): Promise<Ready> {
	const check = await checkUndo(change, own, tools);
	if (check.kind === "refuse") throw new Error(check.why);
	const isBack = check.kind === "done";
	return {
		isBack,
		conflict: check.kind === "ask" ? check.why : undefined,
		use: isBack ? undefined : await lookBefore(change, tools),
	};
}

async function lookBefore(change: Undoable, tools: UndoTools): Promise<Ready["use"]> {
	const guarded = madeOf(change).kind.undoActOf(change.undo);
	if (guarded === undefined || isAlwaysFree(guarded.act)) return undefined;
	const { act, path } = guarded;
	const report = await tools.look([path]);
	// Of a session that is not listed nobody can tell which pis run in its directory.
	const session = tools.rowOf(path) ?? { path, cwd: "", modified: new Date(0) };
	const verdict = guard(act, report, session);
	if (verdict.decision === "refuse") throw new Error(whyNot(verdict, tools.clock()));
	return { act, session, verdict };
}

/** What the person is asked about before it is undone; `now` in Unix ms. */
export function concernsAbout({ conflict: why, use }: Ready, now: number): readonly Concern[] {
	const mayBe = use && whyNot(use.verdict, now);
	return [...(why === undefined ? [] : [conflict(why)]), ...(mayBe === undefined ? [] : [conflict(capital(mayBe))])];
}

/**
 * Takes a change back, and notes that. Resolves to why it could not be noted, if it could not: the undo is made, whatever
 * becomes of the note. Rejects when it cannot be undone.
 */
export async function undoOne(
	change: Undoable,
	{ isBack, use }: Omit<Ready, "conflict">,
	tools: UndoTools,
): Promise<unknown> {
	if (use !== undefined) {
		const now = guardAgain(use.act, await tools.look([use.session.path]), {
			row: use.session,
			uses: use.verdict.uses,
		});
		const refused = whyNot(now, tools.clock());
		if (refused !== undefined) throw new Error(refused);
	}
	const by = isBack ? {} : await madeOf(change).kind.takeBack(change.undo, tools);
	tools.changed(sessionsOf(change));
	return tools.journal.undone(change.id, by).catch((error: unknown) => error);
}

/** The session that the cursor goes to: the one concerned; for one that was made, what it was made from. */
export function sessionToShow({ undo, ...change }: Change): string | undefined {
	const path = undo === undefined ? change.plan?.path : shownAfter({ ...change, undo });
	return path === "" ? undefined : path;
}

function shownAfter(change: Undoable): string | undefined {
	const { kind, made } = madeOf(change);
	return kind.shownAfter(made);
}
