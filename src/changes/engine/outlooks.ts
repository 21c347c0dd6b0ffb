import { isKnownFile } from "../../catalog/index/session-table.ts";
import { isSessionPath } from "../../catalog/model/run-place.ts";
import { withKnownProjects } from "../../catalog/model/session-roots.ts";
import { type Change, isMade, pathOf } from "../kinds/change.ts";
import { CLEAR, type KindTools, type Outlook, refuse, type UndoCheck } from "../kinds/kind.ts";
import { madeOf, type Undo } from "../kinds/kinds.ts";
import { reasonSentence } from "../reason.ts";
import { dependentsOf } from "./depends.ts";
import type { ChangesTools } from "./tools.ts";
import { dependentNames, whyDependedOn } from "./undo-questions.ts";

/** What checking changes needs of the world outside; nothing is written. */
type LookTools = KindTools & Pick<ChangesTools, "history">;

export async function outlooksOf(ids: readonly string[], tools: LookTools): Promise<Map<string, Outlook>> {
	const outlooks = new Map<string, Outlook>();
	for (const id of ids) {
		const change = tools.history.get(id);
		if (change === undefined) continue;
		try {
			outlooks.set(id, await (isMade(change) ? outlookOfUndo(change, tools) : outlookOfRedo(change, tools)));
		} catch (error) {
			outlooks.set(id, refuse(reasonSentence(error)));
		}
	}
	return outlooks;
}

async function outlookOfUndo(change: Change, tools: LookTools): Promise<Outlook> {
	const { history } = tools;
	const { undo } = change;
	// Undo finds it out and records it; a check writes nothing.
	if (undo === undefined) return { kind: "ask", why: "It is not known whether it was made." };
	// What was done together with it is undone together with it.
	const isApart = ({ group }: Change): boolean => group === undefined || group.id !== change.group?.id;
	const dependents = dependentsOf([change], history.since(change.id)).filter(isApart);
	if (dependents.length > 0)
		return { kind: "refuse", why: whyDependedOn(dependents), waits: dependentNames(dependents) };
	const check = await checkUndo({ ...change, undo }, history.ownEntries(), tools);
	if (check.kind === "done") return refuse("everything is already as it was before");
	return check.kind === "clear" ? ((await madeOf({ ...change, undo }).kind.outlookOf?.(undo)) ?? CLEAR) : check;
}

/** Whether an undone change can be redone: whether everything is as it was before it. Rejects if the files cannot be read. */
export async function outlookOfRedo(change: Change, tools: LookTools): Promise<Outlook> {
	const { undo } = change;
	if (undo === undefined) return refuse("the journal does not say how it was made");
	const { kind, made } = madeOf({ ...change, undo });
	return kind.checkAgain(made, tools.history.ownEntries(), tools);
}

export type UndoableChange = Change & { readonly undo: Undo };

/**
 * Checks in the files what has been done to the session since the change. `ownEntries`: ids of the entries that changes in the
 * journal, and undoing them, have appended. Rejects when the files cannot be read.
 */
export async function checkUndo(
	change: UndoableChange,
	ownEntries: ReadonlySet<string>,
	tools: KindTools,
): Promise<UndoCheck> {
	const path = pathOf(change.undo);
	if (path !== "" && !isSessionPath(path, tools.sessionRoots) && !(await isElsewhere(change, path, tools)))
		return refuse(`the journal names a file that is not a session of this list: ${path}`);
	const { kind, made } = madeOf(change);
	return kind.check(made.undo, ownEntries, tools);
}

/** Whether a path belongs to a run elsewhere, or to a project: it is listed, or in the trash, where the note beside it has the original path. */
async function isElsewhere(
	{ undo }: UndoableChange,
	path: string,
	{ rowOf, sessionRoots }: KindTools,
): Promise<boolean> {
	if (undo.type === "restore" || rowOf(path) !== undefined) return true;
	// The directory of a project may have been found since.
	if (isSessionPath(path, withKnownProjects(sessionRoots))) return true;
	// The shell need not have listed anything.
	return isKnownFile(path, sessionRoots);
}
