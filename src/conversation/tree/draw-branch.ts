import type { SessionEntry } from "../../store/format/schema.ts";
import { formatCost, formatCount, formatCounted } from "../../ui/text/format.ts";
import { type Line, type Span, span } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { fitWords, lineWidth } from "../../ui/text/width.ts";
import { saidAt, sizeAt } from "../entries/outline-columns.ts";
import { describeRow } from "../entries/row.ts";
import { firstLabeled, labelMark, type TreeRowDrawing } from "./draw-marks.ts";
import { CODES, subtreeSums } from "./entry-columns.ts";

/** Entries searched from each end of a branch for its first prompt and last answer. */
const MAX_SEARCHED = 50;

/** Words of a folded branch: its first prompt and its last answer. `index`: of its first entry. */
export function branchWords(index: number, drawing: TreeRowDrawing, room: number): Line {
	const first = firstPrompt(index, drawing);
	const last = lastAnswer(index, drawing);
	const words = first === undefined ? "" : textOf(first, drawing);
	const ending = last === undefined || last === first ? "" : textOf(last, drawing);
	return fitWords(span(words, "muted"), [[span("  … ", "frame"), span(ending, "muted")]], room);
}

/** Cells that the words of a branch keep before its totals. */
const LEAST_WORDS = 12;

/** Label and totals of a folded branch, as much as leaves room for its words: "3 steps", "1✗", "$0.07". */
export function branchSums(index: number, drawing: TreeRowDrawing, room: number): Span[] {
	const { steps, errors, cost } = subtreeSums(drawing.columns, index);
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

/** "left behind: 3 turns · $0.38", and its label. `index`: of its first entry. */
export function leftBehindWords(index: number, drawing: TreeRowDrawing): Line {
	const { outline, kind } = drawing.columns;
	const from = outline.place[index] ?? 0;
	const places = outline.order.subarray(from, from + sizeAt(outline, index));
	const turns = places.reduce((sum, at) => sum + (kind[at] === CODES.prompt ? 1 : 0), 0);
	const { steps, errors, cost } = subtreeSums(drawing.columns, index);
	const counted = turns > 0 ? formatCounted(turns, "turn") : steps > 0 ? formatCounted(steps, "step") : "an answer";
	const parts = [`left behind: ${counted}`, cost > 0 ? formatCost(cost) : ""].filter((part) => part !== "");
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

function firstPrompt(index: number, { columns, session }: TreeRowDrawing): SessionEntry | undefined {
	let at = index;
	for (let count = 0; at !== -1 && count < MAX_SEARCHED; count++) {
		if (columns.kind[at] === CODES.prompt) return session.entries[at];
		at = columns.outline.main[at] ?? -1;
	}
	return session.entries[index];
}

/** The last answer or prompt. In drawing order, the last entry of a subtree ends its main line. */
function lastAnswer(index: number, { columns, session }: TreeRowDrawing): SessionEntry | undefined {
	const { outline } = columns;
	let at = outline.order[(outline.place[index] ?? 0) + sizeAt(outline, index) - 1] ?? -1;
	for (let count = 0; at !== -1 && at !== index && count < MAX_SEARCHED; count++) {
		if (columns.kind[at] === CODES.answer || columns.kind[at] === CODES.prompt) return session.entries[at];
		at = outline.table.parent[at] ?? -1;
	}
	return undefined;
}

function textOf(entry: SessionEntry, { session, place }: TreeRowDrawing): string {
	const { verb, text } = describeRow(entry, session, place);
	return sanitizeLine([verb?.text, text].filter(Boolean).join(" "));
}
