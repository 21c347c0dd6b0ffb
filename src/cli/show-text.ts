import type { Passage, Scope } from "../app/conversation/passages.ts";
import { printedRows } from "../app/reader/printed-rows.ts";
import { loadRenderers } from "../app/render/renderers.ts";
import { sanitizeLine } from "../app/text/sanitize.ts";
import { span, strong } from "../app/text/span.ts";
import { cutLine } from "../app/text/width.ts";
import { TimeSlice } from "../shared/time-slice.ts";
import { columnsOf } from "../terminal/terminal-size.ts";
import type { Given } from "./given.ts";
import { Limit } from "./limit.ts";
import { printLines, printRows } from "./output.ts";
import { hasColors, type PaintedRow } from "./paint.ts";
import { namedEntry, passagesFrom } from "./passages-from.ts";
import type { ReadTarget } from "./read-target.ts";
import { headLines } from "./show-head.ts";

/** Columns of a text that is not for a terminal. */
const COLUMNS = 100;
/** Rows that are written at once. More would live long enough to reach the old generation of the heap, as garbage. */
const BATCH = 50;

/** The width that the person asked for, else that of the terminal, in cells. */
export function widthFor({ width = columnsOf(process.stdout) ?? COLUMNS }: Given): number {
	return width;
}

/** Prints a conversation as the reader shows it; returns in how many places something is folded. */
export async function showText(read: ReadTarget, scope: Scope, given: Given): Promise<number> {
	const { session, row, name, home, offset } = read;
	const width = widthFor(given);
	const full = given.full === true;
	const printing = { width, home, full, colored: hasColors(), renderers: await loadRenderers() };
	const limit = new Limit(given.maxChars, offset);
	const slice = new TimeSlice();
	let foldedAll = 0;
	let batch: PaintedRow[] = [];
	if (offset === undefined && scope.of !== "entry" && scope.of !== "turn") await printLines(headLines(row, width));
	for (const passage of passagesFrom(read, scope)) {
		if (limit.next !== undefined) break;
		batch.push(...headingOf(passage, width));
		for (const { entry, rows, folded } of printedRows(session, passage, printing)) {
			limit.begin(namedEntry(scope, entry.id));
			for (const one of rows) if (limit.row(textOf(one))) batch.push(one);
			if (limit.next !== undefined) break;
			foldedAll += folded;
			if (batch.length >= BATCH) {
				await printRows(batch, width);
				batch = [];
			} else if (slice.shouldYield()) await slice.yieldToEventLoop();
		}
	}
	await printRows(batch, width);
	if (limit.next !== undefined) await printLines([[span(limit.notice(name))]]);
	return foldedAll;
}

function textOf({ line }: PaintedRow): string {
	return line.map(({ text }) => text).join("");
}

/** Above a branch beside the active path: where it leaves. */
function headingOf({ leaves }: Passage, width: number): PaintedRow[] {
	if (leaves === undefined) return [];
	const where = leaves === null ? "begins anew" : `goes on from ${sanitizeLine(leaves.id)}`;
	const line = [strong("⊞ another branch", "label"), span(` · ${where}`, "muted")];
	return [{ line: [] }, { line: cutLine(line, width) }, { line: [] }];
}
