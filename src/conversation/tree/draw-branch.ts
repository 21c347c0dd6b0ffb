import type { SessionEntry } from "../../store/format/schema.ts";
import { formatCost, formatCount, formatCounted } from "../../ui/text/format.ts";
import { type Line, type Span, span } from "../../ui/text/line.ts";
import { fitWords, lineWidth } from "../../ui/text/width.ts";
import { entryWords, MOST_SEARCHED, namingEntry } from "../entries/branch-name.ts";
import { lineFrom, saidAt, sizeAt } from "../entries/outline-columns.ts";
import { firstLabeled, labelMark, type TreeRowDrawing } from "./draw-marks.ts";
import { CODES } from "./entry-columns.ts";
import type { TreeRows } from "./tree-rows.ts";

/** Words of a folded branch: its first prompt and its last answer. `index`: of its first entry. */
export function branchWords(index: number, drawing: TreeRowDrawing, room: number): Line {
	const { columns, session, place } = drawing;
	const first = namingEntry(lineFrom(columns.outline, index).take(MOST_SEARCHED).toArray());
	const last = lastAnswer(index, drawing);
	const words = first === undefined ? "" : entryWords(first, session, place);
	const ending = last === undefined || last === first ? "" : entryWords(last, session, place);
	return fitWords(span(words, "muted"), [[span("  … ", "frame"), span(ending, "muted")]], room);
}

/** Cells that the words of a branch keep before its totals. */
const LEAST_WORDS = 12;

/** Label and totals of a folded branch, as much as leaves room for its words: "3 steps", "1✗", "$0.07". */
export function branchSums(rows: TreeRows, index: number, drawing: TreeRowDrawing, room: number): Span[] {
	const { steps, errors, cost } = rows.sumsBelow(index);
	const counted =
		steps > 0
			? formatCounted(steps, "step")
			: formatCounted(saidAt(drawing.columns.outline, index), "entry", "entries");
	const label = branchLabel(index, drawing);
	const failed = errors > 0 ? [span(` ${formatCount(errors)}✗`, "error")] : [];
	const counts = [span(` ${counted}`, "muted")];
	const spent = cost > 0 ? [span(` ${formatCost(cost)}`, "muted")] : [];
	const forms = [
		[...label, ...counts, ...failed, ...spent],
		[...label, ...counts, ...failed],
		[...label, ...failed],
		label,
	];
	return forms.find((form) => lineWidth(form) <= room - LEAST_WORDS) ?? [];
}

/** "left: 3 turns · $0.38", and its label. `index`: of its first entry. */
export function belowEndWords(rows: TreeRows, index: number, drawing: TreeRowDrawing): Line {
	const { prompts, steps, errors, cost } = rows.sumsBelow(index);
	const counted = prompts > 0 ? formatCounted(prompts, "turn") : steps > 0 ? formatCounted(steps, "step") : "an answer";
	const parts = [`left: ${counted}`, cost > 0 ? formatCost(cost) : ""].filter((part) => part !== "");
	return [
		span(parts.join(" · "), "muted"),
		...(errors > 0 ? [span(` · ${formatCount(errors)}✗`, "error")] : []),
		...branchLabel(index, drawing),
	];
}

function branchLabel(index: number, drawing: TreeRowDrawing): Span[] {
	const { columns, session } = drawing;
	const from = columns.outline.place[index] ?? 0;
	const labeled = firstLabeled(session, columns, from, from + sizeAt(columns.outline, index));
	return labeled === undefined ? [] : labelMark(session.tree.labels.get(labeled), drawing);
}

/** The last answer or prompt. In drawing order, the last entry of a subtree ends its main line. */
function lastAnswer(index: number, { columns, session }: TreeRowDrawing): SessionEntry | undefined {
	const { outline } = columns;
	let at = outline.order[(outline.place[index] ?? 0) + sizeAt(outline, index) - 1] ?? -1;
	for (let count = 0; at !== -1 && at !== index && count < MOST_SEARCHED; count++) {
		if (columns.kind[at] === CODES.answer || columns.kind[at] === CODES.prompt) return session.entries[at];
		at = outline.table.parent[at] ?? -1;
	}
	return undefined;
}
