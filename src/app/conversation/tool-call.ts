import { contentBlocks } from "../../store/format/message-text.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { type Fields, fieldsOf, listOf, textOf } from "./fields.ts";

/** A tool call of the model. */
export interface CallFacts {
	readonly name: string;
	readonly args: Fields;
}

interface CollectedCalls {
	readonly byId: Map<string, CallFacts>;
	/** How many entries have been looked at. */
	entries: number;
}

/** By the list of a session's entries, which stays the same list when the session grows. */
const collected = new WeakMap<Session["entries"], CollectedCalls>();

/** All tool calls of a session by call id, the last one of each: for results that do not stand below their call. */
function allCalls({ entries }: Session): ReadonlyMap<string, CallFacts> {
	const calls = collected.get(entries) ?? { byId: new Map<string, CallFacts>(), entries: 0 };
	if (calls.entries < entries.length) {
		for (const entry of entries.slice(calls.entries)) {
			for (const [id, call] of callsOf(entry)) calls.byId.set(id, call);
		}
		calls.entries = entries.length;
		collected.set(entries, calls);
	}
	return calls.byId;
}

/** The calls that an entry makes, by their ids; a call without an id has "". */
function* callsOf(entry: SessionEntry): Generator<readonly [id: string, call: CallFacts]> {
	if (entry.type !== "message") return;
	for (const block of contentBlocks(fieldsOf(entry.message).content)) {
		const call = fieldsOf(block);
		if (call.type === "toolCall") yield [textOf(call.id), { name: textOf(call.name), args: fieldsOf(call.arguments) }];
	}
}

/** Entries between a result and its call that are looked at: the other results of the same answer, and bookkeeping. */
const NEAR = 100;

/** What a tool's result answers: the call above it, else any call of the session with that id. */
export function callOf(entry: SessionEntry, session: Session): CallFacts | undefined {
	return callAbove(entry, session) ?? allCalls(session).get(answeredId(entry));
}

function answeredId(entry: SessionEntry): string {
	return textOf(fieldsOf(fieldsOf(entry).message).toolCallId);
}

/** The nearest call above a result with its id: some providers count their calls anew in every answer. */
export function callAbove(entry: SessionEntry, session: Session): CallFacts | undefined {
	const id = answeredId(entry);
	const { byId, parentOf } = session.tree;
	let above = parentOf.get(entry.id);
	for (let count = 0; above !== undefined && count < NEAR; count++) {
		const entry = byId.get(above);
		const role = entry?.type === "message" ? fieldsOf(entry.message).role : undefined;
		// An answer's results come before anything else is said.
		if (role === "assistant") return callIn(entry, id);
		if (role === "user") return undefined;
		above = parentOf.get(above);
	}
	return undefined;
}

function callIn(entry: SessionEntry | undefined, id: string): CallFacts | undefined {
	for (const block of listOf(fieldsOf(fieldsOf(entry).message).content)) {
		const call = fieldsOf(block);
		if (call.type === "toolCall" && call.id === id) return { name: textOf(call.name), args: fieldsOf(call.arguments) };
	}
	return undefined;
}

/** The calls of an answer that no result below it answers, in their order. */
export function unansweredCalls(entry: SessionEntry, session: Session): readonly CallFacts[] {
	const calls = [...callsOf(entry)];
	if (calls.length === 0) return [];
	const answered = answeredBelow(entry, session);
	return calls.filter(([id]) => !answered.has(id)).map(([, call]) => call);
}

/** Entries that are looked at for the results of an answer. */
const MAX_RESULTS = 2000;

/** The ids of the calls that are answered by results below an entry, before the next thing that anyone says. */
function answeredBelow({ id }: SessionEntry, { tree }: Session): ReadonlySet<string> {
	const answered = new Set<string>();
	const open = [...(tree.children.get(id) ?? []).slice(0, MAX_RESULTS)];
	for (let count = 0; count < MAX_RESULTS; count++) {
		const next = open.pop();
		if (next === undefined) break;
		const { role, toolCallId } = fieldsOf(fieldsOf(next).message);
		if (role === "toolResult") answered.add(textOf(toolCallId));
		else if (next.type === "message" && role !== "system") continue;
		for (const child of (tree.children.get(next.id) ?? []).slice(0, MAX_RESULTS)) open.push(child);
	}
	return answered;
}
