import { LatestWork } from "../../src/app/world/effects/runners.ts";
import { drawInSlices } from "../../src/app/world/opened/draw-in-slices.ts";
import { NO_QUERY } from "../../src/catalog/query/parse-query.ts";
import { placeOf } from "../../src/conversation/entries/place.ts";
import type { TreeRowDrawing } from "../../src/conversation/tree/draw-marks.ts";
import { drawTreeRow } from "../../src/conversation/tree/draw-row.ts";
import { drawTree, type ShownTree, type TreeDrawing, type TreeInput } from "../../src/conversation/tree/draw-tree.ts";
import { NO_RUNS, type TreeRow } from "../../src/conversation/tree/tree-rows.ts";
import { runToEnd } from "../../src/shared/steps.ts";
import type { Session } from "../../src/store/read/read-session.ts";

/** Trees as the pane shows them, without the rest of the program. */

/** What a tree is drawn from; by default all is folded, and pi's default filter holds. */
export function inputOf(session: Session, fields: Partial<TreeInput> = {}): TreeInput {
	const nothing = new Set<string>();
	const plain = { filter: "default", query: NO_QUERY, pinned: undefined, home: "/home/me" } as const;
	return {
		session,
		...plain,
		opened: nothing,
		folded: nothing,
		runs: NO_RUNS,
		forkedMs: undefined,
		digestRows: undefined,
		...fields,
	};
}

/** A tree that is drawn at once. */
export function drawn(session: Session, fields: Partial<TreeInput> = {}): TreeDrawing {
	return runToEnd(drawTree(inputOf(session, fields), undefined));
}

/** Draws one tree at a time in slices, as the program does. */
export function treeDrawer(onProgress: (drawing: TreeDrawing) => void = () => undefined) {
	const latest = new LatestWork();
	return (input: TreeInput, before: TreeDrawing | undefined, near?: string): Promise<TreeDrawing | undefined> =>
		latest.run((slice) => drawInSlices({ input, before, near }, onProgress, slice));
}

/** All rows of a tree. */
export function rowsOf({ rows }: ShownTree): TreeRow[] {
	return Array.from({ length: rows.length }, (_, row) => rows.at(row)).filter((row) => row !== undefined);
}

/** Ids of the entries that have rows on which the cursor can be. */
export function idsOf(tree: ShownTree): string[] {
	return rowsOf(tree).flatMap(({ selectable, entry }) => (selectable && entry ? [entry.id] : []));
}

/** All rows of a tree as lines of text, without blanks at their ends. */
export function linesOf({ input, tree }: TreeDrawing, fields: Partial<TreeRowDrawing> = {}): string[] {
	const { session, query, home, filter } = input;
	const drawing: TreeRowDrawing = {
		width: 60,
		selected: false,
		session,
		columns: tree.rows.columns,
		place: placeOf(session, home),
		details: "none",
		isTurns: filter === "turns",
		query,
		isHit: query.terms.length > 0,
		now: Date.UTC(2026, 0, 2),
		...fields,
	};
	return rowsOf(tree).map((_row, number) =>
		drawTreeRow(tree.rows, number, drawing)
			.line.map(({ text }) => text)
			.join("")
			.trimEnd(),
	);
}
