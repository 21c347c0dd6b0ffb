import { isObject } from "../../shared/json.ts";
import { RESUME_POINT_TYPE } from "../format/raw-entry.ts";
import type { SessionEntry } from "../format/schema.ts";
import type { SessionTable } from "./session-table.ts";

/**
 * Detects whether a name, a label or another entry outside the conversation has moved the leaf back, so that pi continues
 * from the middle of the conversation: see "A leaf that was moved" in docs/format.md. pi takes the last entry of the file as
 * the leaf, whatever its type: https://github.com/earendil-works/pi/issues/9930
 */

/**
 * How an entry affects where the conversation continues. "said": it is part of the conversation. "chosen": someone chose to
 * continue there; a resume point, a context edit. "mark": it concerns the whole file, so its position means nothing; a name, a
 * label, usage, the state of an extension. "setting": it applies to its branch from there on; a model, a thinking level.
 * "return": it makes an entry the leaf again, as undo does, and counts as that entry does.
 */
export const LEAF_ROLES = ["said", "chosen", "mark", "setting", "return"] as const;
export type LeafRole = (typeof LEAF_ROLES)[number];

interface RoleFields {
	readonly type?: unknown;
	readonly customType?: unknown;
	readonly data?: unknown;
	readonly parentId?: unknown;
}

/** The role of an entry, by its type and its data; a message itself is not read. */
export function leafRole({ type, customType, data, parentId }: RoleFields): LeafRole {
	switch (type) {
		case "session_info":
		case "label":
		case "usage":
			return "mark";
		case "model_change":
		case "thinking_level_change":
			return "setting";
		case "context_edit":
			return "chosen";
		case "custom":
			if (customType !== RESUME_POINT_TYPE) return "mark";
			// For a prompt to be said again, it names the prompt but follows the entry before it.
			return isObject(data) && data.entryId === parentId ? "return" : "chosen";
		default:
			return "said";
	}
}

/** The entries of a session by index; -1 stands for none. */
interface LinkedEntries {
	readonly count: number;
	readonly roleAt: (index: number) => LeafRole;
	/** The parent's index, or -1 for a root. Must not form cycles. */
	readonly parentAt: (index: number) => number;
	/** Whether it is a message of the user, which begins a turn. */
	readonly isPromptAt: (index: number) => boolean;
}

export interface RewindFacts {
	/** Turns on the path to where pi continues; 0: before the first prompt. */
	readonly turn: number;
	/** Turns on the path to the end of the conversation. */
	readonly turns: number;
	/** Whether pi continues on another branch rather than in the middle of this one. */
	readonly aside: boolean;
	/** Entries of the conversation that are not on pi's path; names, labels and the like do not count. */
	readonly hidden: number;
}

/** Where pi continues, in words: "turn 3 of 40". */
export function rewindPlace({ turn, turns, aside }: Pick<RewindFacts, "turn" | "turns" | "aside">): string {
	return aside ? `turn ${turn} of another branch` : `turn ${turn} of ${turns}`;
}

export interface Rewind extends RewindFacts {
	/** The entry that moved it. */
	readonly by: number;
	/** The conversation entry that pi continues from; -1: none. */
	readonly at: number;
	/** The end of the conversation: an entry appended there makes pi continue from it again. */
	readonly end: number;
}

/** The moved leaf; undefined if the last entry ends the conversation, or someone's choice. */
export function findRewind(entries: LinkedEntries): Rewind | undefined {
	const moved = movedBy(entries);
	if (moved === undefined || entries.roleAt(moved.by) !== "mark") return undefined;
	const { by, at, last, lowest } = moved;
	const onPath = new Set(upFrom(at, entries));
	let [turns, hidden, aside] = [0, 0, at !== -1];
	for (const index of upFrom(last, entries)) {
		if (index === at) aside = false;
		if (entries.isPromptAt(index)) turns += 1;
		if (entries.roleAt(index) === "said" && !onPath.has(index)) hidden += 1;
	}
	if (hidden === 0) return undefined;
	let turn = 0;
	for (const index of onPath) if (entries.isPromptAt(index)) turn += 1;
	return { by, at, end: lastAfter(last, lowest, entries), turn, turns, aside, hidden };
}

interface Moved {
	readonly by: number;
	readonly at: number;
	/** The last entry with the role "said" or "chosen" before the one that moved the leaf. */
	readonly last: number;
	/** The last entry that is on the wrong branch. */
	readonly lowest: number;
}

