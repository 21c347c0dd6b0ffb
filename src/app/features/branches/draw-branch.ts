import type { Branch, Branches } from "../../../conversation/branches/branch.ts";
import type { BranchRow } from "../../../conversation/branches/branch-rows.ts";
import { formatAge, formatCost, formatCount } from "../../../ui/text/format.ts";
import { type Line, type Span, span, type Tone } from "../../../ui/text/line.ts";
import { blanks, type CleanText, cleanText, joinText, sanitizeLine, sliceText } from "../../../ui/text/sanitize.ts";
import {
	cutText,
	cutTextStart,
	cutWords,
	fitWords,
	joinEnds,
	lineWidth,
	padText,
	textWidth,
} from "../../../ui/text/width.ts";
import type { ShownBranches } from "../../world/opened/select-branches.ts";

interface BranchDrawing {
	/** Cells that a row fills. */
	readonly width: number;
	/** Unix ms. */
	readonly now: number;
	/** Indexes of the marked branches. */
	readonly marked: ReadonlySet<number>;
}

/** Sign of a marked branch, instead of its own. */
const MARKED = "◆";
const GRAPH_SHARE = 0.4;
/** Cells of the graph at the first two levels, so that the names of their branches line up. */
const GRAPH_WIDTH = 3;
/** Cells of the narrowest pane that shows errors. */
const ERROR_WIDTH = 44;
const LABEL_WIDTH = 18;

interface Column {
	readonly head: string;
	readonly width: number;
	/** The narrowest pane that has it, in cells. */
	readonly from: number;
	readonly tone: Tone;
	readonly text: (branch: Branch, now: number) => string;
}

const COLUMNS: readonly Column[] = [
	{ head: "turns", width: 6, from: 52, tone: "muted", text: ({ sum: { turns } }) => formatCount(turns) },
	{ head: "files", width: 6, from: 64, tone: "muted", text: ({ sum: { files } }) => formatCount(files.size) },
	{ head: "cost", width: 9, from: 0, tone: "muted", text: ({ sum: { cost } }) => formatCost(cost) },
	{
		head: "",
		width: 5,
		from: 0,
		tone: "muted",
		text: ({ sum: { endMs } }, now) => (endMs === undefined ? "" : formatAge(endMs, now)),
	},
];

export function drawHeads(width: number): Line {
	const heads = COLUMNS.filter(({ from }) => width >= from).map(({ head, width: cells }) => right(head, cells));
	return joinEnds(
		[span("     first prompt → last one  how it ended", "muted")],
		[{ text: joinText(...heads), tone: "muted" }],
		width,
	);
}

export function drawBranchRow(
	row: BranchRow,
	selected: boolean,
	{ branches }: ShownBranches,
	drawing: BranchDrawing,
): Line {
	const { width } = drawing;
	const lead = span(selected ? "›" : " ", "accent");
	if (row.kind === "fork") {
		const start = [lead, ...graphSpans(row.graph, width)];
		return joinEnds([...start, forkSpan(row.left, branches, width - lineWidth(start))], [], width);
	}
	const branch = branches.list[row.branch];
	if (branch === undefined) return joinEnds([], [], width);
	const graph = drawing.marked.has(row.branch) ? `${row.graph.slice(0, -1)}${MARKED}` : row.graph;
	const start = [lead, ...graphSpans(graph, width)];
	const end = numbers(branch, drawing);
	return joinEnds([...start, ...wordSpans(branch, width - lineWidth(start) - lineWidth(end))], end, width);
}

/** The prompt after which the branches below left the active path. */
function forkSpan(branchIndex: number, { list }: Branches, room: number): Span {
	const branch = list[branchIndex];
	if (branch?.parent === undefined) return span(" another beginning", "muted");
	if (branch.before === undefined) return span("");
	return span(` after “${cutWords(sanitizeLine(branch.before), room - 9)}”`, "muted");
}

/** The graph; the active path and its nodes have their own color. */
function graphSpans(graph: string, width: number): Span[] {
	const cells = padText(cleanText(graph), graph.length === 1 ? 1 : GRAPH_WIDTH);
	const cut = cutTextStart(cells, Math.max(GRAPH_WIDTH, Math.floor(width * GRAPH_SHARE)));
	const first: Span = {
		text: sliceText(cut, 0, 1),
		tone: graph.endsWith(MARKED) && graph.length === 1 ? "accent" : "current",
	};
	const rest: Span = { text: sliceText(cut, 1), tone: graph.endsWith(MARKED) ? "accent" : "muted" };
	return [first, rest, span(" ")];
}

/** What was asked first and last in a branch, and how it ended, as far as there is room. */
function wordSpans({ kind, name, lastPrompt = "", lastWords }: Branch, room: number): Line {
	const first: Span = { text: sanitizeLine(name), bold: kind !== "abandoned" };
	const ending = kind === "trunk" ? "what all branches begin with" : lastWords;
	return fitWords(
		first,
		[
			[span(" → ", "frame"), { text: sanitizeLine(lastPrompt) }],
			[span("  "), { text: sanitizeLine(ending), tone: "muted" }],
		],
		room,
	);
}

function numbers(branch: Branch, { width, now }: BranchDrawing): Span[] {
	const label = branch.label === undefined ? "" : sanitizeLine(branch.label);
	const spans =
		label === "" ? [] : [span(` ⚑${cutText(label, Math.min(LABEL_WIDTH, Math.floor(width / 5)))}`, "label")];
	const { errors } = branch.sum;
	if (errors > 0 && width >= ERROR_WIDTH) spans.push(span(` ${formatCount(errors)}✗`, "error"));
	for (const { width: cells, from, tone, text } of COLUMNS) {
		if (width >= from) spans.push({ text: right(text(branch, now), cells), tone });
	}
	return spans;
}

/** Text at the right end of a column, with a blank before it. */
function right(text: string, width: number): CleanText {
	const cut = cutText(cleanText(text), width - 1);
	return joinText(blanks(width - textWidth(cut)), cut);
}
