import type { BranchTree } from "./branch-order.ts";

export type BranchRow =
	/** A branch, by its index. */
	| { readonly kind: "branch"; readonly branch: number; readonly graph: string }
	/** A fork of the active path, above the branches that left there; `left`: the index of one that did. */
	| { readonly kind: "fork"; readonly left: number; readonly graph: string };

/** Signs of the nodes: the leaf, an end that was left, the root. */
const LEAF = "◉";
const END = "○";
const ROOT = "●";

/**
 * The rows with their graph, one cell a level: the active path from its leaf to its root on the left, a fork's row where
 * branches leave it, and what left a branch below it, joined to it.
 */
export function branchRows({ active, trunk, forks, children }: BranchTree): BranchRow[] {
	const rows: BranchRow[] = [];
	const hasRoot = trunk !== undefined;
	if (active !== undefined) rows.push({ kind: "branch", branch: active, graph: LEAF });
	for (const [at, { heads, left }] of forks.entries()) {
		const isFirst = at === 0 && active === undefined;
		const isLast = at === forks.length - 1 && !hasRoot;
		// Below the last branch of the last fork nothing follows on the spine.
		const endsHere = isLast && heads.length === 1;
		rows.push({ kind: "fork", left, graph: `${spine(!isFirst, !endsHere)}╮` });
		for (const [index, head] of heads.entries()) {
			const isOnly = index === heads.length - 1 && isLast;
			const joint = index === 0 ? (isOnly ? " " : "│") : isOnly ? "╰" : "├";
			addBranch(rows, children, head, joint, isOnly ? " " : "│");
		}
	}
	if (trunk !== undefined) rows.push({ kind: "branch", branch: trunk, graph: ROOT });
	return rows;
}

interface Pending {
	readonly branch: number;
	/** What stands before its sign. */
	readonly indent: string;
	/** What stands before the connectors of the branches that left it. */
	readonly gutter: string;
}

/** Adds a branch and, below it, all that left it, without recursion. */
function addBranch(
	rows: BranchRow[],
	children: BranchTree["children"],
	branch: number,
	indent: string,
	gutter: string,
): void {
	const stack: Pending[] = [{ branch, indent, gutter }];
	for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
		rows.push({ kind: "branch", branch: top.branch, graph: `${top.indent}${END}` });
		const below = children.get(top.branch) ?? [];
		for (const [index, child] of below.toReversed().entries()) {
			const isLast = index === 0;
			stack.push({
				branch: child,
				indent: `${top.gutter}${isLast ? "╰" : "├"}`,
				gutter: `${top.gutter}${isLast ? " " : "│"}`,
			});
		}
	}
}

/** The cell of the active path beside a fork. */
function spine(up: boolean, down: boolean): string {
	if (up) return down ? "├" : "╰";
	return down ? "╭" : "╶";
}
