import { isObject } from "../../shared/is-object.ts";
import { RESUME_POINT_TYPE } from "../format/resume-point.ts";
import type { SessionEntry } from "../format/schema.ts";

/**
 * Whether a name, a label or another entry that says nothing has moved the leaf back, so that pi goes on from the middle of
 * the conversation: see "A leaf that was moved" in docs/format.md. pi takes the last entry of the file as the leaf, whatever
 * its type: https://github.com/earendil-works/pi/issues/9930
 */

/**
 * What an entry may mean for the place where the conversation goes on. "said": it is a part of the conversation. "chosen":
 * somebody wants to go on there; a resume point, a context edit. "mark": it is about the whole file, and its place says
 * nothing; a name, a label, usage, the state of an extension. "setting": it holds on its branch from there on; a model, a
 * thinking level. "return": it makes an entry the leaf again, as undo does, and means what that entry means.
 */
export const LEAF_ROLES = ["said", "chosen", "mark", "setting", "return"] as const;
export type LeafRole = (typeof LEAF_ROLES)[number];

/** What tells the role of an entry. */
interface RoleFields {
	readonly type?: unknown;
	readonly customType?: unknown;
	readonly data?: unknown;
	readonly parentId?: unknown;
}

/** The role of an entry, by its type and its data: for a message nothing of it is looked at. */
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
			// After a prompt that is said again it names the prompt, but follows what was before it.
			return isObject(data) && data.entryId === parentId ? "return" : "chosen";
		default:
			return "said";
	}
}

/** The entries of a session by their place in the file; -1 stands for none. */
export interface LinkedEntries {
	readonly count: number;
	readonly roleAt: (index: number) => LeafRole;
	/** Of a child, or -1 for a root. Walking up ends. */
	readonly parentAt: (index: number) => number;
	/** Whether it is a message of the person, with which a turn begins. */
	readonly isPromptAt: (index: number) => boolean;
}

/** How far back the leaf was moved. */
export interface RewindFacts {
	/** Turns on the path to where pi goes on; 0: it goes on before the first prompt. */
	readonly turn: number;
	/** Turns on the path to where the conversation had ended. */
	readonly turns: number;
	/** Whether pi goes on from another branch, and not from the middle of this one. */
	readonly aside: boolean;
	/** Entries of that conversation that are not on pi's path; names, labels and the like do not count. */
	readonly hidden: number;
}

/** Where pi goes on, in words: "turn 3 of 40". */
export function rewindPlace({ turn, turns, aside }: Pick<RewindFacts, "turn" | "turns" | "aside">): string {
	return aside ? `turn ${turn} of another branch` : `turn ${turn} of ${turns}`;
}

/** A leaf that was moved, by the places of entries in the file. */
export interface Rewind extends RewindFacts {
	/** The entry that moved it. */
	readonly by: number;
	/** The entry that pi goes on from, which says something; -1: from nothing. */
	readonly at: number;
	/** Where the conversation had ended: what is appended there makes pi go on from it again. */
	readonly end: number;
}

/** The leaf that was moved; undefined where the last entry is where the conversation, or somebody's choice, ends. */
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
	/** The last entry in the file, before what moved the leaf, that says something or was chosen. */
	readonly last: number;
	/** The last entry that is on the wrong branch. */
	readonly lowest: number;
}

/**
 * Walks up from the leaf as long as entries say nothing. Such an entry is on the wrong branch where it does not follow, by way
 * of others like it, the last entry before it that says something: the first of these in the file has moved the leaf.
 */
function movedBy(entries: LinkedEntries): Moved | undefined {
	const strayed: { readonly index: number; readonly last: number }[] = [];
	const walk = new Walk(entries);
	let at = entries.count - 1;
	while (at !== -1 && walk.isQuiet(at)) {
		strayed.push({ index: at, last: walk.lastBefore(at) });
		const parent = entries.parentAt(at);
		// pi writes no entry before its parent: nothing can be said of the order then.
		if (parent >= at) return undefined;
		at = parent;
	}
	const wrong = strayed.filter(({ index, last }) => last !== at && entries.roleAt(index) !== "return");
	const [lowest, by] = [wrong[0], wrong.at(-1)];
	return lowest && by && { by: by.index, at, last: lowest.last, lowest: lowest.index };
}

/** Looks at entries from the leaf up, at each one once. */
class Walk {
	readonly #entries: LinkedEntries;
	/** What was found for the index before. */
	#last: number | undefined;

	constructor(entries: LinkedEntries) {
		this.#entries = entries;
	}

	/** Whether an entry says nothing about where the conversation goes on. */
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

	/** The last entry before this one that is not quiet; -1 for none. Asked for one index after the other, falling. */
	lastBefore(index: number): number {
		if (this.#last !== undefined && this.#last < index) return this.#last;
		let at = index - 1;
		while (at !== -1 && this.isQuiet(at)) at -= 1;
		this.#last = at;
		return at;
	}
}

/** The last entry before `end` that follows `last` by way of entries that say nothing, as a model set there; else `last`. */
function lastAfter(last: number, end: number, entries: LinkedEntries): number {
	const after = new Set([last]);
	let found = last;
	for (let index = last + 1; index < end; index++) {
		if (!after.has(entries.parentAt(index))) continue;
		after.add(index);
		found = index;
	}
	return found;
}

function* upFrom(index: number, { count, parentAt }: LinkedEntries): Generator<number> {
	let steps = 0;
	for (let at = index; at !== -1 && steps < count; at = parentAt(at), steps++) yield at;
}

/** A leaf that was moved, by ids. */
export interface SessionRewind extends RewindFacts {
	readonly by: SessionEntry;
	/** Null: pi goes on from nothing. */
	readonly atId: string | null;
	readonly endId: string;
}

/** Whether the leaf, or what it follows line by line, says something, as nearly always: few entries are looked at for that. */
function followsInOrder(
	entries: readonly SessionEntry[],
	parentIdOf: (entry: SessionEntry) => string | null | undefined,
): boolean {
	for (let index = entries.length - 1; index >= 0; index--) {
		const entry = entries[index];
		if (entry === undefined) return false;
		const role = leafRole(entry);
		if (role === "said" || role === "chosen") return true;
		if (parentIdOf(entry) !== entries[index - 1]?.id) return false;
	}
	return true;
}

/** The same for a session: `parentIdOf` as its tree has it; `isPrompt` is asked for entries of two paths at most. */
export function rewindOf(
	entries: readonly SessionEntry[],
	parentIdOf: (entry: SessionEntry) => string | null | undefined,
	isPrompt: (entry: SessionEntry) => boolean,
): SessionRewind | undefined {
	const last = entries.at(-1);
	if (last === undefined || followsInOrder(entries, parentIdOf)) return undefined;
	const indexes = new Map(entries.map(({ id }, index) => [id, index]));
	const at = (index: number): SessionEntry => entries[index] ?? last;
	const found = findRewind({
		count: entries.length,
		roleAt: (index) => leafRole(at(index)),
		parentAt: (index) => indexes.get(parentIdOf(at(index)) ?? "") ?? -1,
		isPromptAt: (index) => isPrompt(at(index)),
	});
	if (found === undefined) return undefined;
	const { turn, turns, aside, hidden } = found;
	const atId = found.at === -1 ? null : at(found.at).id;
	return { by: at(found.by), atId, endId: at(found.end).id, turn, turns, aside, hidden };
}
