import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import { BOOKKEEPING } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { outlineSteps } from "../entries/outline.ts";
import { indexAt, type OutlineColumns } from "../entries/outline-columns.ts";

/** What of a session's tree is conversation; entries are named by their index. */
export interface WeighedTree {
	/** How many entries there were: what is appended meanwhile is not looked at. */
	readonly count: number;
	readonly isActive: (index: number) => boolean;
	/** The child with which the way goes on: the one of the outline, or, where that is bookkeeping, the one with the most. */
	readonly next: (index: number) => number | undefined;
	/** The root from which it does. */
	readonly root: number | undefined;
	/** The other children of the conversation, or the other roots. */
	readonly others: (index: number | undefined) => readonly number[];
	/** The children, or the roots, at and below which there is only bookkeeping: nothing that anybody tried. */
	readonly bookkeeping: (index: number | undefined) => readonly number[];
}

/** Finds out what is conversation, in steps, in time linear in the number of entries, without recursion. */
export function* weighEntries(session: Session): Steps<WeighedTree> {
	const outline = yield* outlineSteps(session);
	// They may grow while these steps wait; what was in them stays.
	const columns: OutlineColumns = { ...outline.columns };
	const weights = yield* conversationBelow(session, columns);
	const { main, mainRoot, active, sizes, count } = columns;
	const { tree, entries } = session;
	const weightAt = (index: number): number => weights[index] ?? 0;
	const indexesOf = (siblings: readonly SessionEntry[]): number[] =>
		siblings.map(({ id }) => indexAt(columns, id)).filter((index) => index !== -1);
	const childrenOf = (index: number | undefined): readonly number[] => {
		if (index === undefined) return indexesOf(tree.roots);
		const only = main[index] ?? -1;
		if (only === -1 || only >= count) return [];
		if (sizes[index] === (sizes[only] ?? 0) + 1) return [only];
		return indexesOf(tree.children.get(entries[index]?.id ?? "") ?? []);
	};
	const mainOf = (index: number | undefined): number | undefined => {
		const chosen = index === undefined ? mainRoot : (main[index] ?? -1);
		if (chosen === -1 || chosen >= count) return undefined;
		if (weightAt(chosen) > 0) return chosen;
		const largest = childrenOf(index).reduce((a, b) => (weightAt(b) > weightAt(a) ? b : a), chosen);
		return weightAt(largest) > 0 ? largest : undefined;
	};
	return {
		count,
		isActive: (index) => active[index] === 1,
		next: mainOf,
		root: mainOf(undefined),
		others: (index) => {
			const next = mainOf(index);
			return childrenOf(index).filter((child) => child !== next && weightAt(child) > 0);
		},
		bookkeeping: (index) => childrenOf(index).filter((child) => weightAt(child) === 0),
	};
}

/** How many entries of the conversation, and of the active path, are at and below each. */
function* conversationBelow(session: Session, columns: OutlineColumns): Steps<Int32Array> {
	const { order, parent, active, count } = columns;
	const weights = new Int32Array(count);
	// Children come after their parents there, so from the end on each weight is whole when it is added to its parent's.
	for (let place = count - 1; place >= 0; place--) {
		if (place % ENTRIES_PER_STEP === 0) yield;
		const index = order[place] ?? -1;
		const entry = session.entries[index];
		if (entry === undefined) continue;
		if (active[index] === 1 || !BOOKKEEPING.has(entry.type)) weights[index] = (weights[index] ?? 0) + 1;
		const above = parent[index] ?? -1;
		if (above !== -1) weights[above] = (weights[above] ?? 0) + (weights[index] ?? 0);
	}
	return weights;
}
