import { homedir } from "node:os";
import { drawTreeRow } from "../../../app/features/tree/draw-row.ts";
import { NO_QUERY } from "../../../catalog/query/parse-query.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import { ALL_BRANCHES, drawTree } from "../../../conversation/tree/draw-tree.ts";
import { NO_RUNS, type RowKind } from "../../../conversation/tree/tree-rows.ts";
import { TimeSlice } from "../../../shared/steps.ts";
import { span } from "../../../ui/text/line.ts";
import { blanks, sanitizeLine, startOf } from "../../../ui/text/sanitize.ts";
import type { Given } from "../../arguments/given.ts";
import type { ReadTarget } from "../../find/read-target.ts";
import { printLines, printRows } from "../../print/output.ts";
import type { PaintedRow } from "../../print/paint.ts";
import { headLines, widthFor } from "./show-text.ts";

/** Cells of the ids in front of the rows: pi's ids have eight characters; two blanks follow. */
const ID = 8;
const ID_COLUMN = ID + 2;
/** Rows that are written at once. */
const BATCH = 500;
/** Kinds of rows that show the id of an entry. */
const WITH_ID: ReadonlySet<RowKind> = new Set<RowKind>(["entry", "folded", "opened"]);

/** Prints the tree of a session as its pane shows it, with the id of each entry in front; returns the number of folded branches. */
export async function showTree({ session, row, entry }: ReadTarget, given: Given): Promise<number> {
	const width = widthFor(given);
	const home = homedir();
	const opened = new Set(given.all === true ? [ALL_BRANCHES] : []);
	const input = {
		session,
		filter: "default",
		query: NO_QUERY,
		pinned: entry?.id,
		home,
		opened,
		folded: new Set<string>(),
		runs: NO_RUNS,
		forkedMs: undefined,
	} as const;
	const slice = new TimeSlice();
	const { rows } = (await slice.run(drawTree(input, undefined))).tree;
	const selected = entry === undefined ? -1 : session.entries.indexOf(entry);
	const drawing = {
		width: Math.max(1, width - ID_COLUMN),
		session,
		columns: rows.columns,
		place: placeOf(session, home),
		labelTimes: false,
		details: "outcome",
		isTurns: false,
		query: NO_QUERY,
		isFiltered: false,
		now: Date.now(),
	} as const;
	await printLines(headLines(row, width));
	let folded = 0;
	let batch: PaintedRow[] = [];
	for (let number = 0; number < rows.length; number++) {
		const { kind } = rows.at(number) ?? {};
		const index = kind !== undefined && WITH_ID.has(kind) ? rows.subjectAt(number) : -1;
		const drawn = drawTreeRow(rows, number, { ...drawing, selected: index !== -1 && index === selected });
		if (kind === "folded") folded++;
		const id = startOf(sanitizeLine(session.entries[index]?.id ?? ""), ID);
		batch.push({ ...drawn, line: [span(id, "muted"), { text: blanks(ID_COLUMN - id.length) }, ...drawn.line] });
		if (batch.length >= BATCH) {
			await printRows(batch, width);
			batch = [];
		} else if (slice.shouldYield()) await slice.yieldToEventLoop();
	}
	await printRows(batch, width);
	return folded;
}
