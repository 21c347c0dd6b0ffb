import { BOOKKEEPING } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
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
	const entries = path.slice(from, from + MOST_SEARCHED);
	const entry =
		entries.find((each) => entryKind(each) === "prompt") ??
		entries.find(({ type }) => !BOOKKEEPING.has(type)) ??
		entries[0];
	if (entry === undefined) return "";
	const { verb, text } = describeRow(entry, session, place);
	return cutWords(sanitizeLine([verb?.text, text].filter(Boolean).join(" ")), width);
}
