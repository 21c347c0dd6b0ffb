import type { TrashReceipt } from "../../store/actions/trash.ts";
import { type Change, pathOf } from "../kinds/change.ts";

/**
 * Which changes are in effect, and where their sessions are in the trash, as later changes have left them. The lines of one change say
 * only whether it was made and undone: that a deletion was restored, or that undoing the restore put the session into the trash again,
 * are lines of other changes. Those name it (`Change.of`). `changes`: all that are known, oldest first; returns those that differ, by id.
 */
export function changedByLater(changes: readonly Change[]): ReadonlyMap<string, Change> {
	const byId = new Map(changes.map((change) => [change.id, change]));
	const members = new Map<string, Change[]>();
	for (const change of changes) {
		const first = change.of === undefined || !isAboutTrash(change) ? undefined : byId.get(change.of);
		if (first === undefined) continue;
		const together = members.get(first.id) ?? [first];
		together.push(change);
		members.set(first.id, together).set(change.id, together);
	}
	return new Map([...new Set(members.values())].flatMap((each) => ofOneSession(each).map((one) => [one.id, one])));
}

/** The changes that moved one session into the trash and out of it, oldest first, as they are after all of them. */
function ofOneSession(members: readonly Change[]): Change[] {
	const isRestored = members.some((each) => isRestore(each) && each.fate === "made");
	const isThere =
		!isRestored && members.some((each) => isTakenBack(each) || (isDeletion(each) && each.fate === "made"));
	const last = lastPlace(members);
	return members.map((change) => {
		const { undo, fate } = change;
		if (undo?.type !== "restore")
			return fate === "undone" ? { ...change, receipt: isThere ? last : undefined } : change;
		if (fate !== "made") return change;
		if (isRestored) return { ...change, fate: "restored" };
		return last === undefined ? change : { ...change, undo: { ...undo, receipt: last, path: pathOf(undo) } };
	});
}

/** Where the session was last put in the trash: by a deletion, or by the undo of a restore or of the change that made it. */
function lastPlace(members: readonly Change[]): TrashReceipt | undefined {
	const places = members.flatMap(({ at, undo, undoneAt, receipt }) => [
		...(undo?.type === "restore" ? [{ at, receipt: undo.receipt }] : []),
		...(receipt === undefined ? [] : [{ at: undoneAt ?? at, receipt }]),
	]);
	return places.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).at(-1)?.receipt;
}

/** Making a copy again, for which nothing was left in the trash, is about another session. */
function isAboutTrash(change: Change): boolean {
	return isRestore(change) || isDeletion(change);
}

function isRestore({ plan }: Change): boolean {
	return plan?.type === "restore";
}

function isDeletion({ plan }: Change): boolean {
	return plan?.type === "trash";
}

/** The undo of what made the session has put it into the trash. */
function isTakenBack(change: Change): boolean {
	return change.fate === "undone" && !isRestore(change) && !isDeletion(change);
}
