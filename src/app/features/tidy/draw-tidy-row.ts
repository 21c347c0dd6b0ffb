import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { memoLast } from "../../../shared/memo.ts";
import { formatCounted, formatSize } from "../../../ui/text/format.ts";
import { blanks, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span, strong } from "../../../ui/text/span.ts";
import { cutText, cutTextStart, joinEnds, padText } from "../../../ui/text/width.ts";
import type { Line } from "../../../ui/view.ts";
import { COLUMN_GAP, COLUMN_INFO, COLUMNS, type PlacedColumn, placeColumns } from "../list/columns.ts";
import { SIGN_WIDTH } from "../list/draw-row.ts";
import type { ProjectNames } from "../list/project-names.ts";
import { drawCells } from "../list/row-cells.ts";
import type { TidyKind, TidySession } from "./tidy-groups.ts";
import type { TidyRow } from "./tidy-rows.ts";
import { groupWords, keptWords, whyWords } from "./tidy-words.ts";

export interface TidyDrawing {
	readonly width: number;
	readonly selected: boolean;
	readonly marked: ReadonlySet<string>;
	/** How many are marked of each group. */
	readonly markedByKind: ReadonlyMap<TidyKind, number>;
	readonly projects: ProjectNames;
	readonly oldDays: number;
	readonly movedKey: string | undefined;
	readonly home: string;
	/** Present time, Unix ms. */
	readonly now: number;
}

/** From this width on, a row says why it is there; a part of the row is for that. */
const WHY_FROM_WIDTH = 70;
const WHY_SHARE = 0.2;
/** Columns of the list that are not here. */
const OTHERS = new Set(COLUMNS.filter((column) => !["project", "size", "age"].includes(column)));

export function drawTidyRow(row: TidyRow, drawing: TidyDrawing): Line {
	const { selected } = drawing;
	const cursor = span(selected ? "›" : " ", "accent");
	switch (row.type) {
		case "heading":
			return drawHeading(row, cursor, drawing);
		case "session":
			return drawSession(row.session, cursor, drawing);
		case "kept":
			return joinEnds([span(`  ${keptWords(row.reason, row.count)}`, "muted")], [], drawing.width);
	}
}

/** Its sign says whether all of the group is marked, or some. */
function drawHeading(
	row: Extract<TidyRow, { type: "heading" }>,
	cursor: Line[number],
	{ markedByKind, oldDays, movedKey, width }: TidyDrawing,
): Line {
	const { kind, sessions, bytes } = row.group;
	const count = markedByKind.get(kind) ?? 0;
	const sign = count === 0 ? span(" ") : strong(count === sessions.length ? "✓" : "·", "current");
	const { name, rule } = groupWords(kind, { oldDays, movedKey });
	const sum = `${formatCounted(sessions.length, "session")}, ${formatSize(bytes)}`;
	return joinEnds([cursor, sign, strong(name, "accent"), span(` ${sum}`), span(` · ${rule}`, "muted")], [], width);
}

function drawSession(session: TidySession, cursor: Line[number], drawing: TidyDrawing): Line {
	const { width, marked, projects, now } = drawing;
	const { row } = session;
	const sign = marked.has(row.path) ? strong("✓", "current") : span(" ");
	const columns = placed(width, projects.width);
	const cells = drawCells(columns, { row, counts: undefined, projects, isHere: false, git: undefined, now });
	const title = row.name === undefined ? span(sessionTitle(row)) : strong(sessionTitle(row));
	return joinEnds([cursor, sign, title], [...whyColumn(session, drawing), ...cells, span(" ")], width);
}

function whyColumn(session: TidySession, { width, projects, home }: TidyDrawing): Line {
	const room = whyRoom(width);
	if (room === 0) return [];
	const why = sanitizeLine(whyWords(session, projects, home));
	const cut = session.kind === "orphaned" ? cutTextStart(why, room) : cutText(why, room);
	return [span("  "), { text: padText(cut, room), tone: "muted" }];
}

function whyRoom(width: number): number {
	return width < WHY_FROM_WIDTH ? 0 : Math.floor(width * WHY_SHARE);
}

const placed = memoLast((width: number, projectWidth: number): readonly PlacedColumn[] =>
	placeColumns({ width: width - whyRoom(width), hidden: OTHERS, sort: "size", projectWidth }),
);

/** The heads of the columns. */
export function drawTidyHeads(width: number, projects: ProjectNames): Line {
	const room = whyRoom(width);
	const heads = placed(width, projects.width).map(({ column, width: cells }) => {
		const { heading, align } = COLUMN_INFO[column];
		const text = align === "left" ? heading.padEnd(cells) : heading.padStart(cells);
		return span(`${" ".repeat(COLUMN_GAP)}${text}`, "muted");
	});
	const why = room === 0 ? [] : [span(`  ${"why".padEnd(room)}`, "muted")];
	return joinEnds([{ text: blanks(SIGN_WIDTH) }, span("title", "muted")], [...why, ...heads, span(" ")], width);
}
