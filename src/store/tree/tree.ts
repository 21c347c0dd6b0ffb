import { ENTRIES_PER_STEP, runToEnd, type Steps } from "../../shared/steps.ts";
import { timeOf } from "../format/raw-entry.ts";
import type { LabelEntry, SessionEntry, SessionInfoEntry } from "../format/schema.ts";

/** The present label of an entry. */
export interface ResolvedLabel {
	readonly text: string;
	/** When it was set (ISO 8601). */
	readonly timestamp: string;
}

/**
 * The tree that the entries of a session form. Every entry is reached exactly once from the roots.
 * Unlike `EntryIndex`, which follows pi and grows, cycles are cut and children sorted; this takes all entries at once.
 */
export interface SessionTree {
	readonly byId: ReadonlyMap<string, SessionEntry>;
	/** By time, oldest first; entries of the same time in file order. */
	readonly roots: readonly SessionEntry[];
	/** Children by parent id, sorted like the roots; entries without children are not in it. */
	readonly children: ReadonlyMap<string, readonly SessionEntry[]>;
	/** Parent id by id, without the edges that were cut, so that walking up always ends. */
	readonly parentOf: ReadonlyMap<string, string>;
	/** Labels by the id of their target; the last one in the file counts, an empty one removes the label. */
	readonly labels: ReadonlyMap<string, ResolvedLabel>;
	/** The last entry of the file, where pi continues. Null in a session without entries. */
	readonly leafId: string | null;
	/** The last `session_info` name, trimmed; undefined when never set or cleared. */
	readonly name: string | undefined;
}

/** Why an entry that names a parent is a root anyway. */
export type ParentOddity = "missing-parent" | "self-parent" | "parent-cycle";

/** Builds the tree in one go. Of several entries with the same id the last counts, as in pi. */
export function buildTree(entries: readonly SessionEntry[]): SessionTree {
	return runToEnd(treeSteps(entries));
}

/** Builds the tree in steps; `onOddity` is called for each entry whose parent cannot be used. */
export function* treeSteps(
	entries: readonly SessionEntry[],
	onOddity?: (oddity: ParentOddity, entry: SessionEntry) => void,
): Steps<SessionTree> {
	const { byId, parentOf } = yield* findParents(entries, onOddity);
	const roots: SessionEntry[] = [];
	const children = new Map<string, SessionEntry[]>();
	let step = 0;
	for (const entry of byId.values()) {
		if (step++ % ENTRIES_PER_STEP === 0) yield;
		const parentId = parentOf.get(entry.id);
		if (parentId === undefined) {
			roots.push(entry);
			continue;
		}
		addChild(children, parentId, entry);
	}
	sortByTime(roots);
	for (const siblings of children.values()) {
		if (step++ % ENTRIES_PER_STEP === 0) yield;
		if (siblings.length > 1) sortByTime(siblings);
	}
	const { labels, name } = yield* resolveInfo(entries);
	return { byId, roots, children, parentOf, labels, leafId: entries.at(-1)?.id ?? null, name };
}

/** The entries from the root to the one with this id; empty when there is none. */
export function pathTo(tree: SessionTree, id: string): SessionEntry[] {
	const entry = tree.byId.get(id);
	return entry === undefined ? [] : walkUp(entry, tree.byId, (current) => tree.parentOf.get(current.id));
}

export function applyLabel(labels: Map<string, ResolvedLabel>, { targetId, label, timestamp }: LabelEntry): void {
	if (label) labels.set(targetId, { text: label, timestamp });
	else labels.delete(targetId);
}

/** The name that an entry gives its session, trimmed; undefined if it clears the name. */
export function nameIn({ name }: SessionInfoEntry): string | undefined {
	return typeof name === "string" ? name.trim() || undefined : undefined;
}

/** Adds an entry after the other children of its parent. */
export function addChild<Id>(children: Map<Id, SessionEntry[]>, parentId: Id, entry: SessionEntry): void {
	const siblings = children.get(parentId);
	if (siblings) siblings.push(entry);
	else children.set(parentId, [entry]);
}

