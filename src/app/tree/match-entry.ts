import { callSegments, extractSegments } from "../../catalog/query/extract.ts";
import { fold } from "../../catalog/query/fold.ts";
import { holdsTerm, type SearchedText } from "../../catalog/query/holds-term.ts";
import { KINDS, maskOf } from "../../catalog/query/kinds.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import type { Segment } from "../../catalog/query/segment.ts";
import type { Session } from "../../store/read-session.ts";
import type { SessionEntry } from "../../store/schema.ts";
import { fieldsOf, textOf } from "./fields.ts";
import { callSummary, toolCalls } from "./tool-call.ts";

/** A segment with its text folded for comparison. */
interface FoldedSegment extends SearchedText {
	readonly tool: string;
}

const foldedSegments = new WeakMap<SessionEntry, readonly FoldedSegment[]>();

/** Whether an entry holds all terms of a query: the same language, on the same texts, as the search over all sessions. */
export function matchesEntry(entry: SessionEntry, session: Session, query: Query, home: string): boolean {
	const label = session.tree.labels.get(entry.id);
	const segments = segmentsOf(entry, session, home).filter(
		({ tool }) => query.tool === undefined || tool.includes(query.tool),
	);
	return query.terms.every(
		(term) =>
			segments.some((segment) => holdsTerm(segment, term)) ||
			(label !== undefined && holdsTerm(labelSegment(label.text), term)),
	);
}

function segmentsOf(entry: SessionEntry, session: Session, home: string): readonly FoldedSegment[] {
	let segments = foldedSegments.get(entry);
	if (segments === undefined) {
		segments = [...extractSegments({ ...entry }), ...askedOf(entry, session, home)].map(foldSegment);
		foldedSegments.set(entry, segments);
	}
	return segments;
}

/** A tool's result is shown with what was asked, so it is found by that too. */
function askedOf(entry: SessionEntry, session: Session, home: string): Segment[] {
	const message = fieldsOf(fieldsOf(entry).message);
	if (message.role !== "toolResult") return [];
	const call = toolCalls(session).get(textOf(message.toolCallId));
	if (call === undefined) return [];
	return [{ kind: "tool", text: callSummary(call, home), tool: call.name }, ...callSegments(call.name, call.args)];
}

function foldSegment({ kind, text, tool }: Segment): FoldedSegment {
	return { kinds: 1 << KINDS[kind].code, folded: fold(text), tool: fold(tool ?? "") };
}

function labelSegment(text: string): FoldedSegment {
	return { kinds: maskOf(["label"]), folded: fold(text), tool: "" };
}
