import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import { isForked } from "../../../conversation/entries/outline-columns.ts";
import { workParts } from "../../../conversation/entries/turn-sum.ts";
import type { TreeRow, TreeRows } from "../../../conversation/tree/tree-rows.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { joinEnds, lineWidth } from "../../../ui/text/width.ts";
import type { RowView } from "../../../ui/view.ts";
import { branchSums, branchWords } from "./draw-branch.ts";
import { drawDivider, settingWords, timeWords } from "./draw-divider.ts";
import { drawEntryText } from "./draw-entry.ts";
import { drawSpine } from "./draw-spine.ts";
import type { RowDrawing } from "./row-drawing.ts";
import { turnTotal } from "./turn-total.ts";

/** The row with this number: cursor, spine, text, and the outcome at the right. Exactly `drawing.width` cells. */
export function drawTreeRow(rows: TreeRows, number: number, drawing: RowDrawing): Pick<RowView, "line" | "ground"> {
	const row = rows.at(number);
	if (row === undefined) return { line: [] };
	const { width, selected } = drawing;
	const next = rows.at(number + 1);
	const spine = drawSpine(
		row,
		{
			...signOf(row, rows, number, drawing),
			isFirst: number === 0,
			hasNext: next !== undefined && next.depth === row.depth && (next.kind === "folded" || next.kind === "opened"),
		},
		width,
	);
	const start: Line = [span(selected ? "›" : " ", "accent"), ...spine];
	const room = Math.max(0, width - lineWidth(start) - 1);
	const { left, right, isPrompt } = content(row, rows.subjectAt(number), drawing, room);
	const line = joinEnds([...start, ...left], [...right, span(" ")], width);
	return isPrompt ? { line, ground: "prompt" } : { line };
}

/** Hidden entries between two rows that are checked for a fork. */
const MAX_HIDDEN = 1000;

function signOf(
	row: TreeRow,
	rows: TreeRows,
	number: number,
	{ session }: RowDrawing,
): { readonly sign: string | undefined; readonly tone?: "label" } {
	switch (row.kind) {
		case "folded":
			return { sign: "⊞", tone: "label" };
		case "opened":
			return { sign: "⊟", tone: "label" };
		case "entry":
			return { sign: entrySign(row, conversationLeaf(session), isBelowFork(rows, rows.subjectAt(number))) };
		default:
			return { sign: undefined };
	}
}

function entrySign({ entry, last, active }: TreeRow, leaf: string | undefined, hasFork: boolean): string | undefined {
	if (entry?.id === leaf) return "◉";
	if (entry?.type === "message" && entry.message.role === "user") return hasFork ? "◆" : "●";
	if (last && !active) return "○";
	return hasFork ? "├" : undefined;
}

/** Whether this row follows a fork: the entry, or a hidden one between it and the row above, has siblings. */
function isBelowFork(rows: TreeRows, index: number): boolean {
	const { outline } = rows.columns;
	let at = index;
	for (let count = 0; at !== -1 && count < MAX_HIDDEN; count++) {
		if (isForked(outline, at)) return true;
		at = outline.parent[at] ?? -1;
		if (rows.rowOf(at) !== -1) return false;
	}
	return false;
}

interface Content {
	readonly left: Line;
	readonly right: Line;
	readonly isPrompt?: boolean;
}

function content(row: TreeRow, subject: number, drawing: RowDrawing, room: number): Content {
	const { columns, session, place, now } = drawing;
	const { entry, diagnostic } = row;
	switch (row.kind) {
		case "folded":
			return { left: branchWords(subject, drawing), right: branchSums(subject, drawing, room) };
		case "damage":
			return { left: [span(`✗ ${sanitizeLine(diagnostic?.message ?? "")}`, "error")], right: [] };
		case "settings":
			return { left: drawDivider(settingWords(columns, subject), room), right: [] };
		case "time":
			return { left: drawDivider(timeWords(columns, subject, now), room), right: [] };
		case "sum": {
			const sum = turnTotal(columns, session, subject, place.home);
			const first = columns.turn[subject] ?? subject;
			const parts = sum === undefined ? [formatCounted(columns.stepsIn[first] ?? 0, "step")] : workParts(sum);
			return { left: [span(` └ ${parts.join(" · ")}`, "muted")], right: [] };
		}
		default:
			return entry === undefined ? { left: [], right: [] } : drawEntryText(entry, subject, drawing, room);
	}
}