function* findParents(
	entries: readonly SessionEntry[],
	onOddity: ((oddity: ParentOddity, entry: SessionEntry) => void) | undefined,
): Steps<{ byId: Map<string, SessionEntry>; parentOf: Map<string, string> }> {
	const byId = new Map<string, SessionEntry>();
	const parentOf = new Map<string, string>();
	const parentNotYetSeen: SessionEntry[] = [];
	let mayHaveCycles = false;
	let previous: string | undefined;
	let step = 0;
	for (const entry of entries) {
		if (step++ % ENTRIES_PER_STEP === 0) yield;
		const { id, parentId } = entry;
		if (byId.has(id)) {
			parentOf.delete(id);
			mayHaveCycles = true;
		}
		byId.set(id, entry);
		if (parentId === null) continue;
		if (parentId === id) onOddity?.("self-parent", entry);
		else if (parentId === previous || byId.has(parentId)) parentOf.set(id, parentId);
		else parentNotYetSeen.push(entry);
		previous = id;
	}
	for (const entry of parentNotYetSeen) {
		if (step++ % ENTRIES_PER_STEP === 0) yield;
		const { id, parentId } = entry;
		if (parentId === null || byId.get(id) !== entry) continue;
		if (byId.has(parentId)) parentOf.set(id, parentId);
		else onOddity?.("missing-parent", entry);
	}
	// A cycle needs an entry whose parent comes later in the file, or a repeated id; pi never writes either.
	if (mayHaveCycles || parentNotYetSeen.length > 0) yield* cutCycles(byId, parentOf, onOddity);
	return { byId, parentOf };
}

/** Makes the first entry (in file order) of each cycle a root: a parent is written before its children. */
function* cutCycles(
	byId: ReadonlyMap<string, SessionEntry>,
	parentOf: Map<string, string>,
	onOddity: ((oddity: ParentOddity, entry: SessionEntry) => void) | undefined,
): Steps<void> {
	const position = new Map<string, number>();
	for (const id of byId.keys()) position.set(id, position.size);
	const walkOf = new Map<string, string>();
	let step = 0;
	for (const start of byId.values()) {
		let current: string | undefined = start.id;
		while (current !== undefined && !walkOf.has(current)) {
			if (step++ % ENTRIES_PER_STEP === 0) yield;
			walkOf.set(current, start.id);
			current = parentOf.get(current);
		}
		// Meeting an entry of the same walk again means a cycle. A walk may enter it anywhere, not only at its first entry.
		if (current === undefined || walkOf.get(current) !== start.id) continue;
		const cut = firstOfCycle(current, parentOf, position);
		parentOf.delete(cut);
		const entry = byId.get(cut);
		if (entry) onOddity?.("parent-cycle", entry);
	}
}

function firstOfCycle(
	member: string,
	parentOf: ReadonlyMap<string, string>,
	position: ReadonlyMap<string, number>,
): string {
	const positionOf = (id: string) => position.get(id) ?? Number.POSITIVE_INFINITY;
	let first = member;
	let current = parentOf.get(member);
	while (current !== undefined && current !== member) {
		if (positionOf(current) < positionOf(first)) first = current;
		current = parentOf.get(current);
	}
	return first;
}

/** Stable; an entry without a usable time stays after the one that precedes it in the file. */
export function sortByTime(entries: SessionEntry[]): void {
	let last = Number.NEGATIVE_INFINITY;
	let sorted = true;
	const timed = entries.map((entry) => {
		const parsed = timeOf(entry.timestamp);
		const time = Number.isNaN(parsed) ? last : parsed;
		if (time < last) sorted = false;
		last = time;
		return { entry, time };
	});
	if (sorted) return;
	timed.sort((a, b) => (a.time === b.time ? 0 : a.time - b.time));
	for (const [index, { entry }] of timed.entries()) entries[index] = entry;
}

function* resolveInfo(
	entries: readonly SessionEntry[],
): Steps<{ labels: Map<string, ResolvedLabel>; name: string | undefined }> {
	const labels = new Map<string, ResolvedLabel>();
	let name: string | undefined;
	let step = 0;
	for (const entry of entries) {
		if (step++ % ENTRIES_PER_STEP === 0) yield;
		if (entry.type === "label") applyLabel(labels, entry);
		else if (entry.type === "session_info") name = nameIn(entry);
	}
	return { labels, name };
}

/**
 * The entries from the root to `leaf`; ends at a parent cycle.
 * `parentIdOf`: by default the parent that the entry itself names; an empty id counts as none, as in pi.
 */
export function walkUp(
	leaf: SessionEntry,
	byId: ReadonlyMap<string, SessionEntry>,
	parentIdOf: (entry: SessionEntry) => string | undefined = ({ parentId }) => parentId || undefined,
): SessionEntry[] {
	const path = new Set<SessionEntry>();
	let current: SessionEntry | undefined = leaf;
	while (current !== undefined && !path.has(current)) {
		path.add(current);
		const parentId = parentIdOf(current);
		current = parentId === undefined ? undefined : byId.get(parentId);
	}
	return [...path].reverse();
}
