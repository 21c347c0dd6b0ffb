import { describeRow, type RowDescription } from "../../../conversation/entries/row.ts";
import { fileLines, type Sum } from "../../../conversation/entries/turn-sum.ts";
import { CODES } from "../../../conversation/tree/entry-columns.ts";
import { isSaid } from "../../../conversation/tree/shown-entries.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { formatCost, formatCount, formatCounted, formatDuration } from "../../../ui/text/format.ts";
import { type Line, type Span, span, type Tone } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { lineWidth } from "../../../ui/text/width.ts";
import { labelMark, leafMark, timeMark } from "./draw-marks.ts";
import { markMatches, matchSnippet, showsMatch } from "./mark-match.ts";
import type { RowDrawing } from "./row-drawing.ts";
import { turnTotal } from "./turn-total.ts";

/** Cells by which a step is indented under its prompt. */
const INDENT = 2;
/** Verbs that are words are padded to this width, so that the texts behind them line up. */
const VERB_WIDTH = 5;
/** Between a command and what it printed. */
const GAP = "  ";

/** The text of an entry in its row, and the right end of the row. */
export interface EntryText {
	readonly left: Line;
	readonly right: readonly Span[];
	readonly isPrompt: boolean;
}

/** Draws an entry in `room` cells. `index`: of the entry. */
export function drawEntryText(entry: SessionEntry, index: number, drawing: RowDrawing, room: number): EntryText {
	const row = describeRow(entry, drawing.session, drawing.place);
	const right = rightEnd(entry, index, row, drawing);
	const isPrompt = row.kind === "prompt";
	const left = leftPart(entry, row, drawing, room - lineWidth(right));
	return { left: isPrompt ? left.map((part) => ({ ...part, bold: true })) : left, right, isPrompt };
}

function leftPart(entry: SessionEntry, row: RowDescription, drawing: RowDrawing, room: number): Line {
	const { verb, mark, text, said, tone } = row;
	const before: Line = [
		...(isIndented(row) ? [span(" ".repeat(INDENT))] : []),
		...(verb === undefined ? [] : [span(`${padVerb(sanitizeLine(verb.text))} `, verb.tone)]),
		...(mark === undefined ? [] : [span(`${sanitizeLine(mark.text)} · `, mark.tone)]),
	];
	const { query, session, place, isFiltered } = drawing;
	const gap: Line = said === "" ? [] : [span(GAP)];
	const plain: Line = [...before, span(sanitizeLine(text), tone), ...gap, span(sanitizeLine(said), "muted")];
	if (query.terms.length === 0) return plain;
	const left = room - lineWidth(before);
	if (showsMatch(`${text} ${said}`, query))
		return [...before, ...markMatches(text, query, tone, left), ...gap, ...markMatches(said, query, "muted", left)];
	const snippet = isFiltered ? matchSnippet(entry, session, query, place.home) : "";
	if (snippet === "") return plain;
	const start = isStep(row) ? [span(`${sanitizeLine(text).slice(0, left >> 1)}${GAP}`, tone)] : [];
	return [...before, ...start, ...markMatches(snippet, query, isStep(row) ? "muted" : tone, left - lineWidth(start))];
}

function isStep({ kind }: Pick<RowDescription, "kind">): boolean {
	return kind === "result" || kind === "command";
}

/** Steps, calls and bookkeeping are indented under their prompt. */
function isIndented({ kind }: RowDescription): boolean {
	return isStep({ kind }) || kind === "calls" || CODES[kind] >= CODES.model;
}

function padVerb(verb: string): string {
	return /^[a-z]+$/i.test(verb) ? verb.padEnd(VERB_WIDTH) : verb;
}

function rightEnd(entry: SessionEntry, index: number, row: RowDescription, drawing: RowDrawing): Span[] {
	const label = labelMark(drawing.session.tree.labels.get(entry.id), drawing);
	const isPrompt = row.kind === "prompt";
	const endsTurn = drawing.isTurns && !isPrompt && isSaid(drawing.columns, index);
	const hasOutcome = drawing.details !== "none" && !endsTurn;
	const outcome = hasOutcome ? row.outcome.map(({ text, tone }) => span(` ${sanitizeLine(text)}`, tone)) : [];
	const total = endsTurn ? turnMarks(index, drawing) : [];
	return [...label, ...outcome, ...leafMark(entry.id, drawing), ...total, ...timeMark(index, isPrompt, drawing)];
}

/** Totals of a turn, in the row of its last answer: "5 steps +25 −5 2m $0.011". */
function turnMarks(index: number, { columns, session, place }: RowDrawing): Span[] {
	const sum = turnTotal(columns, session, index, place.home);
	return sum === undefined ? [] : shortSum(sum);
}

function shortSum(sum: Sum): Span[] {
	const { added, removed } = fileLines(sum);
	const parts: readonly (readonly [text: string, tone: Tone])[] = [
		[sum.steps === 0 ? "" : formatCounted(sum.steps, "step"), "muted"],
		[sum.errors === 0 ? "" : `${formatCount(sum.errors)}✗`, "error"],
		[added === 0 ? "" : `+${formatCount(added)}`, "added"],
		[removed === 0 ? "" : `−${formatCount(removed)}`, "removed"],
		[sum.workedMs === 0 ? "" : formatDuration(sum.workedMs), "muted"],
		[sum.cost === 0 ? "" : formatCost(sum.cost), "muted"],
	];
	return parts.filter(([text]) => text !== "").map(([text, tone]) => span(` ${text}`, tone));
}
