import { BOOKKEEPING } from "../../store/format/bookkeeping.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { roleOf } from "./entry-kind.ts";
import { outlineOf } from "./outline.ts";
import { turnAt, turnStarts } from "./turns.ts";

/** What of a session is wanted. */
export type Scope =
	/** The path to the leaf. */
	| { readonly of: "active" }
	/** Every branch: first the active path, then each branch beside it or beside another one, from where it leaves that. */
	| { readonly of: "all" }
	/** From an entry to the end of its branch; that entry, with what its calls came to; its turn; the whole path through it. */
	| { readonly of: "from" | "entry" | "turn" | "branch"; readonly entryId: string };

/** Entries that follow each other, on a path. */
export interface Passage {
	/** The whole path that they are on, from its root to its end. */
	readonly path: readonly SessionEntry[];
	/** Index of the first of them in the path. */
	readonly from: number;
	/** Index behind the last one. */
	readonly to: number;
	/** For a branch beside another one: the entry that it goes on from; null where it begins at a root of its own. */
	readonly leaves?: SessionEntry | null;
}

/** The entries of a scope, each once, in passages; one at a time, since a session may have any number of branches. */
export function* passagesOf(session: Session, scope: Scope): Generator<Passage> {
	const outline = outlineOf(session);
	const { leafId } = session.tree;
	if (scope.of === "active" || scope.of === "all") {
		if (leafId === null) return;
		const path = outline.pathThrough(leafId);
		yield { path, from: 0, to: path.length };
		if (scope.of === "all") yield* otherBranches(session);
		return;
	}
	const path = outline.pathThrough(scope.entryId);
	const at = outline.level(scope.entryId);
	if (at === -1) return;
	switch (scope.of) {
		case "from":
			yield { path, from: at, to: path.length };
			return;
		case "entry":
			yield { path, from: at, to: behindResults(path, at) };
			return;
		case "turn": {
			// What stands before the first prompt is a turn too.
			const starts = turnStarts(path);
			const turn = turnAt(path, at);
			yield { path, from: starts[turn - 1] ?? 0, to: starts[turn] ?? path.length };
			return;
		}
		case "branch":
			yield { path, from: 0, to: path.length };
	}
}

/** Index behind an entry and the results of its calls: a call is told by its result, which is an entry of its own. */
export function behindResults(path: readonly SessionEntry[], at: number): number {
	let to = at + 1;
	if (roleOf(path[at]) === "assistant") while (roleOf(path[to]) === "toolResult") to++;
	return to;
}

/** Whether a passage only keeps books, such as a label that was set after going back. */
export function isSilent({ path, from, to }: Passage): boolean {
	for (let index = from; index < to; index++) if (!BOOKKEEPING.has(path[index]?.type ?? "")) return false;
	return true;
}

/** What is not on the path to the leaf, in the order of the tree. */
function* otherBranches(session: Session): Generator<Passage> {
	const outline = outlineOf(session);
	for (const index of outline.columns.order.subarray(0, outline.columns.count)) {
		const entry = session.entries[index];
		if (entry === undefined || outline.isActive(entry.id) || !outline.isBranch(entry.id)) continue;
		const path = outline.pathThrough(entry.id);
		const from = outline.level(entry.id);
		yield { path, from, to: path.length, leaves: path[from - 1] ?? null };
	}
}
