import type { Comment } from "../catalog/model/marks.ts";
import type { Session } from "../store/read/read-session.ts";
import { type CarryOptions, carryComments } from "./carry-comments.ts";
import { mayHaveChanged } from "./files-at.ts";
import { nameOf } from "./known.ts";
import type { FileEvent } from "./ledger-events.ts";
import { bareLine } from "./lines.ts";
import { hunksBetween, type PatchHunk } from "./patch-hunks.ts";
import { CHANGED_SINCE, type RefusedHunk } from "./place-hunks.ts";
import { NEW_CHANGED_SINCE, type PutChange, refusalReasons } from "./put-change.ts";

/** Says of hunks and files that cannot be taken back since they were changed who did that, as far as the ledger knows. */
export async function withChangers(
	changes: readonly PutChange[],
	session: Session,
	options: CarryOptions,
): Promise<readonly PutChange[]> {
	const comments = new Map<RefusedHunk | PutChange, Comment>();
	for (const change of changes) {
		const [whole] = change.why === NEW_CHANGED_SINCE ? hunksBetween("", change.file.after ?? "") : [];
		if (whole !== undefined) comments.set(change, linesOfHunk(whole, change));
		for (const one of change.refused) if (one.why === CHANGED_SINCE) comments.set(one, linesOfHunk(one.hunk, change));
	}
	if (comments.size === 0) return changes;
	const carried = await carryComments([...comments.values()], session, options);
	const changerOf = (key: RefusedHunk | PutChange): string => {
		const comment = comments.get(key);
		const event = comment && carried.get(comment)?.event;
		return event === undefined ? "" : nameOfChanger(event);
	};
	return changes.map((change) => {
		const refused = change.refused.map((one) => {
			const changer = changerOf(one);
			return changer === "" ? one : { ...one, why: `its lines were changed since by ${changer}` };
		});
		const changer = changerOf(change);
		if (changer !== "") return { ...change, why: `it was new, and changed since by ${changer}` };
		return {
			...change,
			refused,
			why: change.why === "" || refused.length === 0 ? change.why : refusalReasons(refused),
		};
	});
}

/** The lines of a hunk after its change, as those of a comment are followed. */
function linesOfHunk({ now, lines: all }: PatchHunk, { file: { path, edits } }: PutChange): Comment {
	const lines = all.filter(({ kind }) => kind !== "removed").map(({ text }) => bareLine(text));
	const entry = edits.at(-1)?.entryId ?? "";
	return { key: "", text: "", atMs: 0, entry, path, line: now, count: lines.length, kind: "same", lines, index: 0 };
}

/** "commit b7f6e21", "the edit in turn 5 of “Parser”"; of what no witness did, "hand or a command". */
function nameOfChanger(event: FileEvent): string {
	if (event.what.kind === "replaced") return "pi-grove";
	return mayHaveChanged(event) || event.what.kind === "head" ? nameOf(event) : "hand or a command";
}
