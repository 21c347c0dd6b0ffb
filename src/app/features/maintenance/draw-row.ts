import { memoLast } from "../../../shared/memo.ts";
import { formatCount, formatSize } from "../../../ui/text/format.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span, strong } from "../../../ui/text/span.ts";
import { cutText, cutTextStart, joinEnds, padText } from "../../../ui/text/width.ts";
import type { Line } from "../../../ui/view.ts";
import { COLUMNS, type PlacedColumn, placeColumns } from "../../list/columns.ts";
import { sessionTitle } from "../../list/draw-row.ts";
import { type ProjectNames, projectNames } from "../../list/project-names.ts";
import { drawCells } from "../../list/row-cells.ts";
import type { State } from "../../model/state.ts";
import { drawItem } from "./draw-item.ts";
import { groupWords } from "./group-words.ts";
import { type Group, keysOf, type MaintenanceRow, selectMarkedCounts } from "./maintenance-rows.ts";
import type { TidySession } from "./tidy-groups.ts";
import { whyWords } from "./tidy-words.ts";

interface Drawing {
	readonly width: number;
	readonly selected: boolean;
	readonly marked: boolean;
}

/** From this width on, a heading says by which rule a session is below it. */
const RULE_FROM_WIDTH = 56;
const NAME_WIDTH = 21;
const COUNT_WIDTH = 8;
/** From this width on, a row says why it is there; a part of the row is for that. */
const WHY_FROM_WIDTH = 70;
const WHY_SHARE = 0.2;
/** Columns of the list that are not here. */
const OTHERS = new Set(COLUMNS.filter((column) => !["project", "size", "age"].includes(column)));
/** What is below a heading begins there, in cells. */
const INDENT = 2;

/** How the rows of the view are drawn. */
export function drawRow(state: State): (row: MaintenanceRow, drawing: Drawing) => Line {
	const counts = selectMarkedCounts(state);
	const { catalog, tidy, trash, environment, now } = state;
	const shared = { projects: projectNames(catalog.rows), home: environment.home, now };
	return (row, drawing) => {
		const { width, selected, marked } = drawing;
		const depth = row.parent === undefined ? 0 : INDENT;
		const cursor = span(selected ? "›" : " ", "accent");
		const indent = span(" ".repeat(depth));
		const below = { width: width - depth, selected: false, marked };
		switch (row.type) {
			case "group": {
				const mark = groupMark(counts.get(row.key) ?? 0, keysOf(state, row).length);
				return [cursor, mark, ...drawGroup(row.group, tidy.oldDays, width - 2)];
			}
			case "undone": {
				const mark = groupMark(counts.get(row.key) ?? 0, row.count);
				const text = `${formatCount(row.count)} undone ${row.count === 1 ? "fork" : "forks"}`;
				return joinEnds([cursor, mark, indent, span(text, "muted")], [], width);
			}
			case "session":
				return [cursor, markSign(marked), indent, ...drawSession(row.session, below.width - 2, shared)];
			case "trashed":
				return [
					cursor,
					markSign(marked),
					indent,
					...drawItem(row.item, { ...shared, rows: trash.rows, width: below.width - 2 }),
				];
			case "note":
				return joinEnds([span("  "), indent, span(sanitizeLine(row.text), row.tone)], [], width);
		}
	};
}

function markSign(marked: boolean): Line[number] {
	return marked ? strong("✓", "current") : span(" ");
}

/** Whether all of a heading is marked, or some. */
function groupMark(marked: number, all: number): Line[number] {
	return marked === 0 ? span(" ") : strong(marked === all ? "✓" : "·", "current");
}

/** "⧖ Older than 180 days   150   nothing was said since   308 MB" */
function drawGroup({ id, count, bytes, note }: Group, oldDays: number, width: number): Line {
	const { sign, name, rule, tone } = groupWords(id, oldDays);
	const more = note ?? rule;
	const left = [
		span(`${sign} `, tone),
		strong(padText(cleanText(name), NAME_WIDTH), "accent"),
		span(formatCount(count).padStart(COUNT_WIDTH)),
		...(width >= RULE_FROM_WIDTH ? [span(`   ${more}`, "muted")] : []),
	];
	return joinEnds(left, bytes === 0 ? [] : [span(` ${formatSize(bytes)} `, "muted")], width);
}

interface Shared {
	readonly projects: ProjectNames;
	readonly home: string;
	/** Present time, Unix ms. */
	readonly now: number;
}

function drawSession(session: TidySession, width: number, { projects, home, now }: Shared): Line {
	const { row } = session;
	const cells = drawCells(placed(width, projects.width), {
		row,
		counts: undefined,
		projects,
		isHere: false,
		git: undefined,
		now,
	});
	const title = row.name === undefined ? span(sessionTitle(row)) : strong(sessionTitle(row));
	return joinEnds([title], [...whyColumn(session, width, projects, home), ...cells, span(" ")], width);
}

function whyColumn(session: TidySession, width: number, projects: ProjectNames, home: string): Line {
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
