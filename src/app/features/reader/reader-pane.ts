import type { ReaderRow } from "../../../conversation/blocks/piece.ts";
import { GAP } from "../../../conversation/document/document.ts";
import { type PlacedRow, rowsFrom } from "../../../conversation/document/walk.ts";
import { filterTitle, paneName } from "../../../ui/field/filter-title.ts";
import { formatCount } from "../../../ui/text/format.ts";
import type { Line, Span } from "../../../ui/text/line.ts";
import { blanks, cleanText } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import { cutLine, lineWidth } from "../../../ui/text/width.ts";
import { titleRoom } from "../../../ui/title-rule.ts";
import type { Box, RowView } from "../../../ui/view.ts";
import { hitNote } from "../../world/opened/hits.ts";
import {
	currentEntry,
	currentIndex,
	type PageMargin,
	pageMargin,
	type Reader,
	selectReader,
} from "../../world/opened/select-reader.ts";
import { shownSession } from "../../world/opened/shown-session.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import { matchNumber } from "./find.ts";
import { marked, marksOf } from "./marks.ts";
import { percentRead } from "./percent.ts";
import { entryFacts, entryName } from "./reader-title.ts";

/** The pane of the conversation, with its visible rows. */
export function selectReaderPane(state: State, box: Box): AppPane {
	const focused = state.focus === "reader";
	const reader = selectReader(state);
	const entry = currentEntry(state);
	const session = shownSession(state.detail);
	const position = cleanText(reader === undefined ? "" : `${percentRead(reader)} %`);
	const room = titleRoom(box, position);
	const shared = { id: "reader", ...box, position, focused } as const;
	if (reader === undefined || entry === undefined || session === undefined)
		return { ...shared, title: cutLine(paneName("entry", focused), room), settings: [], rows: [] };
	const { find } = state.reader;
	const titled =
		find === undefined
			? {
					title: cutLine([...entryName(entry, session, state.environment.home), ...hitNote(state)], room),
					settings: entryFacts(entry, state.now),
				}
			: {
					...filterTitle(
						{
							name: paneName("find", focused),
							query: find.text,
							hint: "in this conversation",
							notes: findNote(state, reader),
							focused: find.typing,
						},
						room,
					),
					settings: [],
				};
	return { ...shared, ...titled, rows: visibleRows(state, reader, box) };
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

/** The rows of the page, those of the entry that is read with a mark before them. */
function visibleRows(state: State, reader: Reader, box: Box): RowView[] {
	const { document, top, height } = reader;
	const marks = marksOf(state);
	const margin = pageMargin(state, box.width);
	const rows = rowsFrom(document, top, height);
	const current = currentIndex(state, reader);
	const isOfCurrent = ({ at, row }: PlacedRow) => at.entry === current && row !== GAP;
	// Blank rows within the entry are marked too.
	const [first, last] = [rows.findIndex(isOfCurrent), rows.findLastIndex(isOfCurrent)];
	const mark = span("▐", state.focus === "reader" ? "accent" : "frame");
	return rows.map(({ row }, index) => {
		const line = marks === undefined ? row.line : marked(row.line, marks);
		const isMarked = first !== -1 && index >= first && index <= last;
		return { key: String(index), ...placed(line, row, margin, isMarked ? mark : undefined), selected: false };
	});
}

/** A row after its margin. In a pane its background spans the full width; on a page it leaves out the margin. */
function placed(
	line: Line,
	{ ground, margin: beside = [] }: ReaderRow,
	margin: PageMargin,
	mark: Span | undefined,
): Pick<RowView, "line" | "ground"> {
	const text = cutLine(beside, Math.max(0, margin.margin - 2));
	const gap = { text: blanks(margin.margin - lineWidth(text) - (mark === undefined ? 0 : 1)) };
	const start: Line = [{ text: blanks(margin.indent) }, ...text, gap, ...(mark === undefined ? [] : [mark])];
	if (ground === undefined) return { line: [...start, ...line] };
	if (margin.margin <= 1) return { line: [...start, ...line], ground };
	const end = { text: blanks(margin.measure - lineWidth(line)) };
	return { line: [...start, ...[...line, end].map((part) => ({ ground, ...part }))] };
}