/**
 * Walks up from the leaf while entries are quiet. Such an entry is on the wrong branch if it does not follow, directly or
 * through other quiet ones, the last entry before it that is not quiet; the first of these in the file has moved the leaf.
 */
function movedBy(entries: LinkedEntries): Moved | undefined {
	const strayed: { readonly index: number; readonly last: number }[] = [];
	const walk = new Walk(entries);
	let at = entries.count - 1;
	while (at !== -1 && walk.isQuiet(at)) {
		strayed.push({ index: at, last: walk.lastBefore(at) });
		const parent = entries.parentAt(at);
		// pi writes no entry before its parent; otherwise the order means nothing.
		if (parent >= at) return undefined;
		at = parent;
	}
	const wrong = strayed.filter(({ index, last }) => last !== at && entries.roleAt(index) !== "return");
	const [lowest, by] = [wrong[0], wrong.at(-1)];
	return lowest && by && { by: by.index, at, last: lowest.last, lowest: lowest.index };
}

/** Walks from the leaf up, visiting each entry once. */
class Walk {
	readonly #entries: LinkedEntries;
	/** The result for the previous index. */
	#last: number | undefined;

	constructor(entries: LinkedEntries) {
		this.#entries = entries;
	}

	/** Whether an entry says nothing about where the conversation continues. */
	isQuiet(index: number): boolean {
		let at = index;
		while (this.#entries.roleAt(at) === "return") {
			const parent = this.#entries.parentAt(at);
			if (parent === -1 || parent >= at) return false;
			at = parent;
		}
		const role = this.#entries.roleAt(at);
		return role === "mark" || role === "setting";
	}

	/** The last entry before this one that is not quiet; -1 for none. Must be called with decreasing indexes. */
	lastBefore(index: number): number {
		if (this.#last !== undefined && this.#last < index) return this.#last;
		let at = index - 1;
		while (at !== -1 && this.isQuiet(at)) at -= 1;
		this.#last = at;
		return at;
	}
}

/** The last entry before `end` that follows `last` through quiet entries, such as a model change; else `last`. */
function lastAfter(last: number, end: number, entries: LinkedEntries): number {
	const followers = new Set([last]);
	let lastFollower = last;
	for (let index = last + 1; index < end; index++) {
		if (!followers.has(entries.parentAt(index))) continue;
		followers.add(index);
		lastFollower = index;
	}
	return lastFollower;
}

function* upFrom(index: number, { count, parentAt }: LinkedEntries): Generator<number> {
	let steps = 0;
	for (let at = index; at !== -1 && steps < count; at = parentAt(at), steps++) yield at;
}

/** A moved leaf, by ids. */
interface SessionRewind extends RewindFacts {
	readonly by: SessionEntry;
	/** Null: pi continues from nothing. */
	readonly atId: string | null;
	readonly endId: string;
}

/** Whether the leaf is part of the conversation, or follows it line by line, as is nearly always so: a cheap first check. */
function followsInOrder({ entries, parent }: SessionTable): boolean {
	for (let index = entries.length - 1; index >= 0; index--) {
		const entry = entries[index];
		if (entry === undefined) return false;
		const role = leafRole(entry);
		if (role === "said" || role === "chosen") return true;
		if (parent[index] !== index - 1) return false;
	}
	return true;
}

/** `findRewind` for a session; `isPrompt` is called for entries of at most two paths. */
export function rewindOf(table: SessionTable, isPrompt: (entry: SessionEntry) => boolean): SessionRewind | undefined {
	const { entries, parent } = table;
	const last = entries.at(-1);
	if (last === undefined || followsInOrder(table)) return undefined;
	const at = (index: number): SessionEntry => entries[index] ?? last;
	const rewind = findRewind({
		count: entries.length,
		roleAt: (index) => leafRole(at(index)),
		parentAt: (index) => parent[index] ?? -1,
		isPromptAt: (index) => isPrompt(at(index)),
	});
	if (rewind === undefined) return undefined;
	const { turn, turns, aside, hidden } = rewind;
	const atId = rewind.at === -1 ? null : at(rewind.at).id;
	return { by: at(rewind.by), atId, endId: at(rewind.end).id, turn, turns, aside, hidden };
}
