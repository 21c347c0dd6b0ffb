import { isArchived } from "../../catalog/model/archive.ts";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { pathOf } from "../journal/change.ts";
import { checkUndo } from "../journal/check-undo.ts";
import type { Journal } from "../journal/journal.ts";
import type { Undo } from "../journal/journal-schema.ts";
import { type UndoingTools, undoChange } from "../journal/undo-change.ts";
import { type Failure, listFailures } from "./list-failures.ts";
import type { LongWork } from "./long-work.ts";
import type { LookAtUse } from "./look-sometimes.ts";
import { type Concern, conflict, ofUse } from "./undo-questions.ts";
import type { Undoable } from "./undoable.ts";

/** What undoing needs of the world outside. */
export interface UndoTools extends UndoingTools {
	readonly journal: Journal;
	readonly sessionRoots: SessionRoots;
	/** Present time, Unix ms. */
	readonly clock: () => number;
	/** Has the catalog read these session files. */
	readonly changed: (paths: readonly string[]) => void;
	readonly look: LookAtUse;
	/** Path of the session that is open in the pi that started the browser, if one did. */
	readonly openInPi?: () => string | undefined;
	/** Tells how far an undo of many changes is, and lets the person stop it. */
	readonly work: LongWork;
}

/** What an undo that is under way needs. */
export interface UndoingNow extends UndoTools {
	/** Whether a running pi has the session, as far as can be seen. */
	readonly isInUse: (path: string) => Promise<boolean>;
}

/** A change that can be undone now. */
export interface Ready {
	readonly change: Undoable;
	readonly undo: Undo;
	/** Everything is as it was before already. */
	readonly isBack: boolean;
	/** What somebody else has changed since, in a sentence. */
	readonly conflict: string | undefined;
}

/** Looks at the files that a change is about. `own`: ids of entries that are ours. Rejects with why it cannot be undone. */
export async function readyToUndo(change: Undoable, own: ReadonlySet<string>, tools: UndoTools): Promise<Ready> {
	const { undo } = change;
	if (undo === undefined) throw change.unclear;
	const open = tools.openInPi?.();
	if (open !== undefined && takesAway(undo) && sessionsOf(change).includes(open))
		throw new Error("it is open in the pi that you came from; open another one there first");
	const check = await checkUndo(undo, own, tools.store, tools.sessionRoots);
	if (check.kind === "refuse") throw new Error(check.why);
	return { change, undo, isBack: check.kind === "done", conflict: check.kind === "ask" ? check.why : undefined };
}

/** Whether an undo takes a session away from its place. */
function takesAway({ type }: Undo): boolean {
	return type === "created" || type === "moved";
}

/** What the person is asked about before it is undone. */
export async function concernsAbout(ready: Ready, tools: UndoingNow): Promise<readonly Concern[]> {
	const { undo, isBack } = ready;
	return [
		...(ready.conflict === undefined ? [] : [conflict(ready.conflict)]),
		...(isBack ? [] : await usesBefore(undo, tools)),
	];
}

/** A session that an undo takes away from its place may be open in a pi. */
async function usesBefore(undo: Undo, tools: UndoingNow): Promise<readonly Concern[]> {
	if (undo.type === "created") return ofUse(undo.path, tools);
	const isArchiving = undo.type === "moved" && isArchived(undo.path, tools.sessionRoots);
	return isArchiving ? ofUse(undo.to, tools) : [];
}

/**
 * Takes a change back, and notes that. Resolves to why it could not be noted, if it could not: the undo is made, whatever
 * becomes of the note. Rejects when it cannot be undone.
 */
export async function undoOne({ change, undo, isBack }: Ready, tools: UndoTools): Promise<unknown> {
	const by = isBack ? {} : await undoChange(undo, tools);
	tools.changed(sessionsOf(change));
	return tools.journal.undone(change.id, by).catch((error: unknown) => error);
}

/** Why nothing of several was undone. */
export function whyNothing(failures: readonly Failure[]): unknown {
	const [only, ...others] = failures;
	return others.length === 0 ? only?.error : new Error(listFailures(failures));
}

/** The session that the cursor goes to: the one concerned; for one that was made, what it was made from. */
export function sessionToShow({ undo, plan }: Undoable): string | undefined {
	// A restored session is in the trash again.
	if (plan?.type === "restore") return undefined;
	const path = undo === undefined || undo.type === "created" ? plan?.path : pathOf(undo);
	return path === "" ? undefined : path;
}

/** The session that was changed or made, where it was before and is after it; none where that is not known. */
export function sessionsOf({ undo, plan }: Undoable): readonly string[] {
	if (undo === undefined) return plan === undefined || plan.path === "" ? [] : [plan.path];
	if (undo.type === "moved") return [undo.path, undo.to];
	const path = pathOf(undo);
	return path === "" ? [] : [path];
}
