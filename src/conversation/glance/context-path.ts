import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import type { CompactionEntry, ContextEditEntry, SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { messageOf } from "../../store/tree/context.ts";

/** The entries whose content the model gets at an entry, as `buildContextEntries` has them, found by going up from it. */
export interface ContextPath {
	/** The last compaction on the path: it stands before all others. */
	readonly compaction: CompactionEntry | undefined;
	/** Entries from before the compaction that the model still gets, in order; without system messages. */
	readonly kept: readonly SessionEntry[];
	/** All entries after the compaction, or of the whole path, in order. */
	readonly after: readonly SessionEntry[];
	/** What changes, for the model, what an earlier entry says: the last edit by the id of its target. */
	readonly edits: ReadonlyMap<string, ContextEditEntry>;
}

/** The context at the entry `id`; nothing is in it where there is no such entry, or for null: before the first one. */
export function* contextPath(session: Session, id: string | null): Steps<ContextPath> {
	const after: SessionEntry[] = [];
	const kept: SessionEntry[] = [];
	const edits: ContextEditEntry[] = [];
	let editsAfter = 0;
	let compaction: CompactionEntry | undefined;
	let isFound = false;
	let step = 0;
	for (const entry of pathUp(session, id)) {
		if (step++ % ENTRIES_PER_STEP === 0) yield;
		if (entry.type === "context_edit") edits.push(entry);
		if (compaction !== undefined) {
			// The compaction carries the system prompt of its time: earlier ones would say it twice.
			if (messageOf(entry)?.role !== "system") kept.push(entry);
			isFound = entry.id === compaction.firstKeptEntryId;
		} else if (entry.type === "compaction") {
			compaction = entry;
			editsAfter = edits.length;
			// Its own id: nothing of what was said before is kept.
			if (entry.firstKeptEntryId === entry.id) break;
		} else after.push(entry);
		if (isFound) break;
	}
	if (compaction !== undefined && !isFound) {
		kept.length = 0;
		edits.length = editsAfter;
	}
	// Of several edits of an entry the last one counts.
	const byTarget = new Map(edits.reverse().map((edit) => [edit.targetId, edit]));
	return { compaction, kept: kept.reverse(), after: after.reverse(), edits: byTarget };
}

/** The entries from the one with this id up to its root. */
export function* pathUp({ tree }: Session, id: string | null): Generator<SessionEntry, void, undefined> {
	let at: string | undefined = id ?? undefined;
	while (at !== undefined) {
		const entry = tree.byId.get(at);
		if (entry === undefined) return;
		yield entry;
		at = tree.parentOf.get(at);
	}
}
