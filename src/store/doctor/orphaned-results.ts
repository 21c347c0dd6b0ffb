import { isObject } from "../../shared/is-object.ts";
import { contentBlocks } from "../format/message-text.ts";
import type { RawEntry } from "../format/parse.ts";

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

/** The entries of a session by their place in the file: parents are there, and there are no cycles. */
export interface LinkedRoles {
	readonly count: number;
	/** The index of the parent; -1 for a root. */
	readonly parentAt: (index: number) => number;
	/** Of its message; undefined where it has none. */
	readonly roleAt: (index: number) => unknown;
	/** Whether the result with one index is that of a call in the answer with the other. */
	readonly answers: (result: number, answer: number) => boolean;
}

/** The same for entries that are in memory: with text as ids, parents that are there, and no cycles. */
export function linkedRoles(entries: readonly CallLinks[]): LinkedRoles {
	const indexOf = new Map(entries.map(({ id }, index) => [id, index]));
	return {
		count: entries.length,
		parentAt: (index) => indexOf.get(entries[index]?.parentId) ?? -1,
		roleAt: (index) => entries[index]?.role,
		answers: (result, answer) => doesAnswer(entries[result], entries[answer]),
	};
}

/** Whether a result is that of a call in an answer; so where its calls are not known. */
export function doesAnswer(result: CallLinks | undefined, answer: CallLinks | undefined): boolean {
	return answer?.calls === undefined || answer.calls.has(result?.answers);
}

const UNKNOWN = -2;
const NONE = -1;

/**
 * Indexes of the results of tools whose call is not before them on their path: providers refuse them, and with them all that
 * follows (https://github.com/earendil-works/pi/issues/6558). Between a call and its result only other results, and entries
 * that are no message, may stand.
 */
export function orphanedResults(entries: LinkedRoles): ReadonlySet<number> {
	const { count, roleAt, answers } = entries;
	/** By entry: the answer whose calls may be answered there. */
	const known = new Int32Array(count).fill(UNKNOWN);
	const orphans = new Set<number>();
	for (let index = 0; index < count; index++) {
		if (roleAt(index) !== "toolResult") continue;
		const answer = answerAbove(index, entries, known);
		if (answer === NONE || !answers(index, answer)) orphans.add(index);
	}
	return orphans;
}

function answerAbove(index: number, { parentAt, roleAt }: LinkedRoles, known: Int32Array): number {
	const passed: number[] = [index];
	let at = parentAt(index);
	let role = roleAt(at);
	while (at !== NONE && known[at] === UNKNOWN && role !== "assistant" && role !== "user") {
		passed.push(at);
		at = parentAt(at);
		role = roleAt(at);
	}
	const before = at === NONE ? NONE : (known[at] ?? NONE);
	const found = before !== UNKNOWN ? before : role === "assistant" ? at : NONE;
	for (const one of passed) known[one] = found;
	return found;
}
