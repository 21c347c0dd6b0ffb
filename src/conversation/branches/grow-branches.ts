import type { Session } from "../../store/read/read-session.ts";
import type { Place } from "../entries/place.ts";
import type { Branches } from "./branch.ts";
import { addToPath, finishDraft, reopen } from "./draft.ts";

/**
 * The branches with what was appended to the session, in a time that does not depend on how many there are of its entries.
 * Undefined where it does not just go on from the leaf, or changes a label: then all are to be gathered.
 */
export function growBranches(before: Branches, session: Session, place: Place): Branches | undefined {
	if (before.session === session) return before;
	// A session that has grown goes on with the entries of the one before.
	if (before.session.entries !== session.entries) return undefined;
	const index = before.list.findIndex(({ kind }) => kind === "active");
	const active = before.list[index];
	const appended = session.entries.slice(before.entries);
	let above = active?.id ?? "";
	for (const { id, parentId, type } of appended) {
		const isOnly = session.tree.children.get(above)?.length === 1;
		if (parentId !== above || !isOnly || type === "label") return undefined;
		above = id;
	}
	if (active === undefined || above !== session.tree.leafId) return undefined;
	const { counts } = before;
	const draft = reopen(active);
	for (const entry of appended) addToPath(draft, entry, { session, place, counts });
	const grown = finishDraft(draft, counts);
	const list = before.list.with(index, grown);
	const indexes = new Map(before.indexes);
	indexes.delete(active.id);
	indexes.set(grown.id, index);
	const entries = before.entries + appended.length;
	return { ...before, session, entries, list, indexes };
}
