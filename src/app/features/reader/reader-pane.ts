import { type Comment, commentedTexts } from "../../../catalog/model/marks.ts";
import { GAP, type Position, type ReaderDocument } from "../../../conversation/document/document.ts";
import {
	backward,
	comparePositions,
	isEndVisible,
	type PlacedRow,
	rowsFrom,
} from "../../../conversation/document/walk.ts";
import type { Piece, ReaderRow } from "../../../conversation/terminal/piece.ts";
import { BOOKKEEPING, timeOf } from "../../../store/format/raw-entry.ts";
import { filterTitle, paneName, titleRoom } from "../../../ui/pane-title.ts";
import { formatCount, formatDayTime } from "../../../ui/text/format.ts";
import { aside, inRow, type Line, lineText, markMatches, type Span, span, strong } from "../../../ui/text/line.ts";
import { blanks, cleanText } from "../../../ui/text/sanitize.ts";
import { cutLine, lineWidth } from "../../../ui/text/width.ts";
import type { Box, RowView } from "../../../ui/view.ts";
import { isSameLine, openedBlame } from "../../world/opened/blame-lines.ts";
import { openedComments } from "../../world/opened/comment-lines.ts";
import { digestAbove } from "../../world/opened/select-digest.ts";
import {
	currentEntry,
	currentIndex,
	isFullPage,
	type PageMargin,
	pageMargin,
	type Reader,
	selectReader,
} from "../../world/opened/select-reader.ts";
import { hitNote } from "../../world/opened/select-tree.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import { matchNumber } from "./find.ts";
import { changedSwitches, readerSwitches } from "./reader-title.ts";
import { marksOf } from "./search-results.ts";

export function selectReaderPane(state: State, box: Box): AppPane {
	const focused = state.focus === "reader";
	const reader = selectReader(state);
	const entry = currentEntry(state);
	const session = state.detail.session;
	const position = cleanText(reader === undefined ? "" : `${percentRead(reader)} %`);
	const room = titleRoom(box, position);
	const shared = { id: "reader", ...box, position, focused } as const;
	if (reader === undefined || entry === undefined || session === undefined)
		return { ...shared, title: cutLine(paneName("text", focused), room), settings: [], rows: [] };
	const { find } = state.reader;
	const rows = visibleRows(state, reader, box);
	const changed = changedSwitches(state);
	if (find !== undefined) {
		const field = {
			name: paneName("find", focused),
			query: find.text,
			hint: "in this conversation",
			notes: findNote(state, reader),
			focused: find.typing,
		};
		return { ...shared, ...filterTitle(field, room), settings: [changed], rows };
	}
	const time: Line = [span(formatDayTime(timeOf(entry.timestamp), state.now), "muted")];
	const hits = hitNote(state);
	const facts = hits.length === 0 ? [time] : [inRow([...hits, ...time]), hits];
	if (isFullPage(state)) {
		const switches = readerSwitches(state).find((form) => lineWidth(form) <= room) ?? changed;
		return { ...shared, title: cutLine(switches, room), settings: facts, rows };
	}
	const settings =
		changed.length === 0 ? facts : [...facts.map((fact) => [...changed, span(" ─ ", "frame"), ...fact]), changed];
	return { ...shared, title: cutLine(paneName("text", focused), room), settings, rows };
}

/** "2 of 14": which match is shown, or how the search is going. */
function findNote({ reader: { find } }: State, reader: Reader): Line {
	if (find?.job === undefined) return [];
	const { total, isComplete } = find.job;
	if (total === 0) return [isComplete ? span("  not found", "warning") : span("  looking …", "muted")];
	const at = matchNumber(find, reader);
	const count = `${formatCount(total)}${isComplete ? "" : "+"}`;
	return [span(at === 0 ? `  ${count} found` : `  ${formatCount(at)} of ${count}`, "muted")];
}

/** The rows of the page; rows of the entry that is read have a mark before them. */
function visibleRows(state: State, reader: Reader, box: Box): RowView[] {
	const { document, top, height } = reader;
	const marks = marksOf(state);
	const margin = pageMargin(state, box.width);
	const rows = rowsFrom(document, top, height);
	const current = currentIndex(state, reader);
	const isOfCurrent = ({ at, row }: PlacedRow) => at.entry === current && row !== GAP;
	// Blank rows within the entry are marked too.
	const [first, last] = [rows.findIndex(isOfCurrent), rows.findLastIndex(isOfCurrent)];
	const readMark = span("▐", state.focus === "reader" ? "accent" : "frame");
	const blame = openedBlame(state);
	const blamed = blame?.asked.lines[blame.at];
	const comments = openedComments(state);
	const above = digestAbove(state).map((line, index): RowView => ({ key: `digest ${index}`, line, selected: false }));
	const text = rows.map(({ at, row }, index): RowView => {
		const isRead = first !== -1 && index >= first && index <= last;
		const markedLine = marks === undefined ? row.line : markMatches(row.line, marks);
		const isCopied = row !== GAP && isCopiedRow(state, document, at);
		const isBlamed =
			blamed !== undefined &&
			row.file !== undefined &&
			isSameLine(row.file.line, blamed) &&
			document.path[at.entry]?.id === blame?.asked.last;
		const line = isCopied || isBlamed ? markedLine.map((part): Span => ({ ...part, ground: "cursor" })) : markedLine;
		const isCommented = row !== GAP && comments.some((one) => isOn(one, document.path[at.entry]?.id, row));
		const mark = isCopied ? COPIED : isBlamed ? BLAMED : isCommented ? COMMENTED : isRead ? readMark : undefined;
		const isWide = document.pieces(at.entry)[at.piece]?.isWide === true;
		return { key: String(index), ...placed(line, row, margin, isWide, mark), selected: false };
	});
	return [...above, ...text];
}

