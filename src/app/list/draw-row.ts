import type { SessionRow } from "../../catalog/model/row.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import { pinOf, tagsOf } from "../marks/draw-marks.ts";
import type { Marks } from "../marks/marks.ts";
import type { Line, Span } from "../model/view.ts";
import type { BriefUse } from "../text/describe-use.ts";
import { formatAge, formatCount, shortenHome } from "../text/format.ts";
import { type CleanText, cleanText, sanitizeLine, startOf } from "../text/sanitize.ts";
import { span, strong } from "../text/span.ts";
import { cutLine, cutTextStart, joinEnds, lineWidth, padText } from "../text/width.ts";
import type { ThreadedRow } from "./thread.ts";

export interface RowDrawing {
	/** Cells that the row fills. */
	readonly width: number;
	readonly selected: boolean;
	/** Whether the person has marked it. */
	readonly marked: boolean;
	/** The sign of what shows it to be in use. */
	readonly use: BriefUse["sign"] | undefined;
	readonly marks: Marks;
	/** Whether it is a fork of a session in the trash. */
	readonly isForkOfDeleted: boolean;
	readonly showPath: boolean;
	readonly home: string;
	/** Present time, Unix ms. */
	readonly now: number;
}

const AGE_WIDTH = 4;
const COUNT_WIDTH = 5;
/** A list narrower than this shows titles without projects, in cells. */
const NARROW_WIDTH = 48;
/** Cells that it takes to tell projects apart. */
const MIN_PROJECT_WIDTH = 12;
/** Fork connectors take at most this part of a row, so that there is always room for a title. */
const PREFIX_SHARE = 0.3;

/** The sign of a marked session, in the second of a row's first `SIGN_WIDTH` cells. */
const MARK = "✓";
export const SIGN_WIDTH = 2;

/** One session as one row: cursor, connectors, title, project (or path), messages, age. */
export function drawSessionRow({ row, prefix }: ThreadedRow, drawing: RowDrawing): Line {
	const { width, selected, now } = drawing;
	const project = projectColumn(row, drawing);
	const numbers = `${formatCount(row.messageCount).padStart(COUNT_WIDTH)} ${formatAge(row.modified.getTime(), now).padStart(AGE_WIDTH)}`;
	const right: Line = [span(`  ${project}${numbers} `, "muted")];
	const left: Line = [
		span(selected ? "›" : " ", "accent"),
		drawing.marked ? strong(MARK, "current") : span(" "),
		span(cutTextStart(cleanText(prefix), Math.floor(width * PREFIX_SHARE)), "muted"),
		...(drawing.use === undefined ? [] : [span(`${drawing.use} `, "current")]),
		...pinOf(row, drawing.marks),
		...titleOf(row),
		...tagsOf(row, drawing.marks),
	];
	const note = drawing.isForkOfDeleted ? forkNote(width) : [];
	return joinEnds([...cutLine(left, width - lineWidth(right) - lineWidth(note)), ...note], right, width);
}

/** A list wider than this says it in all words, in cells. */
const WIDE_WIDTH = 70;

/** That what a session was forked from is in the trash. */
function forkNote(width: number): Line {
	return [span(width > WIDE_WIDTH ? "  fork of a session in the trash" : "  parent in the trash", "muted")];
}

/** The title of a session: its name, else its first message, else why there is neither. */
export function sessionTitle(row: SessionRow): CleanText {
	const reason = whyNoSession(row);
	if (reason !== undefined) return cleanText(`${fileName(row.path)}: ${sanitizeLine(reason)}`);
	return sanitizeLine(row.name ?? "") || sanitizeLine(startOf(row.firstMessage, 500)) || cleanText("(no messages)");
}

function titleOf(row: SessionRow): Span[] {
	const damaged = isDamaged(row.diagnostics);
	const title = titleSpan(row);
	return damaged ? [span("! ", "warning"), title] : [title];
}

/** A name that the person gave is bold; a command that began the session says little of it. */
function titleSpan(row: SessionRow): Span {
	const title = sessionTitle(row);
	if (whyNoSession(row) !== undefined) return span(title, "error");
	if (row.name !== undefined) return strong(title);
	return span(title, /^\/[a-z][\w:-]*(?: |$)/.test(title) ? "muted" : "text");
}

/** Why nothing of a file can be shown; undefined when something can. */
function whyNoSession({ id, messageCount, diagnostics }: SessionRow): string | undefined {
	if (id !== "" || messageCount > 0) return undefined;
	return diagnostics.find(({ severity }) => severity === "damage")?.message;
}

function projectColumn(row: SessionRow, { width, showPath, home }: RowDrawing): string {
	if (width < NARROW_WIDTH) return "";
	const room = Math.max(MIN_PROJECT_WIDTH, Math.floor(width * (showPath ? 0.5 : 0.24)));
	const text = sanitizeLine(shortenHome(showPath ? row.path : row.cwd, home));
	return `${padText(cutTextStart(text, room), room)} `;
}

function fileName(path: string): string {
	return sanitizeLine(path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1));
}
