import type { SessionRow } from "../../../catalog/model/row.ts";
import type { Note } from "../../../changes/answer.ts";
import type { FurtherNotes } from "../../../changes/engine/ask.ts";
import { moreNotes } from "../../../changes/engine/question-notes.ts";
import { copiesSum, copySentences } from "../../../conversation/entries/finding-words.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { PlannedCopy } from "../../../store/doctor/repair-session.ts";
import { formatCount } from "../../../ui/text/format.ts";
import type { Tidying } from "../list/tidy-groups.ts";

/** Warns before sessions are deleted that nothing proposes. */
export function deletionNotes({ sessions }: Tidying): FurtherNotes {
	// A session whose directory is gone could also be moved.
	const proposed = new Set(sessions.flatMap(({ kind, row }) => (kind === "orphaned" ? [] : [row.path])));
	return (going) => {
		const otherCount = going.filter(({ path }) => !proposed.has(path)).length;
		const which = going.length === 1 ? "It" : `${formatCount(otherCount)} of them`;
		return otherCount === 0 ? [] : [{ text: `${which} would no longer be listed.`, tone: "warning" }];
	};
}

/** The repaired copies planned of each session, by its path. */
export type PlannedCopies = ReadonlyMap<string, readonly PlannedCopy[]>;

export const NOTHING_TO_REPAIR = "There is no entry in it: no copy can be made";

/** Paths of the sessions of which a copy can be made. */
export function repairable(planned: PlannedCopies): readonly string[] {
	return [...planned].flatMap(([path, copies]) => (copies.length === 0 ? [] : [path]));
}

/** A question shows at most this many sentences about copies. */
const MAX_SENTENCES = 12;

/** What the copies leave out and change. */
export function repairNotes(planned: PlannedCopies): FurtherNotes {
	return (rows) => {
		const copies = rows.map((row) => ({ row, copies: planned.get(row.path) ?? [] }));
		const many = rows.length > 1;
		const originals = many ? "originals go" : "original goes";
		const notes = copies.flatMap(({ row, copies: each }) => planNotes(many ? row : undefined, each));
		return [
			{ text: `${copiesSum(copies.flatMap((each) => each.copies))}. The damaged ${originals} to the trash.` },
			...notes.slice(0, MAX_SENTENCES),
			...moreNotes(notes.length - MAX_SENTENCES),
		];
	};
}

function planNotes(row: SessionRow | undefined, copies: readonly PlannedCopy[]): readonly Note[] {
	const title: readonly Note[] =
		row === undefined
			? []
			: [
					{ text: sessionTitle(row), tone: "heading", shape: "title" },
					{ text: copiesSum(copies), tone: "muted" },
				];
	const changes = copies
		.map(copySentences)
		.flatMap(({ dropped, changes: changed }): readonly Note[] => [
			...dropped.map((why): Note => ({ text: `left out: ${why}`, tone: "warning", shape: "row" })),
			...changed.map((change): Note => ({ text: `changed: ${change}`, shape: "row" })),
		]);
	return [...title, ...changes];
}
