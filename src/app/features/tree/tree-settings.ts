import type { ShownTree } from "../../../conversation/tree/draw-tree.ts";
import type { TreeFilter } from "../../../conversation/tree/tree-filter.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import type { Line, Span } from "../../../ui/text/line.ts";
import { choice, inRow } from "../../../ui/text/span.ts";
import { selectedTreeIndex } from "../../world/opened/select-tree.ts";
import type { State } from "../../world/state/state.ts";

/** Names of the filters in the title of the tree: a long form, and one for less room. */
const NAMES: Readonly<Record<TreeFilter, readonly [long: string, short: string]>> = {
	default: ["active path", "path"],
	turns: ["turns", "turns"],
	"no-tools": ["no tools", "no tools"],
	"user-only": ["you", "you"],
	"labeled-only": ["⚑", "⚑"],
	all: ["all", "all"],
};

/** The filters in the order shown: all of them, and those kept with less room. */
const ALL: readonly TreeFilter[] = ["default", "turns", "no-tools", "all", "user-only", "labeled-only"];
const MOST: readonly TreeFilter[] = ["default", "turns", "all", "user-only", "labeled-only"];

/** The filters as radio buttons, the longest form first; a click chooses one. */
export function treeSettings({ tree: { filter } }: State): Line[] {
	const button = (name: TreeFilter, form: 0 | 1): Span => choice(NAMES[name][form], name === filter, `filter-${name}`);
	const row = (names: readonly TreeFilter[], form: 0 | 1, gap?: string): Line => {
		const shown = names.includes(filter) ? names : [...names, filter];
		return inRow(
			shown.map((name) => button(name, form)),
			gap,
		);
	};
	return [row(ALL, 0), row(MOST, 0), row(MOST, 1, " "), [button(filter, 1)]];
}

/** Number of rows from which the position also shows a percentage. */
const MANY_ROWS = 100;

/** Position of the cursor, for the rule below: "13 of 19 · 12 folded away in 1 branch". */
export function longPosition(state: State, tree: ShownTree): string {
	const { rows } = tree;
	const rank = cursorRank(state, tree);
	const part = rows.selectable < MANY_ROWS ? "" : ` · ${percent(rank, rows.selectable)}`;
	const at = `${formatCount(rank)} of ${formatCount(rows.selectable)}${part}`;
	if (rows.foldedBranches === 0) return at;
	const branches = formatCounted(rows.foldedBranches, "branch", "branches");
	return `${at} · ${formatCount(rows.foldedEntries)} folded away in ${branches}`;
}

/** Short position, for the title: "13/19 · 68%". */
export function shortPosition(state: State, tree: ShownTree): string {
	const at = cursorRank(state, tree);
	const all = tree.rows.selectable;
	return `${formatCount(at)}/${formatCount(all)} · ${percent(at, all)}`;
}

function percent(at: number, all: number): string {
	return all <= 1 ? "all" : `${Math.round(((at - 1) / (all - 1)) * 100)}%`;
}

function cursorRank(state: State, tree: ShownTree): number {
	const row = selectedTreeIndex(state, tree);
	return row === -1 ? 0 : tree.rows.rankAt(row) + 1;
}

/** "20 hits", or "1,204+ hits" while matching is still going on; shown after the filter. */
export function hitCount({ hits }: ShownTree): string {
	if (hits === undefined) return "";
	return hits.isComplete ? formatCounted(hits.count, "hit") : `${formatCount(hits.count)}+ hits`;
}
