import { type RunFacts, tookMs } from "../../../catalog/families/run.ts";
import { ENDING_BADGES, type Ending } from "../../../catalog/model/ending.ts";
import { type Marks, waitingComments } from "../../../catalog/model/marks.ts";
import { fileName, type RunPlace, type SessionRow } from "../../../catalog/model/row.ts";
import { stateOf } from "../../../catalog/query/conditions.ts";
import { rangesIn } from "../../../catalog/query/snippet.ts";
import type { Term } from "../../../catalog/query/term.ts";
import { type BriefUse, OPEN_HERE } from "../../../changes/guard/guard-words.ts";
import { rewindForms } from "../../../conversation/entries/leaf.ts";
import { RUN_SIGN, runOutcome } from "../../../conversation/entries/run-outcome.ts";
import { isTitledByCommand, sessionTitle, whyNoSession } from "../../../conversation/entries/session-title.ts";
import { isDamaged } from "../../../store/format/diagnostic.ts";
import { formatShort, shortenHome } from "../../../ui/text/format.ts";
import { asking, highlight, type Line, type Span, span, strong } from "../../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, cutText, cutTextStart, joinEnds, lineWidth, padText, textWidth } from "../../../ui/text/width.ts";
import type { RunCounts } from "../../world/list/families.ts";
import { type CellFacts, drawCells, pinOf, placeSpans, tagsOf } from "../../world/list/row-cells.ts";
import { connectorsOf, type Level, type ThreadedRow } from "../../world/list/thread.ts";
import { COLUMN_GAP, type Column, type PlacedColumn, pathRoom } from "../../world/state/list-columns.ts";

interface RowDrawing extends Omit<CellFacts, "row"> {
	/** Cells that the row fills. */
	readonly width: number;
	/** Cells that rows below the headings of projects are indented. */
	readonly indent: number;
	readonly columns: readonly PlacedColumn[];
	readonly selected: boolean;
	readonly marked: boolean;
	/** Sign that it is in use. */
	readonly use: BriefUse["sign"] | undefined;
	readonly marks: Marks;
	/** Whether the session is open in the pi that started the browser. */
	readonly isOpenHere: boolean;
	/** Whether the session is shown only for the runs below it. */
	readonly isUnmatched: boolean;
	/** Whether the row is from an earlier listing of its place. */
	readonly isStale: boolean;
	readonly run: RunFacts | undefined;
	readonly runs: RunCounts;
	readonly isForkOfDeleted: boolean;
	/** Whether its directory does not exist any more. */
	readonly isGone: boolean;
	/** Whether its file name marks it as a copy of another listed session. */
	readonly isConflictCopy: boolean;
	readonly terms: readonly Term[];
	/** Whether the path of its file replaces all columns but the last. */
	readonly showPath: boolean;
	readonly home: string;
	readonly root: string | undefined;
}

/** Largest share of a row that fork connectors take, so that there is always room for a title. */
const PREFIX_SHARE = 0.3;

/** Sign of a marked session, in the second of a row's first `SIGN_WIDTH` cells. */
const MARK = "✓";
export const SIGN_WIDTH = 2;

