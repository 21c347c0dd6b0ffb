import type { SessionRow } from "../../../catalog/model/row.ts";
import { sessionsIn } from "../../../changes/journal/step.ts";
import { type Change, isMade } from "../../../changes/kinds/change.ts";
import type { Outlook } from "../../../changes/kinds/kind.ts";
import { formatCount, timeCell } from "../../../ui/text/format.ts";
import { type Line, type Span, span, strong } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { cutText, joinEnds, padText } from "../../../ui/text/width.ts";
import { commandOf, subjectOf } from "./command-words.ts";
import { changesOf, type HistoryRow } from "./history-rows.ts";

export interface HistoryDrawing {
	readonly width: number;
	readonly selected: boolean;
	readonly rows: ReadonlyMap<string, SessionRow>;
	readonly outlooks: ReadonlyMap<string, Outlook>;
	readonly home: string;
	/** Present time, Unix ms. */
	readonly now: number;
}

/** From this width on, the title of the session has a column. */
const TITLE_FROM_WIDTH = 70;
/** From this width on, words say whether a change can be undone; below it, a sign. */
const WORDS_FROM_WIDTH = 60;
const TITLE_SHARE = 0.3;

/** Draws a change: when it was made, what it did, to which session, and whether it can be undone. */
export function drawHistoryRow(row: HistoryRow, drawing: HistoryDrawing): Line {
	const { width, selected, now } = drawing;
	const [change] = changesOf(row);
	const isNarrow = width < WORDS_FROM_WIDTH;
	const [word, tone] = standing(row, drawing);
	const right: Line = [
		...titleColumn(row, drawing),
		span(`  ${isNarrow ? (SIGNS[word] ?? word) : padText(cleanText(word), STANDING_WIDTH)} `, tone),
	];
	const left: Line = [
		span(selected ? "› " : "  ", "accent"),
		span(`${timeCell(Date.parse(change?.at ?? ""), now, width)}  `, "muted"),
		...whatSpans(row, drawing),
	];
	return joinEnds(left, right, width);
}

function whatSpans(row: HistoryRow, { rows, home }: HistoryDrawing): Span[] {
	if (row.kind === "group") return [span(row.isOpen ? "⊟ " : "⊞ ", "accent"), strong(row.group.what)];
	const [verb, rest] = commandOf(row.change, rows, home);
	const isOver = row.change.fate !== "made" && row.change.fate !== "unclear";
	const indent = row.inGroup ? [span("  ")] : [];
	if (verb === "") return [...indent, span(rest, isOver ? "muted" : "text")];
	return [...indent, span(`${verb} `, isOver ? "muted" : "verb"), span(rest, isOver ? "muted" : "text")];
}

function titleColumn(row: HistoryRow, { width, rows }: HistoryDrawing): Span[] {
	if (width < TITLE_FROM_WIDTH) return [];
	if (row.kind === "group") return [span(membersShown(row), "muted")];
	const room = Math.floor(width * TITLE_SHARE);
	const title = subjectOf(row.change, rows);
	return [span(`  ${padText(cutText(cleanText(title), room), room)}`, "muted")];
}

/** How many changes of a group are listed, unless all are: some were not made, or have not been read yet. */
function membersShown({ changes, group }: Extract<HistoryRow, { kind: "group" }>): string {
	const count = sessionsIn(changes);
	return count === group.count ? "" : `  ${formatCount(count)} of ${formatCount(group.count)}`;
}

/** The longest of the words below. */
const STANDING_WIDTH = 16;
/** What narrow rows show instead of words. */
const SIGNS: Readonly<Record<string, string>> = {
	"can be undone": "↶",
	"undo asks first": "↶?",
	"cannot be undone": "✗",
	"can be redone": "↷",
};

/** Whether a change can be undone, as the row shows it. */
function standing(row: HistoryRow, { outlooks }: HistoryDrawing): readonly [word: string, tone: Span["tone"] & string] {
	const changes = changesOf(row);
	const made = changes.filter(isMade);
	if (made.length === 0) return standingOver(changes);
	const known = made.flatMap(({ id }) => outlooks.get(id) ?? []);
	const undone = changes.filter(({ fate }) => fate === "undone").length;
	if (undone > 0) return [`${formatCount(undone)} undone`, "muted"];
	if (known.some(({ kind }) => kind === "refuse"))
		return known.every(({ kind }) => kind === "refuse")
			? ["cannot be undone", "muted"]
			: ["undo asks first", "warning"];
	if (known.some(({ kind }) => kind === "ask")) return ["undo asks first", "warning"];
	return known.length < made.length ? ["…", "muted"] : ["can be undone", "current"];
}

function standingOver(changes: readonly Change[]): readonly [string, "muted"] {
	if (changes.some(({ fate }) => fate === "undone")) return ["undone", "muted"];
	return [changes.some(({ fate }) => fate === "given-up") ? "kept" : "not made", "muted"];
}
