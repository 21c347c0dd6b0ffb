import type { SessionRow } from "../../catalog/model/row.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { timeOf } from "../../store/format/time.ts";
import type { Session } from "../../store/read/read-session.ts";
import { endingOf, type OpenEnd } from "../entries/ending.ts";
import { entryKind } from "../entries/entry-kind.ts";
import { placeOf } from "../entries/place.ts";
import { plainWords } from "../entries/plain-words.ts";
import { addEntry, emptySum, type Sum } from "../entries/turn-sum.ts";
import { entryPlainText } from "../markdown/plain-text.ts";

/** What was done in one session in a time. */
export interface SessionDigest {
	readonly row: SessionRow;
	readonly sum: Readonly<Sum>;
	/** What was asked, in order, a line each. */
	readonly prompts: readonly string[];
	/** The beginning of the last answer; "" for none. */
	readonly said: string;
	/** How the session stands now. */
	readonly ending: OpenEnd | undefined;
}

/** From `from` up to `to`, Unix ms. */
export interface DigestTime {
	readonly from: number;
	readonly to: number;
}

/** What tells one entry from all others, also from its copies in forks. */
export type Counted = Set<string>;

/**
 * What was done in a session in that time; undefined for nothing. What is in `counted` already, since it was copied from
 * there, is not counted again; what is counted here is added to it: begin with the oldest session.
 */
export function digestSession(
	row: SessionRow,
	session: Session,
	{ from, to }: DigestTime,
	{ home, counted }: { readonly home: string; readonly counted: Counted },
): SessionDigest | undefined {
	const place = placeOf(session, home);
	const sum = emptySum();
	const prompts: string[] = [];
	let said = "";
	for (const entry of session.entries) {
		const time = timeOf(entry.timestamp);
		const key = `${entry.id} ${entry.timestamp}`;
		if (!(time >= from && time < to) || counted.has(key)) continue;
		counted.add(key);
		addEntry(sum, entry, session, place);
		const kind = entryKind(entry);
		if (kind === "prompt") prompts.push(firstWords(entry) || "(no text)");
		else if (kind === "answer") said = firstWords(entry) || said;
	}
	const isNothing = sum.turns === 0 && sum.steps === 0 && said === "";
	return isNothing ? undefined : { row, sum, prompts, said, ending: endingOf(session) };
}

function firstWords(entry: SessionEntry): string {
	return plainWords(entryPlainText(entry)).replace(/\s+/g, " ").trim();
}