/** One session as one row: cursor, connectors, title, columns (or the path). */
export function drawSessionRow({ row, level }: ThreadedRow, drawing: RowDrawing): Line {
	const { width, indent, columns, selected } = drawing;
	const facts: CellFacts = { ...drawing, row };
	const cells = drawing.showPath ? drawPath(facts, drawing) : drawCells(columns, facts);
	const start: Line = [
		span(selected ? "›" : " ", "accent"),
		drawing.marked ? strong(`${MARK} `, "current") : span(" "),
		span(" ".repeat(indent)),
		connectorSpan(level, Math.floor(width * PREFIX_SHARE)),
		...(drawing.use === undefined ? [] : asking("is:running", [span(`${drawing.use} `, "current")])),
		...asking("is:pinned", pinOf(row, drawing.marks)),
		...(row.run === undefined ? [] : [span(`${RUN_SIGN} `, "muted")]),
		...titleOf(row, drawing).map((part) => (drawing.isUnmatched || drawing.isStale ? span(part.text, "muted") : part)),
	];
	const right: Line = [...cells, span(" ")];
	const titleCells = width - lineWidth(right);
	const note = [
		...(drawing.isOpenHere ? [span(width >= OPEN_HERE_WIDTH ? `  ${OPEN_HERE}` : "  here", "current")] : []),
		...(drawing.isForkOfDeleted ? asking("is:orphan", forkNote(width)) : []),
		...(drawing.isConflictCopy ? asking("is:copy", [span("  conflict copy", "warning")]) : []),
		...(row.run !== undefined && level === undefined ? lostRunNote(row.run, width) : []),
		...outcomeNote(drawing.run),
		...asking("is:rewound", rewindNote(drawing, titleCells)),
		...(hasColumn(drawing, "state") ? [] : endingNote(drawing.ending)),
	];
	// The title is cut before its badges, which would say nothing if they were not seen.
	const tags = tagsOf(row, drawing.marks, Math.floor(titleCells * BADGE_SHARE));
	const goneBadge = drawing.isGone ? asking("is:gone", [span(` ${GONE}`, "muted")]) : [];
	const badges = [
		...tags,
		...placeSpans(row),
		...countBadges(drawing),
		...commentBadge(row, drawing.marks),
		...goneBadge,
		...runBadge(drawing.runs, titleCells),
	];
	const room = titleCells - lineWidth(note) - lineWidth(badges);
	const line = [...cutLine(start, Math.min(lineWidth(start), room)), ...badges, ...note];
	return joinEnds(line, right, width);
}

/** Sign of a session whose directory does not exist any more. */
const GONE = "◌";

/** Part of a title's room that its tags take at most. */
const BADGE_SHARE = 0.4;

/**
 * "◫7 ●1 ✗2 3 gone": how many runs of subagents there are, how many of these are running, failed, or have lost their session.
 * The last badge, so that the signs after ◫ are about the runs and not about the session.
 */
function runBadge({ count, running, failed, gone }: RunCounts, titleCells: number): Line {
	if (count === 0) return [];
	const badge = [
		span(` ${RUN_SIGN}${formatShort(count)}`, "accent"),
		...(running > 0 ? [span(` ●${formatShort(running)}`, "current")] : []),
		...(failed > 0 ? [span(` ✗${formatShort(failed)}`, "error")] : []),
	];
	const all = gone > 0 ? [...badge, span(` ${formatShort(gone)} gone`, "muted")] : badge;
	return asking("runs:>0", titleCells - lineWidth(all) < MIN_TITLE ? badge : all);
}

/** The title of a session; for a run the agent and its task, if the session that started the run names them. */
function titleOf(row: SessionRow, { run, terms }: RowDrawing): Line {
	const agent = sanitizeLine(run?.agent ?? "");
	const task = sanitizeLine(run?.task ?? "");
	if (agent === "") return titleSpans(row, terms);
	return [
		strong(agent),
		span("  "),
		...(task === ""
			? titleSpans({ ...row, name: undefined }, terms)
			: highlightWords({ text: task, tone: "text" }, terms)),
	];
}

/** "✓ 1m 12s", "✗ timed out 40s", "running": how a run stands, and how long it took. */
function outcomeNote(run: RunFacts | undefined): Line {
	const outcome = run === undefined ? [] : runOutcome({ state: run.state, tookMs: tookMs(run) });
	return outcome.length === 0 ? [] : [span("  "), ...outcome];
}

function lostRunNote({ parent }: RunPlace, width: number): Line {
	if (parent === undefined) return [span("  parent unknown", "muted")];
	return [span(width > WIDE_WIDTH ? "  run of a deleted session" : "  parent gone", "muted")];
}

/** "✗3 ⚑2": how often something failed, and how many labels there are, where no column says so. */
function countBadges(drawing: RowDrawing): Line {
	const { counts } = drawing;
	if (counts === undefined) return [];
	return [
		...(counts.errors > 0 && !hasColumn(drawing, "errors")
			? asking("is:error", [span(` ✗${formatShort(counts.errors)}`, "error")])
			: []),
		...(counts.labels > 0 ? asking("is:labeled", [span(` ⚑${formatShort(counts.labels)}`, "label")]) : []),
	];
}

