import type { Query } from "../../catalog/query/parse-query.ts";
import type { EntryTexts, SearchText } from "../../catalog/query/search-text.ts";
import type { Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { textsOf } from "./match-entry.ts";

/** An entry with more text than this, in characters, is compared in another thread: a frame could not wait for it. */
const MAX_CHARACTERS = 100_000;
/** The same for the number of its texts. */
const MAX_TEXTS = 1000;

/** Whether an entry with these texts is compared in another thread. */
function isLong(texts: readonly SearchText[]): boolean {
	if (texts.length > MAX_TEXTS) return true;
	let length = 0;
	for (const { text } of texts) length += text.length;
	return length > MAX_CHARACTERS;
}

/** An entry that is compared in another thread. */
export interface LongEntry {
	readonly entry: SessionEntry;
	readonly texts: EntryTexts;
}

/** The long entries of a session for which it is not known yet whether they hold a query. */
export function* longEntries(session: Session, query: Query, home: string): Steps<LongEntry[]> {
	const found: LongEntry[] = [];
	if (query.terms.length === 0) return found;
	for (const entry of session.entries) {
		yield;
		const texts = textsOf(entry, session, home);
		if (isLong(texts) && heldBefore(entry, query) === undefined)
			found.push({ entry, texts: texts.map(({ kind, text, tool }) => [kind, text, tool] as const) });
	}
	return found;
}

const answers = new WeakMap<SessionEntry, { readonly query: Query; readonly held: boolean }>();

/** Keeps what was found out about a long entry. */
export function keepAnswer(entry: SessionEntry, query: Query, held: boolean): void {
	answers.set(entry, { query, held });
}

/** Whether a long entry holds the query, if that is known. */
export function heldBefore(entry: SessionEntry, query: Query): boolean | undefined {
	const answer = answers.get(entry);
	return answer?.query === query ? answer.held : undefined;
}
