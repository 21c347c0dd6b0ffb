import { type Fields, fieldsOf, listOf, textOf } from "../../store/format/fields.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { recordedCalls } from "../../store/format/tool-calls.ts";
import { heldCalls, heldFacts } from "../../store/held/held-message.ts";
import type { Session } from "../../store/read/read-session.ts";
import { roleOf } from "./entry-kind.ts";

export interface CallFacts {
	readonly name: string;
	readonly args: Fields;
}

interface CollectedCalls {
	/** Index of the last entry with a call, by the id of the call. */
	readonly byId: Map<string, number>;
	/** Number of entries that have been read. */
	entries: number;
}

/** By the list of a session's entries, which stays the same list when the session grows. */
const collected = new WeakMap<Session["entries"], CollectedCalls>();

/** The last tool call of a session with this id, for a result that is not below its call. */
function anyCall(session: Session, id: string): CallFacts | undefined {
	const { entries } = session;
	const calls = collected.get(entries) ?? {
		// What is written like a call may stand in a result, too.
		byId: new Map(
			heldCalls(session)
				.filter(([at]) => heldFacts(entries[at])?.role === "assistant")
				.map(([at, its]) => [its, at]),
		),
		entries: 0,
	};
	collected.set(entries, calls);
	for (let index = calls.entries; index < entries.length; index++) {
		const entry = entries[index];
		if (entry === undefined || heldFacts(entry) !== undefined) continue;
		for (const [its] of callsOf(entry)) calls.byId.set(its, Math.max(index, calls.byId.get(its) ?? 0));
	}
	calls.entries = entries.length;
	const entry = entries[calls.byId.get(id) ?? -1];
	return (
		entry && callsOf(entry).reduce<CallFacts | undefined>((last, [its, call]) => (its === id ? call : last), undefined)
	);
}

/** The calls of an answer with their ids; "" for a call without one. */
function* callsOf(entry: SessionEntry): Generator<readonly [id: string, call: CallFacts]> {
	if (roleOf(entry) !== "assistant") return;
	for (const { id, name, args } of recordedCalls(fieldsOf(entry).message)) yield [id, { name, args: fieldsOf(args) }];
}

/** Entries above a result that are searched for its call: other results of the same answer, and bookkeeping, come between. */
const NEAR = 100;

/** The call that a result belongs to: the one above it, else any call of the session with that id. */
export function callOf(entry: SessionEntry, session: Session): CallFacts | undefined {
	return callAbove(entry, session) ?? anyCall(session, answeredId(entry));
}

function answeredId(entry: SessionEntry): string {
	return textOf(fieldsOf(fieldsOf(entry).message).toolCallId);
}

/** The nearest call with the id of a result above it: some providers reuse ids in every answer. */
export function callAbove(entry: SessionEntry, session: Session): CallFacts | undefined {
	const id = answeredId(entry);
	const { byId, parentOf } = session.tree;
	let above = parentOf.get(entry.id);
	for (let count = 0; above !== undefined && count < NEAR; count++) {
		const entry = byId.get(above);
		const role = roleOf(entry);
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

/** The calls of an answer without a result below it, in order. */
export function unansweredCalls(entry: SessionEntry, session: Session): readonly CallFacts[] {
	const calls = [...callsOf(entry)];
	if (calls.length === 0) return [];
	const answered = resultsBelow(entry, session);
	return calls.filter(([id]) => !answered.has(id)).map(([, call]) => call);
}

/** The calls of an answer that have a result below it, in order, with the results: in the tree, each of these is the row of both. */
export function answeredCalls(
	entry: SessionEntry,
	session: Session,
): readonly { readonly call: CallFacts; readonly result: string }[] {
	const calls = [...callsOf(entry)];
	if (calls.length === 0) return [];
	const answered = resultsBelow(entry, session);
	return calls.flatMap(([id, call]) => {
		const result = answered.get(id);
		return result === undefined ? [] : [{ call, result }];
	});
}

/** The result below an answer if it is the only one, found without parsing the answer. */
export function onlyResult({ id }: SessionEntry, { tree }: Session): string | undefined {
	const [below, ...siblings] = tree.children.get(id) ?? [];
	if (below === undefined || siblings.length > 0 || roleOf(below) !== "toolResult") return undefined;
	const next = tree.children.get(below.id) ?? [];
	return next.some((entry) => roleOf(entry) === "toolResult") ? undefined : below.id;
}

/** Entries below an answer that are searched for its results. */
const MAX_RESULTS = 2000;

/** Ids of the first results below an answer by the ids of their calls, before the next message of anyone. */
export function resultsBelow({ id }: SessionEntry, { tree }: Session): ReadonlyMap<string, string> {
	const answered = new Map<string, string>();
	const open = [...(tree.children.get(id) ?? []).slice(0, MAX_RESULTS)];
	for (let count = 0; count < MAX_RESULTS; count++) {
		const next = open.pop();
		if (next === undefined) break;
		const role = roleOf(next);
		if (role === "toolResult") answered.set(answeredId(next), next.id);
		else if (next.type === "message" && role !== "system") continue;
		for (const child of (tree.children.get(next.id) ?? []).slice(0, MAX_RESULTS)) open.push(child);
	}
	return answered;
}
