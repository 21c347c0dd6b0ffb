import type { SessionEntry } from "../../store/format/schema.ts";
import { formatCounted, formatDayTime, formatDuration } from "../../ui/text/format.ts";
import { aside, type Line, type Span, span, type Tone } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine, joinEnds, lineWidth } from "../../ui/text/width.ts";
import type { RowView } from "../../ui/view.ts";
import { briefRows, digestSummary, drawDigestRow } from "../digest/digest-rows.ts";
import { conversationLeaf } from "../entries/leaf.ts";
import { isForked } from "../entries/outline-columns.ts";
import { type RunLine, runEnds, runSum, runWidths } from "../entries/run-line.ts";
import { workParts } from "../entries/turn-sum.ts";
import { belowEndWords, branchSums, branchWords } from "./draw-branch.ts";
import { drawEntryText, rowMarks, turnTotal } from "./draw-entry.ts";
import type { TreeRowDrawing } from "./draw-marks.ts";
import { AFTER_PAUSE, CODES, type EntryColumns, isNewDay, settingOf } from "./entry-columns.ts";
import { isEnded, type RowKind, type StepRuns, type TreeRow, type TreeRows } from "./tree-rows.ts";

/** The row with this number: cursor, spine, text, and the outcome at the right. Exactly `drawing.width` cells. */
export function drawTreeRow(rows: TreeRows, number: number, drawing: TreeRowDrawing): Pick<RowView, "line" | "ground"> {
	const row = rows.at(number);
	if (row === undefined) return { line: [] };
	const { width, selected } = drawing;
	const cursor = span(selected ? "›" : " ", "accent");
	if (rows.isRule(number)) {
		const words = belowEndWords(rows, rows.subjectAt(number), drawing);
		return { line: joinEnds([cursor, ...drawDivider(words, width - 2)], [span(" ")], width) };
	}
	const next = rows.at(number + 1);
	const isBranchNext = (next?.kind === "folded" || next?.kind === "opened") && !rows.isRule(number + 1);
	const hasNext = isBranchNext && next.depth === row.depth;
	const spine = drawSpine(
		row,
		{ ...signOf(row, rows, number, drawing), isFirst: number === rows.firstRow, hasNext },
		width,
	);
	const start = aside([cursor, ...spine]);
	const room = Math.max(0, width - lineWidth(start) - 1);
	const { left, right, isPrompt } = content(row, rows, number, drawing, room);
	const line = joinEnds([...start, ...left], [...right, span(" ")], width);
	return isPrompt ? { line, ground: "prompt" } : { line };
}

/** Hidden entries between two rows that are checked for a fork. */
const MAX_HIDDEN = 1000;

function signOf(
	row: TreeRow,
	rows: TreeRows,
	number: number,
	{ session }: TreeRowDrawing,
): { readonly sign: string | undefined; readonly tone?: "label" } {
	switch (row.kind) {
		case "folded":
			return { sign: "⊞", tone: "label" };
		case "opened":
			return { sign: "⊟", tone: "label" };
		case "digest":
			return { sign: rows.subjectAt(number) > 0 ? " " : rows.folds.digestRows === 0 ? "▸" : "▾" };
		case "entry":
			if (rows.isPreamble(number)) return { sign: rows.folds.preamble?.details === undefined ? "▸" : "▾" };
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
		at = outline.table.parent[at] ?? -1;
		if (rows.rowOf(at) !== -1) return false;
	}
	return false;
}

/** Before the words of a folded branch: it was left for the one that it stands in. */
const LEFT = span("left: ", "muted");

interface RowContent {
	readonly left: Line;
	readonly right: Line;
	readonly isPrompt?: boolean;
}

