import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { BOOKKEEPING } from "../conversation/leaf.ts";

/** What of a session's tree is conversation, as it was when it was weighed. */
export interface Weights {
	/** Ids of the entries on the path to the leaf. */
	readonly active: ReadonlySet<string>;
	/**
	 * How many entries of the conversation, and of the active path, are at and below an entry. Where there are none, all of
	 * it is bookkeeping, and nothing that anybody tried.
	 */
	readonly of: ReadonlyMap<string, number>;
	/** The children of an entry, or the roots: those that had been read by then. */
	readonly childrenOf: (id: string | undefined) => readonly SessionEntry[];
}

/** Weighs all entries, in steps, in time linear in their number, without recursion. */
export function* weighEntries(session: Session): Steps<Weights> {
	const { tree, lines } = session;
	// Entries that are appended meanwhile are not among them.
	const lastLine = lines.get(tree.leafId ?? "") ?? 0;
	const isRead = ({ id }: SessionEntry): boolean => (lines.get(id) ?? 0) <= lastLine;
	const childrenOf = (id: string | undefined): readonly SessionEntry[] => {
		const children = id === undefined ? tree.roots : (tree.children.get(id) ?? []);
		return children.every(isRead) ? children : children.filter(isRead);
	};
	const active = new Set<string>();
	for (let id = tree.leafId ?? undefined; id !== undefined; id = tree.parentOf.get(id)) {
		active.add(id);
		if (active.size % ENTRIES_PER_STEP === 0) yield;
	}
	const preorder: SessionEntry[] = [];
	const stack = childrenOf(undefined).slice();
	for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
		preorder.push(entry);
		for (const child of childrenOf(entry.id)) stack.push(child);
		if (preorder.length % ENTRIES_PER_STEP === 0) yield;
	}
	const weights = new Map<string, number>();
	// Children come after their parents there, so from the end on each weight is whole when it is added to its parent's.
	for (let index = preorder.length - 1; index >= 0; index--) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		const entry = preorder[index];
		if (entry === undefined) continue;
		const own = active.has(entry.id) || !BOOKKEEPING.has(entry.type) ? 1 : 0;
		const weight = (weights.get(entry.id) ?? 0) + own;
		weights.set(entry.id, weight);
		const parent = tree.parentOf.get(entry.id);
		if (parent !== undefined) weights.set(parent, (weights.get(parent) ?? 0) + weight);
	}
	return { active, of: weights, childrenOf };
}
