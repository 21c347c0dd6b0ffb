import { widenColumns } from "../../shared/columns.ts";
import { isObject } from "../../shared/json.ts";
import { contentBlocks } from "../format/message.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import { LEAF_ROLES, type LeafRole, leafRole } from "../tree/rewind.ts";

/** The facts about an entry that decide whether tool results stand where providers accept them. */
interface CallLinks {
	readonly id: unknown;
	readonly parentId: unknown;
	/** Role of its message; undefined if it has none. */
	readonly role?: unknown;
	/** Of an answer: ids of its calls; undefined if unknown. */
	readonly calls?: ReadonlySet<unknown> | undefined;
	/** Of a result: the call that it answers. */
	readonly answers?: unknown;
}

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

/** The entries of a session by index. All parents exist, and there are no cycles. */
export interface LinkedRoles {
	readonly count: number;
	/** The index of the parent; -1 for a root. */
	readonly parentAt: (index: number) => number;
	readonly roleAt: (index: number) => unknown;
	readonly answers: (result: number, answer: number) => boolean;
}

/** The same for entries in memory: ids are strings, all parents exist, and there are no cycles. */
export function linkedRoles(entries: readonly CallLinks[]): LinkedRoles {
	const indexOf = new Map(entries.map(({ id }, index) => [id, index]));
	return {
		count: entries.length,
		parentAt: (index) => indexOf.get(entries[index]?.parentId) ?? -1,
		roleAt: (index) => entries[index]?.role,
		answers: (result, answer) => doesAnswer(entries[result], entries[answer]),
	};
}

/** Whether a result answers a call in an answer; true if the answer's calls are unknown. */
function doesAnswer(result: CallLinks | undefined, answer: CallLinks | undefined): boolean {
	return answer?.calls === undefined || answer.calls.has(result?.answers);
}

const UNKNOWN = -2;
const NONE = -1;

/**
 * Indexes of tool results whose call does not precede them on their path: providers refuse them, and with them all that
 * follows (https://github.com/earendil-works/pi/issues/6558). Between a call and its result, only other results and entries
 * without a message are allowed.
 */
export function orphanedResults(entries: LinkedRoles): ReadonlySet<number> {
	const { count, roleAt, answers } = entries;
	/** By entry: the answer whose calls may be answered there. */
	const answerAt = new Int32Array(count).fill(UNKNOWN);
	const orphans = new Set<number>();
	for (let index = 0; index < count; index++) {
		if (roleAt(index) !== "toolResult") continue;
		const answer = answerAbove(index, entries, answerAt);
		if (answer === NONE || !answers(index, answer)) orphans.add(index);
	}
	return orphans;
}

function answerAbove(index: number, { parentAt, roleAt }: LinkedRoles, answerAt: Int32Array): number {
	const passed: number[] = [index];
	let at = parentAt(index);
	let role = roleAt(at);
	while (at !== NONE && answerAt[at] === UNKNOWN && role !== "assistant" && role !== "user") {
		passed.push(at);
		at = parentAt(at);
		role = roleAt(at);
	}
	const knownAnswer = at === NONE ? NONE : (answerAt[at] ?? NONE);
	const answer = knownAnswer !== UNKNOWN ? knownAnswer : role === "assistant" ? at : NONE;
	for (const one of passed) answerAt[one] = answer;
	return answer;
}

/** Roles of messages that decide where results may stand; the first stands for all other entries. */
const ROLES = [undefined, "user", "assistant", "toolResult"] as const;
const BY_ENTRY = ["role", "leaf", "answered"] as const;

/**
 * What the examination of a file needs of every entry, as columns: a million objects with the ids of their calls would take
 * most of the memory. A result usually belongs to the last answer before it in the file; for any other, both lines are read
 * again.
 */
export class CallColumns {
	readonly #columns = {
		role: new Uint8Array(1024),
		leaf: new Uint8Array(1024),
		/** Of a result: the answer that has its call; -1 if that is not the last answer before it. */
		answered: new Int32Array(1024),
	};
	/** Answers whose lines were too long to be parsed, so that their calls are unknown. */
	readonly #unread = new Set<number>();
	#lastAnswer: { readonly index: number; readonly links: CallLinks } | undefined;
	#count = 0;

	/** Adds the next entry; `isWhole`: all of its line was parsed. */
	add(value: RawEntry, isWhole: boolean): void {
		const index = this.#count++;
		widenColumns(this.#columns, BY_ENTRY, this.#count);
		const links: CallLinks = isWhole ? callLinks(value) : { ...callLinks(value), role: "assistant" };
		if (!isWhole) this.#unread.add(index);
		const { role, leaf, answered } = this.#columns;
		role[index] = Math.max(0, ROLES.indexOf(links.role as (typeof ROLES)[number]));
		leaf[index] = LEAF_ROLES.indexOf(leafRole(value));
		answered[index] = NONE;
		if (links.role === "assistant") this.#lastAnswer = { index, links };
		else if (links.role === "toolResult" && this.#lastAnswer !== undefined && doesAnswer(links, this.#lastAnswer.links))
			answered[index] = this.#lastAnswer.index;
	}

	leafAt(index: number): LeafRole {
		return LEAF_ROLES[this.#columns.leaf[index] ?? 0] ?? "said";
	}

	isPromptAt(index: number): boolean {
		return this.#roleAt(index) === "user";
	}

	/** The entries as input of `orphanedResults`. `read` reads the entry with this index from the file again. */
	linked(parents: Int32Array, read: (index: number) => RawEntry | undefined): LinkedRoles {
		return {
			count: this.#count,
			parentAt: (index) => parents[index] ?? NONE,
			roleAt: (index) => this.#roleAt(index),
			answers: (result, answer) => {
				if (this.#columns.answered[result] === answer || this.#unread.has(answer)) return true;
				return doesAnswer(callLinks(read(result) ?? {}), callLinks(read(answer) ?? {}));
			},
		};
	}

	#roleAt(index: number): (typeof ROLES)[number] {
		return ROLES[this.#columns.role[index] ?? 0];
	}
}