function content(row: TreeRow, rows: TreeRows, number: number, drawing: TreeRowDrawing, room: number): RowContent {
	const { columns, session, place, now } = drawing;
	const { entry, diagnostic } = row;
	const subject = rows.subjectAt(number);
	const { preamble } = rows.folds;
	switch (row.kind) {
		case "folded": {
			const wordsRoom = room - LEFT.text.length;
			const right = branchSums(rows, subject, drawing, wordsRoom);
			const words = branchWords(subject, drawing, wordsRoom - lineWidth(right));
			return { left: [LEFT, ...words], right };
		}
		case "damage":
			return { left: [span(`✗ ${sanitizeLine(diagnostic?.message ?? "")}`, "error")], right: [] };
		case "digest":
			return { left: drawDigest(subject, rows.folds.digestRows === 0, drawing, room), right: [] };
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
		case "own":
			return { left: drawDivider([span("its own task", "summary")], room), right: [] };
		case "run":
		case "runs":
			return drawRun(row, rows.runs.get(entry?.id ?? ""), drawing, room);
		case "detail":
			return { left: [span(`  ${sanitizeLine(preamble?.details?.[subject] ?? "")}`, "muted")], right: [] };
		default:
			if (entry === undefined) return { left: [], right: [] };
			if (preamble !== undefined && rows.isPreamble(number) && drawing.query.terms.length === 0)
				return { left: [span(sanitizeLine(preamble.words), "muted")], right: rowMarks(entry, subject, drawing) };
			return drawEntry(entry, subject, rows.runs.get(entry.id), drawing, room);
	}
}

/** What the command is called that goes to the entry of a row of the digest. */
export const TO_DIGEST_ENTRY = "to-digest-entry";

/** A row of the digest; while it is folded, it sums itself up in one. */
function drawDigest(number: number, isFolded: boolean, { digest }: TreeRowDrawing, room: number): Line {
	if (digest === undefined) return [span("digest: the session is still being counted", "muted")];
	if (isFolded) return digestSummary(digest, room);
	const row = briefRows(digest)[number];
	return row === undefined ? [] : drawDigestRow(row, room, TO_DIGEST_ENTRY);
}

/** An entry; a step that called one subagent is drawn as its run, and says its own words only if they may be what was found. */
function drawEntry(
	entry: SessionEntry,
	subject: number,
	stepRuns: StepRuns | undefined,
	drawing: TreeRowDrawing,
	room: number,
): RowContent {
	const { runs, query } = drawing;
	const run = stepRuns?.isOne === true ? runs?.get(stepRuns.keys[0] ?? "") : undefined;
	if (run === undefined) return drawEntryText(entry, subject, drawing, room, stepRuns !== undefined);
	const marks = rowMarks(entry, subject, drawing);
	const ends = openingEnds(run, drawing, room - RUN_INDENT - lineWidth(marks));
	const right = [...ends.right, ...marks];
	if (query.terms.length === 0) return { left: [span(" ".repeat(RUN_INDENT)), ...ends.left], right };
	return { left: drawEntryText(entry, subject, drawing, room - lineWidth(right), true).left, right };
}

/** A run of a subagent, or the sum of all runs of a step, below the step. */
function drawRun(
	{ kind, key }: TreeRow,
	step: StepRuns | undefined,
	drawing: TreeRowDrawing,
	room: number,
): RowContent {
	const { runs } = drawing;
	const indent = span(" ".repeat(RUN_INDENT));
	if (kind === "runs") {
		const all = step?.keys.flatMap((each) => runs?.get(each) ?? []) ?? [];
		return { left: [indent, ...runSum(all)], right: [] };
	}
	const run = runs?.get(key);
	if (run === undefined) return { left: [], right: [] };
	const { left, right } = openingEnds(run, drawing, room - RUN_INDENT);
	return { left: [indent, ...left], right };
}

/** The ends of a run's row, in which what says that it opens does that when it is pressed. */
function openingEnds(
	run: RunLine,
	{ runs }: TreeRowDrawing,
	room: number,
): { readonly left: Line; readonly right: Line } {
	const { left, right } = runEnds(run, room, runs === undefined ? undefined : runWidths(runs));
	return { left, right: right.map((part): Span => (part.tone === "key" ? { ...part, press: "open-run" } : part)) };
}

/** Cells by which a run is indented: as far as the step that started it. */
const RUN_INDENT = 2;

/** Largest share of a row that its lines take. */
const LINES_SHARE = 0.4;
/** Cells of one line: the line and a blank. */
const LINE_WIDTH = 2;

