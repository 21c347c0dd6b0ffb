import { entryMeets } from "../../catalog/query/conditions.ts";
import { callTexts, extractTexts } from "../../catalog/query/extract.ts";
import { CALL_KINDS, KINDS, type Kind } from "../../catalog/query/kinds.ts";
import { holdsAll, holdsTerm, SearchText } from "../../catalog/query/match.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import { memoLast } from "../../shared/memo.ts";
import { fieldsOf } from "../../store/format/fields.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { callWords } from "../entries/call-words.ts";
import { entryEnd } from "../entries/entry-facts.ts";
import { entryKind, roleOf } from "../entries/entry-kind.ts";
import { placeOf } from "../entries/place.ts";
import { answeredCalls, callOf, onlyResult } from "../entries/tool-call.ts";

/** Whether an entry holds all terms of a query: the same language, on the same texts, as the search over all sessions. */
export function matchesEntry(entry: SessionEntry, session: Session, query: Query, home: string): boolean {
	return meetsConditions(entry, session, query, home) && holdsAll(textsOf(entry, session, home), query);
}

/** Whether an entry is as a query asks, whatever it says: its time, its label, whether it failed; what it says only instead of that. */
export function meetsConditions(
	entry: SessionEntry,
	session: Session,
	{ conditions, terms }: Query,
	home: string,
): boolean {
	if (conditions.length === 0) return true;
	const facts = {
		holds(index: number): boolean {
			const term = terms[index];
			return term !== undefined && textsOf(entry, session, home).some((text) => holdsTerm(text, term));
		},
		time: timeOf(entry.timestamp),
		isLabeled: session.tree.labels.has(entry.id),
		// Few queries ask for it, and the message may have to be parsed.
		get hasFailed() {
			return entryEnd(entry, session) === "failed";
		},
	};
	return entryMeets(facts, conditions);
}

/** All texts by which the tree finds an entry: what it says, the label that it has now, the call whose output it is. */
export function textsOf(entry: SessionEntry, session: Session, home: string): readonly SearchText[] {
	const label = session.tree.labels.get(entry.id);
	const texts = isPresent(entry, session) ? textsOfEntry(entry, session, home) : [];
	const more =
		titleId(session) === entry.id ? texts.filter(isUser).map(({ text }) => new SearchText("title", text)) : [];
	if (label !== undefined) more.push(new SearchText("label", label.text));
	return more.length === 0 ? texts : [...texts, ...more];
}

/** Id of the first user message that says anything, which is the session's title. */
const titleId = memoLast(
	({ entries }: Session): string | undefined => entries.find((entry) => extractTexts(fieldsOf(entry)).some(isUser))?.id,
);

function isUser({ kind }: SearchText): boolean {
	return kind === "user";
}

/** Whether the session still has the name or label that an entry set. */
function isPresent(entry: SessionEntry, session: Session): boolean {
	if (entry.type === "session_info") return lastName(session) === entry.id;
	if (entry.type !== "label") return true;
	const label = session.tree.labels.get(entry.targetId);
	return label !== undefined && label.text === entry.label && label.timestamp === entry.timestamp;
}

const lastName = memoLast(
	({ entries }: Session): string | undefined => entries.findLast(({ type }) => type === "session_info")?.id,
);

/** Made anew each time: kept for all entries of a large session they would take as much memory as the session. */
function textsOfEntry(entry: SessionEntry, session: Session, home: string): readonly SearchText[] {
	const texts = extractTexts(fieldsOf(entry));
	const called = callTextsOf(entry, session, home);
	return called.length === 0 ? texts : [...texts, ...called];
}

/** A tool's result is shown with its call, so it is found by the call's text too. */
function callTextsOf(entry: SessionEntry, session: Session, home: string): SearchText[] {
	const message = fieldsOf(fieldsOf(entry).message);
	if (message.role !== "toolResult") return [];
	const call = callOf(entry, session);
	if (call === undefined) return [];
	const { verb, argument } = callWords(call.name, call.args, placeOf(session, home));
	return [new SearchText("tool", `${verb} ${argument}`, call.name), ...callTexts(call.name, call.args)];
}

/**
 * The entry whose row in the tree shows a hit: a call with a result has its row there, and so have the calls that its tool made. An
 * answer that says nothing has no row of its own; the row of its first call stands for it.
 */
export function rowOfHit(entry: SessionEntry, kind: Kind, { terms }: Query, session: Session): string {
	const isMute = entryKind(entry) === "calls";
	if (roleOf(entry) === "toolResult" || (!isMute && (KINDS[kind].bit & CALL_KINDS) === 0)) return entry.id;
	const only = onlyResult(entry, session);
	if (only !== undefined) return only;
	const calls = answeredCalls(entry, session);
	const match = calls.find(({ call: { name, args } }) =>
		callTexts(name, args).some((text) => terms.some((term) => holdsTerm(text, term))),
	);
	return match?.result ?? (isMute ? calls[0]?.result : undefined) ?? entry.id;
}
