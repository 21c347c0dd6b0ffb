import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { VisibleTree } from "./visible-tree.ts";

/** One visible entry in drawing order. */
export interface TreeRow {
	readonly entry: SessionEntry;
	/** Branch connectors, three cells a level. */
	readonly prefix: string;
	/** On the path from the leaf to its root. */
	readonly active: boolean;
	/** Visible entries that are folded away below this one. */
	readonly hidden: number;
	/** Folded, and on the line of its parent, so that no connector shows it. */
	readonly foldedOnLine: boolean;
}

interface Pending {
	readonly entry: SessionEntry;
	/** Drawn before the rows below this entry. */
	readonly gutter: string;
	/** How the entry is joined to its parent: on the line above, or as a branch beside it. */
	readonly joint: "line" | "side" | "first";
	readonly foldable: boolean;
}

/**
 * Puts the visible tree in rows. At a branch point one child continues straight below: the one on the active path, else
 * the one with the most entries; the others come before it, indented. So the active path is never indented, and the
 * depth of the drawing is at most the logarithm of the number of entries, however many branches there are.
 */
export function* treeRows(tree: VisibleTree, folded: ReadonlySet<string>): Steps<TreeRow[]> {
	const rows: TreeRow[] = [];
	const stack: Pending[] = [];
	pushChildren(stack, tree, tree.roots, "", true);
	for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
		if (rows.length % ENTRIES_PER_STEP === 0) yield;
		const { entry, gutter, joint, foldable } = top;
		const children = tree.children.get(entry.id) ?? [];
		const canFold = foldable && children.length > 0;
		const isFolded = canFold && folded.has(entry.id);
		rows.push({
			entry,
			prefix: connector(gutter, joint, canFold, isFolded),
			active: tree.active.has(entry.id),
			hidden: isFolded ? (tree.sizes.get(entry.id) ?? 1) - 1 : 0,
			foldedOnLine: isFolded && joint === "line",
		});
		if (!isFolded) pushChildren(stack, tree, children, joint === "line" ? gutter : `${gutter}│  `, false);
	}
	return rows;
}

/** Whether folding does anything to an entry: it has children, and is a root or one of several siblings. */
export function isFoldable(tree: VisibleTree, id: string): boolean {
	const parent = tree.parents.get(id);
	return tree.children.has(id) && (parent === undefined || (tree.children.get(parent)?.length ?? 0) > 1);
}

function pushChildren(
	stack: Pending[],
	tree: VisibleTree,
	siblings: readonly SessionEntry[],
	gutter: string,
	roots: boolean,
): void {
	const main = mainChild(tree, siblings);
	if (main === undefined) return;
	const foldable = roots || siblings.length > 1;
	stack.push({ entry: main, gutter, joint: "line", foldable });
	const sides = siblings.filter((entry) => entry !== main);
	for (const [index, entry] of sides.toReversed().entries()) {
		// The first of several roots has no line above it.
		const joint = roots && index === sides.length - 1 ? "first" : "side";
		stack.push({ entry, gutter, joint, foldable });
	}
}

/** The one of several siblings that goes on straight below; undefined when there is none. */
export function mainChild(tree: VisibleTree, siblings: readonly SessionEntry[]): SessionEntry | undefined {
	const active = siblings.find((entry) => tree.active.has(entry.id));
	if (active !== undefined) return active;
	let largest: SessionEntry | undefined;
	for (const entry of siblings) {
		const size = tree.sizes.get(entry.id) ?? 0;
		if (largest === undefined || size >= (tree.sizes.get(largest.id) ?? 0)) largest = entry;
	}
	return largest;
}

function connector(gutter: string, joint: Pending["joint"], foldable: boolean, folded: boolean): string {
	const sign = folded ? "⊞" : "⊟";
	if (joint === "line") return gutter;
	return `${gutter}${joint === "first" ? "┌─" : "├─"}${foldable ? sign : "─"}`;
}