const COPIED = strong("✓", "current");
const BLAMED = strong("›", "accent");
const COMMENTED = strong("✎", "label");

/** UTF-16 units of a commented row by which it is known in a pane of another width. */
const ROW_START = 24;

function isOn(comment: Comment, entryId: string | undefined, { line, file }: ReaderRow): boolean {
	const { entry, path, kind, count = 1 } = comment;
	const texts = commentedTexts(comment);
	if (entry !== entryId || (path === undefined) !== (file === undefined)) return false;
	if (file === undefined) return texts.some((text) => lineText(line).includes(text.slice(0, ROW_START)));
	const isOfKind = file.line.kind === kind || (count > 1 && file.line.kind === "same");
	return isOfKind && texts.includes(file.line.text);
}

function isCopiedRow(
	{ reader: { copied } }: State,
	document: ReaderDocument,
	{ entry, piece, row }: Position,
): boolean {
	if (copied?.entryIds.has(document.path[entry]?.id ?? "") !== true) return false;
	const { block, part, isCopied } = document.pieces(entry)[piece] ?? {};
	if (typeof copied.of === "string") return copied.of === "all" || isCopied === true;
	const isPart = copied.of.part === undefined || copied.of.part === part;
	return block === copied.of.block && isPart && row >= copied.of.from && row < copied.of.to;
}

/** A row after its margin. In a pane its background spans the full width; on a page it leaves out the margin, and what is beside prose. */
function placed(
	line: Line,
	{ ground, margin: beside = [] }: ReaderRow,
	{ margin, measure, wide }: PageMargin,
	isWide: boolean,
	mark: Span | undefined,
): Pick<RowView, "line" | "ground"> {
	const text = cutLine(beside, Math.max(0, margin - 2));
	const gap = { text: blanks(margin - lineWidth(text) - (mark === undefined ? 0 : 1)) };
	const start = aside([...text, gap, ...(mark === undefined ? [] : [mark])]);
	if (ground === undefined) return { line: [...start, ...line] };
	const cells = isWide ? wide : measure;
	if (margin === 1 && cells === wide) return { line: [...start, ...line], ground };
	const end: Span = { text: blanks(cells - lineWidth(line)), isAside: true };
	return { line: [...start, ...[...line, end].map((part) => ({ ground, ...part }))] };
}

/** Size of a piece besides its text, in characters. */
const BASE_SIZE = 40;

/**
 * Entries above the viewport in percent of all outside of it: 0 at the start, 100 when the end is visible, and never falling
 * on the way down. Only the entries at the top and bottom edge are read.
 */
export function percentRead({ document, top, height }: Reader): number {
	const below = rowsFrom(document, top, height + 1)[height];
	if (below === undefined || isEndVisible(document, top, height)) return 100;
	if (isFirstRow(document, top)) return 0;
	const above = Math.max(0, entriesBefore(document, top) - leadingBookkeeping(document));
	const remainder = document.path.length - entriesBefore(document, below.at);
	return Math.min(99, Math.floor((above / (above + remainder)) * 100));
}

function isFirstRow(document: ReaderDocument, top: Position): boolean {
	const { entry, piece, row } = top;
	// Of an answer without text, the first piece has no rows.
	const above = document.pieces(entry).slice(0, piece);
	const isFirstOfEntry = row === 0 && above.every((_, index) => document.rows(entry, index).length === 0);
	return isFirstOfEntry && comparePositions(backward(document, top, 1), top) === 0;
}

/** Number of leading entries that show nothing, such as the choice of a model. */
function leadingBookkeeping({ path }: ReaderDocument): number {
	const first = path.findIndex(({ type }) => !BOOKKEEPING.has(type));
	return first === -1 ? 0 : first;
}

/** Number of entries before a row, including the fraction of its own entry above it. */
function entriesBefore(document: ReaderDocument, { entry, piece, row }: Position): number {
	const pieces = document.pieces(entry);
	let [read, all] = [0, 0];
	for (const [index, one] of pieces.entries()) {
		const size = sizeOf(one);
		all += size;
		if (index < piece) read += size;
		else if (index === piece) read += (size * row) / Math.max(1, document.rows(entry, piece).length);
	}
	return entry + read / Math.max(1, all);
}

/** Size of a piece in characters; a folded one counts as one row, details that are not shown as none. */
function sizeOf({ text, fold }: Piece): number {
	if (fold !== undefined && text === "") return 0;
	return BASE_SIZE + (fold === undefined ? text.length : 0);
}
