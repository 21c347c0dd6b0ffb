import { callTexts } from "../../catalog/query/extract.ts";
import type { Kind } from "../../catalog/query/kinds.ts";
import { holdsTerm } from "../../catalog/query/match.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { entryKind } from "../entries/entry-kind.ts";
import { answeredCalls, onlyResult } from "../entries/tool-call.ts";

/** Kinds of text that are in a tool call. */
const IN_CALLS: ReadonlySet<Kind> = new Set<Kind>(["command", "path", "tool", "arguments"]);

/**
 * The entry whose row in the tree shows a hit: a call with a result has its row there. An answer that says nothing has no row
 * of its own, so that of its first call stands for it.
 */
export function rowOfHit(entry: SessionEntry, kind: Kind, { terms }: Query, session: Session): string {
	const isMute = entryKind(entry) === "calls";
	if (!isMute && !IN_CALLS.has(kind)) return entry.id;
	const only = onlyResult(entry, session);
	if (only !== undefined) return only;
	const calls = answeredCalls(entry, session);
	const found = calls.find(({ call: { name, args } }) =>
		callTexts(name, args).some((text) => terms.some((term) => holdsTerm(text, term))),
	);
	return found?.result ?? (isMute ? calls[0]?.result : undefined) ?? entry.id;
}
