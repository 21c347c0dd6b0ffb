import { BOOKKEEPING } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { type CleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutWords } from "../../ui/text/width.ts";
import { entryKind } from "./entry-kind.ts";
import type { Place } from "./place.ts";
import { describeRow } from "./row.ts";

/** Entries at the beginning of a branch that are searched for its first prompt. */
export const MOST_SEARCHED = 50;

/** What a branch is called: by its first prompt, without one by its first entry; whole words of at most `width` cells. `from`: where it begins in its path. */
export function branchName(
	path: readonly SessionEntry[],
	from: number,
	session: Session,
	place: Place,
	width: number,
): string {
	const entry = namingEntry(path.slice(from, from + MOST_SEARCHED));
	return entry === undefined ? "" : cutWords(entryWords(entry, session, place), width);
}

/** The entry by which a branch is called. `entries`: its first ones. */
export function namingEntry(entries: readonly SessionEntry[]): SessionEntry | undefined {
	return (
		entries.find((each) => entryKind(each) === "prompt") ??
		entries.find(({ type }) => !BOOKKEEPING.has(type)) ??
		entries[0]
	);
}

/** An entry in one line. */
export function entryWords(entry: SessionEntry, session: Session, place: Place): CleanText {
	const { verb, text } = describeRow(entry, session, place);
	return sanitizeLine([verb?.text, text].filter(Boolean).join(" "));
}