/** "✎2": how many comments on its lines were not sent. */
function commentBadge(row: SessionRow, marks: Marks): Line {
	const { length } = waitingComments(row, marks);
	return length === 0 ? [] : asking("is:reviewed", [span(` ✎${formatShort(length)}`, "label")]);
}

/** Whether a column says something, which then no badge says. */
function hasColumn({ columns, showPath }: RowDrawing, wanted: Column): boolean {
	return !showPath && columns.some(({ column }) => column === wanted);
}

/** The fork connectors; if not all fit, those nearest to the title. */
function connectorSpan(level: Level | undefined, room: number): Span {
	return span(cutTextStart(cleanText(connectorsOf(level, room)), room), "muted");
}

/** Cells above which a fork note is written out. */
const WIDE_WIDTH = 70;

/** Cells from which "open here" is written out. */
const OPEN_HERE_WIDTH = 60;

function forkNote(width: number): Line {
	return [span(width > WIDE_WIDTH ? "  fork of a session in the trash" : "  parent in the trash", "muted")];
}

/** Says that pi does not continue at the end of the session. `room`: cells for this and the title. */
function rewindNote({ counts }: RowDrawing, room: number): Line {
	if (counts?.rewound === undefined) return [];
	const { long, short } = rewindForms(counts.rewound);
	return [span(`  ${room - long.length < MIN_TITLE ? short : long}`, "warning")];
}

/** Cells that the title keeps: with less, notes are short. */
const MIN_TITLE = 32;

/** Says that the session waits for the person, where no column does. */
function endingNote(ending: Ending): Line {
	if (ending === "") return [];
	return [span("  "), ...asking(`is:${stateOf(ENDING_BADGES[ending].words)}`, [span("◐", "current")])];
}

/** The path, and behind it the age. */
function drawPath(facts: CellFacts, { width, columns, home, root }: RowDrawing): Line {
	const age = columns.filter(({ column }) => column === "age");
	const room = pathRoom(width);
	if (room <= 0) return drawCells(columns, facts);
	const path = padText(usefulPath(facts.row, home, root, room), room);
	return [span(" ".repeat(COLUMN_GAP)), { text: path, tone: "muted" }, ...drawCells(age, facts)];
}

/** The title, with "!" in front of it if the session has lost data. */
function titleSpans(row: SessionRow, terms: readonly Term[]): Line {
	const marked = highlightWords(titleSpan(row), terms);
	return isDamaged(row.diagnostics) ? [...asking("is:damaged", [span("! ", "warning")]), ...marked] : marked;
}

function highlightWords(title: Span, terms: readonly Term[]): Line {
	const ranges = terms.length === 0 ? [] : rangesIn(title.text, terms);
	if (ranges.length === 0) return [title];
	return highlight(title.text, ranges, title.tone).map((part) => ({ ...part, ...(title.bold && { bold: true }) }));
}

/** A name is bold. A command that began the session is muted: it does not say what the session is about. */
function titleSpan(row: SessionRow): Span {
	const title = sessionTitle(row);
	if (whyNoSession(row) !== undefined) return span(title, "error");
	if (row.name !== undefined) return strong(title);
	return span(title, isTitledByCommand(row) ? "muted" : "text");
}

/** "2026-11-19T05-20-00-000Z_019a…-….jsonl", as pi names its files. */
const NAME = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-\d{3}Z_([^.]{8})[^.]*\.jsonl$/;

/** The longest form of a session's path that fits: whole, below the root, the file name, or its time and id. */
export function usefulPath({ path }: SessionRow, home: string, root: string | undefined, width: number): CleanText {
	const name = fileName(path);
	const within = root !== undefined && path.startsWith(root) ? path.slice(root.length).replace(/^[/\\]/, "") : name;
	const short = name.replace(NAME, (_all, time: string, id: string) => `${time}_${id}…`);
	const forms = [shortenHome(path, home), within, name, short].map((form) => sanitizeLine(form));
	return forms.find((form) => textWidth(form) <= width) ?? cutText(forms.at(-1) ?? sanitizeLine(name), width);
}
