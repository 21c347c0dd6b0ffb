import type { FileEntry, SessionEntry } from "../format/schema.ts";
import { applyLabel, type ResolvedLabel } from "./labels.ts";
import { buildTree } from "./session-table.ts";

/**
 * The entries of one session by id, by parent and by label, updated as entries are added.
 * Unlike a `SessionTree`, which is built once and cuts cycles, parents and children here are what the entries say, as in pi.
 */
export class EntryIndex {
	readonly byId = new Map<string, SessionEntry>();
	/** By the id of their target, in the order in which they were set, as in pi. */
	readonly labels = new Map<string, ResolvedLabel>();
	/** Id of the last entry in file order; null before the first. */
	lastId: string | null = null;
	/** Whether there is a user or assistant message: only then does a session get a file. */
	hasConversation = false;
	/** Made on first use: in a session of a million entries it is most of the index. */
	#children: Map<string | null, SessionEntry[]> | undefined;

	static of(entries: readonly FileEntry[]): EntryIndex {
		const index = new EntryIndex();
		for (const entry of entries) if (entry.type !== "session") index.add(entry);
		return index;
	}

	add(entry: SessionEntry): void {
		// Of entries with the same id the last one counts, at its own position.
		if (this.byId.delete(entry.id)) this.#children = undefined;
		this.byId.set(entry.id, entry);
		this.lastId = entry.id;
		this.hasConversation ||= isConversation(entry);
		if (this.#children !== undefined) addChild(this.#children, entry.parentId, entry);
		if (entry.type === "label") applyLabel(this.labels, entry);
	}

	/** The entries with this parent, in file order. */
	childrenOf(parentId: string): SessionEntry[] {
		if (this.#children === undefined) {
			this.#children = new Map();
			for (const entry of this.byId.values()) addChild(this.#children, entry.parentId, entry);
		}
		return [...(this.#children.get(parentId) ?? [])];
	}
}

/** Adds an entry after the other children of its parent. */
function addChild(children: Map<string | null, SessionEntry[]>, parentId: string | null, entry: SessionEntry): void {
	const siblings = children.get(parentId);
	if (siblings) siblings.push(entry);
	else children.set(parentId, [entry]);
}

/** The entries from the root to `leaf`, by the parents that they name themselves; ends at a cycle. An empty id counts as none, as in pi. */
export function walkUp(leaf: SessionEntry, byId: ReadonlyMap<string, SessionEntry>): SessionEntry[] {
	const path = new Set<SessionEntry>();
	let current: SessionEntry | undefined = leaf;
	while (current !== undefined && !path.has(current)) {
		path.add(current);
		current = current.parentId ? byId.get(current.parentId) : undefined;
	}
	return [...path].reverse();
}

/** Whether the entry justifies writing a session file (pi 0.99 and later). */
export function isConversation(entry: SessionEntry): boolean {
	if (entry.type !== "message") return false;
	// Entries are as they are in the file; in a damaged one the message may be missing.
	const role: string | undefined = entry.message?.role;
	return role === "user" || role === "assistant";
}

/** A node of `SessionManager.getTree()`; the shape is pi's. */
export interface SessionTreeNode {
	entry: SessionEntry;
	/** By time, oldest first. */
	children: SessionTreeNode[];
	label?: string;
	/** When that label was set (ISO 8601). */
	labelTimestamp?: string;
}

/**
 * The entries as nested nodes: the roots in file order, each entry once. Unlike pi's, they include entries
 * whose parents form a cycle.
 */
export function treeNodes(
	entries: readonly SessionEntry[],
	labels: ReadonlyMap<string, ResolvedLabel>,
): SessionTreeNode[] {
	const tree = buildTree(entries);
	const nodes = new Map<string, SessionTreeNode>();
	for (const [id, entry] of tree.byId) {
		const label = labels.get(id);
		nodes.set(id, { entry, children: [], ...(label && { label: label.text, labelTimestamp: label.timestamp }) });
	}
	for (const [parentId, children] of tree.children) {
		const node = nodes.get(parentId);
		for (const { id } of children) {
			const child = nodes.get(id);
			if (child) node?.children.push(child);
		}
	}
	return [...nodes.values()].filter((node) => !tree.parentOf.has(node.entry.id));
}
