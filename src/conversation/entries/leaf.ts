import { BOOKKEEPING } from "../../store/format/raw-entry.ts";
import type { Session } from "../../store/read/read-session.ts";

/**
 * Id of the entry from which the conversation goes on: the leaf, or if that is bookkeeping (a name, a label), its nearest
 * ancestor that is part of the conversation.
 */
export function conversationLeaf(session: Session): string | undefined {
	// Cached, since every row needs it and there may be any amount of bookkeeping above the leaf.
	let leaf = leaves.get(session);
	if (leaf === undefined) {
		leaf = { id: findLeaf(session) };
		leaves.set(session, leaf);
	}
	return leaf.id;
}

const leaves = new WeakMap<Session, { readonly id: string | undefined }>();

function findLeaf({ tree }: Session): string | undefined {
	for (let id = tree.leafId ?? undefined; id !== undefined; id = tree.parentOf.get(id)) {
		const entry = tree.byId.get(id);
		if (entry !== undefined && !BOOKKEEPING.has(entry.type)) return id;
	}
	return tree.leafId ?? undefined;
}

/** Whether resuming from this entry is the same as resuming from the leaf. */
export function isLeaf(session: Session, id: string): boolean {
	return id === session.tree.leafId || id === conversationLeaf(session);
}
