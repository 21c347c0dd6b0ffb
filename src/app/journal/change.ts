import { isUnder } from "../../store/files/paths.ts";
import type { Group, JournalLine, Plan, Run, Undo } from "./journal-schema.ts";

/** A change that was begun and is not over: it can be undone, or it has to be found out whether it was made. */
export interface Change {
	readonly id: string;
	/** ISO 8601. */
	readonly at: string;
	/** In words: "rename “Lexer” to “Parser”". */
	readonly what: string;
	/** The run of the program that made it; undefined for one that version 0.1.0 made. */
	readonly run: Run | undefined;
	/** What it is a part of, when the same was done to several sessions at once. */
	readonly group: Group | undefined;
	/** What was going to be done. */
	readonly plan: Plan | undefined;
	/** How to undo it; undefined while nobody has noted that it was made. */
	readonly undo: Undo | undefined;
}

/** What a journal tells of the sessions under one root. */
export interface JournalContent {
	/** The changes that are not over, oldest first. */
	readonly changes: readonly Change[];
	/** Ids of the entries that were appended by changes and by their undoing. */
	readonly ownEntries: ReadonlySet<string>;
}

/** Reads the lines: those of changes of sessions under `root`, the directory that contains all sessions of the list. */
export function contentOf(lines: readonly JournalLine[], root: string): JournalContent {
	const changes = new Map<string, Change>();
	const over = new Set<string>();
	/** Lines may change places while the journal is cut. */
	const early = new Map<string, Undo>();
	const ownEntries = new Set<string>();
	for (const line of lines) {
		if (line.step !== "begin" && line.entryId !== undefined) ownEntries.add(line.entryId);
		// What is over stays over: lines may be written twice while the journal is cut.
		if (over.has(line.id)) continue;
		const known = changes.get(line.id);
		if (line.step === "over") {
			over.add(line.id);
			changes.delete(line.id);
		} else if (line.step === "done") {
			// Without its beginning, which was cut off, it is too old to be offered.
			if (known === undefined) early.set(line.id, line.undo);
			else changes.set(line.id, { ...known, undo: line.undo });
		} else if (known === undefined && (line.root ?? root) === root) {
			const { id, at, what, run, group, plan } = line;
			changes.set(id, { id, at, what, run, group, plan, undo: early.get(id) });
		}
	}
	return { changes: [...changes.values()].filter((change) => isOf(change, root)), ownEntries };
}

/** Version 0.1.0 noted neither the root nor the plan: where the session is tells whose it is. */
function isOf({ run, undo }: Change, root: string): boolean {
	if (run !== undefined) return true;
	return undo !== undefined && isUnder(pathOf(undo), root);
}

/** The session that a change is about: for one that made a new session, that one; "" where it is about none. */
export function pathOf(undo: Undo): string {
	return undo.type === "restore" ? undo.receipt.path : undo.path;
}
