import { contentBlocks } from "../format/message-text.ts";
import { isObject, type RawEntry } from "../format/parse.ts";

/** Of an entry: what decides whether results of tools stand where providers accept them. */
export interface CallLinks {
	readonly id: unknown;
	readonly parentId: unknown;
	/** Of its message; undefined where it has none. */
	readonly role?: unknown;
	/** Of an answer: ids of its calls; undefined where they are not known. */
	readonly calls?: ReadonlySet<unknown> | undefined;
	/** Of a result: the call that it answers. */
	readonly answers?: unknown;
}

/** What of an entry decides that. */
export function callLinks(entry: RawEntry): CallLinks {
	const { id, parentId } = entry;
	const message = entry.type === "message" && isObject(entry.message) ? entry.message : undefined;
	if (message === undefined) return { id, parentId };
	const { role } = message;
	if (role === "toolResult") return { id, parentId, role, answers: message.toolCallId };
	if (role !== "assistant") return { id, parentId, role };
	const calls = contentBlocks(message.content).flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
	return { id, parentId, role, calls: new Set(calls) };
}

/**
 * Indexes of the results of tools whose call is not before them on their path: providers refuse them, and with them all that
 * follows (https://github.com/earendil-works/pi/issues/6558). Between a call and its result only other results, and entries
 * that are no message, may stand. `entries`: with text as ids, parents that are there, and no cycles.
 */
export function orphanedResults(entries: readonly CallLinks[]): ReadonlySet<number> {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	/** By entry: the answer whose calls may be answered there; undefined where there is none. */
	const answers = new Map<CallLinks, CallLinks | undefined>();
	const orphans = new Set<number>();
	for (const [index, entry] of entries.entries()) {
		if (entry.role !== "toolResult") continue;
		const answer = answerAbove(entry, byId, answers);
		const isAnswered = answer !== undefined && (answer.calls === undefined || answer.calls.has(entry.answers));
		if (!isAnswered) orphans.add(index);
	}
	return orphans;
}

function answerAbove(
	entry: CallLinks,
	byId: ReadonlyMap<unknown, CallLinks>,
	known: Map<CallLinks, CallLinks | undefined>,
): CallLinks | undefined {
	const passed: CallLinks[] = [entry];
	let at = byId.get(entry.parentId);
	while (at !== undefined && !known.has(at)) {
		if (at.role === "assistant" || at.role === "user") break;
		passed.push(at);
		at = byId.get(at.parentId);
	}
	const found = at === undefined ? undefined : known.has(at) ? known.get(at) : at.role === "assistant" ? at : undefined;
	for (const one of passed) known.set(one, found);
	return found;
}