/** What is drawn before a row's text: the lines beside it, and its own line with its sign. */
interface Spine {
	/** Replaces the row's own line. */
	readonly sign: string | undefined;
	/** Tone of the sign; default: the tone of the line. */
	readonly tone?: Tone;
	/** Whether it is the first row, so that a branch beginning here joins no line. */
	readonly isFirst: boolean;
	/** Whether the next row begins another branch from the same line. */
	readonly hasNext: boolean;
}

/** The spine of a row, without the cell of the cursor. */
function drawSpine(row: TreeRow, { sign, tone, isFirst, hasNext }: Spine, width: number): Line {
	const { depth, kind } = row;
	const isBranch = kind === "folded" || kind === "opened";
	const drawnDepth = Math.min(depth, Math.max(1, Math.floor((width * LINES_SHARE) / LINE_WIDTH)));
	const spans: Span[] = [];
	for (let level = depth - drawnDepth; level < depth; level++) {
		const isLast = isBranch && level === depth - 1;
		const isCut = level === depth - drawnDepth && level > 0;
		const line = isLast ? joint(row, level, isFirst, hasNext) : isEnded(row, level) ? " " : "│";
		spans.push(span(isCut && !isLast ? "…" : line, lineTone(row, level)), span(isLast ? "╌" : " ", "frame"));
	}
	const isBelow = row.last && HANGING.has(kind);
	const ownSign = sign ?? (isBelow ? " " : "│");
	spans.push(span(ownSign, tone ?? (row.active ? "current" : "frame")), span(" "));
	return spans;
}

/** Rows that do not go on a line: below its last entry there is none. */
const HANGING: ReadonlySet<RowKind> = new Set(["sum", "damage", "run", "runs"]);

function joint(row: TreeRow, level: number, isFirst: boolean, hasNext: boolean): string {
	if (isFirst) return "┌";
	return isEnded(row, level) && !hasNext ? "╰" : "├";
}

function lineTone({ besideActive }: TreeRow, level: number): Tone {
	return level === 0 && besideActive ? "current" : "frame";
}

/** Consecutive hidden entries searched for the words of a divider. */
const MAX_SEARCHED = 50;

/** A rule with words in it, `room` cells wide. */
export function drawDivider(words: Line, room: number): Line {
	const line = cutLine([span("── ", "frame"), ...words, span(" ", "frame")], room);
	return [...line, span("─".repeat(Math.max(0, room - lineWidth(line))), "frame")];
}

/** "model claude-opus-4-1 · thinking high": the settings changed by this entry and the hidden ones right above it. */
function settingWords({ outline, kind }: EntryColumns, index: number): Line {
	let model = "";
	let thinking = "";
	let at = index;
	for (let count = 0; at !== -1 && count < MAX_SEARCHED; count++) {
		const entry = outline.session.entries[at];
		if (entry === undefined || (kind[at] ?? 0) < CODES.model) break;
		if (kind[at] === CODES.model) model ||= settingOf(entry);
		if (kind[at] === CODES["thinking-level"]) thinking ||= settingOf(entry);
		at = outline.table.parent[at] ?? -1;
	}
	const words = [model && `model ${sanitizeLine(model)}`, thinking && `thinking ${sanitizeLine(thinking)}`];
	return [span(words.filter((word) => word !== "").join(" · "), "summary")];
}

/** "Mon 9:29 · 9h later": the day, if an entry begins a new one, and the pause before it. */
function timeWords({ outline, time, flags }: EntryColumns, index: number, now: number): Line {
	let at = index;
	for (let count = 0; count < MAX_SEARCHED && ((flags[at] ?? 0) & AFTER_PAUSE) === 0; count++) {
		const above = outline.table.parent[at] ?? -1;
		if (above === -1) break;
		at = above;
	}
	const timeAfter = time[at] ?? Number.NaN;
	const timeBefore = time[outline.table.parent[at] ?? -1] ?? Number.NaN;
	const day = isNewDay(timeBefore, timeAfter) ? formatDayTime(timeAfter, now) : "";
	const pause = `${formatDuration(timeAfter - timeBefore)} later`;
	return [span([day, pause].filter((word) => word !== "").join(" · "), "muted")];
}
