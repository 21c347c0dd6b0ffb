import { BOOKKEEPING } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { roleOf } from "./entry-kind.ts";
import { outlineOf } from "./outline.ts";
import { turnAt, turnStarts } from "./turns.ts";

export type PassageScope =
	/** The path to the leaf. */
	| { readonly of: "active" }
	/** The active path, then every other branch from where it leaves its parent's line. */
	| { readonly of: "all" }
	/** From the entry to the end of its branch; the entry with the results of its calls; its turn; the whole path through it. */
	| { readonly of: "from" | "entry" | "turn" | "branch"; readonly entryId: string };

/** Successive entries of a path. */
export interface Passage {
	/** The whole path, from its root to its end. */
	readonly path: readonly SessionEntry[];
	/** Index of the first entry in the path. */
	readonly from: number;
	/** Index behind the last entry. */
	readonly to: number;
	/** Of a branch beside another one: the entry that it goes on from; null if it begins at a root. */
	readonly leaves?: SessionEntry | null;
}

/** The entries of a scope, each once, in passages. A generator, since a session may have any number of branches. */
export function* passagesOf(session: Session, scope: PassageScope): Generator<Passage> {
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
			return yield { path, from: at, to: path.length };
		case "entry":
			return yield { path, from: at, to: behindResults(path, at) };
		case "turn": {
			// Entries before the first prompt are a turn too.
			const starts = turnStarts(path);
			const turn = turnAt(path, at);
			return yield { path, from: starts[turn - 1] ?? 0, to: starts[turn] ?? path.length };
		}
		case "branch":
			yield { path, from: 0, to: path.length };
	}
}

/** The turn that an entry belongs to: its number from 1, 0 before the first prompt, and that prompt. */
export function turnOfEntry(
	session: Session,
	entryId: string,
): { readonly turn: number; readonly prompt: SessionEntry | undefined } {
	const outline = outlineOf(session);
	const path = outline.pathThrough(entryId);
	const turn = turnAt(path, outline.level(entryId));
	return { turn, prompt: path[turnStarts(path)[turn - 1] ?? -1] };
}

/** Index behind an entry and the results of its calls, which are entries that follow it. */
export function behindResults(path: readonly SessionEntry[], at: number): number {
	let to = at + 1;
	if (roleOf(path[at]) === "assistant") while (roleOf(path[to]) === "toolResult") to++;
	return to;
}

/** Whether a passage is only bookkeeping, such as a label that was set after going back. */
export function isSilent({ path, from, to }: Passage): boolean {
	for (let index = from; index < to; index++) if (!BOOKKEEPING.has(path[index]?.type ?? "")) return false;
	return true;
}

/** The branches that are not on the path to the leaf, in the order of the tree. */
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
