import type { SessionEntry } from "../format/schema.ts";
import { buildTree, type ResolvedLabel } from "./tree.ts";

/** A node of `SessionManager.getTree()`; the shape is pi's. */
export interface SessionTreeNode {
	entry: SessionEntry;
	/** By time, oldest first. */
	children: SessionTreeNode[];
	/** The label that the entry has now. */
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
	for (const [id, entry] of tree.byId) nodes.set(id, { entry, children: [], ...labelOf(labels.get(id)) });
	for (const [parentId, children] of tree.children) {
		const node = nodes.get(parentId);
		for (const { id } of children) {
			const child = nodes.get(id);
			if (child) node?.children.push(child);
		}
	}
	return [...nodes.values()].filter((node) => !tree.parentOf.has(node.entry.id));
}

function labelOf(label: ResolvedLabel | undefined): { label?: string; labelTimestamp?: string } {
	return label === undefined ? {} : { label: label.text, labelTimestamp: label.timestamp };
}
